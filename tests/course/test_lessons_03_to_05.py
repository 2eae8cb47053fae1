"""Lessons 3 to 5: their figures, their predictions, and what their prose claims beyond the checked cells."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from mha.attention import multi_head_attention_per_head, softmax
from mha.bugs import BUGS, attempt, concat_over_sentences, mask_after_softmax, project_each_head, scale_by_width
from mha.check.prediction import find
from mha.check.report import Mood
from mha.figures import future_leak, kill_matrix, reading_map
from mha.figures.kill import smallest_catches
from mha.figures.leak import moved_positions, sources
from mha.figures.reading import read
from mha.forward import demonstration

ROOT = Path(__file__).parents[2]
LESSONS = (
    ROOT / "course/03_concat.ipynb",
    ROOT / "course/04_output_projection.ipynb",
    ROOT / "source/exercises/05_exercises.ipynb",
)

PARTS = (
    "**The promise.**",
    "**You will be able to**",
    "**You need**",
    "**Time:** about",
    "Predict",
    "**See.**",
    "## The shapes on one page",
    "## Three questions",
    "## Next",
    "<details>\n<summary>",
)

# id, right answers in the forms people type, wrong answers with a word that their message must hold
PREDICTIONS = [
    ("3.two-heads", [[[0, 2], [1, 3]], "[[0, 2], [1, 3]]", np.array([[0, 2], [1, 3]])],
     [([[0, 1], [2, 3]], "head 0's two positions"), ([0, 1, 2, 3], "two rows"), ([[2, 0], [3, 1]], "reverse order")]),
    ("3.columns", [(32, 48), [32, 48]], [((32, 47), "after the last"), ((16, 32), "head 1"), ((2, 18), "two columns")]),
    ("3.which-move", [(1, 3), (3, 1), "1 and 3", {1, 3}],
     [(3, "right concat"), ((2, 3), "fill one row"), ((0, 1, 2, 3), "Too many")]),
    ("4.permutation", [(16, 1), "16 and 1"],
     [((64, 4), "dense"), ((16, 4), "one head"), ((64, 1), "only the outputs that read head 3")]),
    ("4.both", [5, 5.0, "5"], [(6, "multiplies"), (0, "Nothing cancels")]),
    ("4.weight", [(7, 0), [7, 0]], [((0, 5), "without the `.T`"), ((0, 7), "output 0"), ((5, 0), "index 1")]),
    ("5.slices", [2, (2,), "head 2"], [((0, 1, 2, 3), "after the output projection"), ((0, 1, 3), "other way round"),
     ((2, 3), "before 3*hs"), (1, "count from 0")]),
    ("5.parameters", [16384, "16384"], [(32768, "Twice"), (8192, "half as wide"), (12288, "W_o is the fourth"),
     (131072, "no factor of 8")]),
    ("5.one-sentence", ["no", False, "No."], [("yes", "single sentence")]),
]  # fmt: skip


def _cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def _asked(path: Path) -> set[str]:
    code = "\n".join("".join(cell["source"]) for cell in _cells(path) if cell["cell_type"] == "code")
    return {line.split('"')[1] for line in code.splitlines() if line.startswith("predict(")}


def test_each_question_of_the_lessons_is_tested_here():
    assert set().union(*map(_asked, LESSONS)) == {name for name, _, _ in PREDICTIONS}


@pytest.mark.parametrize(("name", "right", "wrong"), PREDICTIONS, ids=[p[0] for p in PREDICTIONS])
def test_predictions_know_right_and_wrong_answers(name, right, wrong):
    prediction = find(name)
    for answer in right:
        assert prediction.answer(answer).mood is Mood.RIGHT, answer
    messages = set()
    for answer, words in wrong:
        report = prediction.answer(answer)
        assert report.mood is Mood.WRONG
        assert words in report.message
        messages.add(report.message)
    assert len(messages) == len(wrong) == len(prediction.wrong)
    other = prediction.answer("something else")
    assert other.mood is Mood.WRONG
    assert other.message not in messages
    assert prediction.answer(...).mood is Mood.WAITING


def test_every_section_that_an_answer_points_to_is_a_heading():
    for name, _, _ in PREDICTIONS:
        section = find(name).section
        lesson = next((ROOT / "course").glob(f"{section.lesson:02}_*.ipynb"))
        headings = [line.lstrip("# ") for cell in _cells(lesson) for line in "".join(cell["source"]).splitlines()
                    if cell["cell_type"] == "markdown" and line.startswith("#")]  # fmt: skip
        assert section.heading in headings, name


def _concat(x):
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)


def _reshape(x):
    return x.reshape(x.shape[1], -1)


@pytest.mark.parametrize(("concat", "leaks", "moved"), [(_concat, 0, [3]), (_reshape, 6, [1, 3])])
def test_the_leak_figure_counts_what_really_leaks(concat, leaks, moved):
    heads, tokens = sources(concat, 2, 4, 2)
    assert (tokens > np.arange(4)[:, None]).sum() == leaks
    assert moved_positions(tokens, 3) == moved
    figure, alt = future_leak(heads, tokens, 3, "a concat")
    assert f"{leaks} of 16 outputs hold a later token" in alt
    assert f"these positions move: {', '.join(map(str, moved))}." in alt
    assert f"{leaks} of 16" in figure.get_suptitle()


def test_the_leak_is_what_attention_does():
    x = np.random.default_rng(0).standard_normal((1, 4, 4))
    for token in range(4):
        changed = x.copy()
        changed[0, token] += 1
        mask = np.tri(4, dtype=bool)
        before, after = (multi_head_attention_per_head(a, a, a, 2, mask)[0][0] for a in (x, changed))
        for concat in (_concat, _reshape):
            moved = np.flatnonzero((concat(before) != concat(after)).any(axis=1)).tolist()
            assert moved == moved_positions(sources(concat, 2, 4, 2)[1], token)


def test_the_reading_map_tells_mixing_from_moving():
    demo = demonstration()
    concat = demo.forward()[1]["concat"][0, 0]
    permutation = np.eye(64)[np.random.default_rng(1).permutation(64)]
    projections = {"dense": demo.Wo, "block": demo.block_diagonal, "permutation": permutation, "identity": np.eye(64)}
    for dropped in range(4):
        found = {name: read(concat, Wo, 4, dropped) for name, Wo in projections.items()}
        counts = [(int(f.moved.sum()), set(f.heads_read.tolist())) for f in found.values()]
        assert counts == [(64, {4}), (16, {1}), (16, {1}), (16, {1})]
    figure, alt = reading_map(found, dropped)
    titles = [ax.get_title(loc="left") for ax in figure.axes if ax.get_title(loc="left")]
    assert titles == ["dense: 64 moved, 4 read", "block: 16 moved, 1 read", "permutation: 16 moved, 1 read",
                      "identity: 16 moved, 1 read"]  # fmt: skip
    assert all(title in alt for title in titles)


def test_a_reading_says_so_where_outputs_differ_or_nothing_moves():
    Wo = np.array([[1.0, 0.0, 1.0, 0.0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
    found = read(np.array([1.0, 1, 0, 0]), Wo, 2, 1)
    assert found.summary == "0 moved, 0 to 2 read"
    assert "are none" in reading_map({"odd": found}, 1).alt


def test_the_kill_matrix_names_the_smallest_catches():
    attempts = [attempt(1, 1, 1, 4), attempt(2, 3, 4, 2), attempt(1, 2, 2, 1), attempt(2, 2, 1, 1)]
    caught = [[name for name, found in a.found.items() if found.caught] for a in attempts]
    assert caught == [[], ["concat", "scale", "mask", "bias"], ["scale", "mask", "bias"], ["concat", "mask"]]
    assert smallest_catches(attempts) == {"concat": 3, "scale": 2, "mask": 2, "bias": 2}
    figure, alt = kill_matrix(attempts)
    assert figure.get_suptitle() == "4 of 4 bugs caught"
    assert (
        "smallest catch so far: concat with 4 numbers, scale with 8 numbers, mask with 10 numbers, bias with 10" in alt
    )


def test_a_bug_that_needs_two_of_an_axis_hides_where_there_is_one():
    needs = {"concat": {"B", "T"}, "scale": {"T", "h"}, "mask": {"T"}, "bias": {"h"}}
    for sizes in np.ndindex(3, 3, 3, 2):
        B, T, h, hs = (size + 1 for size in sizes)
        many = {letter for letter, size in zip("BTh", (B, T, h), strict=True) if size > 1}
        found = attempt(B, T, h, hs).found
        assert {name for name in needs if needs[name] <= many} == {name for name in found if found[name].caught}


def test_the_numbers_of_the_table_after_the_hunt():
    q, k = np.ones((1, 2, 1, 1)), np.array([1.0, 0, 1, 0]).reshape(1, 2, 2, 1)
    assert scale_by_width(q, k)[0, 0, 0, 0].round(3) == 0.670
    assert softmax(np.array([1.0, 0.0]))[0].round(3) == 0.731
    np.testing.assert_array_equal(mask_after_softmax(np.zeros((1, 2)), np.ones((2, 1)), np.array([[True, False]])), 0.5)
    np.testing.assert_array_equal(project_each_head(np.zeros((1, 2, 1, 1)), np.zeros((2, 2)), np.ones(2)), 2.0)
    assert concat_over_sentences(np.arange(4).reshape(2, 1, 2, 1)).ravel().tolist() == [0, 2, 1, 3]
    assert [bug.name for bug in BUGS] == ["concat", "scale", "mask", "bias"]


def test_queries_of_zero_average_evenly_and_do_not_silence_a_head():
    demo = demonstration()
    zero = np.zeros_like(demo.X)
    per_head, weights = multi_head_attention_per_head(zero, demo.X @ demo.Wk, demo.X @ demo.Wv, demo.h)
    np.testing.assert_allclose(weights, 1 / 6)
    assert per_head.any()


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_built_as_all_are(path):
    cells = _cells(path)
    words = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    levels = [line.split(" ")[0] for text in words for line in text.splitlines() if line.startswith("#")]
    assert levels.count("#") == 1
    assert levels[0] == "#"
    assert all(len(b) <= len(a) + 1 for a, b in pairwise(levels))
    text = "\n".join(words)
    for part in PARTS:
        assert part in text, part
    assert text.count("<details>") == text.count("</details>") == text.count("</summary>\n\n")
    assert "$" not in text
    assert any(cell["metadata"].get("jupyter") for cell in cells)
    for cell in cells:
        if cell["metadata"].get("jupyter", {}).get("outputs_hidden"):
            # JupyterLab shows the first line of a folded output: it must not be the answer.
            first = cell["outputs"][0]
            line = "".join(first.get("text") or first["data"]["text/html"]).splitlines()[0]
            assert line.endswith((":", "-->")), (cell["id"], line)
    ids = [cell["id"] for cell in cells]
    assert len(set(ids)) == len(ids)
    for cell in cells:
        if "nbval-check-output" in cell["metadata"].get("tags", []):
            assert cell["outputs"], cell["id"]
        for output in cell.get("outputs", []):
            assert output["output_type"] in ("stream", "display_data")
            assert output.get("name") != "stderr"
            assert '<img alt=""' not in "".join(output.get("data", {}).get("text/html", ""))
