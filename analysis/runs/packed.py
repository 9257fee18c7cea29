"""A report as what a run holds: the numbers, the page, and all files in one archive."""

import json
from base64 import b64encode
from collections.abc import Mapping
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from analysis.reports.bundle import Report, report_files


def packed(report: Report) -> dict[str, Any]:
    """Return the result of a run that made a report."""
    return packed_files(report_files(report))


def packed_files(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the result of a run that made these files, a report among them."""
    return {
        "document": json.loads(files["results.json"]),
        "html": files["report.html"].decode(),
        "archive": b64encode(_zipped(files)).decode(),
    }


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack the files; the same files give the same bytes."""
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(ZipInfo(name), files[name], ZIP_DEFLATED)
    return target.getvalue()
