"""Cells of plain Python are not transformed, and come out as IPython itself would have them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograder.sandbox.inside.shell import Shell, make_shell

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path for place in ("course", "source", "release") for path in (ROOT / place).rglob("*.ipynb"))
ODD = [
    *("ls", "pwd\n", "time", "who", "cd", "ls # x", "ls\npwd", "x = 1\nls\n", "x = 1\n%time y\n"),
    *("x = '''\n   \n'''", "'''\n\n'''", "x = 1  \n\ty\n", "if x:\n\t\n\ty", "%%capture\nx", "x\n!ls\n"),
    *(
        "x = 1",
        "x = 1\n\n",
        "f(\n1)",
        "if 1:\n    pass",
        "a;b",
        "x=1\r\ny=2",
        "\\\n1",
        "\x0c1",
        "# c",
        "x\n   \n",
        "1\n\n\n2",
    ),
    *(
        "'''\n%magic\n!ls\n'''",
        "x  # a\n  \n",
        "@f\ndef g(): pass",
        "x = 1 \\\n + 2",
        "s = 'a\\\nb'",
        "f'{x!r}'",
        "await x",
    ),
    *(
        "",
        "\n",
        " x",
        "  x = 1\n  y = 2",
        "\nx = 1",
        "In [1]: x",
        ">>> x",
        "print(1)?",
        "?print",
        "%time 1",
        "%%time\n1",
    ),
    *("!ls", "a = !ls", "x = (", "'\\d'", "a = %time 1", "for x in y:\n    %time x", "def", "\ud800", "a\0b"),
]


@pytest.fixture(scope="module")
def shell() -> Shell:
    return make_shell()[0]


@pytest.mark.parametrize("source", ODD)
def test_odd_cells(shell: Shell, source: str):
    assert shell.transform_cell(source) == InteractiveShell.transform_cell(shell, source)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_cells_of_a_notebook(shell: Shell, notebook: Path):
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            assert shell.transform_cell(source) == InteractiveShell.transform_cell(shell, source)


def test_a_transformer_of_the_students_own_is_asked(shell: Shell):
    shell.input_transformers_post.append(lambda lines: [line.replace("one", "1") for line in lines])
    try:
        assert shell.transform_cell("x = one\n") == "x = 1\n"
    finally:
        shell.input_transformers_post.clear()


def test_a_transformer_that_the_student_puts_among_ipythons_own_is_asked(shell: Shell):
    source = "x = one\ny = 2\n"
    line_transforms = shell.input_transformer_manager.line_transforms
    line_transforms.append(lambda lines: [line.replace("one", "1") for line in lines])
    try:
        assert shell.transform_cell(source) == "x = 1\ny = 2\n"
    finally:
        line_transforms.pop()
    assert shell.transform_cell(source) == source
