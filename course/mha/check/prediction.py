"""Predictions: commit to an answer before the cell below runs, and hear at once what it was worth.

A lesson's predictions are declared in ``mha.check.predictions_NN`` as ``PREDICTIONS``, a tuple of `Prediction`. An id
starts with its lesson's number (``"1.whose-vector"``), which is how `predict` finds the module.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from dataclasses import dataclass

from mha.check.reading import Reading, is_unanswered, read, same
from mha.check.report import Mood, Report, Section

__all__ = ["Prediction", "Wrong", "find", "predict"]


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that people give for a reason, and the words that meet that reason."""

    answer: object
    message: str


@dataclass(frozen=True)
class Prediction:
    """One question, its right answer, and what to say to each answer.

    Attributes:
        id: ``"<lesson>.<short name>"``.
        right: the right answer; numbers, words, or (nested) tuples of both.
        because: said to a right answer: why it is right, never just that it is.
        wrong: the wrong answers that have a name.
        otherwise: said to any other answer: a way to find the right one, not the answer.
        section: where it was taught.
        also: other answers that are as right.
        tolerance: how far a number may lie from the right one.
        any_order: the order of the numbers does not matter.
    """

    id: str
    right: object
    because: str
    otherwise: str
    section: Section
    wrong: tuple[Wrong, ...] = ()
    also: tuple[object, ...] = ()
    tolerance: float = 0.0005
    any_order: bool = False

    def answer(self, given: object) -> Report:
        """Return what to say to ``given``, whatever it is."""
        if is_unanswered(given):
            return Report(Mood.WAITING, "Make your prediction: replace the `...` and run this cell again.")
        reading = read(given)
        if reading is None:
            return Report(Mood.WRONG, f"I cannot read this as an answer. {self.otherwise}", section=self.section)
        if any(self._matches(reading, right) for right in (self.right, *self.also)):
            return Report(Mood.RIGHT, self.because)
        for wrong in self.wrong:
            if self._matches(reading, wrong.answer):
                return Report(Mood.WRONG, wrong.message, section=self.section)
        return Report(Mood.WRONG, self.otherwise, section=self.section)

    def _matches(self, reading: Reading, answer: object) -> bool:
        return same(reading, read(answer), self.tolerance, any_order=self.any_order)


def predict(question: str, answer: object = ..., *more: object) -> None:
    """Answer the question with this id. Shows what the answer was worth; never raises.

    Args:
        question: the id as the lesson gives it, such as ``"1.whose-vector"``.
        answer: your prediction: a number, a word, or a tuple or list of them.
        more: the rest of an answer of several parts, where its parentheses were forgotten.
    """
    prediction = find(question)
    if prediction is None:
        Report(Mood.NOTE, "There is no such question: leave the first argument as the lesson gives it.").show()
    else:
        prediction.answer((answer, *more) if more else answer).show()


def find(question: object) -> Prediction | None:
    """Return the prediction with this id, or None where there is none."""
    lesson = re.match(r"(\d{1,2})\.", question) if type(question) is str else None
    if lesson is None:
        return None
    module = f"mha.check.predictions_{int(lesson[1]):02d}"
    if importlib.util.find_spec(module) is None:
        return None
    declared: tuple[Prediction, ...] = importlib.import_module(module).PREDICTIONS
    return next((prediction for prediction in declared if prediction.id == question), None)
