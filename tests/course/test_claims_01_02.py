"""Every number and fact that the prose of lessons 1 and 2 claims beyond what their checked cells print."""

import math

import nbformat
import numpy as np
import pytest
from mha.attention import softmax, split_heads
from mha.figures.margins import effective_keys
from mha.forward import demonstration

from tests.course.conftest import ROOT


def cells(name):
    notebook = nbformat.read(ROOT / "course" / name, as_version=4)
    return {cell.id: cell for cell in notebook.cells}


@pytest.fixture(scope="module")
def lesson_1():
    return cells("01_head_split.ipynb")


@pytest.fixture(scope="module")
def lesson_2():
    return cells("02_parallel_attention.ipynb")


@pytest.fixture(scope="module")
def cache():
    return demonstration().forward()[1]


def run(*chosen):
    names = {"np": np, "math": math, "softmax": softmax, "split_heads": split_heads}
    for cell in chosen:
        exec(compile(cell.source, cell.id, "exec"), names)
    return names


def test_two_different_pairs_make_the_same_average():
    row = np.array([0.5, 0.5, 0, 0])
    assert row @ [8, 0, 4, 2] == row @ [6, 2, 4, 2] == 4


def test_bank_by_hand(lesson_1, capsys):
    names = run(lesson_1["project"])
    assert names["packed"][0, 2].tolist() == [-8, 2, -2, 1, 9, -8]
    assert names["x"][0, 2].tolist() == [2, 1, 0, 1]
    assert names["weight"][0].tolist() == [-3, 1, 1, -3]
    assert "−6 + 1 + 0 − 3 = −8" in lesson_1["project-see"].source
    assert "−8, 2, −2 for head 0 and 1, 9, −8 for head 1" in lesson_1["project-see"].source


def test_the_batch_of_two_has_two_different_sentences(lesson_1, capsys):
    x = run(lesson_1["project"])["x"]
    assert not np.array_equal(x, 3 - x)


@pytest.mark.parametrize(("heads", "tokens"), [(1, 4), (3, 1)])
def test_straight_reshape_is_right_with_one_head_or_one_token(heads, tokens):
    x = np.arange(tokens * heads * 2).reshape(1, tokens, heads * 2)
    assert np.array_equal(x.reshape(1, heads, tokens, 2), split_heads(x, heads))


def test_six_heads_cannot_be_split_into_four():
    with pytest.raises(ValueError, match="divide"):
        split_heads(np.zeros((1, 4, 6)), 4)


def test_by_hand_numbers(lesson_2, capsys):
    names = run(lesson_2["by-hand-setup"], lesson_2["by-hand-weights"], lesson_2["by-hand-output"])
    assert names["scores"].tolist() == [[1, 1], [2, 1]]
    assert names["weights"][1].round(3).tolist() == [0.731, 0.269]
    assert names["output"].round(2).tolist() == [[5, 5, 4, 0], [7.31, 2.69, 4, 0]]
    assert "0.731 × 10 + 0.269 × 0 = 7.31" in lesson_2["by-hand-see"].source


def test_scores_spread_with_the_root_of_the_head_size():
    rng = np.random.default_rng(0)
    for size in (4, 64):
        q, k = rng.standard_normal((2, 20_000, size))
        assert (q * k).sum(axis=1).std() == pytest.approx(math.sqrt(size), rel=0.03)


def test_small_weights_make_nearly_uniform_tables():
    d = demonstration()
    q, k = (split_heads(d.X @ (W / 10), d.h) for W in (d.Wq, d.Wk))
    weights = softmax(q @ k.swapaxes(-1, -2) / 4)
    assert np.abs(weights - 1 / 6).max() < 0.02


def test_the_seed_42_tables_are_stored_as_the_document_prints_them(lesson_2):
    printed = lesson_2["tables"].outputs[0].text
    for row in (
        "[0.005 0.008 0.002 0.972 0.001 0.012]", "[0.152 0.121 0.103 0.026 0.485 0.113]",
        "[0.    0.    0.007 0.991 0.    0.001]", "[0.448 0.24  0.013 0.    0.294 0.005]",
        "[0.539 0.015 0.169 0.009 0.247 0.022]", "[0.04  0.019 0.093 0.198 0.111 0.54 ]",
        "[0.282 0.105 0.018 0.073 0.003 0.519]", "[0.001 0.017 0.02  0.058 0.814 0.091]",
        "[0.029 0.018 0.802 0.113 0.037 0.   ]", "[0.033 0.119 0.244 0.06  0.054 0.49 ]",
        "[0.063 0.001 0.004 0.542 0.383 0.006]", "[0.145 0.153 0.501 0.088 0.068 0.044]",
    ):  # fmt: skip
        assert row in printed


def test_the_seed_42_shapes_are_stored_as_the_document_prints_them(lesson_2):
    printed = lesson_2["demonstration-run"].outputs[0].text.splitlines()
    assert printed[0] == "config: B=2, T=6, C=64, h=4, hs=16"
    shapes = {line.split()[0]: line.split(maxsplit=1)[1] for line in printed[1:10]}
    assert shapes == {
        "X": "(2, 6, 64)",
        "Q": "(2, 4, 6, 16)",
        "K": "(2, 4, 6, 16)",
        "V": "(2, 4, 6, 16)",
        "scores": "(2, 4, 6, 6)",
        "weights": "(2, 4, 6, 6)",
        "per_head": "(2, 4, 6, 16)",
        "concat": "(2, 6, 64)",
        "out": "(2, 6, 64)",
    }
    assert printed[10] == "row sums: min=1.000000 max=1.000000"


def test_lesson_2_draws_the_demonstration_that_all_lessons_share(lesson_2):
    names, d = run(lesson_2["setup"]), demonstration()
    for name in ("X", "Wq", "Wk", "Wv", "Wo"):
        assert np.array_equal(names[name], getattr(d, name))


def test_sharpness_that_the_prose_names(cache):
    products = cache["Q"][0, 0, 0] @ cache["K"][0, 0].T
    right, flat = softmax(products / 4), softmax(products / 8)
    assert f"{effective_keys(right):.1f}" == "1.2"
    assert f"{effective_keys(flat):.1f}" == "2.6"
    assert (f"{right[3]:.3f}", f"{flat[3]:.3f}") == ("0.972", "0.741")


def test_the_printed_row_is_enough_to_predict_the_flat_one():
    roots = np.sqrt([0.005, 0.008, 0.002, 0.972, 0.001, 0.012])
    assert roots.sum() == pytest.approx(1.33, abs=0.005)
    assert roots[3] / roots.sum() == pytest.approx(0.741, abs=0.006)


def test_a_mask_for_each_sentence_meets_the_heads_where_it_has_no_axis_for_them():
    mask = np.stack([np.tri(3, dtype=bool), np.ones((3, 3), dtype=bool)])  # (B, T, T)
    with pytest.raises(ValueError, match="broadcast"):
        np.where(mask, np.zeros((2, 4, 3, 3)), -np.inf)
    scores = np.zeros((2, 2, 3, 3))  # as many heads as sentences: no error, and not the same
    assert not np.array_equal(np.where(mask, scores, -np.inf), np.where(mask[:, None], scores, -np.inf))
    assert mask[:, None].shape == (2, 1, 3, 3)


def test_strides_of_both_readings_of_memory():
    packed = np.zeros((1, 4, 6))
    right, straight = split_heads(packed, 2), packed.reshape(1, 2, 4, 3)
    assert [tuple(s // 8 for s in array.strides)[1:3] for array in (right, straight)] == [(3, 6), (12, 3)]


def test_folded_are_the_outputs_that_would_give_an_answer_away(lesson_1, lesson_2):
    def folded(lesson):
        return {name for name, cell in lesson.items() if cell.metadata.get("jupyter", {}).get("outputs_hidden")}

    assert folded(lesson_1) == {"average-run", "step-1-shared", "strides-answer", "slip-labels", "explore"}
    assert folded(lesson_2) == {
        "by-hand-weights", "parallel-shape", "mask-answer", "slip-axis", "slip-scale-answer",
    }  # fmt: skip
