"""Each lesson as a student leaves it: every prediction answered, every blank filled in, and all answers say Right."""

import re

import nbformat
import pytest
from mha.check.prediction import find

from tests.course.conftest import ROOT

# lesson: {cell id: (what stands there, what a student writes)}
FILLED = {
    1: {
        "split-one": ("return ...", "return by_token.transpose(1, 0, 2)"),
        "split": ("    ...", "    return x.reshape(*x.shape[:2], h, -1).transpose(0, 2, 1, 3)"),
    },
    2: {
        "your-scores-code": ("return ...", "return Q @ turned / math.sqrt(Q.shape[-1])"),
        "your-attention-code": (
            "    ...",
            "    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])\n"
            "    return softmax(np.where(mask, scores, -np.inf)) @ V",
        ),
    },
    3: {"blank": ("    ...", "    return per_head.transpose(0, 2, 1, 3).reshape(B, T, h * hs)")},
    4: {
        "block-blank": ("return ...", "return weight_o[:, i * hs : (i + 1) * hs]"),
        "blank": ("    ...", "    return concat @ weight_o.T + bias_o"),
    },
    5: {},  # the solutions stand in the notebook
}
PATHS = [*sorted((ROOT / "course").glob("0[1-4]*.ipynb")), ROOT / "source/exercises/05_exercises.ipynb"]


def worked(cell, filled):
    """The cell's code with the student's answer in place of its blank."""
    source = cell.source
    if question := re.search(r'predict\("(.+?)", \.\.\.\)', source):
        source = source.replace("...", repr(find(question[1]).right))
    if cell.id in filled:
        blank, answer = filled[cell.id]
        assert source.count(blank) == 1
        source = source.replace(blank, answer)
    return source


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_lesson_worked_through_says_right_everywhere(path, capsys):
    filled = FILLED[int(path.stem[:2])]
    names, asked, checked = {}, 0, 0
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            continue
        source = re.sub(r"^(show|explore_\w+)\(.*", "", worked(cell, filled), flags=re.MULTILINE)  # no picture is asked
        exec(compile(source, cell.id, "exec"), names)
        printed = capsys.readouterr().out
        asked += "predict(" in source and "import" not in source
        if re.search(r"^(predict|check_\w+)\(", source, re.MULTILINE):
            checked += 1
            assert printed.startswith("✓"), (cell.id, printed)
    assert asked >= 3
    assert checked > asked
