"""The notebook that is graded: the source's skeleton with the student's answers and own cells in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from autograder.assignment import CHECK_TAG, Assignment, Kind, SourceCell
from autograder.engine.model import Cell, Role, Task
from autograder.names import Names, names_of, names_of_all
from autograder.submission.document import Document
from autograder.submission.match import Matching, in_order, is_released, match_cells
from autograder.submission.model import StudentCell, squeezed

RESTORED: Final = "Missing and put back: {cells}."
UNDONE: Final = "Changed by the student and put back as given: {cells}."
TURNED: Final = "The solution cell '{cell}' had been turned to {kind} and was read as {right}."
MISSING_ANSWER: Final = "The solution cell '{cell}' is missing, and no other cell holds its answer."
MOVED: Final = "Moved from their places and put back: {cells}."
MARKS_EDITED: Final = "The marks (points, kind, lock) of these cells were changed; the source's hold: {cells}."
UNKNOWN_IDS: Final = "Cells whose mark the assignment does not know, kept as the student's own: {count}."
SAME_IDS: Final = "Cells that shared their id with another and got one of their own: {count}."
KERNEL: Final = "The notebook names the kernel '{kernel}'; it was run with '{right}'."
NO_KERNEL: Final = "The notebook names no kernel; it was run with '{right}'."
ANSWER_BESIDE: Final = "The text '{cell}' is as given, but the student wrote in a cell below it: please read that one."
FENCED: Final = re.compile(r"\s*```[^\n`]*\n(?P<code>[^`]*)\n```\s*")
"""Code as it stands in a text cell."""
COMPARED_MARKS: Final = ("grade", "solution", "locked", "points")


@dataclass(slots=True)
class Rebuilt:
    """The result of putting a submission on the skeleton."""

    task: Task
    notebook: dict[str, Any]
    keys: tuple[str, ...]
    notes: list[str]
    untouched: frozenset[str]


@dataclass(slots=True)
class _Builder:
    assignment: Assignment
    document: Document
    matching: Matching
    cells: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    task: list[Cell] = field(default_factory=list)
    untouched: set[str] = field(default_factory=set)
    restored: list[str] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)
    edited_marks: list[str] = field(default_factory=list)
    used_ids: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    extras: int = 0

    @property
    def submitted(self) -> Sequence[StudentCell]:
        return self.document.cells

    def source_of(self, index: int) -> str:
        return self.matching.joined.get(index, self.submitted[index].source)

    def add(self, key: str, cell_type: str, source: str, metadata: dict[str, Any], cell_id: str) -> dict[str, Any]:
        cell: dict[str, Any] = {"cell_type": cell_type, "id": cell_id, "metadata": metadata, "source": source}
        if cell_type == "code":
            cell |= {"execution_count": None, "outputs": []}
        self.cells.append(cell)
        self.keys.append(key)
        self.used_ids.add(cell_id)
        return cell

    def add_skeleton(self, own: int) -> None:
        cell = self.assignment.cells[own]
        index = self.matching.pairs.get(own)
        student = None if index is None else self.submitted[index]
        source = "" if index is None else self.source_of(index)
        if student is not None:
            self._compare_marks(cell, student)
        if cell.kind is Kind.SOLUTION:
            self._add_solution(cell, student, source)
        elif cell.kind is Kind.GIVEN and student is not None and squeezed(source) != squeezed(cell.released):
            self._add_changed(cell, student, source)
        else:
            self._add_given(cell, student)

    def _compare_marks(self, cell: SourceCell, student: StudentCell) -> None:
        marks = cell.metadata.get("nbgrader", {})
        if student.grade_id == cell.key and any(
            name in student.marks and student.marks[name] != marks.get(name) for name in COMPARED_MARKS
        ):
            self.edited_marks.append(cell.key)

    def _add_solution(self, cell: SourceCell, student: StudentCell | None, source: str) -> None:
        if student is None:
            self.notes.append(MISSING_ANSWER.format(cell=cell.key))
        elif student.cell_type != cell.cell_type:
            self.notes.append(TURNED.format(cell=cell.key, kind=student.cell_type, right=cell.cell_type))
            fenced = FENCED.fullmatch(source) if cell.cell_type == "code" else None
            source = fenced["code"] if fenced else source
        attempted = student is not None and not is_released(cell, source)
        if not attempted:
            self.untouched.add(cell.key)
            source = cell.released
        written = self.add(cell.key, cell.cell_type, source, dict(cell.metadata), cell.cell_id)
        if student is not None and student.attachments and cell.cell_type == "markdown":
            written["attachments"] = student.attachments
        if cell.cell_type == "code":
            runs = CHECK_TAG not in cell.tags
            defines = cell.names.bound
            self.task.append(Cell(cell.key, Role.STUDENT, source, 0.0, attempted, runs, defines))

    def _add_changed(self, cell: SourceCell, student: StudentCell, source: str) -> None:
        self.add(cell.key, student.cell_type, source, dict(cell.metadata), cell.cell_id)
        if student.cell_type == "code":
            self.task.append(Cell(cell.key, Role.STUDENT, source, runs=CHECK_TAG not in cell.tags))

    def _add_given(self, cell: SourceCell, student: StudentCell | None) -> None:
        if student is None and squeezed(cell.released) and (cell.marked or cell.names != Names()):
            self.restored.append(cell.key)
        elif student is not None and student.text not in {squeezed(cell.released), squeezed(cell.source)}:
            self.undone.append(cell.key)
        self.add(cell.key, cell.cell_type, cell.source, dict(cell.metadata), cell.cell_id)
        if cell.cell_type == "code":
            role = Role.TEST if cell.kind is Kind.TEST else Role.LOCKED
            self.task.append(Cell(cell.key, role, cell.source, cell.points, runs=CHECK_TAG not in cell.tags))

    def add_extra(self, index: int) -> None:
        student = self.submitted[index]
        self.extras += 1
        key = f"extra-{self.extras}"
        while any(key == cell.key for cell in self.assignment.cells):
            key += "-own"
        cell_id = student.cell_id
        if cell_id in self.used_ids or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell_id):
            cell_id = key
            while cell_id in self.used_ids:
                cell_id += "-own"
        cell = self.add(key, student.cell_type, self.source_of(index), {}, cell_id)
        if student.cell_type == "code":
            self.task.append(Cell(key, Role.STUDENT, self.source_of(index)))
        elif student.attachments:
            cell["attachments"] = student.attachments


def rebuild(assignment: Assignment, document: Document) -> Rebuilt:
    """Put the answers and the student's own cells on the source's skeleton; every repair becomes a note."""
    matching = match_cells(assignment, document.cells)
    builder = _Builder(assignment, document, matching, notes=[*document.notes, *matching.notes])
    builder.used_ids.update(cell.cell_id for cell in assignment.cells)
    ordered = in_order(assignment, matching)
    anchors = _anchors(document, matching, ordered)
    early = _needed_early(assignment, builder, ordered, anchors)
    for own in range(-1, len(assignment.cells)):
        if own >= 0:
            for index in sorted(index for index, slot in early.items() if slot == own):
                builder.add_extra(index)
            builder.add_skeleton(own)
        below = [index for index, anchor in anchors.items() if anchor == own and index not in early]
        for index in below:
            builder.add_extra(index)
        if own >= 0:
            _answer_beside(builder, assignment.cells[own], below)
    _sum_up(builder, ordered)
    notebook = {
        "cells": builder.cells,
        "metadata": dict(assignment.metadata),
        "nbformat": 4,
        "nbformat_minor": max(5, assignment.nbformat_minor),
    }
    task = Task(tuple(builder.task), assignment.functions, assignment.data)
    return Rebuilt(task, notebook, tuple(builder.keys), builder.notes, frozenset(builder.untouched))


def _anchors(document: Document, matching: Matching, ordered: set[int]) -> dict[int, int]:
    """For each of the student's own cells the skeleton cell below which it stands; -1 on top."""
    places = {matching.pairs[own]: own for own in ordered}
    free = set(matching.free(len(document.cells)))
    anchors: dict[int, int] = {}
    anchor = -1
    for index, cell in enumerate(document.cells):
        anchor = places.get(index, anchor)
        if index in free and cell.text:
            anchors[index] = anchor
    return anchors


def _needed_early(
    assignment: Assignment, builder: _Builder, ordered: set[int], anchors: dict[int, int]
) -> dict[int, int]:
    """Own cells that must come up along with an answer that is put back into its place: cell -> skeleton cell."""
    names = names_of_all(
        {index: builder.source_of(index) for index in anchors if builder.submitted[index].cell_type == "code"}
    )
    early: dict[int, int] = {}
    for own, place in sorted(builder.matching.pairs.items()):
        cell = assignment.cells[own]
        if own in ordered or cell.kind is not Kind.SOLUTION or cell.cell_type != "code":
            continue
        own_names = names_of(builder.source_of(place))
        wanted = set(own_names.used) | set(cell.names.bound - own_names.bound)
        pending = [index for index in names if index < place and anchors[index] >= own and index not in early]
        for index in reversed(pending):
            if wanted & (names[index].bound | names[index].imported):
                early[index] = own
                wanted |= names[index].used
    return early


def _answer_beside(builder: _Builder, cell: SourceCell, below: list[int]) -> None:
    """A written answer that stands in a fresh cell below the untouched one is left to the person who marks."""
    if cell.key not in builder.untouched or cell.cell_type == "code" or not cell.by_hand:
        return
    if any(builder.submitted[index].cell_type != "code" for index in below):
        builder.untouched.discard(cell.key)
        builder.notes.append(ANSWER_BESIDE.format(cell=cell.key))


def _same_ids(builder: _Builder) -> int:
    """How many cells bear the id of one before them, copies that were told as such left out."""
    kept = [cell for index, cell in enumerate(builder.submitted) if index not in builder.matching.gone]
    ids = [cell.cell_id for cell in kept if cell.cell_id]
    return len(ids) - len(set(ids))


def _sum_up(builder: _Builder, ordered: set[int]) -> None:
    assignment, matching = builder.assignment, builder.matching
    known = {cell.key for cell in assignment.cells if cell.marked}
    unknown = sum(bool(cell.grade_id) and cell.grade_id not in known for cell in builder.submitted)
    moved = [
        assignment.cells[own].key
        for own in sorted(matching.pairs)
        if own not in ordered and own not in matching.relocated and assignment.cells[own].marked
    ]
    kernel = str(assignment.metadata.get("kernelspec", {}).get("name", "python3"))
    for sentence, cells in (
        (RESTORED, builder.restored),
        (UNDONE, builder.undone),
        (MOVED, moved),
        (MARKS_EDITED, builder.edited_marks),
    ):
        if cells:
            builder.notes.append(sentence.format(cells=", ".join(cells)))
    if unknown:
        builder.notes.append(UNKNOWN_IDS.format(count=unknown))
    if same := _same_ids(builder):
        builder.notes.append(SAME_IDS.format(count=same))
    if not builder.document.kernel:
        builder.notes.append(NO_KERNEL.format(right=kernel))
    elif builder.document.kernel != kernel:
        builder.notes.append(KERNEL.format(kernel=builder.document.kernel, right=kernel))
