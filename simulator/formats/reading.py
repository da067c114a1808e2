"""Reading a file as bytes or ASCII text: never more of it than a limit allows; every failure is a fault of the file."""

from __future__ import annotations

import os
from pathlib import Path

from simulator.errors import Fault, FileError, LimitReached


def read_start(path: str | os.PathLike[str], most: int) -> bytes:
    """Read a file up to `most` bytes and one more, by which a reader sees that it is too long."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(most + 1)
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise FileError([Fault(str(path), 0, 0, "", f"can not be read: {reason}")]) from error


def read_ascii(path: str | os.PathLike[str], most: int) -> str:
    """Read a whole file of ASCII characters; raises LimitReached where it is longer than `most` bytes."""
    data = read_start(path, most)
    if len(data) > most:
        raise LimitReached([Fault(str(path), 0, 0, "", f"longer than {most} bytes, which is the most allowed")])
    try:
        return data.decode("ascii")
    except UnicodeDecodeError as error:
        raise FileError([Fault(str(path), 0, 0, "", f"byte {error.start} is no ASCII character")]) from None
