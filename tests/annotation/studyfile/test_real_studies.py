"""The demo studies, and a real one where its data lie beside the project."""

from pathlib import Path

import pytest

from annotation.studyfile import inspect_study

PROJECT = Path(__file__).resolve().parents[3]
SQUALITY = PROJECT.parent / "shared" / "data" / "squality"
DEMOS = sorted(path.parent for path in (PROJECT / "fixtures" / "studies").glob("*/study.yaml"))


def test_there_are_demo_studies():
    assert DEMOS


@pytest.mark.parametrize("folder", DEMOS, ids=lambda path: path.name)
def test_a_demo_study_has_no_error_and_no_warning(folder):
    inspection = inspect_study(folder)
    assert [str(fault) for fault in (*inspection.errors, *inspection.warnings)] == []
    assert all(inspection.items.values())


@pytest.mark.skipif(not SQUALITY.is_dir(), reason="the SQuALITY ratings lie outside the project")
def test_a_real_study_is_read_where_it_lies():
    inspection = inspect_study(SQUALITY)
    assert [str(fault) for fault in (*inspection.errors, *inspection.warnings)] == []
    assert inspection.items == {"answer": 300, "comparison": 100}
