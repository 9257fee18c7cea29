"""`manage.py irt_items`: from a study's ratings to what `irt --items` reads."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from analysis.frames import KeptItems
from analysis.tables import read_table

RATINGS = "item_id,annotator,translation_quality,local_culture,comment\nq1,a,3,yes,\nq2,a,1,no,x\n"
ITEMS = "item_id,locale,topic\nq1,FR,food\nq2,FR,law\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ratings.csv").write_text(RATINGS)
    (tmp_path / "items.csv").write_text(ITEMS)
    return tmp_path


def run(folder, *arguments):
    printed = StringIO()
    files = (str(folder / "ratings.csv"), "--items", str(folder / "items.csv"))
    out = str(folder / "kept.csv")
    call_command("irt_items", *files, "--out", out, *arguments, stdout=printed)
    return printed.getvalue()


def test_the_file_is_one_that_irt_reads(folder):
    counts = json.loads(run(folder, "--json"))
    assert counts == {"judged": 2, "kept": 1, "wrong_translation": 1}
    table = read_table(folder / "kept.csv", KeptItems.TABLE)
    assert table["item"].tolist() == ["q1", "q2"]
    assert table["keep"].tolist() == [1, 0]


def test_an_existing_file_is_refused_unless_forced(folder):
    assert "2 items judged, 1 kept" in run(folder)
    with pytest.raises(CommandError, match="exists; name another file, or add --force"):
        run(folder)
    run(folder, "--force")


def test_a_rating_beyond_the_scale_is_told_with_its_place(folder):
    (folder / "ratings.csv").write_text(RATINGS.replace("q2,a,1", "q2,a,4"))
    with pytest.raises(CommandError, match="row 3, column 'translation_quality': '4'"):
        run(folder)
