"""Files as students hand them in: bytes of any kind, links, neighbours, time stamps."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder import submission
from autograder.submission import NeedsAttention, Readable
from autograder.submission.document import UnreadableNotebook, read_document
from autograder.submission.rebuild import rebuild
from autograder.submission.timestamp import parse_timestamp
from tests.support.course import NAME, RIGHT, Course, cell, make_course, notebook


def raw(cells: list[dict[str, Any]]) -> bytes:
    return json.dumps(notebook(cells), ensure_ascii=False).encode()


def read(course: Course, student: str = "s") -> Readable | NeedsAttention:
    return submission.read(course.folder(student), course.assignment, course.settings)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"\0\0\0\0", "is empty"),
        (b"   \n", "is empty"),
        (b"[]", "holds no list of cells"),
        (b"{}", "holds no list of cells"),
        (b'{"cells": {}}', "holds no list of cells"),
        (b"null", "holds no list of cells"),
        (b"<!DOCTYPE html><html></html>", "is a web page"),
        (b'{"cells": [', "was cut off: it stops making sense at line 1"),
        (b"PK\x03\x04zip", "was cut off"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"nbformat": ' + b"9" * 10_000 + b"}", "was cut off"),
        (b'{"cells": [' + b",".join([b"{}"] * 6000) + b"]}", "has 6000 cells"),
    ],
)
def test_what_is_no_notebook_needs_a_person(course: Course, content: bytes, said: str) -> None:
    course.hand_in("s", content)
    found = read(course)
    assert isinstance(found, NeedsAttention)
    assert said in found.reason
    assert found.reason.startswith(f"The file {NAME}.ipynb")


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-8", ""),
        ("utf-8-sig", "byte-order mark"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16-LE"),
        ("utf-16-be", "UTF-16-BE"),
        ("utf-32", "UTF-32"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_encodings(course: Course, encoding: str, said: str) -> None:
    answer = RIGHT["add"] + "  # größer"
    text = json.dumps(notebook(course.answered(**RIGHT | {"add": answer})), ensure_ascii=False)
    course.hand_in("s", text.encode(encoding))
    found = read(course)
    assert isinstance(found, Readable)
    assert {own.key: own.source for own in found.task.cells}["add"] == answer
    assert len(found.notes) == bool(said)
    assert all(said in note for note in found.notes)


def test_an_old_notebook(course: Course) -> None:
    cells = []
    for own in course.answered(**RIGHT):
        old = {"cell_type": own["cell_type"], "metadata": own["metadata"]}
        old["input" if own["cell_type"] == "code" else "source"] = own["source"].splitlines(keepends=True)
        cells.append(old)
    cells.insert(0, {"cell_type": "heading", "level": 2, "source": ["Sums"], "metadata": {}})
    document = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    course.hand_in("s", json.dumps(document).encode())
    found = read(course)
    assert isinstance(found, Readable)
    assert {own.key: own.source for own in found.task.cells}["add"] == RIGHT["add"]
    assert "The file has notebook format 3 and was read as format 4." in found.notes
    assert found.notebook["cells"][0]["source"] == "## Sums"


def test_a_notebook_of_the_future(course: Course) -> None:
    document = notebook(course.answered(**RIGHT)) | {"nbformat": 5, "news": 1}
    course.hand_in("s", json.dumps(document).encode())
    found = read(course)
    assert isinstance(found, Readable)
    assert found.notes == ("The file has notebook format 5 and was read as format 4.",)


def test_half_characters_can_be_written_back(course: Course) -> None:
    course.hand_in("s", json.dumps(notebook(course.answered(add="x = '\ud83d'"))).encode())
    found = read(course)
    assert isinstance(found, Readable)
    assert {own.key: own.source for own in found.task.cells}["add"] == "x = '\N{REPLACEMENT CHARACTER}'"


def test_a_file_above_the_cap_is_not_read(tmp_path: Path) -> None:
    course = make_course(tmp_path, config="c = get_config()\nc.Autograder.notebook_mib = 1\n")
    cells = course.answered(**RIGHT)
    cells[2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * (1 << 20)}]
    course.hand_in("s", cells)
    found = read(course)
    assert isinstance(found, NeedsAttention)
    assert found.reason == f"The file {NAME}.ipynb is larger than 1 MiB and was left out."


def test_missing_folder_and_missing_notebook(course: Course) -> None:
    assert read(course) == NeedsAttention("There is no submission: the folder is missing.")
    course.folder("s").mkdir(parents=True)
    assert read(course) == NeedsAttention("The submission holds no notebook.")
    course.folder("t").parent.mkdir()
    course.folder("t").write_text("a file instead of a folder")
    assert read(course, "t") == NeedsAttention("There is no submission: the folder is missing.")


def test_a_notebook_that_is_a_link_is_not_followed(course: Course) -> None:
    other = course.hand_in("other", course.answered(**RIGHT)) / f"{NAME}.ipynb"
    folder = course.folder("s")
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").symlink_to(other)
    found = read(course)
    assert isinstance(found, NeedsAttention)
    assert found.notes == (f"The file {NAME}.ipynb is a link and was not followed.",)


def test_a_notebook_shared_with_another_student_is_not_read(course: Course) -> None:
    other = course.hand_in("other", course.answered(**RIGHT)) / f"{NAME}.ipynb"
    folder = course.folder("s")
    folder.mkdir(parents=True)
    os.link(other, folder / f"{NAME}.ipynb")
    found = read(course)
    assert isinstance(found, NeedsAttention)
    assert "shared with a place outside" in found.notes[0]


@pytest.mark.parametrize("level", ["student", "assignment"])
def test_a_folder_that_is_a_link_is_not_opened(course: Course, level: str) -> None:
    other = course.hand_in("other", course.answered(**RIGHT))
    if level == "student":
        other.parent.with_name("s").symlink_to(other.parent)
    else:
        course.folder("s").parent.mkdir()
        course.folder("s").symlink_to(other)
    found = read(course)
    assert isinstance(found, NeedsAttention)
    assert "is a link" in found.reason


def test_links_and_pipes_beside_the_notebook_are_left_out(course: Course, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = course.hand_in("s", course.answered(**RIGHT), data_txt="1")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "deep").symlink_to(tmp_path)
    os.link(tmp_path / "secret.txt", folder / "hard.txt")
    os.mkfifo(folder / "pipe")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "old.ipynb").write_text("{}")
    (folder / "more").mkdir()
    (folder / "more" / "b.txt").write_text("2")
    found = read(course)
    assert isinstance(found, Readable)
    assert [(file.name, file.own) for file in found.extra_files] == [("data.txt", True), ("more/b.txt", True)]
    assert set(found.notes) == {
        "The file deep is a link and was not followed.",
        "The file hard.txt is shared with a place outside this submission and was not read.",
        "The file link.txt is a link and was not followed.",
        "pipe is neither a file nor a folder and was not read.",
    }


def test_a_file_whose_name_is_no_text_is_left_out(course: Course) -> None:
    folder = course.hand_in("s", course.answered(**RIGHT))
    (folder / "a\udcff.txt").write_text("1")
    found = read(course)
    assert isinstance(found, Readable)
    assert found.extra_files == ()
    assert found.notes == ("The name of a?.txt is not readable text, and it was not read.",)


def test_a_notebook_that_eats_memory_needs_a_person(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def eat(*arguments: Any, **options: Any) -> None:
        raise MemoryError

    course.hand_in("s", course.answered(**RIGHT))
    assignment, settings = course.assignment, course.settings
    monkeypatch.setattr("autograder.submission.document.json.loads", eat)
    found = submission.read(course.folder("s"), assignment, settings)
    assert found == NeedsAttention(f"The file {NAME}.ipynb needs more memory than a notebook may.")


@pytest.mark.parametrize("flood", [b"[],", b"{},", b'"ab",', b"1.5,", b'"\\"",'])
def test_a_flood_of_values_is_not_held(flood: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.submission.document.MAX_VALUES", 1000)
    with pytest.raises(UnreadableNotebook, match="needs more memory"):
        read_document(b'{"cells": [' + flood * 1001 + b"0]}", "f")


def test_marks_inside_texts_are_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.submission.document.MAX_VALUES", 1000)
    source = '[[1, 2], {"a": "\\\\"}],\n' * 1000
    document = read_document(raw([cell("code", "a", source)]), "f")
    assert document.cells[0].source == source


def test_a_large_neighbour_is_left_out(tmp_path: Path) -> None:
    course = make_course(tmp_path, config="c = get_config()\nc.Autograder.file_mib = 1\nc.Autograder.tmp_mib = 1\n")
    folder = course.hand_in("s", course.answered(**RIGHT))
    (folder / "a.bin").write_bytes(bytes(700_000))
    (folder / "b.bin").write_bytes(bytes(1_100_000))
    (folder / "c.bin").write_bytes(bytes(700_000))
    found = read(course)
    assert isinstance(found, Readable)
    assert [file.name for file in found.extra_files] == ["a.bin"]
    assert "The file b.bin is larger than 1 MiB and was left out." in found.notes
    assert "The files beside the notebook exceed 1 MiB; c.bin and later ones were left out." in found.notes


def test_files_of_the_assignment_come_from_the_source(course: Course) -> None:
    (course.source.parent / "data.txt").write_text("given")
    folder = course.hand_in("s", course.answered(**RIGHT))
    (folder / "data.txt").write_text("mine")
    found = read(course)
    assert isinstance(found, Readable)
    assert [(file.path.read_text(), file.own) for file in found.extra_files] == [("given", False)]


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-30 12:00:00 UTC",
        "2026-11-30 13:00:00 +0100",
        "2026-11-30T12:00:00Z",
        "2026-11-30 12:00:00.0",
        "12:00 30 Nov 2026",
    ],
)
def test_time_stamps_are_read_as_nbgrader_reads_them(text: str) -> None:
    from nbgrader.utils import parse_utc

    try:
        expected = parse_utc(text)
    except (ValueError, TypeError):
        with pytest.raises(ValueError, match="is no time"):
            parse_timestamp(text)
        return
    assert parse_timestamp(text) == expected


@pytest.mark.parametrize("zone", ["../../etc/passwd", "/etc/passwd", "..", "x" * 4000, "a\0b", "UTC/../UTC"])
def test_a_zone_of_a_time_stamp_is_a_name_and_opens_no_file(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("dateutil.tz.gettz", lambda name: asked.append(name))
    assert parse_timestamp(f"2026-11-30 12:00:00 {zone}") == datetime(2026, 11, 30, 12)
    assert not [name for name in asked if set("./\0") & set(name)]


def test_a_time_stamp_and_one_that_cannot_be_read(course: Course) -> None:
    course.hand_in("s", course.answered(**RIGHT), timestamp_txt="2026-11-30 12:00:00 UTC\n")
    found = read(course)
    assert isinstance(found, Readable)
    assert found.timestamp == datetime(2026, 11, 30, 12)
    assert found.extra_files == ()
    (course.folder("s") / "timestamp.txt").write_bytes(b"\xff\xfeyesterday")
    found = read(course)
    assert isinstance(found, Readable)
    assert found.timestamp is None
    assert found.notes == ("The time stamp cannot be read, so no lateness was looked at.",)


@pytest.mark.parametrize("student", ["a b", "o'neil, ann", "zoë", "x+y", "[brackets]", "-dash", "名前"])
def test_odd_student_ids(course: Course, student: str) -> None:
    course.hand_in(student, course.answered(**RIGHT))
    assert isinstance(read(course, student), Readable)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
IDS = st.sampled_from(["add", "double", "test_add", "why", "setup", "unknown", "", None, 3])
TEXTS = st.sampled_from([*RIGHT.values(), "def add(a, b):", "    return a", "x = (", "", "%ls", "# YOUR CODE HERE"])
CELLS = st.fixed_dictionaries(
    {
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading", "odd", None]),
        "source": TEXTS | st.text(max_size=20) | st.lists(TEXTS | st.integers(), max_size=3) | JSON,
        "metadata": st.fixed_dictionaries({"nbgrader": st.fixed_dictionaries({"grade_id": IDS}) | JSON}) | JSON,
    },
    optional={"id": st.sampled_from(["add", "x", "a b", ""]) | JSON, "outputs": JSON, "attachments": JSON},
)


@given(st.lists(CELLS | JSON, max_size=12), st.none() | JSON)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_cells_give_the_whole_skeleton_in_its_order(course: Course, cells: list[Any], metadata: Any) -> None:
    assignment = course.assignment
    document = read_document(json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode(), "f")
    rebuilt = rebuild(assignment, document)
    own = [key for key in rebuilt.keys if not key.startswith("extra-")]
    wanted = [cell.key for cell in assignment.cells]
    assert own == wanted
    ids = [cell["id"] for cell in rebuilt.notebook["cells"]]
    assert len(ids) == len(set(ids))
    tests = {cell.key: (cell.source, cell.max_score) for cell in rebuilt.task.cells if cell.role == "test"}
    assert tests == {cell.key: (cell.source, cell.points) for cell in assignment.test_cells}
    import nbformat

    nbformat.validate(nbformat.from_dict(rebuilt.notebook))


@given(st.binary(max_size=200) | st.binary(max_size=60).map(lambda tail: raw([cell("code", "a", "b")])[:-20] + tail))
@settings(max_examples=300, deadline=None)
def test_any_bytes_give_cells_or_a_sentence(content: bytes) -> None:
    try:
        read_document(content, "the file")
    except UnreadableNotebook as error:
        assert str(error).startswith("The file the file")
