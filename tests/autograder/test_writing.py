"""Files that are put in place, and places that are refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.errors import GraderFailure, SettingsError
from autograder.writing import check_target, kept_file, put_file, refuse_links
from tests.support.course import NAME, Course


def test_a_file_replaces_the_one_before_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "file.json"
    put_file(path, b"one")
    put_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_where_a_folder_stands_no_file_can(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(GraderFailure, match="taken cannot be written"):
        put_file(tmp_path / "taken", b"x")


def test_a_link_is_refused_and_what_is_not_there_is_not(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    refuse_links(tmp_path, tmp_path / "nothing")
    with pytest.raises(GraderFailure, match="link cannot be written: a link is in its place"):
        refuse_links(tmp_path, tmp_path / "link")


def test_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for good in ("file", "new", "new/er/file"):
        check_target(Path(good))
    for bad, said in ((".", "it is a folder"), ("file/below", "file is no folder"), ("file/a/b", "file is no folder")):
        with pytest.raises(SettingsError, match=said):
            check_target(Path(bad))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SettingsError, match="you may not write there"):
        check_target(Path("new"))


def test_any_students_name_has_a_file_of_its_own(course: Course) -> None:
    names = ("a", "A", "a/b", "..", "ü", "\udcff", "x" * 300)
    files = {kept_file(course.settings, "details", NAME, name) for name in names}
    assert len(files) == len(names)
    assert {path.parent for path in files} == {course.root / ".autograder" / "details" / NAME}
