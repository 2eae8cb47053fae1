"""The stored results are what an independent reference computes, and probes come out the same each time."""

from __future__ import annotations

import numpy as np
import pytest
from mha.mistakes import CATALOGUE
from mha.mistakes._probes_attention import CASES, stored
from mha.mistakes.probe import numbers

from tests.mistakes.reference import reference


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_stored_results_are_those_of_the_reference(case):
    for name, expected in reference(*case.arguments()).items():
        np.testing.assert_allclose(stored()[case.name][name], expected, rtol=1e-12, atol=1e-12)


def test_no_stored_result_is_left_over():
    assert list(stored()) == [case.name for case in CASES]


@pytest.mark.parametrize("contract", CATALOGUE.contracts)
def test_arguments_are_fresh_each_time_and_the_same(contract):
    asked = CATALOGUE.contracts[contract]
    for probe in (*asked.load_probes(), *asked.load_confirming()):
        one, other = probe.make(), probe.make()
        for a, b in zip(one, other, strict=True):
            if isinstance(a, np.ndarray):
                np.testing.assert_array_equal(a, b)
                assert not np.shares_memory(a, b)
                assert a.strides == b.strides
                assert a.flags.writeable == b.flags.writeable


def test_numbers_are_the_same_on_every_machine():
    assert numbers(1, 4).tolist() == [-0.25, 0.796875, 1.578125, -1.671875]


def test_each_name_and_each_tag_in_a_fact_belongs_to_a_probe():
    for contract in CATALOGUE.contracts.values():
        probes = contract.load_probes()
        assert len({probe.name for probe in probes}) == len(probes)
        assert {tag for tag, _ in contract.facts} & {tag for probe in probes for tag in probe.tags}
