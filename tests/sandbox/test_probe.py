"""Isolations are chosen by trying them."""

from __future__ import annotations

import shutil
import sys

import pytest

from autograder.sandbox import probe as probe_module
from autograder.sandbox.errors import NoIsolation
from autograder.sandbox.isolation import ISOLATIONS, Bubblewrap
from autograder.sandbox.landlock import Sandlock
from autograder.sandbox.probe import AUTO_ORDER, choose, probe, probe_all
from tests.support.isolations import LIMITS


class Broken(Bubblewrap):
    """Looks fine until it is tried: as where user namespaces are forbidden."""

    name = "broken"

    def command(self, *_: object) -> list[str]:
        return ["/bin/sh", "-c", "echo no permission to make namespaces >&2; exit 1"]


def test_at_least_one_isolation_works_here_and_none_is_never_chosen():
    assert choose("auto").name in AUTO_ORDER
    assert "none" not in AUTO_ORDER


def test_every_isolation_is_described():
    for found in probe_all():
        assert found.works == (found.why == "")
        assert found.milliseconds > 0 or not found.works
        assert found.gives_up or found.name == "bubblewrap"


def test_one_that_does_not_start_says_why_in_its_own_words():
    found = probe(Broken(), LIMITS)
    assert not found.works
    assert "no permission to make namespaces" in found.why


def test_a_wrong_answer_is_no_isolation(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(probe_module, "EXPECTED", [1, 1, 1])
    assert probe(ISOLATIONS["none"], LIMITS).why == probe_module.WRONG_ANSWER


def test_auto_takes_the_next_where_the_first_fails(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(ISOLATIONS, "bubblewrap", Broken())
    monkeypatch.setitem(ISOLATIONS, "sandlock", ISOLATIONS["none"])
    assert choose("auto").name == "none"


def test_auto_refuses_with_all_reasons_where_none_works(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(ISOLATIONS, "bubblewrap", Broken())
    monkeypatch.setitem(ISOLATIONS, "sandlock", Sandlock())
    monkeypatch.setattr(Sandlock, "available", lambda _: "sandlock is not installed")
    with pytest.raises(NoIsolation, match=r"bubblewrap: .*no permission.* sandlock: sandlock is not installed"):
        choose("auto")


def test_one_asked_for_by_name_is_tried_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(ISOLATIONS, "bubblewrap", Broken())
    with pytest.raises(NoIsolation, match="'bubblewrap' does not work"):
        choose("bubblewrap")
    assert choose("none").name == "none"


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert "apt-get install bubblewrap" in Bubblewrap().available()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "Linux" in Sandlock().available()
