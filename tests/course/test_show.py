"""A figure is shown once, with its description, and always as the same bytes."""

import base64
import re
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from mha import show
from mha.figures.style import new_figure
from mha.show import picture_html


@pytest.fixture
def shell():
    shell = InteractiveShell.instance()
    yield shell
    InteractiveShell.clear_instance()


def figure():
    fig = new_figure(2, 1)
    fig.subplots().plot([0, 1], [1, 0])
    return fig


def test_html_carries_the_picture_and_its_description():
    html = picture_html(figure(), 'A line < a curve & "more"')
    assert 'alt="A line &lt; a curve &amp; &quot;more&quot;"' in html
    data = re.search(r'src="data:image/png;base64,([^"]+)"', html)[1]
    assert base64.b64decode(data).startswith(b"\x89PNG")


def test_same_figure_gives_same_bytes():
    assert picture_html(figure(), "a line") == picture_html(figure(), "a line")


def test_description_is_required():
    with pytest.raises(ValueError, match="description"):
        show(figure(), "  ")


def test_plain_python_prints_the_description(capsys):
    show(figure(), "a falling line")
    assert capsys.readouterr().out == "a falling line\n"


def test_notebook_gets_html_and_words(shell):
    with capture_output() as captured:
        show(figure(), "a falling line")
    (output,) = captured.outputs
    assert output.data["text/plain"] == "a falling line"
    assert output.data["text/html"].startswith('<!-- a picture -->\n<img alt="a falling line"')


def test_figure_made_with_pyplot_is_closed():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    fig, _ = pyplot.subplots()
    show(fig, "empty axes")
    assert pyplot.get_fignums() == []


def test_importing_the_package_does_not_load_matplotlib():
    import subprocess

    code = "import sys, mha, mha.check.report; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
