"""Grades a class: what is new goes to the workers, what they find into autograded/, the gradebook and the results."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from autograder.assignment import Assignment, Kind, read_assignment
from autograder.autograded import autograded_folder, write_autograded
from autograder.batch import Crew, grade_class
from autograder.cache import Cache, Fingerprint, Kept, run_fingerprint, submission_fingerprint
from autograder.engine.model import Outcome
from autograder.errors import GraderFailure, SettingsError
from autograder.feedback.details import put_details
from autograder.gradebook.comments import comments
from autograder.gradebook.record import Record
from autograder.job import Graded, Job
from autograder.results import Results, Status, Submission, versions
from autograder.sandbox.errors import NoIsolation
from autograder.settings import Settings, cores
from autograder.students import Handed, handed_in
from autograder.submission.model import NeedsAttention, Readable

if TYPE_CHECKING:
    from autograder.gradebook.book import Gradebook

BATCH: Final = 16
"""Submissions a commit."""

ODD_NAME: Final = "The folder's name is not readable text; give it one."
NO_REASON: Final = "The grader broke before it could say why."
NOT_SAVED: Final = "The gradebook did not take it: {reason}"

Progress = Callable[[int, int], None]
"""Told how many of how many submissions are done."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is about to do: enough for a header, and the workers that will do it. They end with it."""

    settings: Settings
    assignment: Assignment
    isolation: str
    workers: int
    handed: tuple[Handed, ...]
    force: bool
    crew: Crew | None = None
    """Workers that are warm already; none where the run gets its own."""

    def __enter__(self) -> Plan:
        return self

    def __exit__(self, *_: object) -> None:
        if self.crew is not None:
            self.crew.close()


def plan(
    settings: Settings,
    assignment: str,
    *,
    students: str = "*",
    workers: int | None = None,
    isolation: str | None = None,
    force: bool = False,
) -> Plan:
    """Check all that can be checked before anything is graded.

    Raises:
        AutograderError: no such assignment, no submissions, nothing to confine code with.
    """
    if workers is not None and workers < 1:
        raise SettingsError.bad_workers(workers)
    read = read_assignment(settings, assignment)
    handed = handed_in(settings, assignment, students)
    most = min(workers or settings.workers or (cores() + 1) // 2, len(handed))
    crew = Crew(most)
    try:
        chosen = choose_isolation(settings, isolation, crew)
    except BaseException:  # Ctrl-C too: no worker may be left behind
        crew.close()
        raise
    return Plan(settings, read, chosen, most, tuple(handed), force, crew)


def choose_isolation(settings: Settings, wanted: str | None = None, crew: Crew | None = None) -> str:
    """The name of an isolation that was tried and works; where there is a crew, in one of its workers.

    Raises:
        AutograderError: the one asked for does not work here, or none does.
    """
    from autograder.sandbox.isolation import ISOLATIONS

    name = wanted or settings.isolation
    if name != "auto" and name not in ISOLATIONS:
        raise SettingsError.no_such_isolation(name, ("auto", *ISOLATIONS))
    try:
        if crew is not None:
            return crew.find_isolation(name, settings)
        from autograder.sandbox.probe import choose

        return choose(name).name
    except NoIsolation as error:
        raise GraderFailure.no_isolation(error) from error


def grade_assignment(run: Plan, progress: Progress | None = None) -> Results:
    """Grade what is new and give the results of all that the plan names.

    What was finished when something breaks is saved.

    Raises:
        AutograderError: the gradebook or a folder cannot be written.
    """
    report = progress or (lambda done, total: None)
    with ExitStack() as stack:
        stack.enter_context(run)
        writer = _Writer(run, stack)
        waiting = writer.take_kept()
        total = len(run.handed)
        report(total - len(waiting), total)
        # closed, so that the workers end with the run also where writing fails
        found = stack.enter_context(closing(_graded(run, waiting)))
        try:
            for graded in found:
                writer.add(graded)
                report(total - len(waiting) + writer.seen, total)
        finally:
            writer.flush()
    submissions = sorted(writer.done.values(), key=lambda submission: submission.student)
    return Results(run.assignment.name, run.isolation, dict(versions()), tuple(submissions))


def _graded(run: Plan, waiting: list[Handed]) -> Generator[Graded]:
    yield from (
        Graded(handed.student, NeedsAttention(ODD_NAME), None) for handed in waiting if not handed.has_readable_name
    )
    jobs = [Job(handed.student, run.assignment, handed.folder) for handed in waiting if handed.has_readable_name]
    if jobs:
        yield from grade_class(jobs, settings=run.settings, isolation=run.isolation, workers=run.workers, crew=run.crew)


def result_of(assignment: Assignment, graded: Graded) -> Submission:
    """What the document says of a graded submission."""
    most = assignment.max_score
    if isinstance(graded.submission, NeedsAttention):
        notes = (graded.submission.reason, *graded.submission.notes)
        return Submission.open(graded.student, Status.NEEDS_ATTENTION, most, notes)
    if graded.outcome is None or graded.submission is None or graded.outcome.broken is not None:
        why = (graded.outcome and graded.outcome.broken) or NO_REASON
        return Submission.open(graded.student, Status.GRADER_ERROR, most, (why,))
    return Submission.graded(graded.student, graded.outcome, most, graded.submission.notes)


def is_repeatable(outcome: Outcome) -> bool:
    """Whether grading again must give the same: not where time ran out or a process died.

    The engine notes each such end of student code; a test that was not reached or not finished says so itself, and so
    does a search for known mistakes.
    """
    from autograder.engine.messages import TEST_TOO_SLOW, UNREACHED

    late = (UNREACHED, TEST_TOO_SLOW.partition("{")[0])
    complete = all(found.complete for found in outcome.found.values())
    return complete and not outcome.notes and not any(t.message.startswith(late) for t in outcome.tests.values())


def record_of(
    assignment: Assignment, result: Submission, submission: Readable, outcome: Outcome, changed: bool
) -> Record:
    """What the gradebook keeps of a graded submission."""
    scores: dict[str, float | None] = {key: cell.score for key, cell in result.cells.items()}
    for cell in assignment.cells:
        if cell.kind is Kind.SOLUTION and cell.by_hand:
            scores[cell.key] = 0.0 if cell.key in submission.untouched else None
    said = comments(assignment, result.cells, submission.untouched, outcome.advice)
    return Record(result.student, submission.timestamp, scores, said, changed)


@dataclass(slots=True)
class _Finished:
    result: Submission
    record: Record
    kept: Kept


@dataclass(slots=True)
class _Writer:
    """The one writer of a run."""

    run: Plan
    stack: ExitStack
    done: dict[str, Submission] = field(default_factory=dict)
    seen: int = 0
    _batch: list[_Finished] = field(default_factory=list)
    _prints: dict[str, Fingerprint] = field(default_factory=dict)
    _before: dict[str, Kept] = field(default_factory=dict)
    _folders: dict[str, Path] = field(default_factory=dict)
    _gradebook: Gradebook | None = None
    _cache: Cache | None = None

    def book(self) -> Gradebook:
        """The gradebook, opened with the first result: its import takes a while, in which the workers go on."""
        if self._gradebook is None:
            from autograder.gradebook.book import Gradebook

            self._gradebook = self.stack.enter_context(Gradebook(self.run.settings, self.run.assignment))
        return self._gradebook

    @property
    def cache(self) -> Cache:
        if self._cache is None:
            self._cache = Cache(self.run.settings, self.run.assignment)
        return self._cache

    def take_kept(self) -> list[Handed]:
        """Take over the results that still hold; give the submissions that must be graded."""
        run = self.run
        rest = run_fingerprint(run.assignment, run.settings, run.isolation)
        candidates: list[Handed] = []
        for handed in run.handed:
            self._folders[handed.student] = handed.folder
            own = submission_fingerprint(handed.folder, run.settings)
            self._prints[handed.student] = Fingerprint(own, rest)
            kept = self.cache.get(handed.student)
            if kept is not None:
                self._before[handed.student] = kept
                if not run.force and kept.result and kept.fingerprint == self._prints[handed.student]:
                    candidates.append(handed)
        if candidates:
            from autograder.gradebook.scores import stored_scores

            stored = stored_scores(run.settings, run.assignment)
            for handed in candidates:
                self._take(handed.student, stored.get(handed.student, {}))
        return [handed for handed in run.handed if handed.student not in self.done]

    def _take(self, student: str, stored: dict[str, float | None]) -> None:
        """Use a kept result where the gradebook and autograded/ still say the same."""
        result = self._before[student].result
        if result is None or any(stored.get(key, -1.0) != cell.score for key, cell in result.cells.items()):
            return
        name = f"{self.run.assignment.notebook}.ipynb"
        if (autograded_folder(self.run.settings, student, self.run.assignment.name) / name).is_file():
            self.done[student] = result

    def add(self, graded: Graded) -> None:
        """Take what a worker found; written with the next batch."""
        self.seen += 1
        run = self.run
        result = result_of(run.assignment, graded)
        if result.status is Status.GRADED:
            assert isinstance(graded.submission, Readable) and graded.outcome is not None
            self.book()
            result = self._put_in_place(graded.submission, graded.outcome, result)
        self.done[graded.student] = result
        if result.status is not Status.GRADED:
            return
        prints = self._prints[graded.student]
        before = self._before.get(graded.student)
        changed = before is None or before.fingerprint.submission != prints.submission
        record = record_of(run.assignment, result, graded.submission, graded.outcome, changed)
        kept = Kept(prints, result if is_repeatable(graded.outcome) else None)
        self._batch.append(_Finished(result, record, kept))
        if len(self._batch) >= BATCH:
            self.flush()

    def _put_in_place(self, submission: Readable, outcome: Outcome, result: Submission) -> Submission:
        run, folder = self.run, self._folders[result.student]
        try:
            write_autograded(run.settings, run.assignment, result.student, folder, submission, outcome)
            put_details(run.settings, run.assignment.name, result.student, result.notes, outcome)
        except GraderFailure as error:
            return Submission.open(result.student, Status.GRADER_ERROR, result.max_score, (str(error),))
        return result

    def flush(self) -> None:
        """Commit what has come in; one that the database refuses costs the others nothing."""
        from sqlalchemy.exc import SQLAlchemyError

        batch, self._batch = self._batch, []
        if not batch:
            return
        try:
            self.book().record([finished.record for finished in batch])
            saved = batch
        except SQLAlchemyError:
            saved = [finished for finished in batch if self._saved_alone(finished)]
        self.cache.put((finished.result.student, finished.kept) for finished in saved)

    def _saved_alone(self, finished: _Finished) -> bool:
        from sqlalchemy.exc import SQLAlchemyError

        from autograder.gradebook.address import reason_of

        try:
            self.book().record([finished.record])
        except SQLAlchemyError as error:
            reason = NOT_SAVED.format(reason=reason_of(error))
            result = finished.result
            self.done[result.student] = Submission.open(
                result.student, Status.GRADER_ERROR, result.max_score, (reason,)
            )
            return False
        return True
