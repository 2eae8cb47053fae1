"""Asks the catalogue of mistakes what a student's function does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mha.mistakes import CATALOGUE, advice
from mha.mistakes import diagnose as look_up
from mha.mistakes.matcher import warm

from autograder.engine.model import Found, Task

PAIR = "Two slips at once explain it exactly: {titles}."

GRADED = ("concat_heads", "multi_head_attention")


def warm_up() -> None:
    """Run the catalogue's own functions once, before the forks, so that no submission pays for it."""
    for name in GRADED:
        warm(name)


def advise(task: Task) -> dict[str, list[str]]:
    """Read each solution cell for what is right and could be better; by the cell's key."""
    said = {cell.key: advice(cell.source) for cell in task.cells if cell.defines and cell.attempted}
    return {key: sentences for key, sentences in said.items() if sentences}


def diagnose(name: str, function: Callable[..., Any], keep_going: Callable[[], bool]) -> Found:
    """Name the known mistakes that behave exactly like ``function``, or say what can be said of it.

    Args:
        name: the student's function, which is the name of a contract in the catalogue; any other gets no answer.
        function: the function, or a proxy of it.
        keep_going: says whether there is time for another call.
    """
    if name not in CATALOGUE.contracts:
        return Found()
    diagnosis = look_up(function, name, keep_going=keep_going)
    facts = list(diagnosis.facts)
    if diagnosis.combination:
        titles = [mistake.title for mistake in CATALOGUE if mistake.id in diagnosis.combination]
        facts.insert(0, PAIR.format(titles=" and ".join(f"“{title}”" for title in titles)))
    return Found(list(diagnosis.mistakes), facts)
