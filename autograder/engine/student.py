"""The student's side: one session that is rebuilt where it is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..sandbox.session import Answer, Ran, Session, SessionLost
from .budget import Budget
from .model import Cell

OpenSession = Callable[[], Session]


def is_only_comment(source: str) -> bool:
    """Whether running a cell does nothing: a scratch cell as it was given, say."""
    return all(not line.strip() or line.lstrip().startswith("#") for line in source.splitlines())


class StudentSide:
    """Runs a student's cells and calls in a session. After a loss the next use rebuilds the session by replaying
    what ran so far, without the cell that was lost."""

    def __init__(self, open_session: OpenSession, budget: Budget, files: dict[str, bytes]) -> None:
        self._open = open_session
        self._budget = budget
        self._files = files
        self._session: Session | None = None
        self._history: list[tuple[str, str, str]] = []
        self.losses: list[tuple[str, SessionLost]] = []
        """What was lost where, in order: the key of a cell or the name of a function."""
        self.unwritten: set[str] = set()
        """Files of the student's for which the session had no room."""

    def apart(self) -> StudentSide:
        """A side of its own with the same cells behind it, none of whose sessions will have heard a hidden call."""
        other = StudentSide(self._open, self._budget, self._files)
        other._history = list(self._history)
        return other

    def close(self) -> None:
        """End the session and everything it started."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def prepare(self) -> None:
        """Have a session at hand, so that rebuilding one takes none of the next cell's time. Raises OutOfTime."""
        self._ready()

    def run(self, cell: Cell) -> Ran:
        """Run a cell; a cell that loses the session is not replayed. Raises SessionLost, OutOfTime."""
        if is_only_comment(cell.source):
            return Ran(True)
        session = self._ready()
        self._budget.start_cell()
        try:
            ran = session.run(cell.key, cell.source, self._budget.seconds())
        except SessionLost as lost:
            self._lose(cell.key, lost)
            raise
        self._history.append(("run", cell.key, cell.source))
        return ran

    def define(self, name: str, source: str) -> None:
        """Define a function of the grader's under a student's name. Raises SessionLost, OutOfTime."""
        session = self._ready()
        try:
            session.define(source, self._budget.seconds())
        except SessionLost as lost:
            self._lose(name, lost)
            raise
        self._history.append(("define", name, source))

    def call(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Answer:
        """Call a student's function. Raises SessionLost, OutOfTime."""
        session = self._ready()
        try:
            return session.call(name, arguments, options, self._budget.seconds(name))
        except SessionLost as lost:
            self._budget.lose_patience(name)
            self._lose(name, lost)
            raise

    def fetch(self, name: str) -> Answer:
        """Read a student's variable. Raises SessionLost, OutOfTime."""
        session = self._ready()
        try:
            return session.fetch(name, self._budget.seconds())
        except SessionLost as lost:
            self._lose(name, lost)
            raise

    def _lose(self, where: str, lost: SessionLost) -> None:
        self.losses.append((where, lost))
        self.close()

    def _ready(self) -> Session:
        while self._session is None or self._session.lost:  # lost without a word: an alarm cut a request short
            self.close()
            session = self._open()
            try:
                self._budget.start_cell()  # what is left of the last cell's time may be nothing
                self.unwritten |= session.put_files(self._files, self._budget.seconds())
                self._replay(session)
            except BaseException:  # an alarm too: no session may outlive its use
                session.close()
                raise
            self._session = None if session.lost else session
        return self._session

    def _replay(self, session: Session) -> None:
        for entry in list(self._history):
            kind, key, source = entry
            try:
                self._budget.start_cell()
                if kind == "run":
                    session.run(key, source, self._budget.seconds())
                else:
                    session.define(source, self._budget.seconds())
            except SessionLost as lost:  # a cell that went well once and not again
                self._history.remove(entry)
                self._lose(key, lost)
                session.close()
                return
