"""Explorers: a still picture where no widget can run, and a picture that follows its controls where one can."""

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from mha.explore import Choice, Slider, Switch, explore, explore_margins, explore_shelves
from mha.figures import two_shelves
from mha.figures.style import Picture, new_figure
from mha.forward import demonstration
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"
CONTROLS = (Slider("a", "A", 0, 3, 1), Choice("b", "B", (("x", 5), ("y", 6)), 6), Switch("c", "C", True))


def draw(a, b, c):
    return Picture(new_figure(1, 1), f"a {a}, b {b}, c {c}")


def test_plain_python_prints_the_starting_picture(capsys):
    explore(draw, CONTROLS)
    assert capsys.readouterr().out == "a 1, b 6, c True\n"


def test_shell_without_kernel_shows_the_still_picture():
    InteractiveShell.instance()
    try:
        with capture_output() as captured:
            explore_shelves()
    finally:
        InteractiveShell.clear_instance()
    (output,) = captured.outputs
    assert set(output.data) == {"text/html", "text/plain"}
    assert output.data["text/plain"] == two_shelves().alt


def test_lesson_explorers_start_right(capsys):
    explore_shelves()
    assert "row bank" in capsys.readouterr().out
    _, cache = demonstration().forward()
    explore_margins(cache["Q"][0], cache["K"][0])
    assert "0.972" in capsys.readouterr().out


MOVE = """
from ipywidgets import Widget
found = {w.description: w for w in ipywidgets.widgets.widget._instances.values() if hasattr(w, "description")}
for label, value in MOVES: found[label].value = value
"""


@pytest.fixture(scope="module")
def moved():
    """Cells run in a real kernel: an explorer, then its controls are moved from the next cell."""

    def run(setup, *moves):
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [
            nbformat.v4.new_code_cell(setup),
            nbformat.v4.new_code_cell("import ipywidgets\nMOVES = " + repr(moves) + MOVE),
        ]
        NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
        return notebook.cells[0].outputs

    return run


def test_controls_move_the_picture_and_its_description(moved):
    setup = "from mha.explore import explore_shelves\nexplore_shelves()"
    controls, picture = moved(setup, ("Token", 1), ("Read memory by", "straight"))
    assert WIDGET in controls.data
    assert controls.data["text/plain"].startswith("Controls: Token, Read memory by.")
    assert picture.data["text/plain"] == two_shelves(1, "straight").alt
    assert 'alt="Left: the packed table' in picture.data["text/html"]
    assert "row river of the heads is boxed" in picture.data["text/html"]


def test_every_control_of_the_margins_is_heard(moved):
    setup = (
        "from mha.explore import explore_margins\nfrom mha.forward import demonstration\n"
        "_, cache = demonstration().forward()\nexplore_margins(cache['Q'][0], cache['K'][0])"
    )
    moves = ("Query", 2), ("Temperature", 2.0), ("Softmax over", -2), ("Divide by", "C"), ("Causal mask", True)
    _, picture = moved(setup, *moves)
    words = picture.data["text/plain"]
    assert "Scores divided by 16, softmax over the queries, causal mask." in words
    assert "Column sums are all 1." in words
    assert "Head 0, query 2" in words
