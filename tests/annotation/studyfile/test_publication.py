"""`release:` tells what only the researcher knows; it is read, checked, and no part of the plan."""

import json

import pytest

from annotation.studyfile import (
    folder_digest,
    folder_document,
    inspect_study,
    plan_document,
    read_study,
    study_from_document,
)
from annotation.studyfile.definition import Creator, Publication
from tests.annotation.studyfile.folders import FILES, errors_of, write_folder

SECTION = """\
release:
  licence: CC-BY-4.0
  creators:
    - {name: Ada Example, orcid: 0000-0002-1825-0097, affiliation: Somewhere}
    - {name: Bo}
  version: "1.0"
  url: https://example.org/data
  pay_per_hour: 12 GBP
  free_text: review
"""


def with_release(tmp_path, section=SECTION):
    files = dict(FILES)
    files["study.yaml"] += section
    return write_folder(tmp_path / "study", files)


def test_it_is_read_kept_and_no_part_of_the_plan(tmp_path):
    study = read_study(with_release(tmp_path))
    assert study.publication == Publication(
        licence="CC-BY-4.0",
        creators=(Creator("Ada Example", "0000-0002-1825-0097", "Somewhere"), Creator("Bo")),
        version="1.0",
        url="https://example.org/data",
        pay_per_hour="12 GBP",
        free_text="review",
    )
    document = json.loads(json.dumps(folder_document(study)))
    assert study_from_document(document).publication == study.publication
    without = read_study(write_folder(tmp_path / "plain", FILES))
    assert "release" not in folder_document(without)
    assert plan_document(study) == plan_document(without)
    assert folder_digest(study) != folder_digest(without)


@pytest.mark.parametrize(
    ("old", "new", "field", "told"),
    [
        ("CC-BY-4.0", "CC-BY", "release.licence", "is not one of"),
        ("0097", "0098", "release.creators[1].orcid", "mind the last digit"),
        ("name: Bo", "name: Ada Example", "release.creators[2]", "stands twice"),
        ("name: Bo", "orcid: ''", "release.creators[2].name", "is missing"),
        ('"1.0"', "newest", "release.version", "a version such as 1.0"),
        ("https://", "ftp://", "release.url", "an address that begins with https://"),
        ("free_text: review", "free_text: keep", "release.free_text", "is not one of"),
        ("pay_per_hour", "pay", "release.pay", "is not a key of release"),
    ],
)
def test_a_fault_is_told_with_its_place(tmp_path, old, new, field, told):
    folder = with_release(tmp_path, SECTION.replace(old, new))
    found = inspect_study(folder).errors
    assert any(fault.field == field and told in fault.message for fault in found), errors_of(folder)
