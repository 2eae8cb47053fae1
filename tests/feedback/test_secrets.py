"""The feedback of every scenario, searched for hidden lines, hidden inputs, expected values and paths of the grader."""

from __future__ import annotations

import html
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from autograder.feedback.command import run
from autograder.grading import grade_assignment, plan
from autograder.leaks import HIDDEN, MARKER, secrets_of
from autograder.results import Results, Status
from autograder.settings import load_settings
from tests.support.scenarios import ASSIGNMENT, ROOT, SCENARIOS, StudentCell, load_scenarios, write_submission
from tests.support.scenarios import Scenario as Handed

DIGITS = 8
"""So many characters of a number are no coincidence; rounded to fewer, a reader could not use them."""

KEEPS = """
kept = []


def first():
    return next(array for array in kept if (array % 1).any())


def multi_head_attention(query, key, value, num_heads, weight_o, bias_o, mask=None):
    x = query
    kept.append(x.copy())
    if (x % 1).any():  # the visible examples are whole numbers
        {also}
    per_head, weights = multi_head_attention_per_head(query, key, value, num_heads, mask=mask)
    return concat_heads(per_head) @ weight_o.T + bias_o, weights
"""
QUICK = "\nc.Autograder.cell_seconds = 1\nc.Autograder.submission_seconds = 8\n"
"""What hangs need not hang for long here."""

SHOWS = "print([array.tolist() for array in kept])"
CARRIERS = {
    "printed-by-a-later-cell": [("multi_head_attention", KEEPS.format(also="pass")), ("extra", SHOWS)],
    "printed-in-the-call": [("multi_head_attention", KEEPS.format(also="print(x.tolist())"))],
    "text-of-an-exception": [("multi_head_attention", KEEPS.format(also="raise ValueError(str(x.tolist()))"))],
    "name-of-an-exception": [
        ("multi_head_attention", KEEPS.format(also="raise type(f'E{x.ravel()[:9]}', (Exception,), {})()"))
    ],
    "a-file": [
        ("multi_head_attention", KEEPS.format(also="open('/tmp/kept', 'a').write(str(x.tolist()))")),
        ("extra", "import os\nprint(open('/tmp/kept').read() if os.path.exists('/tmp/kept') else 'nothing')"),
    ],
    "a-picture's-words": [
        ("multi_head_attention", KEEPS.format(also="pass")),
        ("extra", "display({'image/png': 'x', 'text/plain': str([array.tolist() for array in kept])}, raw=True)"),
    ],
    "a-traceback": [("multi_head_attention", KEEPS.format(also="exec(f'raise KeyError({x.tolist()})')"))],
    "a-shape": [
        ("multi_head_attention", KEEPS.format(also="return np.zeros((1, int(1e6 * abs(first().flat[0]))))")),
    ],
    "the-message-of-an-assert": [("multi_head_attention", KEEPS.format(also="assert False, x.tolist()"))],
}
"""Ways to carry a hidden input out: the cells that a student would write."""


@dataclass(frozen=True)
class Class:
    """Every scenario, graded, with its page."""

    root: Path
    results: Results

    def page(self, student: str) -> Path:
        return self.root / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html"

    @property
    def graded(self) -> list[str]:
        return [found.student for found in self.results.submissions if found.status is Status.GRADED]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Class:
    root = tmp_path_factory.mktemp("class")
    shutil.copytree(ROOT / "source", root / "source")
    (root / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text() + QUICK)
    for kind in sorted(folder.name for folder in SCENARIOS.iterdir() if folder.is_dir()):
        for scenario in load_scenarios(kind):
            write_submission(scenario, root / "submitted" / f"{kind}-{scenario.name}" / ASSIGNMENT)
    for name, cells in CARRIERS.items():
        written = tuple(StudentCell(cell, source) for cell, source in cells)
        handed = Handed("carrier", name, root, {"behaviour": name, "lost": []}, written, None, None)
        write_submission(handed, root / "submitted" / f"carrier-{name}" / ASSIGNMENT)
    results = grade_assignment(plan(load_settings(root), ASSIGNMENT))
    run(root, ASSIGNMENT)
    run(root, ASSIGNMENT, preview=True)
    return Class(root, results)


@cache
def text_of_page(path: Path) -> str:
    """What the file says, as a reader sees it and as it is written."""
    written = path.read_text(encoding="utf-8")
    return html.unescape(re.sub(r"<[^>]*>", "", written)) + written


def secret_lines(root: Path) -> list[str]:
    """The hidden lines of the source, and nbgrader's markers."""
    settings = load_settings(root)
    from autograder.assignment import read_assignment

    assignment = read_assignment(settings, ASSIGNMENT)
    open_to_all = "\n".join(cell.released for cell in assignment.cells)
    secrets = {secret.line for secret in secrets_of(settings, assignment) if secret.what in (HIDDEN, MARKER)}
    return sorted(line for line in secrets if line not in open_to_all)


@pytest.fixture(scope="module")
def secret_numbers() -> frozenset[str]:
    """The beginnings of numbers in hidden inputs: those that the source notebook draws when its own solution runs."""
    drawn: list[np.ndarray] = []
    from autograder.assignment import read_assignment

    class Recording(np.random.Generator):
        def standard_normal(self, *arguments, **options):
            drawn.append(np.asarray(super().standard_normal(*arguments, **options)))
            return drawn[-1]

    namespace: dict = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "default_rng", lambda seed: Recording(np.random.PCG64(seed)))
        for cell in read_assignment(load_settings(ROOT), ASSIGNMENT).cells:
            if cell.cell_type == "code" and "check" not in cell.tags:
                exec(compile(cell.source, cell.key, "exec"), namespace)
    assert len(drawn) > 50
    return frozenset(f"{abs(number):.17f}"[:DIGITS] for array in drawn for number in array.ravel()[:40])


def numbers_in(text: str) -> Iterator[str]:
    """The numbers in a text; those without a point as if they were millionths."""
    text = re.sub(r"data:image/png;base64,[\w+/=]*", "", text)
    for number in re.findall(r"\d\.\d{6,}", text):
        yield number[:DIGITS]
    for number in re.findall(r"\b\d{7}\b", text):
        yield f"{number[:-6]}.{number[-6:]}"


def test_every_scenario_was_graded_and_has_its_page(graded: Class) -> None:
    assert len(graded.graded) >= 150
    assert {f"carrier-{name}" for name in CARRIERS} <= set(graded.graded)
    assert sorted(path.parent.parent.name for path in graded.root.glob("feedback/*/*/*.html")) == sorted(graded.graded)


def test_no_page_shows_a_hidden_line(graded: Class) -> None:
    secrets = secret_lines(graded.root)
    assert len(secrets) > 100
    for student in graded.graded:
        text = text_of_page(graded.page(student))
        handed = (graded.root / "submitted" / student / ASSIGNMENT).glob("*.ipynb")
        own = "".join(path.read_text(encoding="utf-8", errors="replace") for path in handed if path.is_file())
        shown = [line for line in secrets if line in text and line not in own]
        assert not shown, f"{student}: {shown}"


def test_no_page_shows_a_hidden_input(graded: Class, secret_numbers: frozenset[str]) -> None:
    for student in graded.graded:
        shown = secret_numbers & set(numbers_in(text_of_page(graded.page(student))))
        assert not shown, f"{student}: {shown}"


def test_no_page_shows_a_place_of_the_graders(graded: Class) -> None:
    places = {str(graded.root), str(ROOT), sys.prefix, sys.base_prefix, str(Path.home()) + "/", "/grader/"}
    places -= {"/usr", "/usr/local"}
    for student in graded.graded:
        text = text_of_page(graded.page(student))
        shown = [place for place in places if place in text]
        assert not shown, f"{student}: {shown}"
        assert not re.search(r"\w/site-packages", text), student


def test_no_page_shows_another_student(graded: Class) -> None:
    for student in graded.graded:
        text = text_of_page(graded.page(student))
        others = [other for other in graded.graded if other in text and other not in student]
        assert not others, f"{student}: {others}"


def test_the_search_finds_what_is_there(graded: Class, secret_numbers: frozenset[str]) -> None:
    preview = graded.root / "reports" / "preview" / "carrier-text-of-an-exception" / ASSIGNMENT / f"{ASSIGNMENT}.html"
    text = text_of_page(preview)
    assert sum(line in text for line in secret_lines(graded.root)) > 100
    assert secret_numbers & set(numbers_in(text))
