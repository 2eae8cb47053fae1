"""Folders that a stranger filled are measured and removed, whatever is in them."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.sandbox.clear import DEEP, holds_more, remove


def test_a_folder_deeper_than_any_path_is_removed(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(2500):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    assert holds_more(folder, 1 << 30, 10_000)
    remove(folder)
    assert not folder.exists()


def test_links_are_removed_and_not_followed(tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir(0o500)
    (tmp_path / "file").write_text("stays")
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    for place in (folder, folder / "inner"):
        (place / "to-folder").symlink_to(outside)
        (place / "to-file").symlink_to(tmp_path / "file")
        (place / "to-nowhere").symlink_to("nowhere")
        (place / "hard").hardlink_to(tmp_path / "file")
        os.mkfifo(place / "pipe")
        (place / "locked").mkdir(0)
    (folder / "0").write_text("a name that removing might want")
    remove(folder)
    assert not folder.exists()
    assert (tmp_path / "file").read_text() == "stays"
    assert outside.stat().st_mode & 0o777 == 0o500


def test_what_is_gone_already_is_no_error(tmp_path: Path):
    remove(tmp_path / "nothing")


def test_size_and_number_are_measured(tmp_path: Path):
    for number in range(10):
        (tmp_path / str(number)).write_bytes(bytes(4096))
    assert not holds_more(tmp_path, 1 << 20, 10)
    assert holds_more(tmp_path, 1 << 20, 9)
    assert holds_more(tmp_path, 5000, 100)
    deep = tmp_path.joinpath(*["d"] * (DEEP + 3))
    deep.mkdir(parents=True)
    assert holds_more(tmp_path, 1 << 20, 1000)
