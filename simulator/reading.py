"""Reading a file as bytes or ASCII text: never more of it than a limit allows, and nothing that is no regular file.

A pipe or a device may never end, or never begin: it is refused by its kind before it is opened. A file that is too long
is refused by its size before it is read.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from simulator.errors import Fault, FileError, LimitReached
from simulator.wording import nearest

#: What else a name can stand for, and how a message calls it.
_NO_FILES = (
    (stat.S_ISDIR, "Is a directory"),
    (stat.S_ISFIFO, "a pipe, and only regular files are read"),
    (stat.S_ISCHR, "a device, and only regular files are read"),
    (stat.S_ISBLK, "a device, and only regular files are read"),
    (stat.S_ISSOCK, "a socket, and only regular files are read"),
)
#: Opening must not wait: between the look at a name and the opening a pipe can have taken the place of the file.
_OPENED = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def read_whole(path: str | os.PathLike[str], most: int) -> bytes:
    """Read a whole file; raises FileError where it cannot be read, LimitReached where it is longer than `most`."""
    try:
        _want_regular(Path(path).stat(), path)
        with os.fdopen(os.open(path, _OPENED), "rb") as stream:
            found = os.fstat(stream.fileno())
            _want_regular(found, path)
            # The size of a file can be wrong (it grows, or the system makes it up), so it is not all that counts.
            data = stream.read(most + 1) if found.st_size <= most else None
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        reason = error.strerror if isinstance(error, OSError) else str(error)
        hint = _beside(Path(path)) if isinstance(error, FileNotFoundError) else ""
        raise _unreadable(path, f"{reason}{hint}") from error
    if data is None or len(data) > most:
        raise LimitReached([Fault(str(path), 0, 0, "", f"longer than {most} bytes, which is the most allowed")])
    return data


def read_ascii(path: str | os.PathLike[str], most: int) -> str:
    """Read a whole file of ASCII characters, as `read_whole` does."""
    try:
        return read_whole(path, most).decode("ascii")
    except UnicodeDecodeError as error:
        raise FileError([Fault(str(path), 0, 0, "", f"byte {error.start} is no ASCII character")]) from None


def _want_regular(found: os.stat_result, path: str | os.PathLike[str]) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise _unreadable(path, next((what for is_one, what in _NO_FILES if is_one(found.st_mode)), "no regular file"))


def _unreadable(path: str | os.PathLike[str], reason: str) -> FileError:
    return FileError([Fault(str(path), 0, 0, "", f"cannot be read: {reason}")])


def _beside(path: Path) -> str:
    """Name the file beside it that was probably meant, as it can be typed; a forgotten `.yaml` is one that was."""
    there = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    suffix = path.suffix or ".yaml"
    # Endings are alike anyway: what is compared is what stands before them.
    alike = {file.stem: file for file in there if file.suffix == suffix and file.is_file()}
    meant = nearest(path.stem, alike)
    return "" if meant is None else f"; did you mean '{alike[meant]}'?"
