"""Files that are put in place: whole or not at all, through no planted link, and nothing taken away that was there."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import threading
from pathlib import Path

import pytest

from tieout.data.files import WriteError, write_whole


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_link_planted_under_a_foreseeable_name_is_not_followed(tmp_path):
    victim, target = tmp_path / "victim", tmp_path / "report.html"
    victim.write_text("mine")
    (tmp_path / "report.html.new").symlink_to(victim)
    write_whole(target, "content")
    assert (victim.read_text(), target.read_text()) == ("mine", "content")
    assert (tmp_path / "report.html.new").is_symlink() and not target.is_symlink()


def test_a_file_that_has_the_name_of_a_draft_is_left_alone(tmp_path):
    (tmp_path / "notes.new").write_text("mine")
    write_whole(tmp_path / "notes", "content")
    assert (tmp_path / "notes.new").read_text() == "mine" and names(tmp_path) == ["notes", "notes.new"]


def test_a_link_under_the_very_name_of_the_draft_is_refused(tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    monkeypatch.setattr(secrets, "token_hex", lambda _: "guessed")
    (tmp_path / ".guessed.new").symlink_to(victim)
    with pytest.raises(WriteError, match="cannot be written"):
        write_whole(tmp_path / "notes", "content")
    assert victim.read_text() == "mine"


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_whole(link, "new")
    assert link.is_symlink() and real.read_text() == "new"


def test_a_fifo_stays_a_fifo(tmp_path):
    fifo, read = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: read.append(fifo.read_text()), daemon=True)
    reader.start()
    write_whole(fifo, "content")
    if not stat.S_ISFIFO(fifo.lstat().st_mode):
        pytest.fail("the FIFO was replaced")
    reader.join(timeout=300)
    assert read == ["content"]


def test_a_device_stays_a_device(tmp_path):
    device = tmp_path / "null"
    device.symlink_to(os.devnull)
    write_whole(device, "content")
    assert stat.S_ISCHR(device.stat().st_mode) and stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_the_mode_of_a_file_is_kept(tmp_path, mode):
    target = tmp_path / "secret"
    target.write_text("old")
    target.chmod(mode)
    write_whole(target, "new")
    assert stat.S_IMODE(target.stat().st_mode) == mode and target.read_text() == "new"


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path):
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "content")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_failure_leaves_what_was_there_and_no_draft(tmp_path, monkeypatch):
    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "notes").write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="No space left"):
        write_whole(tmp_path / "notes", "new")
    assert (tmp_path / "notes").read_text() == "old" and names(tmp_path) == ["notes"]
