"""Reading a file as bytes or ASCII text: never more of it than a limit allows; every failure is a fault of the file."""

from __future__ import annotations

import os
from pathlib import Path

from simulator.errors import Fault, FileError, LimitReached
from simulator.wording import nearest


def read_start(path: str | os.PathLike[str], most: int) -> bytes:
    """Read a file up to `most` bytes and one more, by which a reader sees that it is too long."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(most + 1)
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        reason = error.strerror if isinstance(error, OSError) else str(error)
        hint = _beside(Path(path)) if isinstance(error, FileNotFoundError) else ""
        raise FileError([Fault(str(path), 0, 0, "", f"can not be read: {reason}{hint}")]) from error


def _beside(path: Path) -> str:
    """Name the file beside it that was probably meant, as it can be typed; a forgotten `.yaml` is one that was."""
    there = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    wanted = path.suffix or ".yaml"
    # Endings are alike anyway: what is compared is what stands before them.
    alike = {file.stem: file for file in there if file.suffix == wanted and file.is_file()}
    meant = nearest(path.stem, alike)
    return "" if meant is None else f"; did you mean '{alike[meant]}'?"


def read_ascii(path: str | os.PathLike[str], most: int) -> str:
    """Read a whole file of ASCII characters; raises LimitReached where it is longer than `most` bytes."""
    data = read_start(path, most)
    if len(data) > most:
        raise LimitReached([Fault(str(path), 0, 0, "", f"longer than {most} bytes, which is the most allowed")])
    try:
        return data.decode("ascii")
    except UnicodeDecodeError as error:
        raise FileError([Fault(str(path), 0, 0, "", f"byte {error.start} is no ASCII character")]) from None
