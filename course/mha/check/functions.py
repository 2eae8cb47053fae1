"""``check(concat_heads)``: a student's own "run tests", which names the mistake where it is a known one.

It judges by stored arrays and by undoing the given split, so nothing here knows the answer.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import time
from collections.abc import Callable
from typing import Any

from mha.check.report import Block, Mood, Report, Section
from mha.check.trouble import in_one_sentence
from mha.mistakes import CATALOGUE, Diagnosis, Mistake, advice, diagnose
from mha.mistakes.probe import Trial

__all__ = ["check", "report_on"]

SECONDS = 5.0
"""No new input is tried after this long, so that a slow function still gets an answer."""

STEPS = {"concat_heads": "concat", "split_heads": "split", "multi_head_attention_per_head": "attention step"}

START = {
    "concat_heads": Section(3, "One sentence, two heads"),
    "multi_head_attention": Section(4, "The whole layer, in words"),
}
EMPTY = (frozenset({"NoneType"}), frozenset({"ellipsis"}))


def check(function: object, contract: str | None = None) -> None:
    """Try ``function`` on the public inputs and show what was found. Never raises, whatever the function does.

    Args:
        function: your ``concat_heads`` or ``multi_head_attention``.
        contract: what the function should be, where its own name does not say so.
    """
    try:
        report = report_on(function, contract)
    except KeyboardInterrupt:
        report = Report(Mood.NOTE, "You stopped the check before it was done.", heading="Stopped")
    report.show()


def report_on(function: object, contract: str | None = None) -> Report:
    """Return what `check` shows."""
    name = contract or _name(function)
    if name not in CATALOGUE.contracts:
        return Report(
            Mood.NOTE,
            f"There are checks for {_listed(CATALOGUE.contracts)}. If your function has another name, give one of "
            "these as a second argument.",
        )
    if not callable(function):
        return Report(Mood.WRONG, f"`{name}` should be a function, but this is of type {type(function).__name__}.")
    runner = _Runner(function)
    stop_at = time.monotonic() + SECONDS
    diagnosis = diagnose(runner, name, keep_going=lambda: time.monotonic() < stop_at)
    if _unwritten(diagnosis):
        return _waiting(name, runner)
    if diagnosis.right:
        return _praise(diagnosis, function)
    return _explain(diagnosis, name)


class EndsTheProgram(Exception):
    """Stands for an exception that is no `Exception`, such as SystemExit, which would end more than the call."""


class _Runner:
    """Calls the student's function with its prints set aside, since it is called a dozen times."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.output = _Counter()

    def __call__(self, *args: object) -> object:
        with contextlib.redirect_stdout(self.output), contextlib.redirect_stderr(self.output):
            try:
                return self.function(*args)
            except (Exception, KeyboardInterrupt):
                raise
            except BaseException as error:  # a student's function may call exit()
                raise EndsTheProgram(f"{type(error).__name__} ends more than the call") from error


class _Counter(io.TextIOBase):
    """Swallows what is printed and remembers only that something was."""

    printed = False

    def write(self, text: str) -> int:
        self.printed = True
        return len(text)


def _unwritten(diagnosis: Diagnosis) -> bool:
    seen = [trial.seen for trial in diagnosis.trials]
    raises = all(isinstance(one.raised, NotImplementedError) for one in seen)
    return bool(seen) and (raises or frozenset(str(one.value) for one in seen if one.error is None) in EMPTY)


def _waiting(name: str, runner: _Runner) -> Report:
    message = f"`{name}` gives nothing back yet. "
    if runner.output.printed:
        message += "It prints something, but a print hands nothing over: the result has to be returned."
    else:
        message += "Write it and run this again. If you have written it, see that it returns its result."
    return Report(Mood.WAITING, message, section=START.get(name))


def _praise(diagnosis: Diagnosis, function: Callable[..., Any]) -> Report:
    tried = len(diagnosis.trials)
    message = f"Right on all {tried} inputs: values, shapes, dtypes, and your input stays as it was."
    if not diagnosis.complete:
        message = f"Right on the first {tried} inputs. The function is slow, so the others were not tried."
    blocks = [_table(diagnosis)]
    if found := advice(_source(function)):
        blocks.append(Block("Advice that costs no points", "\n".join(found)))
    return Report(Mood.RIGHT, message, blocks=tuple(blocks), public=True)


def _explain(diagnosis: Diagnosis, name: str) -> Report:
    known = [CATALOGUE[mistake] for mistake in diagnosis.mistakes or diagnosis.combination]
    blocks = [_table(diagnosis)]
    if known:
        message, section = _named(known, name, together=bool(diagnosis.combination)), _section(known[0])
        heading = known[0].title
    else:
        message, section, heading = " ".join(diagnosis.facts), START.get(name), "Not quite"
    if raised := next((trial.seen.raised for trial in diagnosis.trials if trial.seen.raised), None):
        message = f"{message} {in_one_sentence(raised)}"
    if (found := diagnosis.evidence) and any(trial.seen.raised is None for trial in diagnosis.trials):
        blocks += [
            Block(f"The smallest input that shows it ({found.probe})", found.given),
            Block("Yours", found.got),
            Block("Right", found.expected),
        ]
    return Report(Mood.WRONG, message, heading=heading, blocks=tuple(blocks), section=section, public=True)


def _named(known: list[Mistake], name: str, *, together: bool) -> str:
    first, *others = known
    if together:
        lines = [f"{_place(one, name)}{one.message}" for one in known]
        return f"Two things at once. {' '.join(lines)}"
    message = f"{_place(first, name)}{first.message}"
    if others:
        titles = "; ".join(f"“{other.title}”" for other in others[:2])
        message += f" No input tells this from: {titles}."
    return message


def _place(mistake: Mistake, name: str) -> str:
    step = STEPS.get(mistake.contract)
    return f"In the {step}: " if step and mistake.contract != name else ""


def _section(mistake: Mistake) -> Section:
    return Section(int(mistake.lesson[:2]), mistake.section)


def _table(diagnosis: Diagnosis) -> Block:
    verdicts = {_verdict(trial) for trial in diagnosis.trials}
    if len(verdicts) == 1 and not any(trial.right for trial in diagnosis.trials):
        return Block("What was tried", f"all {len(diagnosis.trials)} inputs  {verdicts.pop()}")
    width = max((len(trial.probe.name) for trial in diagnosis.trials), default=0)
    rows = [f"{trial.probe.name:<{width}}  {_verdict(trial)}" for trial in diagnosis.trials]
    return Block("What was tried", "\n".join(rows))


def _verdict(trial: Trial) -> str:
    if trial.right:
        return "✓ right"
    return f"✗ {type(trial.seen.raised).__name__}" if trial.seen.raised else "✗ wrong"


def _name(function: object) -> str | None:
    try:
        name = function.__name__
    except Exception:  # noqa: BLE001 - the object may be anything, and so may its attributes
        return None
    return name if isinstance(name, str) else None


def _source(function: object) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError, IndexError, SyntaxError):  # typed at a prompt, built in, or gone
        return ""


def _listed(names: object) -> str:
    return ", ".join(f"`{name}`" for name in names)
