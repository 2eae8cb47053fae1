"""An explorer: controls above a picture that is drawn anew, description included, whenever one of them moves.

The picture is an output of its own, beside the controls and not inside them. So it is there where no widget can run,
it stays in the saved notebook, and JupyterLab reads its description out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from mha.figures.style import Picture
from mha.show import emit, picture_html, running_shell

__all__ = ["Choice", "Control", "Slider", "Switch", "explore"]

_numbers = count(1)


@dataclass(frozen=True)
class Slider:
    """A number from ``low`` to ``high``; whole numbers where ``step`` is whole. ``names`` may name its values."""

    name: str
    label: str
    low: float
    high: float
    start: float
    step: float = 1
    names: tuple[str, ...] = ()

    def widget(self) -> Any:
        import ipywidgets

        if self.names:
            options = [(name, int(self.low) + i) for i, name in enumerate(self.names)]
            return ipywidgets.SelectionSlider(options=options, value=self.start, description=self.label)
        whole = all(isinstance(number, int) for number in (self.low, self.high, self.step))
        kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
        return kind(value=self.start, min=self.low, max=self.high, step=self.step, description=self.label)


@dataclass(frozen=True)
class Choice:
    """One of a few: pairs of the words shown and the value passed on."""

    name: str
    label: str
    options: tuple[tuple[str, Any], ...]
    start: Any

    def widget(self) -> Any:
        import ipywidgets

        return ipywidgets.ToggleButtons(options=list(self.options), value=self.start, description=self.label)


@dataclass(frozen=True)
class Switch:
    """Yes or no."""

    name: str
    label: str
    start: bool

    def widget(self) -> Any:
        import ipywidgets

        return ipywidgets.Checkbox(value=self.start, description=self.label, indent=False)


Control = Slider | Choice | Switch


def explore(draw: Callable[..., Picture], controls: Sequence[Control]) -> None:
    """Show the picture that ``draw`` makes of the controls' starting values, with the controls above it.

    Where no kernel runs the code (plain Python, a terminal, a sandbox) there is just the picture. A saved notebook
    and its HTML keep the picture too.

    Args:
        draw: takes every control's value under its name and returns a `Picture`.
        controls: what the reader may move.
    """
    start = {control.name: control.start for control in controls}
    if not _can_run_widgets():
        emit(_bundle(draw(**start)))
        return
    widgets = {control.name: _styled(control.widget()) for control in controls}
    # A counter and not a random number: two runs of a lesson leave the same notebook behind.
    picture_id = f"mha-explorer-{next(_numbers)}"

    def redraw(_change: object) -> None:
        values = {name: widget.value for name, widget in widgets.items()}
        emit(_bundle(draw(**values)), picture_id, update=True)

    for widget in widgets.values():
        widget.observe(redraw, names="value")
    _show_controls(list(widgets.values()), controls)
    emit(_bundle(draw(**start)), picture_id)


def _can_run_widgets() -> bool:
    return getattr(running_shell(), "kernel", None) is not None


def _bundle(picture: Picture) -> dict[str, Any]:
    return {"text/html": picture_html(*picture), "text/plain": picture.alt}


def _styled(widget: Any) -> Any:
    widget.style.description_width = "initial"
    if hasattr(widget.style, "button_width"):
        widget.style.button_width = "auto"
        widget.layout.width = "auto"
    if hasattr(widget, "continuous_update"):
        widget.continuous_update = False  # redraw where the slider is let go, not at every step of the way
    return widget


def _show_controls(widgets: list[Any], controls: Sequence[Control]) -> None:
    import ipywidgets

    row = ipywidgets.Layout(flex_flow="row wrap", align_items="center", grid_gap="2px 24px")
    panel = ipywidgets.Box(widgets, layout=row)
    view = "application/vnd.jupyter.widget-view+json"
    words = "Controls: " + ", ".join(control.label for control in controls) + ". They move while a kernel runs."
    emit({view: panel._repr_mimebundle_()[view], "text/plain": words})
