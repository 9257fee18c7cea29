"""Whatever stands in the files, reading them gives a study or StudyFolderInvalid, nothing else."""

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotation.studyfile import StudyFolderInvalid, read_study
from tests.annotation.studyfile.folders import FILES, STUDY, write_folder

few = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
yaml_like = st.text(
    st.sampled_from("abc:-[]{}!&*?|>'\"#%@,\n\t ~<=0129.\\uU\x00\x85\u2028\ufeff"), max_size=60
)


def read(changed):
    """Read a folder, in which some files are changed, and let only the one exception pass."""
    with tempfile.TemporaryDirectory() as name, contextlib.suppress(StudyFolderInvalid):
        read_study(write_folder(Path(name), changed))


@few
@given(st.binary(max_size=200))
def test_random_bytes_as_the_study(data):
    read({"study.yaml": data})


@few
@given(yaml_like)
@example('a: "\\UFFFFFFFF"')
@example("a: !!binary x")
@example("? {a: b}\n: c")
@example("[" * 2000)
@example("{a: " * 2000)
@example("- " * 2000)
@example("%YAML 9.9\n---\na")
@example("a: |99999999999\n b")
@example("? ? ? ?")
def test_what_looks_like_yaml(text):
    read({"study.yaml": text})


@few
@given(st.integers(0, len(STUDY) - 1), st.integers(0, 40), yaml_like)
def test_the_study_with_a_piece_replaced(start, length, text):
    read({"study.yaml": STUDY[:start] + text + STUDY[start + length :]})


@few
@given(
    st.sampled_from(["title", "seed", "texts", "recruitment", "assignment", "passages", "tasks"]),
    st.sampled_from(["", "~", "[]", "{}", "[[]]", "[{}]", "{a: }", "x", "1e999", "[~, {}]", "0x1"]),
)
def test_any_section_as_something_else(key, value):
    lines = [line for line in STUDY.splitlines() if not line.startswith(key)]
    read({"study.yaml": "\n".join([*lines, f"{key}: {value}"])})


INNER = [
    line.strip(" -").split(":")[0]
    for line in STUDY.splitlines()
    if line.startswith(" ") and "{" not in line.split(":")[0]
]


@few
@given(
    st.sampled_from(INNER),
    st.sampled_from(["", "~", "[]", "{}", "[[]]", "[{}]", "{a: }", "x", "-1", "[~, {a: [b]}]"]),
)
def test_any_inner_key_as_something_else(key, value):
    at = STUDY.index(f"{key}:")
    end = STUDY.index("\n", at)
    read({"study.yaml": f"{STUDY[:at]}{key}: {value}{STUDY[end:]}"})


@few
@given(
    st.sampled_from(["responses.csv", "pairs.jsonl", "passages.jsonl", "consent.md"]),
    st.binary(max_size=200),
)
def test_random_bytes_as_another_file(name, data):
    read({name: data})


@few
@given(
    st.sampled_from(["responses.csv", "pairs.jsonl", "passages.jsonl"]),
    st.integers(0, 300),
    st.integers(0, 20),
    st.text(st.sampled_from('",\r\n{}[]:\\u0dx \x00\ufeff'), max_size=12),
)
def test_a_table_with_a_piece_replaced(name, start, length, text):
    whole = FILES[name]
    read({name: whole[:start] + text + whole[start + length :]})


@few
@given(st.binary(max_size=200))
def test_random_bytes_as_parquet(data):
    study = STUDY.replace("responses.csv", "responses.parquet")
    read({"study.yaml": study, "responses.parquet": b"PAR1" + data + b"PAR1"})


@pytest.mark.parametrize("depth", [500, 100_000])
def test_json_that_is_nested_too_deep(tmp_path, depth):
    line = '{"id": ' + "[" * depth + "]" * depth + "}\n"
    with pytest.raises(StudyFolderInvalid, match=r"pairs.jsonl, line 1"):
        read_study(write_folder(tmp_path / "study", {"pairs.jsonl": line}))
