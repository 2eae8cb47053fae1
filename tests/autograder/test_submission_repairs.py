"""Notebooks broken in good faith: each is rebuilt on the source's skeleton, and each repair is a note."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from autograder import submission
from autograder.engine.model import Role
from autograder.submission import NeedsAttention, Readable
from tests.support.course import NAME, RIGHT, Course, cell, marks, notebook

ADD = "def add(a, b):\n    return a + b"


def read(course: Course, cells: list[dict[str, Any]] | bytes, **more: Any) -> Readable:
    found = submission.read(course.hand_in("s", cells, **more), course.assignment, course.settings)
    assert isinstance(found, Readable), found
    return found


def code(found: Readable) -> list[tuple[str, str]]:
    return [(own.key, own.source) for own in found.task.cells]


def source(found: Readable, key: str) -> str:
    return dict(code(found))[key]


def without_marks(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for own in cells:
        own["metadata"] = {}
    return cells


def test_a_well_formed_notebook_needs_no_note(course: Course) -> None:
    found = read(course, course.answered(**RIGHT))
    assert found.notes == ()
    assert found.untouched == frozenset()
    roles = {own.key: own.role for own in found.task.cells}
    assert roles["add"] is Role.STUDENT
    assert roles["test_add"] is Role.TEST
    assert roles["setup"] is roles["try-add"] is Role.LOCKED
    assert {own.key for own in found.task.cells if not own.runs} == {"check_add"}
    assert source(found, "test_add") == next(own.source for own in course.assignment.cells if own.key == "test_add")
    assert next(own for own in found.task.cells if own.key == "add").defines == {"add"}
    assert [own["id"] for own in found.notebook["cells"]] == [own.cell_id for own in course.assignment.cells]


def test_an_untouched_notebook_is_not_attempted(course: Course) -> None:
    cells = course.released()
    cells[2]["source"] = cells[2]["source"].replace("\n", "\r\n").replace("    ", "\t") + "\n\n"
    found = read(course, cells)
    assert found.untouched == {"add", "double", "why"}
    assert [own.key for own in found.task.cells if not own.attempted] == ["add", "double"]


def test_an_emptied_solution_is_as_released(course: Course) -> None:
    found = read(course, course.answered(add="  \n"))
    assert "add" in found.untouched
    assert source(found, "add") == course.assignment.cells[2].released


def test_a_comment_alone_counts_as_an_attempt(course: Course) -> None:
    found = read(course, course.answered(add=course.assignment.cells[2].released + "\n# no idea"))
    assert "add" not in found.untouched


@pytest.mark.parametrize("index", [1, 4, 5, 7])
def test_deleted_given_cells_are_put_back(course: Course, index: int) -> None:
    cells = course.answered(**RIGHT)
    key = cells.pop(index)["metadata"]["nbgrader"]["grade_id"]
    found = read(course, cells)
    assert found.notes == (f"Missing and put back: {key}.",)
    assert [own.key for own in found.task.cells] == [
        own.key for own in course.assignment.cells if own.cell_type == "code"
    ]


def test_edited_given_cells_are_undone(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells[1]["source"] = "BASE = 11"
    cells[5]["source"] = "pass"
    found = read(course, cells)
    assert found.notes == ("Changed by the student and put back as given: setup, test_add.",)
    assert source(found, "setup") == "import math\nBASE = 10"
    assert "large numbers" in source(found, "test_add")


def test_an_unmarked_given_cell_is_the_students_once_changed(course: Course) -> None:
    cells = course.answered(**RIGHT, try_add="print(add(2, 2))")
    found = read(course, cells)
    assert found.notes == ()
    own = next(own for own in found.task.cells if own.key == "try-add")
    assert (own.role, own.source) == (Role.STUDENT, "print(add(2, 2))")


def test_a_deleted_solution_is_missing(course: Course) -> None:
    cells = course.answered(**RIGHT)
    del cells[2]
    found = read(course, cells)
    assert "The solution cell 'add' is missing, and no other cell holds its answer." in found.notes
    assert "add" in found.untouched


def test_a_deleted_solution_whose_answer_stands_elsewhere(course: Course) -> None:
    cells = course.answered(**RIGHT)
    del cells[2]
    cells.append(cell("code", "mine", ADD + "  # mine"))
    found = read(course, cells)
    assert source(found, "add") == ADD + "  # mine"
    assert "The answer for 'add' was found in a cell of the student's own and takes its place." in found.notes
    assert "add" not in found.untouched


@pytest.mark.parametrize("place", ["above", "below", "end"])
def test_an_untouched_stub_does_not_overwrite_an_answer(course: Course, place: str) -> None:
    cells = course.answered(double=RIGHT["double"])
    cells.insert({"above": 2, "below": 3, "end": len(cells)}[place], cell("code", "mine", ADD))
    found = read(course, cells)
    keys = [key for key, _ in code(found)]
    assert source(found, "add") == ADD
    assert keys.index("add") < keys.index("test_add")
    assert [text for _, text in code(found)].count(ADD) == 1
    assert not any("YOUR CODE HERE" in text for _, text in code(found))
    assert "add" not in found.untouched


def test_what_an_answer_at_the_end_needs_comes_up_with_it(course: Course) -> None:
    cells = course.answered()
    cells += [
        cell("code", "h0", "import operator as op"),
        cell("code", "h1", "def plus(a, b):\n    return op.add(a, b)"),
        cell("code", "h2", "unrelated = 1"),
        cell("code", "h3", "def add(a, b):\n    return plus(a, b)"),
    ]
    found = read(course, cells)
    texts = [text for _, text in code(found)]
    at = texts.index("def add(a, b):\n    return plus(a, b)")
    assert texts[at - 2 : at] == ["import operator as op", "def plus(a, b):\n    return op.add(a, b)"]
    assert texts.index("unrelated = 1") > [key for key, _ in code(found)].index("test_double")


def test_the_last_of_several_drafts_counts(course: Course) -> None:
    cells = course.answered()
    cells[3:3] = [cell("code", "d1", "def add(a, b):\n    return 0"), cell("code", "d2", ADD)]
    found = read(course, cells)
    assert source(found, "add") == ADD


def test_extra_cells_keep_their_places(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells.insert(2, cell("code", "before", "helper = 1"))
    cells.insert(4, cell("code", "after", "helper += 1"))
    cells.insert(0, cell("code", "top", "top = 1"))
    found = read(course, cells)
    assert found.notes == ()
    texts = [text for _, text in code(found)]
    order = ["top = 1", "import math\nBASE = 10", "helper = 1", RIGHT["add"], "helper += 1"]
    assert [text for text in texts if text in order] == order


def test_duplicated_solutions(course: Course) -> None:
    cells = course.answered(**RIGHT)
    twin, stub = copy.deepcopy(cells[2]), copy.deepcopy(cells[2])
    stub["source"] = course.assignment.cells[2].released
    cells[3:3] = [twin, stub]
    found = read(course, cells)
    assert [text for _, text in code(found)].count(RIGHT["add"]) == 1
    assert source(found, "add") == RIGHT["add"]
    assert any(note.startswith("The cell 'add' is there 3 times") for note in found.notes)


def test_duplicates_that_differ_run_in_their_order(course: Course) -> None:
    cells = course.answered(**RIGHT)
    draft = copy.deepcopy(cells[2])
    draft["source"] = "def add(a, b):\n    return 0"
    cells.insert(2, draft)
    found = read(course, cells)
    texts = [text for _, text in code(found)]
    assert texts.index("def add(a, b):\n    return 0") < texts.index(RIGHT["add"])
    assert source(found, "add") == RIGHT["add"]


def test_a_duplicated_test_cell_counts_once(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells.insert(6, copy.deepcopy(cells[5]))
    found = read(course, cells)
    assert [key for key, _ in code(found)].count("test_add") == 1
    assert len(found.task.cells) == 7


@pytest.mark.parametrize("keep_mark", [True, False])
def test_a_split_solution_is_put_together(course: Course, keep_mark: bool) -> None:
    cells = course.answered(**RIGHT)
    first, second = RIGHT["add"].split("\n")
    cells[2]["source"] = first
    piece = copy.deepcopy(cells[2]) if keep_mark else cell("code", "piece", "")
    piece["source"] = second
    cells.insert(3, piece)
    found = read(course, cells)
    assert source(found, "add") == RIGHT["add"]
    assert found.notes == ("The cell 'add' was split into 2 pieces, which were put together again.",)


def test_a_solution_split_between_statements_stays_in_order(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells[2]["source"] = "def plus(a, b):\n    return a + b"
    piece = copy.deepcopy(cells[2])
    piece["source"] = "def add(a, b):\n    return plus(a, b)"
    cells.insert(3, piece)
    found = read(course, cells)
    texts = [text for _, text in code(found)]
    assert texts.index(cells[2]["source"]) < texts.index(piece["source"])
    assert source(found, "add") == piece["source"]


def test_a_moved_solution_goes_back(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells.append(cells.pop(2))
    found = read(course, cells)
    assert found.notes == ("Moved from their places and put back: add.",)
    keys = [key for key, _ in code(found)]
    assert keys.index("add") < keys.index("test_add")


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_a_solution_turned_to_text_is_code_again(course: Course, kind: str) -> None:
    cells = course.answered(**RIGHT)
    cells[2]["cell_type"] = kind
    del cells[2]["outputs"], cells[2]["execution_count"]
    found = read(course, cells)
    assert source(found, "add") == RIGHT["add"]
    assert found.notes == (f"The solution cell 'add' had been turned to {kind} and was read as code.",)


@pytest.mark.parametrize("ids", [True, False])
def test_stripped_marks(course: Course, ids: bool) -> None:
    cells = without_marks(course.answered(**RIGHT))
    if not ids:
        for number, own in enumerate(cells):
            own["id"] = f"new{number}"
    found = read(course, cells)
    assert source(found, "add") == RIGHT["add"]
    assert source(found, "double") == RIGHT["double"]
    assert "why" not in found.untouched
    assert len(found.notebook["cells"]) == len(course.assignment.cells)


def test_edited_marks_do_not_count(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells[5]["metadata"]["nbgrader"] |= {"points": 300, "grade": False, "locked": False}
    found = read(course, cells)
    test = next(own for own in found.task.cells if own.key == "test_add")
    assert (test.max_score, test.role) == (3.0, Role.TEST)
    assert found.notes == ("The marks (points, kind, lock) of these cells were changed; the source's hold: test_add.",)


def test_unknown_marks_and_same_ids(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells += [cell("code", "add", "a = 1", marks("mine", grade=True, points=50)), cell("code", "add", "b = 1")]
    found = read(course, cells)
    ids = [own["id"] for own in found.notebook["cells"]]
    assert len(ids) == len(set(ids))
    assert all("nbgrader" not in own["metadata"] for own in found.notebook["cells"][-2:])
    assert "Cells whose mark the assignment does not know, kept as the student's own: 1." in found.notes
    assert "Cells that shared their id with another and got one of their own: 2." in found.notes


@pytest.mark.parametrize(("kernel", "said"), [("ir", "names the kernel 'ir'"), (None, "names no kernel")])
def test_another_kernel_or_none(course: Course, kernel: str | None, said: str) -> None:
    raw = json.dumps(notebook(course.answered(**RIGHT), kernel)).encode()
    found = read(course, raw)
    assert len(found.notes) == 1
    assert said in found.notes[0]
    assert found.notebook["metadata"]["kernelspec"]["name"] == "python3"


def test_stored_outputs_are_dropped(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells[2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 5_000_000}]
    found = read(course, cells)
    assert found.notes == ()
    assert all(own.get("outputs", []) == [] for own in found.notebook["cells"])


def test_a_written_answer_in_a_fresh_cell_is_left_to_a_person(course: Course) -> None:
    cells = [*course.answered(add=RIGHT["add"]), cell("markdown", "mine", "My thoughts.")]
    found = read(course, cells)
    assert "why" not in found.untouched
    assert any("please read that one" in note for note in found.notes)


def test_pictures_in_a_written_answer_are_kept(course: Course) -> None:
    cells = course.answered(**RIGHT)
    cells[-1]["attachments"] = {"a.png": {"image/png": "AAAA", "text/html": "<script>"}}
    found = read(course, cells)
    assert found.notebook["cells"][-1]["attachments"] == {"a.png": {"image/png": "AAAA"}}


def test_a_renamed_notebook_is_found_by_its_cells(course: Course) -> None:
    found = read(course, course.answered(**RIGHT), name=f"{NAME} (1).ipynb")
    assert found.notes == (
        f"The notebook is named {NAME} (1).ipynb instead of {NAME}.ipynb; it was found by its cells.",
    )


def test_the_exact_name_wins(course: Course) -> None:
    course.hand_in("s", course.answered(add="def add(a, b):\n    return 0"), name="copy.ipynb")
    found = read(course, course.answered(**RIGHT))
    assert source(found, "add") == RIGHT["add"]
    assert found.notes == ("Other notebooks in the folder were not graded: copy.ipynb.",)


def test_of_two_candidates_the_one_with_answers(course: Course) -> None:
    course.hand_in("s", course.released(), name="a.ipynb")
    found = read(course, course.answered(**RIGHT), name="b.ipynb")
    assert source(found, "add") == RIGHT["add"]
    assert found.notes == ("Of several notebooks the only one with changed solutions was taken: b.ipynb.",)


def test_two_candidates_with_answers_need_a_person(course: Course) -> None:
    course.hand_in("s", course.answered(**RIGHT), name="a.ipynb")
    folder = course.hand_in("s", course.answered(add=ADD), name="b.ipynb")
    found = submission.read(folder, course.assignment, course.settings)
    assert isinstance(found, NeedsAttention)
    assert "a.ipynb, b.ipynb" in found.reason


def test_a_notebook_of_something_else(course: Course) -> None:
    folder = course.hand_in("s", [cell("code", "x", "x = 1")], name="other.ipynb")
    found = submission.read(folder, course.assignment, course.settings)
    assert isinstance(found, NeedsAttention)
    assert found.reason == "No notebook here is this assignment: none has its cells."


def test_a_broken_file_beside_a_readable_copy(course: Course) -> None:
    course.hand_in("s", b"")
    found = read(course, course.answered(**RIGHT), name="copy.ipynb")
    assert source(found, "add") == RIGHT["add"]
    assert found.notes[0] == f"The file {NAME}.ipynb is empty."
