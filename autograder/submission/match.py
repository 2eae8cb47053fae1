"""Which submitted cell stands for which cell of the source, however the student's program or hands moved them.

In this order: by grade_id, by the notebook's own cell id, by content, by the names that it defines, by position.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from autograder.assignment import Assignment, Kind, SourceCell
from autograder.names import PARSED_TOGETHER, Names, names_of, names_of_all, parse
from autograder.submission.model import StudentCell, squeezed

MAX_PIECES: Final = 6
"""A solution cell split into more pieces than this is not put together again."""

COPIES: Final = "The cell '{cell}' is there {count} times; {kept}."
COPY_KEPT: Final = "the last changed one counts, the others run before it"
COPY_FIRST: Final = "the first one counts"
SPLIT: Final = "The cell '{cell}' was split into {count} pieces, which were put together again."
FOUND_ELSEWHERE: Final = "The answer for '{cell}' was found in a cell of the student's own and takes its place."
FOUND_BESIDE: Final = "The answer for '{cell}' was found in the cell '{other}', which runs in its place, too."
ANOTHERS: Final = "The cell marked '{cell}' holds the answer to another question and was not read as its own."
BY_POSITION: Final = "The cell '{cell}' had lost its mark and was found by its place."
BY_CONTENT: Final = "Cells that had lost their marks and were found by their content: {count}."
BY_ID: Final = "Cells that had lost their marks and were found by their ids: {count}."


@dataclass(slots=True)
class Matching:
    """The submitted cells (by index) sorted into the skeleton (by index)."""

    pairs: dict[int, int] = field(default_factory=dict)
    """Skeleton -> submitted."""
    gone: set[int] = field(default_factory=set)
    """Submitted cells that are not kept: copies, pieces that were joined to another."""
    joined: dict[int, str] = field(default_factory=dict)
    """Submitted cell -> its source together with the pieces that were split off."""
    relocated: set[int] = field(default_factory=set)
    """Skeleton cells whose answer was found in a cell of the student's own, or in that of another answer."""
    notes: list[str] = field(default_factory=list)

    def free(self, count: int) -> list[int]:
        """Submitted cells that stand for no source cell, in their order."""
        taken = self.gone | set(self.pairs.values())
        return [index for index in range(count) if index not in taken]


def is_released(cell: SourceCell, source: str) -> bool:
    """Whether this is the cell as the student got it, or emptied."""
    return squeezed(source) in {"", squeezed(cell.released)}


def match_cells(assignment: Assignment, cells: Sequence[StudentCell]) -> Matching:
    """Sort the submitted cells into the skeleton."""
    matching = Matching()
    _by_grade_id(assignment, cells, matching)
    _by_cell_id(assignment, cells, matching)
    _by_content(assignment, cells, matching)
    _by_definition(assignment, cells, matching)
    _by_position(assignment, cells, matching)
    return matching


def likeness(assignment: Assignment, cells: Sequence[StudentCell]) -> float:
    """How much of the assignment is recognised in these cells: 0 nothing, 1 every marked cell."""
    marked = {index for index, cell in enumerate(assignment.cells) if cell.marked}
    pairs = match_cells(assignment, cells).pairs
    return len(marked & set(pairs)) / len(marked) if marked else float(bool(pairs))


def in_order(assignment: Assignment, matching: Matching) -> set[int]:
    """The skeleton cells that stand in the submission in the order of the source: the heaviest such chain.

    A solution weighs less than given text and tests: where two cells changed places, it is the one that moved.
    """
    chain = sorted((submitted, own) for own, submitted in matching.pairs.items() if own not in matching.relocated)
    best: list[tuple[float, int]] = []  # weight of the best chain that ends here, its previous element
    for place, (_, own) in enumerate(chain):
        weight = 1.0 if assignment.cells[own].kind is Kind.SOLUTION else 1.5
        before = [(best[other][0], other) for other in range(place) if chain[other][1] < own]
        heaviest, previous = max(before, default=(0.0, -1))
        best.append((heaviest + weight, previous))
    found: set[int] = set()
    place = max(range(len(best)), key=lambda place: best[place][0], default=-1)
    while place >= 0:
        found.add(chain[place][1])
        place = best[place][1]
    return found


def _by_grade_id(assignment: Assignment, cells: Sequence[StudentCell], matching: Matching) -> None:
    known = {cell.key for cell in assignment.cells if cell.marked}
    solutions = {cell.key for cell in assignment.solution_cells if cell.cell_type == "code"}
    names = names_of_all({index: cell.source for index, cell in enumerate(cells) if cell.grade_id in solutions})
    found: dict[str, list[int]] = {}
    for index, cell in enumerate(cells):
        if cell.grade_id in known:
            found.setdefault(cell.grade_id, []).append(index)
    for own, cell in enumerate(assignment.cells):
        candidates = found.get(cell.key, []) if cell.marked else []
        if not candidates:
            continue
        if cell.kind is Kind.SOLUTION:
            own_ones = [index for index in candidates if not _is_anothers(assignment, cell, names.get(index))]
            if len(own_ones) < len(candidates):
                matching.notes.append(ANOTHERS.format(cell=cell.key))
            if own_ones:
                _pick_solution(own, cell, own_ones, cells, known, matching)
        else:
            _pick_given(own, cell, candidates, cells, matching)


def _is_anothers(assignment: Assignment, cell: SourceCell, names: Names | None) -> bool:
    """Whether what stands in a solution cell defines none of its names, but those of another one."""
    if names is None or not names.bound or names.bound & cell.names.bound:
        return False
    return any(names.bound & other.names.bound for other in assignment.solution_cells)


def _pick_given(
    own: int, cell: SourceCell, candidates: list[int], cells: Sequence[StudentCell], matching: Matching
) -> None:
    originals = {squeezed(cell.released), squeezed(cell.source)}
    same = [index for index in candidates if cells[index].text in originals]
    chosen = (same or candidates)[0]
    matching.pairs[own] = chosen
    matching.gone.update(index for index in same if index != chosen)
    if len(candidates) > 1:
        matching.notes.append(COPIES.format(cell=cell.key, count=len(candidates), kept=COPY_FIRST))


def _pick_solution(
    own: int,
    cell: SourceCell,
    candidates: list[int],
    cells: Sequence[StudentCell],
    known: set[str],
    matching: Matching,
) -> None:
    if cell.cell_type == "code":
        candidates = _join_pieces(cell, candidates, cells, known, matching)
    changed = [index for index in candidates if not is_released(cell, matching.joined.get(index, cells[index].source))]
    chosen = changed[-1] if changed else candidates[0]
    matching.pairs[own] = chosen
    matching.gone.update(index for index in candidates if index != chosen and index not in changed)
    kept_text = cells[chosen].text
    twins = [index for index in changed[:-1] if cells[index].text == kept_text]
    matching.gone.update(twins)
    if len(candidates) > 1:
        kept = COPY_KEPT if changed else COPY_FIRST
        matching.notes.append(COPIES.format(cell=cell.key, count=len(candidates), kept=kept))


def _join_pieces(
    cell: SourceCell, candidates: list[int], cells: Sequence[StudentCell], known: set[str], matching: Matching
) -> list[int]:
    """Put a split cell together where a piece is no Python by itself and the whole is, as far as that takes bounded
    time: each piece is parsed with those before it."""
    left = list(candidates)
    to_parse = PARSED_TOGETHER
    for first in candidates:
        if first not in left:
            continue
        to_parse -= MAX_PIECES * sum(len(cell.source) for cell in cells[first : first + MAX_PIECES])
        if to_parse < 0:
            break
        pieces = _pieces_after(first, cell, cells, known)
        if len(pieces) < 2:
            continue
        matching.joined[first] = "\n".join(cells[index].source for index in pieces)
        matching.gone.update(pieces[1:])
        left = [index for index in left if index not in pieces[1:]]
        matching.notes.append(SPLIT.format(cell=cell.key, count=len(pieces)))
    return left


def _pieces_after(first: int, cell: SourceCell, cells: Sequence[StudentCell], known: set[str]) -> list[int]:
    whole = cells[first].source
    pieces, best = [first], [first]
    for index in range(first + 1, min(first + MAX_PIECES, len(cells))):
        piece = cells[index]
        if piece.cell_type != "code" or (piece.grade_id in known and piece.grade_id != cell.key):
            break
        broken = parse(piece.source) is None or parse(whole) is None
        whole = f"{whole}\n{piece.source}"
        pieces.append(index)
        if broken and parse(whole) is not None:
            best = list(pieces)
    return best


def _by_cell_id(assignment: Assignment, cells: Sequence[StudentCell], matching: Matching) -> None:
    free = matching.free(len(cells))
    places = {cells[index].cell_id: index for index in reversed(free) if cells[index].cell_id}
    count = 0
    for own, cell in enumerate(assignment.cells):
        if own in matching.pairs or cell.cell_id not in places:
            continue
        solution = cell.kind is Kind.SOLUTION and cell.cell_type == "code"
        if solution and _is_anothers(assignment, cell, names_of(cells[places[cell.cell_id]].source)):
            continue
        matching.pairs[own] = places.pop(cell.cell_id)
        count += cell.marked
    if count:
        matching.notes.append(BY_ID.format(count=count))


def _by_content(assignment: Assignment, cells: Sequence[StudentCell], matching: Matching) -> None:
    places: dict[str, list[int]] = {}
    for index in matching.free(len(cells)):
        places.setdefault(cells[index].text, []).append(index)
    count = 0
    for own, cell in enumerate(assignment.cells):
        if own in matching.pairs:
            continue
        for text in (squeezed(cell.released), squeezed(cell.source)):
            if text and places.get(text):
                matching.pairs[own] = places[text].pop(0)
                count += cell.marked
                break
    if count:
        matching.notes.append(BY_CONTENT.format(count=count))


def _by_definition(assignment: Assignment, cells: Sequence[StudentCell], matching: Matching) -> None:
    """A solution that is missing or does nothing, while another cell that the student wrote defines its names."""
    others = [cell for cell in assignment.cells if cell.kind is not Kind.SOLUTION]
    given = {squeezed(text) for cell in others for text in (cell.released, cell.source)}  # a copy of one is no answer
    code = [index for index in matching.free(len(cells)) if cells[index].cell_type == "code"]
    free = {index: cells[index].source for index in code if cells[index].text not in given}
    bound = {index: names.bound for index, names in names_of_all(free).items()}
    for own, cell in enumerate(assignment.cells):
        if cell.kind is not Kind.SOLUTION or cell.cell_type != "code":
            continue
        stub = matching.pairs.get(own)
        source = "" if stub is None else matching.joined.get(stub, cells[stub].source)
        blank = stub is None or _is_blank(cell, source)
        if not blank and _may_define(cell, source):
            continue
        taken = _written_over(assignment, cells, matching, own)
        answers = [index for index, names in bound.items() if names & cell.names.bound]
        answers += [index for index in taken if names_of(cells[index].source).bound & cell.names.bound]
        if not answers:
            continue
        answer = max(answers)
        if answer in taken:
            matching.notes.append(FOUND_BESIDE.format(cell=cell.key, other=assignment.cells[taken[answer]].key))
        else:
            matching.notes.append(FOUND_ELSEWHERE.format(cell=cell.key))
            bound.pop(answer)
        matching.pairs[own] = answer
        matching.relocated.add(own)
        if stub is not None and blank:
            matching.gone.add(stub)


def _is_blank(cell: SourceCell, source: str) -> bool:
    """Whether this does no more than the cell as released."""
    if is_released(cell, source):
        return True
    tree, released = parse(source), parse(cell.released)
    if tree is None:
        return False
    return all(map(_does_nothing, tree.body)) or (released is not None and ast.dump(tree) == ast.dump(released))


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.FunctionDef(body=body):
            return all(map(_does_nothing, body))
        case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
            return True
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Return(value=None | ast.Constant(value=None)):
            return True
    return False


def _may_define(cell: SourceCell, source: str) -> bool:
    """Whether running this can give the cell's names a meaning; so it is said of what is no Python, too."""
    names = names_of(source)
    return parse(source) is None or bool((names.bound | names.imported) & cell.names.bound)


def _written_over(assignment: Assignment, cells: Sequence[StudentCell], matching: Matching, own: int) -> dict[int, int]:
    """Submitted cell -> skeleton cell, of those code cells besides ``own`` that the student wrote in."""
    found = {}
    for other, index in matching.pairs.items():
        cell = assignment.cells[other]
        originals = {"", squeezed(cell.released), squeezed(cell.source)}
        if other != own and cells[index].cell_type == "code" and cells[index].text not in originals:
            found[index] = other
    return found


def _by_position(assignment: Assignment, cells: Sequence[StudentCell], matching: Matching) -> None:
    """A solution whose neighbours are known, with one cell of the student's between them that can only be it."""
    ordered = in_order(assignment, matching)
    for own, cell in enumerate(assignment.cells):
        if cell.kind is not Kind.SOLUTION or own in matching.pairs:
            continue
        before = [matching.pairs[other] for other in ordered if other < own]
        after = [matching.pairs[other] for other in ordered if other > own]
        low, high = max(before, default=-1), min(after, default=len(cells))
        code = cell.cell_type == "code"
        between = [
            index
            for index in matching.free(len(cells))
            if low < index < high and (cells[index].cell_type == "code") is code and cells[index].text
        ]
        if len(between) == 1:
            matching.pairs[own] = between[0]
            ordered.add(own)
            matching.notes.append(BY_POSITION.format(cell=cell.key))
