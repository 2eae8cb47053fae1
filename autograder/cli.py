"""The command ``autograder``. Heavy imports stand inside the commands, so that ``--help`` answers at once."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.errors import ALL_GRADED, GRADER_FAILED, AutograderError

CourseDir = Annotated[
    Path, typer.Option("--course-dir", help="The course folder: it holds source/ and nbgrader_config.py.")
]
AssignmentName = Annotated[str, typer.Argument(help="Name of a folder in source/.", metavar="ASSIGNMENT")]
HERE = Path()
SELDOM = 100_000
"""So many new objects before Python looks for cycles: most are of imports, and stay."""

app = typer.Typer(
    name="autograder",
    help="Grades nbgrader assignments in a sandbox: hidden tests never share a process with a student's code.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.command()
def release(
    assignment: AssignmentName,
    audit: Annotated[
        bool, typer.Option(help="Try the tests first. Without it also where no isolation works, as on Windows.")
    ] = True,
    course_dir: CourseDir = HERE,
) -> None:
    """Check an assignment, then make its student version.

    Nothing is written unless the solution earns all points, the stub none, and the audit passes.
    """
    from autograder.release import release_assignment
    from autograder.settings import load_settings

    released = release_assignment(load_settings(course_dir), assignment, audited=audit)
    for path in released.paths:
        typer.echo(f"{'changed' if path in released.changed else 'unchanged'}  {_shown(path)}")


@app.command()
def grade(
    assignment: AssignmentName,
    student: Annotated[str, typer.Option(help="Only these students, e.g. 's1*'.", metavar="GLOB")] = "*",
    workers: Annotated[
        int | None,
        typer.Option(
            help="Worker processes; each has two submissions under way where there are cores for them.",
            show_default="one for two cores",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Grade again what has not changed, too.")] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the results here; '-' prints them.", metavar="FILE")
    ] = None,
    isolation: Annotated[
        str | None,
        typer.Option(help="auto, bubblewrap, sandlock or none.", metavar="NAME", show_default="auto"),
    ] = None,
    course_dir: CourseDir = HERE,
) -> None:
    """Grade the submissions of an assignment.

    Exit status: 0 all graded, 3 some need attention, 2 wrong use, 1 the grader failed.
    """
    from autograder import fork_server

    fork_server.start()  # it warms up meanwhile
    from autograder.grading import plan
    from autograder.screen import grade_on_screen
    from autograder.settings import load_settings

    settings = load_settings(course_dir)
    with plan(settings, assignment, students=student, workers=workers, isolation=isolation, force=force) as run:
        raise typer.Exit(grade_on_screen(run, json_file))


@app.command()
def feedback(
    assignment: AssignmentName,
    student: Annotated[str, typer.Option(help="Only these students, e.g. 's1*'.", metavar="GLOB")] = "*",
    preview: Annotated[
        bool, typer.Option("--preview", help="For the instructor: hidden tests and failing calls in full, in reports/.")
    ] = False,
    course_dir: CourseDir = HERE,
) -> None:
    """Write one feedback page for each graded student.

    Exit status: 0 all have their page, 3 some have none, 2 wrong use, 1 the grader failed.
    """
    from autograder.feedback.command import run

    raise typer.Exit(run(course_dir, assignment, student, preview))


@app.command()
def audit(
    assignment: AssignmentName,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the report as a page, too.", metavar="FILE")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Candidates tried at the same time.", show_default="one a core")
    ] = None,
    course_dir: CourseDir = HERE,
) -> None:
    """Does every hidden test earn its place?

    Tries known mistakes, automatic mutants and right answers. Exit status: 0 good enough, 1 not, 2 wrong use.
    """
    from autograder.audit.command import run

    raise typer.Exit(run(course_dir, assignment, html, workers))


@app.command()
def kit(
    target: Annotated[Path, typer.Argument(help="The zip to write.", metavar="FILE")],
    course_dir: CourseDir = HERE,
) -> None:
    """Pack one zip with all that a student gets: the lessons and the student versions."""
    from autograder.kit import write_kit
    from autograder.settings import load_settings

    names = write_kit(load_settings(course_dir), target)
    typer.echo(f"{_shown(target)}: {len(names)} files")


@app.command()
def doctor(course_dir: CourseDir = HERE) -> None:
    """What this machine can do, and what is missing."""
    from autograder.doctor import examine
    from autograder.screen import show_findings

    raise typer.Exit(show_findings(examine(course_dir)))


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; what goes wrong is one sentence on stderr, and an exit status."""
    gc.set_threshold(SELDOM)
    status: object = ALL_GRADED
    try:
        status = app(args=arguments, prog_name="autograder", standalone_mode=False)
    except AutograderError as error:
        _complain(str(error))
        status = error.status
    except (typer.Abort, KeyboardInterrupt):
        _complain("Stopped; what was finished is saved.")
        status = GRADER_FAILED
    except BrokenPipeError:
        # whoever read our output has left; nothing is left to be said, not even when Python flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = GRADER_FAILED
    except Exception as error:  # typer's own errors have no public base class; what is none of them goes on
        usage = getattr(error, "format_message", None)
        if usage is None:
            raise
        if sentence := usage():  # nothing is said of a command without arguments, whose help is shown
            _complain(sentence)
        status = getattr(error, "exit_code", 2)
    gc.freeze()  # Python would look through everything once more before it ends
    sys.exit(status if isinstance(status, int) else ALL_GRADED)


def _complain(sentence: str) -> None:
    line = " ".join(sentence.split())
    print(f"autograder: {line}", file=sys.stderr)
