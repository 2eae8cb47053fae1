"""The layer in one call and the seed-42 setup: the numbers that lessons 2 to 5 print."""

import numpy as np
import pytest
from mha.attention import multi_head_attention_per_head
from mha.forward import demonstration, multi_head_attention_forward

HEAD_0 = [
    [0.005, 0.008, 0.002, 0.972, 0.001, 0.012],
    [0.152, 0.121, 0.103, 0.026, 0.485, 0.113],
    [0.0, 0.0, 0.007, 0.991, 0.0, 0.001],
    [0.448, 0.24, 0.013, 0.0, 0.294, 0.005],
    [0.539, 0.015, 0.169, 0.009, 0.247, 0.022],
    [0.04, 0.019, 0.093, 0.198, 0.111, 0.54],
]
HEAD_1 = [
    [0.282, 0.105, 0.018, 0.073, 0.003, 0.519],
    [0.001, 0.017, 0.02, 0.058, 0.814, 0.091],
    [0.029, 0.018, 0.802, 0.113, 0.037, 0.0],
    [0.033, 0.119, 0.244, 0.06, 0.054, 0.49],
    [0.063, 0.001, 0.004, 0.542, 0.383, 0.006],
    [0.145, 0.153, 0.501, 0.088, 0.068, 0.044],
]


def test_the_demonstration_has_the_documents_shapes():
    demo = demonstration()
    out, cache = demo.forward()
    assert {name: array.shape for name, array in cache.items()} == {
        "Q": (2, 4, 6, 16),
        "K": (2, 4, 6, 16),
        "V": (2, 4, 6, 16),
        "scores": (2, 4, 6, 6),
        "weights": (2, 4, 6, 6),
        "per_head": (2, 4, 6, 16),
        "concat": (2, 6, 64),
        "out": (2, 6, 64),
    }
    assert out is cache["out"]
    assert (demo.C, demo.h, demo.hs) == (64, 4, 16)


def test_the_weight_tables_to_three_decimals():
    weights = demonstration().forward()[1]["weights"]
    np.testing.assert_array_equal(weights[0, 0].round(3), HEAD_0)
    np.testing.assert_array_equal(weights[0, 1].round(3), HEAD_1)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)


def test_the_first_four_numbers_of_the_concat():
    cache = demonstration().forward()[1]
    np.testing.assert_array_equal(cache["concat"][0, 0, :4].round(4), [2.7813, -0.5535, 1.2289, -0.1792])


def test_block_i_of_the_concat_is_head_i_bit_for_bit():
    demo = demonstration()
    cache = demo.forward()[1]
    for i in range(demo.h):
        block = cache["concat"][:, :, i * demo.hs : (i + 1) * demo.hs]
        np.testing.assert_array_equal(block, cache["per_head"][:, i])


def test_dropping_head_3_moves_64_and_16_outputs():
    demo = demonstration()
    for projection, expected in ((demo.Wo, 64), (demo.block_diagonal, 16)):
        out, cache = demo.forward(projection)
        dropped = cache["concat"].copy()
        dropped[:, :, 3 * demo.hs :] = 0
        assert (np.abs(dropped @ projection - out)[0, 0] > 1e-9).sum() == expected


def test_it_agrees_with_the_given_per_head_function():
    demo = demonstration()
    cache = demo.forward()[1]
    per_head, weights = multi_head_attention_per_head(demo.X @ demo.Wq, demo.X @ demo.Wk, demo.X @ demo.Wv, demo.h)
    np.testing.assert_array_equal(cache["per_head"], per_head)
    np.testing.assert_array_equal(cache["weights"], weights)


def test_each_call_draws_its_own_arrays():
    first = demonstration()
    first.Wv[:] = 0
    assert demonstration().Wv.any()


def test_heads_that_do_not_divide_the_width_are_refused():
    demo = demonstration()
    with pytest.raises(ValueError, match="must divide C = 64"):
        multi_head_attention_forward(demo.X, demo.Wq, demo.Wk, demo.Wv, demo.Wo, 5)
