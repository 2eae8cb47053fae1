"""From a page to HTML: one file with nothing to fetch and nothing to run."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from autograder.feedback.model import Page


def render(page: Page) -> str:
    """The page as a whole HTML document."""
    return _template().render(page=page)


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("autograder.feedback"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["points"] = points
    return environment.get_template("page.html.j2")


def points(value: float) -> str:
    """A number of points as a person writes it: at most two decimals, and none that say nothing."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
