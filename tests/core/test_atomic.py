"""The one writer of files: whole or as before, with nothing beside, whoever else writes and whatever lies there."""

import errno
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import aprendiz
from aprendiz.core import atomic
from aprendiz.core.atomic import sweep, whole_file, write_whole
from aprendiz.core.checkpoint import Checkpoint
from aprendiz.core.iteration import State

LEFT_BEHIND = f".a.npz.{'0' * 32}.part"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.npz"


@pytest.fixture(autouse=True)
def another_process(monkeypatch):
    """As if nothing had been written before."""
    monkeypatch.setattr(atomic, "_swept", set())


def names(folder):
    return sorted(one.name for one in folder.iterdir())


def test_many_writers_of_one_checkpoint(path):
    """Twelve threads save to one file: each succeeds, and what is read is always one of the states, whole."""
    checkpoint = Checkpoint.__new__(Checkpoint)
    checkpoint.path = path
    checkpoint.save(State(0, 0.0, False))

    def save(number):
        for turn in range(5):
            checkpoint.save(State(number, float(turn), False))
            found = checkpoint.load(State)
            assert found.iteration in range(12)
            assert found.objective in range(5)
        return True

    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(save, range(12)))
    assert names(path.parent) == ["a.npz"]


def test_name_of_a_part(path):
    """Nobody can tell it before it is there: 128 random bits, others for each writer."""
    with whole_file(path) as one, whole_file(path) as other:
        assert one.name != other.name
        assert all(atomic.PART.fullmatch(os.path.basename(file.name)) for file in (one, other))


def test_link_in_the_place_of_a_part(path, monkeypatch):
    """What somebody put under the name of a part is neither followed nor opened."""
    victim = path.with_name("victim")
    victim.write_text("mine")
    monkeypatch.setattr("secrets.token_hex", lambda size: "0" * 32)
    monkeypatch.setattr(atomic, "sweep", lambda folder: None)
    path.with_name(LEFT_BEHIND).symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_whole(path, b"new")
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o660])
def test_permissions_are_kept(path, mode):
    """A private file stays private, also while it is written; a new one gets what the umask leaves."""
    before = os.umask(0o027)
    try:
        write_whole(path, b"old")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(mode)
        with whole_file(path) as file:
            assert stat.S_IMODE(os.stat(file.name).st_mode) == mode
        assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(before)


def test_link_as_destination(path):
    """The link stays; the file it points to is replaced, or made."""
    link = path.with_name("link")
    link.symlink_to(path.name)
    for content in (b"first", b"second"):
        write_whole(link, content)
        assert link.is_symlink()
        assert path.read_bytes() == content


def test_what_is_no_file_is_not_replaced(path):
    os.mkfifo(path)
    with pytest.raises(FileExistsError, match="not a regular file") as error:
        write_whole(path, b"new")
    assert error.value.filename == str(path)
    assert stat.S_ISFIFO(path.stat().st_mode)
    with pytest.raises(IsADirectoryError):
        write_whole(path.parent, b"new")
    path.unlink()
    path.symlink_to(path)  # a link to itself
    with pytest.raises(OSError, match="symbolic links") as error:
        write_whole(path, b"new")
    assert error.value.errno == errno.ELOOP


def test_error_while_writing(path):
    """The old file stays, and nothing beside it."""
    path.write_bytes(b"old")
    with pytest.raises(TypeError), whole_file(path) as file:
        file.writelines([b"half", 3])
    assert path.read_bytes() == b"old"
    assert names(path.parent) == ["a.npz"]


# ---- parts of writers that are gone ------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from aprendiz.core.atomic import whole_file
with whole_file(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_parts_of_killed_writers_are_swept(path):
    """What a kill leaves goes with the next write to the folder; the part of a writer at work stays."""
    killed = subprocess.run([sys.executable, "-c", KILLED, path], check=False, timeout=60)
    assert killed.returncode < 0
    assert len(names(path.parent)) == 1
    with whole_file(path.with_name("other")) as file:
        sweep(path.parent)
        assert names(path.parent) == [os.path.basename(file.name)]
    assert names(path.parent) == ["other"]


def test_only_parts_are_swept(path):
    """Files of other people, links and folders stay, whatever they are called."""
    for name in ("a.part", ".a.part", ".a.123.part", "b" + LEFT_BEHIND):
        path.with_name(name).write_text("mine")
    path.with_name(LEFT_BEHIND).symlink_to("a.part")
    path.with_name(LEFT_BEHIND.replace("a", "d")).mkdir()
    before = names(path.parent)
    sweep(path.parent)
    assert names(path.parent) == before


def test_swept_before_it_was_locked(path, monkeypatch):
    """A part that another process takes for an old one, in the moment between making and locking it, is made again."""
    lock, taken = atomic.fcntl.flock, []

    def late(file, how):
        if not taken:
            taken.append(file.name)
            os.unlink(file.name)
        lock(file, how)

    monkeypatch.setattr("fcntl.flock", late)
    write_whole(path, b"whole")
    assert taken
    assert path.read_bytes() == b"whole"
    assert names(path.parent) == ["a.npz"]


def test_models_too(tmp_path):
    """`save` writes by the same writer: it sweeps what a killed one has left."""
    (tmp_path / LEFT_BEHIND).write_bytes(b"half")
    aprendiz.save(aprendiz.StandardScaler().fit(np.eye(3)), tmp_path / "model.apz")
    assert names(tmp_path) == ["model.apz"]
