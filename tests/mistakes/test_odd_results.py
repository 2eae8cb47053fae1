"""Results of every kind that a function could return: the matcher always has an answer, without a warning."""

from __future__ import annotations

import numpy as np
import pytest
from mha.mistakes import CATALOGUE, diagnose

from tests.mistakes import right

CHANGES = {
    "bool": lambda a: a > 0,
    "int8": lambda a: np.clip(a, -100, 100).astype(np.int8),
    "uint64": lambda a: np.abs(np.clip(a, -100, 100)).astype(np.uint64),
    "float16": lambda a: np.clip(a, -100, 100).astype(np.float16),
    "longdouble, tripled": lambda a: 3 * a.astype(np.longdouble),
    "infinite": lambda a: np.full(a.shape, np.inf),
    "partly infinite": lambda a: np.where(a > 0, np.inf, a),
    "NaN": lambda a: np.full(a.shape, np.nan),
    "huge": lambda a: np.full(a.shape, 1e308),
    "empty": lambda a: a[:0],
    "empty features": lambda a: a[..., :0],
    "no axes": lambda a: a.sum(),
    "complex": lambda a: a + 0j,
    "objects": lambda a: a.astype(object),
    "text": lambda a: a.astype(str),
    "masked": lambda a: np.ma.masked_array(a, a > 0),
    "dates": lambda a: np.zeros(a.shape, "datetime64[s]"),
    "records": lambda a: np.zeros(a.shape, [("a", float)]),
    "nested lists": lambda a: a.tolist(),
    "shifted": lambda a: a + 1,
    "broadcast": lambda a: np.broadcast_to(a[..., :1], a.shape),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_concat(change):
    diagnosis = diagnose(lambda x: change(right.concat_einsum(x)), "concat_heads")
    assert not diagnosis.right
    assert diagnosis.facts
    assert diagnosis.evidence


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_attention(change):
    def changed(*arguments):
        output, weights = right.mha_plain(*arguments)
        return change(output), change(weights)

    diagnosis = diagnose(changed, "multi_head_attention")
    assert not diagnosis.right
    assert diagnosis.facts
    assert diagnosis.evidence


@pytest.mark.parametrize("contract", CATALOGUE.contracts)
def test_a_function_that_swells_its_argument(contract):
    def resizes(x, *rest):
        x.resize(x.size + 1, refcheck=False)
        return x

    assert not diagnose(resizes, contract).right
