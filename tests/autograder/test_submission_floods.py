"""Submissions made to keep the reader busy: what they cost has a bound, and what is said of them too."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import pytest

from autograder import names, submission
from autograder.attempt import _contents
from autograder.autograded import autograded_folder, write_autograded
from autograder.cache import submission_fingerprint
from autograder.results import MOST_CHARACTERS, MOST_NOTES, Status, Submission
from autograder.submission import NeedsAttention, Readable
from autograder.submission.document import MAX_VALUES, UnreadableNotebook, read_document
from autograder.submission.files import MAX_FILES, list_files
from autograder.submission.rebuild import rebuild
from tests.support.course import NAME, RIGHT, Course, cell, marks, notebook, outcome


def read(course: Course) -> Readable:
    found = submission.read(course.folder("s"), course.assignment, course.settings)
    assert isinstance(found, Readable), found
    return found


def test_a_text_without_an_end_is_looked_at_once() -> None:
    endless = b'{"cells":[' + b"," * (MAX_VALUES + 1) + b'"' + rb"\"" * 1_000_000
    with pytest.raises(UnreadableNotebook, match="more memory"):
        read_document(endless, "f")


def test_a_text_without_an_end_is_no_reason_to_count_what_is_in_it() -> None:
    with pytest.raises(UnreadableNotebook, match="cut off"):
        read_document(b'{"cells":["' + b"," * (MAX_VALUES + 1), "f")


def test_copies_that_might_be_pieces_are_parsed_for_a_bounded_time(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[int] = []
    really = ast.parse
    monkeypatch.setattr(ast, "parse", lambda source, *rest: parsed.append(len(source)) or really(source, *rest))
    piece = "x = [\n" + "1,\n" * 1000
    copies = [cell("code", f"c{number}", piece + "#" * number, marks("add", solution=True)) for number in range(2000)]
    document = read_document(json.dumps(notebook([*copies, *course.answered(**RIGHT)])).encode(), "f")
    rebuilt = rebuild(course.assignment, document)
    assert next(one.source for one in rebuilt.task.cells if one.key == "add") == RIGHT["add"]
    assert sum(parsed) < 20 * names.PARSED_TOGETHER


@pytest.mark.parametrize("name", ["a{}", "z{}"])
def test_links_and_folders_count_as_files_and_hide_no_notebook(course: Course, name: str) -> None:
    folder = course.hand_in("s", course.answered(**RIGHT))
    for number in range(MAX_FILES):
        (folder / name.format(number)).symlink_to(folder)
        (folder / f"{name.format(number)}.d").mkdir()
    listing = list_files(folder)
    assert listing.notebooks == [f"{NAME}.ipynb"]
    assert len(listing.notes) <= MAX_FILES + 1
    assert listing.notes[-1].startswith("The folder holds more than")


def test_notes_are_as_many_and_as_long_as_a_person_reads() -> None:
    said = [f"{number} " + "x" * 5000 for number in range(2000)]
    for result in (
        Submission.open("s", Status.NEEDS_ATTENTION, 5.0, said),
        Submission.graded("s", outcome(notes=tuple(said)), 5.0),
    ):
        assert len(result.notes) == MOST_NOTES + 1
        assert result.notes[-1] == f"And {2000 - MOST_NOTES} more notes."
        assert max(map(len, result.notes)) <= MOST_CHARACTERS + 2


def test_sparse_files_are_not_read_before_the_class_is_graded(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = course.hand_in("s", course.answered(**RIGHT))
    for number in range(50):
        with (folder / f"{number}.csv").open("wb") as file:
            file.truncate(150 << 20)
    opened: list[int] = []
    really = submission.files.read_file
    monkeypatch.setattr(
        "autograder.cache.read_file",
        lambda folder, name, most: opened.append((folder / name).stat().st_size) or really(folder, name, most),
    )
    before = submission_fingerprint(folder, course.settings)
    assert sum(opened) <= (course.settings.notebook_mib + course.settings.tmp_mib) << 20
    os.utime(folder / "49.csv", (1, 1))
    assert submission_fingerprint(folder, course.settings) != before


def test_a_folder_in_the_place_of_the_notebook_stops_nothing(course: Course) -> None:
    folder = course.hand_in("s", course.answered(**RIGHT))
    (folder / f"{NAME}.ipynb").rename(folder / "answer.ipynb")
    for name in (f"{NAME}.ipynb", "timestamp.txt"):
        (folder / name).mkdir()
        (folder / name / "data.csv").write_text("1")
    (folder / "kept").mkdir()
    (folder / "kept" / "data.csv").write_text("1")
    found = read(course)
    assert [file.name for file in found.extra_files] == ["kept/data.csv"]
    assert sum("was left out" in note for note in found.notes) == 2
    write_autograded(course.settings, course.assignment, "s", folder, found, outcome())
    written = autograded_folder(course.settings, "s", NAME)
    assert sorted(path.name for path in written.iterdir()) == ["kept", f"{NAME}.ipynb"]


@pytest.mark.parametrize("swap", ["link", "pipe", "gone", "grown"])
def test_a_file_that_changes_after_it_was_listed_is_not_followed(course: Course, tmp_path: Path, swap: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("canary")
    folder = course.hand_in("s", course.answered(**RIGHT))
    place = folder / "data.csv"
    place.write_text("1")
    (folder / "same.csv").write_text("2")
    found = read(course)
    place.unlink()
    match swap:
        case "link":
            place.symlink_to(secret)
        case "pipe":
            os.mkfifo(place)
        case "grown":
            with place.open("wb") as file:
                file.truncate((course.settings.file_mib << 20) + 1)
    assert _contents(folder, found, course.settings) == ({"same.csv": b"2"}, ["data.csv"])


def test_a_folder_of_links_alone_needs_a_person(course: Course, tmp_path: Path) -> None:
    folder = course.folder("s")
    folder.mkdir(parents=True)
    for number in range(5):
        (folder / f"{number}.ipynb").symlink_to(tmp_path)
    found = submission.read(folder, course.assignment, course.settings)
    assert isinstance(found, NeedsAttention)
    assert len(found.notes) == 5
