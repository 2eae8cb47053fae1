"""The IPython that runs a student's cells and keeps what they show, as nbformat outputs."""

from __future__ import annotations

import ast
import base64
import re
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Type
from traitlets.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_SHELL_COMMANDS = "Shell commands are not run when grading: !{command}\n"
MAX_PIECES = 1000
WHITE_LINE = re.compile(r"^[^\S\n]+$", re.MULTILINE)
CUT = "\n… the rest of this cell's output is left out: it is over the limit.\n"


class Outputs:
    """What one cell showed so far, up to a limit of characters and of pieces."""

    def __init__(self, limit: int) -> None:
        self.items: list[dict[str, Any]] = []
        self.room = limit
        self.full = limit <= 0

    def write(self, stream: str, text: str) -> None:
        """Add text to a stream, joined to what the same stream wrote just before."""
        if self.full:
            return
        kept = text[: self.room]
        self.room -= len(kept)
        self._join(stream, kept)
        if len(kept) < len(text) or len(self.items) > MAX_PIECES:
            self._join("stderr", CUT)
            self.full = True

    def _join(self, stream: str, text: str) -> None:
        last = self.items[-1] if self.items else {}
        if last.get("output_type") == "stream" and last["name"] == stream:
            last["parts"].append(text)
        else:
            self.items.append({"output_type": "stream", "name": stream, "parts": [text]})

    def show(self, kind: str, data: dict[str, Any], metadata: dict[str, Any] | None = None) -> None:
        """Add a ``display_data`` or ``execute_result``; one over the limit is left out."""
        plain = {str(mime): _plain(content) for mime, content in data.items()}
        size = sum(len(str(content)) for content in plain.values())
        if size > self.room or len(self.items) > MAX_PIECES:
            self.write("stderr", CUT)
            return
        self.room -= size
        self.items.append({"output_type": kind, "data": plain})

    def fail(self, name: str, text: str, traceback: list[str]) -> None:
        """Add an error."""
        lines = [line[:4000] for line in traceback[:60]]
        self.items.append({"output_type": "error", "ename": name, "evalue": text[:4000], "traceback": lines})

    def finished(self) -> list[dict[str, Any]]:
        """The outputs as plain dictionaries."""
        return [
            {"output_type": "stream", "name": item["name"], "text": "".join(item["parts"])}
            if item["output_type"] == "stream"
            else item
            for item in self.items
        ]


def _plain(content: Any) -> Any:
    """Pictures travel as base64 text, as nbformat stores them."""
    return base64.b64encode(content).decode() if isinstance(content, bytes) else content


class Stream:
    """Stands for sys.stdout or sys.stderr."""

    encoding, errors, closed, softspace = "utf-8", "replace", False, 0

    def __init__(self, name: str, keeper: Keeper) -> None:
        self.name = f"<{name}>"
        self._stream = name
        self._keeper = keeper

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._keeper.outputs.write(self._stream, str(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False


class Keeper:
    """Where outputs go at the moment."""

    outputs = Outputs(0)


class _Publisher(DisplayPublisher):
    keeper: Keeper

    def publish(self, data: Any, metadata: Any = None, **_: Any) -> None:
        self.keeper.outputs.show("display_data", data, metadata)

    def clear_output(self, wait: bool = False) -> None:
        self.keeper.outputs.items.clear()


class _Hook(DisplayHook):
    keeper: Keeper

    def write_output_prompt(self) -> None:
        """No prompt: the data says all."""

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        self.keeper.outputs.show("execute_result", format_dict, md_dict)

    def finish_displayhook(self) -> None:
        """Nothing was printed, so no newline follows."""

    def log_output(self, format_dict: Any) -> None:
        """No log is kept."""


class _Compiler(CachingCompiler):
    """Names the code of a cell after the cell, so that a traceback can be traced back to it."""

    cell = "?"

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return f"<cell {self.cell}>"


class Shell(InteractiveShell):
    """An InteractiveShell without terminal, history, threads or processes of its own."""

    compiler_class = Type(_Compiler)
    displayhook_class = Type(_Hook)
    display_pub_class = Type(_Publisher)

    def remember_transformers(self) -> None:
        """Take those of now for IPython's own."""
        self._given_transformers = self._transformers()

    def _transformers(self) -> list[Any]:
        manager = self.input_transformer_manager
        return [*manager.cleanup_transforms, *manager.line_transforms, *manager.token_transformers]

    def transform_cell(self, raw_cell: str) -> str:
        """As IPython's own; plain Python stays as it is, which is known in a third of the time."""
        own = self.input_transformers_post or self._transformers() != self._given_transformers
        if own or not _is_plain(raw_cell):
            return super().transform_cell(raw_cell)
        return raw_cell if raw_cell.endswith("\n") else raw_cell + "\n"

    def enable_gui(self, gui: str | None = None) -> None:
        """There is no event loop to join; ``%matplotlib inline`` asks all the same."""

    def system(self, cmd: str) -> None:
        """Say that shell commands do not run, and go on with the cell."""
        sys.stderr.write(NO_SHELL_COMMANDS.format(command=cmd))

    system_raw = system_piped = system

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
        self.system(cmd)
        return [] if split else ""

    def _showtraceback(self, etype: type, evalue: BaseException, stb: list[str]) -> None:
        self.display_pub.keeper.outputs.fail(etype.__name__, "".join(safe_text(evalue)), list(stb))


def _is_plain(source: str) -> bool:
    """Whether a cell is Python of several lines, none of white space, nor an indent or a prompt to begin with.

    What IPython makes of a single line depends on more than its text: ``ls`` may be a magic.
    """
    if len(source.splitlines()) < 2 or source[0].isspace() or source.startswith("In [") or WHITE_LINE.search(source):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # told when the cell is compiled
            compile(source, "", "exec", ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def safe_text(error: BaseException) -> str:
    """An exception's text, whatever its ``__str__`` does."""
    try:
        return str(error)[:4000]
    except BaseException:  # noqa: BLE001 - the student wrote that __str__
        return ""


def make_shell() -> tuple[Shell, Keeper]:
    """A shell that is ready for cells, with nothing of a user's profile in it."""
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Context"
    config.InteractiveShell.cache_size = 0
    config.InteractiveShell.enable_tip = False
    shell = Shell.instance(config=config)
    shell.remember_transformers()
    keeper = Keeper()
    shell.display_pub.keeper = keeper
    shell.displayhook.keeper = keeper
    return shell, keeper


@contextmanager
def keeping(keeper: Keeper, limit: int) -> Iterator[Outputs]:
    """Collect what is shown meanwhile."""
    outputs = keeper.outputs = Outputs(limit)
    saved = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream("stdout", keeper), Stream("stderr", keeper)  # type: ignore[assignment]
    try:
        yield outputs
    finally:
        sys.stdout, sys.stderr = saved
