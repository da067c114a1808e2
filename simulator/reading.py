"""Reading a regular file as bytes or ASCII text, up to a limit of size.

A pipe or a device may never end, or never begin, so it is refused before it is opened. A file that is too long is
refused by its size before it is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

from simulator.errors import Fault, FileError, LimitReached
from simulator.wording import nearest

Name: TypeAlias = "str | os.PathLike[str]"
#: Told the name of each file before it is opened.
_watchers: list[Callable[[Name], None]] = []
#: The kinds of things that are not regular files, and their names in messages.
_NO_FILES = (
    (stat.S_ISDIR, "Is a directory"),
    (stat.S_ISFIFO, "a pipe, and only regular files are read"),
    (stat.S_ISCHR, "a device, and only regular files are read"),
    (stat.S_ISBLK, "a device, and only regular files are read"),
    (stat.S_ISSOCK, "a socket, and only regular files are read"),
)
#: So many bytes are read at once.
_AT_ONCE = 2**18
#: Opening must not block: after the check of a name a pipe can have replaced the file.
_OPENED = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def watched(watcher: Callable[[Name], None]) -> Iterator[None]:
    """Tell a watcher the name of each file before it is opened; what it raises keeps the file from being read."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def _tell(path: Name) -> None:
    for watcher in _watchers:
        watcher(path)


def opened(path: Name) -> BinaryIO:
    """Open a file that is read part by part; raise FileError if it cannot be read."""
    _tell(path)
    try:
        _require_regular(Path(path).stat(), path)
        return os.fdopen(os.open(path, _OPENED), "rb")
    except (OSError, ValueError) as error:
        raise _failed(path, error) from error


def read_whole(path: Name, most: int) -> bytes:
    """Read a whole file; raise FileError if it cannot be read, LimitReached if it is longer than `most`."""
    _tell(path)
    try:
        _require_regular(Path(path).stat(), path)
        with os.fdopen(os.open(path, _OPENED), "rb") as stream:
            found = os.fstat(stream.fileno())
            _require_regular(found, path)
            # The reported size of a file can be wrong (it grows, or the system invents it), so it is not relied on.
            data = _read(stream, most + 1) if found.st_size <= most else None
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        raise _failed(path, error) from error
    if data is None or len(data) > most:
        raise LimitReached([Fault(str(path), 0, 0, "", f"longer than {most} bytes, which is the most allowed")])
    return data


def _read(stream: BinaryIO, most: int) -> bytes:
    """Read so many bytes at most, in parts: to read as many at once, memory would be reserved for all of them."""
    parts, left = list[bytes](), most
    while left and (part := stream.read(min(left, _AT_ONCE))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def read_ascii(path: Name, most: int) -> str:
    """Read a whole file of ASCII characters, as `read_whole` does."""
    data = read_whole(path, most)
    try:
        return data.decode("ascii")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        message = f"byte {error.start} is not an ASCII character"
        raise FileError([Fault(str(path), line, column, "", message)]) from None


def _require_regular(found: os.stat_result, path: Name) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise _unreadable(
            path, next((what for is_one, what in _NO_FILES if is_one(found.st_mode)), "not a regular file")
        )


def _failed(path: Name, error: OSError | ValueError) -> FileError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    hint = hint_beside(Path(path)) if isinstance(error, FileNotFoundError) else ""
    return _unreadable(path, f"{reason}{hint}")


def _unreadable(path: Name, reason: str) -> FileError:
    return FileError([Fault(str(path), 0, 0, "", f"cannot be read: {reason}")])


def hint_beside(path: Path) -> str:
    """Return a hint with the file beside it that was probably meant, for example one with `.yaml` appended."""
    neighbours = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    suffix = path.suffix or ".yaml"
    # The suffixes are equal, so only the stems are compared.
    alike = {file.stem: file for file in neighbours if file.suffix == suffix and file.is_file()}
    meant = nearest(path.stem, alike)
    return "" if meant is None else f"; did you mean '{alike[meant]}'?"
