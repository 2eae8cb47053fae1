"""The explorers of lessons 3 to 5 where no kernel runs, and what the kill matrix keeps in sight."""

from __future__ import annotations

import numpy as np
from mha.bugs import attempt
from mha.explore import explore_kill, explore_leak, explore_reading
from mha.explore.kill import ROWS, _worth_showing
from mha.figures.kill import smallest_catches
from mha.forward import demonstration


def test_each_explorer_describes_its_picture_where_no_widget_can_run(capsys):
    explore_leak(lambda x: x.transpose(1, 0, 2).reshape(x.shape[1], -1), lambda x: x.reshape(x.shape[1], -1))
    assert capsys.readouterr().out.startswith("Reshape alone: 6 of 16 outputs hold a later token.")
    demo = demonstration()
    explore_reading(demo.forward()[1]["concat"][0, 0], {"dense": demo.Wo, "identity": np.eye(64)}, demo.h)
    said = capsys.readouterr().out
    assert "Head 3 is dropped. dense: 64 moved, 4 read" in said
    assert "identity: 16 moved, 1 read, and those that move are outputs 48 to 63" in said
    explore_kill()
    said = capsys.readouterr().out
    assert "B=1, T=1, h=1, hs=4 catches none" in said
    assert "B=1, T=4, h=2, hs=2 catches scale, mask, bias." in said


def test_the_kill_matrix_keeps_records_and_the_newest():
    first = [attempt(2, 2, 1, 1), attempt(1, 2, 2, 1), attempt(1, 1, 2, 1)]  # the smallest catches there are
    tried = first + [attempt(1, 1, 1, hs) for hs in range(1, 5)] + [attempt(1, 1, 2, hs) for hs in range(2, 5)]
    shown = _worth_showing(tried)
    assert len(shown) == ROWS
    assert shown[-1] == tried[-1]
    assert all(tried[place] in shown for place in smallest_catches(tried).values())
    assert smallest_catches(shown).keys() == {"concat", "scale", "mask", "bias"}
    assert [tried.index(row) for row in shown] == sorted(tried.index(row) for row in shown)
    assert _worth_showing(tried[:2]) == tried[:2]
