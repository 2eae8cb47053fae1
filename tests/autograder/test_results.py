"""The document of a run."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from autograder.results import CellResult, Results, Status, Submission, versions
from tests.support.course import outcome

CELL = st.builds(
    CellResult,
    st.floats(0, 10),
    st.floats(0, 10),
    st.text(),
    st.lists(st.text(max_size=5), max_size=2).map(tuple),
)
SUBMISSION = st.builds(
    Submission,
    st.text(),
    st.sampled_from(Status),
    st.none() | st.floats(0, 20),
    st.floats(0, 20),
    st.lists(st.text(), max_size=3).map(tuple),
    st.dictionaries(st.text(), CELL, max_size=3),
)


def test_the_shape_is_that_of_the_design() -> None:
    submission = Submission.graded("s01", outcome(add=0.0, notes=("cell add was stopped",)), 5.0, ("A note.",))
    document = json.loads(Results("sums", "bubblewrap", {"python": "3"}, (submission,)).to_json())
    assert document == {
        "assignment": "sums",
        "isolation": "bubblewrap",
        "versions": {"python": "3"},
        "submissions": [
            {
                "student": "s01",
                "status": "graded",
                "score": 2.0,
                "max_score": 5.0,
                "notes": ["A note.", "cell add was stopped"],
                "cells": {
                    "test_add": {
                        "score": 0.0,
                        "max_score": 3.0,
                        "message": "add does not add",
                        "mistakes": ["adds_wrongly"],
                    },
                    "test_double": {"score": 2.0, "max_score": 2.0, "message": "", "mistakes": []},
                },
            }
        ],
    }


def test_an_open_score_is_null() -> None:
    submission = Submission.open("s", Status.NEEDS_ATTENTION, 5.0, ["Why."])
    assert (submission.score, submission.cells, submission.notes) == (None, {}, ("Why.",))


@given(st.lists(SUBMISSION, max_size=3).map(tuple))
def test_it_reads_back(submissions: tuple[Submission, ...]) -> None:
    results = Results("a", "none", {"python": "3"}, submissions)
    assert Results.from_json(results.to_json()) == results


def test_names_that_are_no_text_can_be_written() -> None:
    results = Results("a", "none", {}, (Submission.open("\udcff", Status.NEEDS_ATTENTION, 0.0, ()),))
    assert Results.from_json(results.to_json().encode("utf-8").decode()) == results


def test_versions_name_what_scores_depend_on() -> None:
    assert {"python", "numpy", "nbgrader", "mha-autograder", "mha-course"} <= set(versions())
    assert "none" not in versions().values()
