"""Messages are short, kind, and hold no line to type."""

from __future__ import annotations

import re

import pytest
from mha.mistakes import CATALOGUE, diagnose
from mha.mistakes.source import LOOP_OVER_BATCH, LOOP_OVER_HEADS, LOOP_TO_JOIN, NESTED_LOOPS, PRINTS

LONGEST_MESSAGE, LONGEST_TITLE, LONGEST_FACT = 300, 70, 200
CODE = re.compile(
    r"\w\(|\)\.|\]\.|\[|=|@|`|\bnp\.|\bnumpy\b|\.T\b|\blambda\b|\bdef\b|\bimport\b|"
    r"\b(swapaxes|moveaxis|einsum|tensordot|dstack|hstack|vstack|concatenate|keepdims|matmul|np)\b"
)
ORDER = re.compile(r"\(\s*\d\s*(,\s*\d\s*)+\)")
UNKIND = re.compile(
    r"\b(stupid|obvious(ly)?|simply|just|trivial(ly)?|of course|silly|bad|fail(ed|ure)|!)\b", re.IGNORECASE
)

ADVICE = [LOOP_OVER_BATCH, LOOP_OVER_HEADS, LOOP_TO_JOIN, NESTED_LOOPS, PRINTS]
SENTENCES = [(mistake.id, mistake.message) for mistake in CATALOGUE] + [("advice", words) for words in ADVICE]


@pytest.mark.parametrize(("name", "words"), SENTENCES)
def test_a_message_is_short_whole_and_kind(name, words):
    assert len(words) <= LONGEST_MESSAGE
    assert words[0].isupper()
    assert words.endswith(".")
    assert not UNKIND.search(words)


@pytest.mark.parametrize(("name", "words"), SENTENCES)
def test_a_message_holds_no_line_to_type(name, words):
    assert not CODE.search(words), CODE.search(words)
    assert not ORDER.search(words), "an order of axes is the answer"


@pytest.mark.parametrize("mistake", CATALOGUE, ids=lambda mistake: mistake.id)
def test_a_title_is_one_short_line(mistake):
    assert len(mistake.title) <= LONGEST_TITLE
    assert "\n" not in mistake.title
    assert not CODE.search(mistake.title)
    assert mistake.title[0].isupper()


@pytest.mark.parametrize("mistake", CATALOGUE, ids=lambda mistake: mistake.id)
def test_facts_and_evidence_are_short(mistake):
    diagnosis = diagnose(mistake.function, mistake.contract)
    assert len(diagnosis.facts) <= 6
    for fact in diagnosis.facts:
        assert len(fact) <= LONGEST_FACT
        assert fact.endswith(".")
    for text in (diagnosis.evidence.given, diagnosis.evidence.got, diagnosis.evidence.expected):
        assert len(text) <= 601
    assert diagnosis.evidence.got != diagnosis.evidence.expected


def test_titles_and_messages_differ():
    assert len({(mistake.contract, mistake.title) for mistake in CATALOGUE}) == len(CATALOGUE)
    assert len({(mistake.contract, mistake.message) for mistake in CATALOGUE}) == len(CATALOGUE)


@pytest.mark.parametrize(
    "line", ["x.transpose(0, 2, 1, 3)", "x.swapaxes(1, 2)", "out = a @ b", "np.einsum", "weight_o.T", "use swapaxes"]
)
def test_the_test_itself_finds_lines_to_type(line):
    assert CODE.search(line) or ORDER.search(line)
