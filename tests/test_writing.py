"""Writing files: the old one or the new one, never half of one; and what is not a regular file is written to."""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from simulator.writing import GrowingFile, write_together, write_whole


@pytest.fixture
def full_disk(monkeypatch):
    """A disk that takes so many bytes more, the last of them as a part of what is written."""

    def takes(count):
        left, write = count, os.write

        def written(handle, data):
            nonlocal left
            if left <= 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            done = write(handle, bytes(data)[:left])
            left -= done
            return done

        monkeypatch.setattr(os, "write", written)

    return takes


class TestRegularFiles:
    @pytest.mark.parametrize("room", range(6))
    def test_what_does_not_fit_leaves_the_old_one(self, tmp_path, full_disk, room):
        path = tmp_path / "file"
        path.write_bytes(b"old")
        full_disk(room)
        with pytest.raises(OSError, match="No space left on device") as caught:
            write_whole(path, b"newer.")
        assert caught.value.filename == str(path)
        assert path.read_bytes() == b"old"
        assert [file.name for file in tmp_path.iterdir()] == ["file"]

    def test_a_rename_that_fails_leaves_the_old_one(self, tmp_path, monkeypatch):
        path = tmp_path / "file"
        write_whole(path, b"old")

        def broken(self, target):
            raise OSError("no")

        monkeypatch.setattr(Path, "replace", broken)
        with pytest.raises(OSError, match="no"):
            write_whole(path, b"new")
        assert path.read_bytes() == b"old"
        assert [file.name for file in tmp_path.iterdir()] == ["file"]

    def test_of_several_all_are_there_or_none(self, tmp_path, full_disk):
        (tmp_path / "1").write_bytes(b"old")
        full_disk(5)
        with pytest.raises(OSError, match="No space left"):
            write_together([(tmp_path / "1", b"new"), (tmp_path / "2", b"new")])
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"1": b"old"}

    def test_what_comes_between_leaves_all_as_it_was(self, tmp_path):
        def files():
            yield tmp_path / "1", b"new"
            raise ValueError("no more")

        with pytest.raises(ValueError, match="no more"):
            write_together(files())
        assert list(tmp_path.iterdir()) == []

    def test_who_may_read_it_stays_and_a_new_one_is_like_others(self, tmp_path):
        old, new, usual = (tmp_path / name for name in ("old", "new", "usual"))
        old.write_bytes(b"")
        old.chmod(0o640)
        usual.write_bytes(b"")
        write_whole(old, b"x")
        write_whole(new, b"x")
        assert [stat.S_IMODE(file.stat().st_mode) for file in (old, new)] == [0o640, stat.S_IMODE(usual.stat().st_mode)]

    def test_a_link_stays_one(self, tmp_path):
        (tmp_path / "file").write_bytes(b"old")
        (tmp_path / "link").symlink_to("file")
        write_whole(tmp_path / "link", b"new")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "file").read_bytes() == b"new"

    @pytest.mark.parametrize("name", [".", "no/file", "a\0b", "x" * 300])
    def test_a_name_that_can_be_no_file(self, tmp_path, name):
        with pytest.raises(OSError) as caught:  # noqa: PT011 - each system has its words for it
            write_whole(f"{tmp_path}/{name}", b"new")
        assert caught.value.filename == f"{tmp_path}/{name}"
        assert list(tmp_path.iterdir()) == []


class TestStreams:
    def test_a_pipe_is_written_to(self, tmp_path):
        pipe, link, found = tmp_path / "pipe", tmp_path / "link", []
        os.mkfifo(pipe)
        link.symlink_to("pipe")
        for name in (pipe, link):
            reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
            reader.start()
            write_whole(name, b"picture")
            reader.join()
        assert found == [b"picture"] * 2
        assert stat.S_ISFIFO(pipe.stat().st_mode)

    def test_a_device_stays_one(self, tmp_path):
        before = os.stat("/dev/null")  # noqa: PTH116
        (tmp_path / "link").symlink_to("/dev/null")
        for name in ("/dev/null", tmp_path / "link"):
            write_whole(name, b"x")
            with GrowingFileClosed(name) as log:
                log.append(b"more")
        after = os.stat("/dev/null")  # noqa: PTH116
        assert stat.S_ISCHR(after.st_mode)
        assert (after.st_ino, after.st_rdev) == (before.st_ino, before.st_rdev)

    @pytest.mark.parametrize("name", ["/dev/stdout", "out"])
    def test_the_file_that_standard_output_goes_to_is_written_to(self, tmp_path, name):
        code = (
            "from simulator.writing import write_whole, GrowingFile; print('before'); "
            f"write_whole({name!r}, b'picture\\n'); GrowingFile.create({name!r}, b'log\\n').close(); print('after')"
        )
        with (tmp_path / "out").open("wb") as out:
            subprocess.run([sys.executable, "-c", code], stdout=out, cwd=tmp_path, check=True)
        assert (tmp_path / "out").read_text() == "before\npicture\nlog\nafter\n"

    def test_a_full_device_says_so(self):
        with pytest.raises(OSError, match="No space left on device") as caught:
            write_whole("/dev/full", b"x")
        assert caught.value.filename == "/dev/full"


class GrowingFileClosed:
    """A growing file that is closed at the end of a block."""

    def __init__(self, path):
        self.file = GrowingFile.create(path, b"first")

    def __enter__(self):
        return self.file

    def __exit__(self, *error):
        self.file.close()


class TestGrowing:
    def test_a_piece_is_in_it_as_a_whole_or_not_at_all(self, tmp_path, full_disk):
        path = tmp_path / "log"
        with GrowingFileClosed(path) as file:
            file.append(b" second")
            full_disk(3)
            with pytest.raises(OSError, match="No space left"):
                file.append(b" third")
        assert path.read_bytes() == b"first second"

    def test_what_comes_after_the_end_is_cut_off(self, tmp_path):
        path = tmp_path / "log"
        path.write_bytes(b"first sec")
        file = GrowingFile(path, 5)
        file.append(b", next")
        file.close()
        assert path.read_bytes() == b"first, next"
        with pytest.raises(ValueError, match="closed"):
            file.append(b"more")
