"""Reading files: regular ones only, and never more of one than its limit."""

import os
import socket
import tracemalloc

import pytest

from simulator.errors import FileError, LimitReached
from simulator.reading import read_ascii, read_whole


def test_up_to_the_limit_it_is_read(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    assert read_whole(path, 10) == b"x" * 10
    with pytest.raises(LimitReached, match="longer than 9 bytes"):
        read_whole(path, 9)


def test_a_file_of_a_terabyte_is_refused_at_once(tmp_path):
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(LimitReached):
        read_whole(path, 2**24)


def test_a_file_whose_size_the_system_makes_up_is_read_no_further():
    with pytest.raises(LimitReached):
        read_whole("/proc/self/maps", 10)


def test_what_is_no_regular_file_is_not_even_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        for name, what in {
            tmp_path / "pipe": "a pipe",
            tmp_path / "link": "a pipe",
            tmp_path / "socket": "a socket",
            "/dev/zero": "a device",
            "/dev/null": "a device",
            tmp_path: "Is a directory",
        }.items():
            with pytest.raises(FileError, match=f"cannot be read: {what}"):
                read_whole(name, 100)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "no/where"])
def test_a_name_that_is_no_file(tmp_path, name):
    with pytest.raises(FileError, match="cannot be read"):
        read_ascii(tmp_path / name, 100)


def test_only_a_file_with_the_same_ending_is_taken_for_the_one_that_was_meant(tmp_path):
    (tmp_path / "ford.yml").write_text("")
    (tmp_path / "forb.yaml").mkdir()
    with pytest.raises(FileError) as caught:
        read_whole(tmp_path / "fora.yaml", 10)
    assert "did you mean" not in str(caught.value)
    (tmp_path / "ford.yaml").write_text("")
    with pytest.raises(FileError, match=r"did you mean '.*ford\.yaml'"):
        read_whole(tmp_path / "fora.yaml", 10)


def test_no_memory_is_reserved_for_what_a_file_might_hold(tmp_path):
    path = tmp_path / "short"
    path.write_bytes(bytes(10**6))
    tracemalloc.start()
    try:
        assert read_whole(path, 2**26) == bytes(10**6)
        assert tracemalloc.get_traced_memory()[1] < 3 * 10**6
    finally:
        tracemalloc.stop()
