"""What is given as a release and is none is refused in a sentence; what is more than one, is named."""

import hashlib
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

TEXTS = {"plan.json": b"{}", "codebook.json": b"{}", "results/results.json": b"{}"}


def summed(files: dict[str, bytes]) -> bytes:
    """Return the sums of files as a release writes them."""
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items()]
    return "".join(lines).encode()


def packed(path: Path, files: dict[str, bytes]) -> Path:
    """Write a zip file."""
    with ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def flagged(content: bytes) -> bytes:
    """Return a zip file whose entries say that they are under a password."""
    changed = bytearray(content)
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        place = changed.find(mark)
        while place >= 0:
            changed[place + at] |= 1
            place = changed.find(mark, place + 1)
    return bytes(changed)


def refusal(archive: Path) -> str:
    """Return the sentence with which the command refuses."""
    with pytest.raises(CommandError) as raised:
        call_command("reproduce_release", str(archive))
    return str(raised.value)


@pytest.mark.parametrize(
    ("sums", "sentence"),
    [
        (b"", "SHA256SUMS names no file"),
        (b"\xff\xfe\x00", "SHA256SUMS is no text"),
        (b"nonsense\n", "SHA256SUMS, line 1, is not a sum, two spaces and a file"),
    ],
)
def test_sums_that_are_none_are_refused(tmp_path, sums, sentence):
    archive = packed(tmp_path / "a.zip", TEXTS | {"SHA256SUMS": sums})
    assert sentence in refusal(archive)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"codebook.json": b"[]"}, "codebook.json holds no JSON object"),
        ({"codebook.json": b"{"}, "codebook.json is no JSON"),
        ({"results/results.json": b"{"}, "results/results.json is no JSON"),
        ({}, "The sums hold, but the files do not hold what this version reads"),
    ],
)
def test_content_that_is_none_of_a_release_is_refused_though_its_sums_hold(
    tmp_path, changed, sentence
):
    files = TEXTS | changed
    archive = packed(tmp_path / "a.zip", files | {"SHA256SUMS": summed(files)})
    assert sentence in refusal(archive)


def test_a_zip_file_under_a_password_is_refused(tmp_path):
    archive = packed(tmp_path / "a.zip", TEXTS)
    archive.write_bytes(flagged(archive.read_bytes()))
    assert "cannot be read as a zip file" in refusal(archive)


def test_what_the_sums_do_not_name_is_not_taken_for_released(tmp_path, capsys):
    plan = {"plan.json": b"{}"}
    files = plan | {"SHA256SUMS": summed(plan)}
    call_command("reproduce_release", str(packed(tmp_path / "exact.zip", files)))
    assert "Every file is as it was released" in capsys.readouterr().out
    more = packed(tmp_path / "more.zip", files | {"preferences.parquet": b""})
    assert "not what it says it is" in refusal(more)
    assert "preferences.parquet is no file of the release" in capsys.readouterr().out


def test_a_sum_reaches_no_file_outside_the_archive(tmp_path, capsys):
    outside = tmp_path / "outside.txt"
    outside.write_bytes(b"x")
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "SHA256SUMS").write_bytes(summed({"../outside.txt": b"x"}))
    with pytest.raises(CommandError):
        call_command("reproduce_release", str(folder), "--json")
    assert json.loads(capsys.readouterr().out)["files_broken"] == ["../outside.txt is missing"]
