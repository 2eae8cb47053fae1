"""Show a figure together with its description."""

from __future__ import annotations

import base64
import io
import sys
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # at run time whoever made the figure has loaded it

__all__ = ["emit", "picture_html", "show"]

DOTS_PER_INCH = 110


def show(fig: Figure, alt: str) -> None:
    """Show ``fig`` below the cell, described by ``alt`` for those who cannot see it, and close it.

    In a notebook the figure becomes an HTML image: JupyterLab takes alternative text from HTML alone and ignores it
    beside a bare PNG. Where there is no notebook the description is printed. The same figure gives the same bytes.

    Args:
        fig: a matplotlib figure.
        alt: what the figure shows, in words; it must not be empty.

    Raises:
        ValueError: if ``alt`` says nothing.
    """
    emit({"text/html": picture_html(fig, alt), "text/plain": alt})


def picture_html(fig: Figure, alt: str) -> str:
    """Return ``fig`` as one HTML image that carries its own data and description, and close it.

    Raises:
        ValueError: if ``alt`` says nothing.
    """
    if not alt.strip():
        raise ValueError("A figure needs a description: alt must say what the figure shows.")
    stream = io.BytesIO()
    # The version of matplotlib is left out of the file, so that it alone never changes the bytes.
    fig.savefig(stream, format="png", dpi=DOTS_PER_INCH, bbox_inches="tight", metadata={"Software": None})
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(fig)  # or the notebook's own display would show it a second time
    data = base64.b64encode(stream.getvalue()).decode("ascii")
    # JupyterLab shows the first line of an output that is folded: one that says what it is and gives nothing away.
    return f'<!-- a picture -->\n<img alt="{escape(alt)}" src="data:image/png;base64,{data}" style="max-width: 100%">'


def emit(bundle: dict[str, Any], display_id: str | None = None, *, update: bool = False) -> None:
    """Display one output in several formats, or print its ``text/plain`` where no IPython is running.

    Args:
        bundle: the same content keyed by MIME type; it must hold ``text/plain``.
        display_id: a name under which a later call may replace the output.
        update: replace the output shown under ``display_id`` instead of adding one.
    """
    if running_shell() is None:
        print(bundle["text/plain"])
        return
    from IPython.display import display, update_display

    if update:
        update_display(bundle, display_id=display_id, raw=True)
    else:
        display(bundle, raw=True, display_id=display_id)


def running_shell() -> Any | None:
    """Return the IPython shell that runs this code, or None in plain Python."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()
