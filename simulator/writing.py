"""Writing a file: the one way in which this program does it.

A file is replaced as a whole: whoever reads it sees the old or the new one, whatever happens in between, a full disk
or a kill included. What is no regular file (a device, a pipe, a link to one) cannot be replaced without harm: it is
written to. So is the file that standard output or standard error goes to, where somebody gives its name.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

from simulator.interrupts import before_the_end

#: Stands for standard output in place of the name of a file.
STANDARD_OUTPUT: Final = 1
Target = str | os.PathLike[str] | int

_MADE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_INTO = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
#: What is being written and has not taken its place yet.
_drafts: set[str] = set()
before_the_end(lambda: _drop(list(_drafts)))


def write_whole(path: Target, data: bytes) -> None:
    """Write a file, in one step; raises OSError with the name of the file, and then nothing has changed.

    Who may read it stays as it was; a new file may be read by whoever may read others that this program writes.
    """
    write_together([(path, data)])


def write_together(files: Iterable[tuple[Target, bytes]]) -> None:
    """Write several files: none of them takes its place before all could be written."""
    ready: list[tuple[str, str]] = []
    try:
        for path, data in files:
            with _naming(path):
                if _is_stream(path):
                    _write_into(path, data)
                else:
                    ready.append(_draft(os.path.realpath(path), data))  # type: ignore[arg-type]
        for draft, file in ready:
            with _naming(file):
                Path(draft).replace(file)
            _drafts.discard(draft)
    finally:
        _drop(draft for draft, _ in ready)


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder and those around it, where they are not there yet."""
    with _naming(path):
        Path(path).mkdir(parents=True, exist_ok=True)


class GrowingFile:
    """A file that grows piece by piece: a piece is in it as a whole, or where that fails not at all.

    A stream in place of a file takes the pieces as they come; what it has taken it keeps.
    """

    def __init__(self, path: Target, size: int) -> None:
        """Go on behind `size` bytes of a file that is there, or anywhere in a stream; what comes after is cut off."""
        self.size = size
        self._is_stream = _is_stream(path)
        with _naming(path):
            if self._is_stream or isinstance(path, int):
                self._handle = _opened_stream(path)
            else:
                self._handle = os.open(path, _INTO)
                self._cut()

    @classmethod
    def create(cls, path: Target, first: bytes) -> GrowingFile:
        """Begin a file with its first piece, in place of any that is there."""
        if not _is_stream(path):
            write_whole(path, first)
            return cls(path, len(first))
        made = cls(path, 0)
        try:
            made.append(first)
        except BaseException:
            made.close()
            raise
        return made

    def append(self, data: bytes) -> None:
        """Write a piece behind the others."""
        if self._handle < 0:
            raise ValueError("the file is closed")
        try:
            # One call where the system can: a kill then leaves all of a piece, none, or a torn end.
            _write_all(self._handle, data)
        except BaseException:
            if not self._is_stream:
                with suppress(OSError):  # what went wrong first is what has to be reported
                    self._cut()
            raise
        self.size += len(data)

    def close(self) -> None:
        """Close the file; standard output stays open for others."""
        if self._handle > 2:
            os.close(self._handle)
        self._handle = -1

    def _cut(self) -> None:
        os.ftruncate(self._handle, self.size)
        os.lseek(self._handle, self.size, os.SEEK_SET)


class _naming:  # noqa: N801 - reads as a word of the language: with naming
    """Let an OSError name the file that was asked for, not the draft beside it."""

    def __init__(self, path: Target) -> None:
        self.path = "standard output" if isinstance(path, int) else os.fspath(path)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ValueError):  # a name with a NUL
            raise OSError(22, str(error), self.path) from None
        if isinstance(error, OSError):
            error.filename, error.filename2 = self.path, None


def _is_stream(path: Target) -> bool:
    """Whether a name stands for something that is written to and not replaced."""
    if isinstance(path, int):
        return True
    try:
        found = Path(path).stat()
    except (OSError, ValueError):  # not there yet, or its opening will say what is wrong
        return False
    return not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)) or _standard(found) is not None


def _standard(found: os.stat_result) -> int | None:
    """Return the handle of standard output or standard error where this is what they go to."""
    for handle in (1, 2):
        with suppress(OSError):  # a closed one goes nowhere
            if os.path.samestat(found, os.fstat(handle)):
                return handle
    return None


def _opened_stream(path: Target) -> int:
    """Open a stream; a standard one is open already, and what was printed to it comes before what is written."""
    if isinstance(path, int):
        handle = path
    else:
        standard = _standard(Path(path).stat())
        if standard is None:
            return os.open(path, _INTO)
        handle = standard
    for printed in (sys.stdout, sys.stderr):
        if printed is not None:
            printed.flush()
    return handle


def _write_into(path: Target, data: bytes) -> None:
    handle = _opened_stream(path)
    try:
        _write_all(handle, data)
    finally:
        if handle > 2:
            os.close(handle)


def _draft(file: str, data: bytes) -> tuple[str, str]:
    """Write what is to take the place of a file, beside it: only there a rename is sure to replace it in one step."""
    before = _before(file)
    draft, handle = _begun_draft(Path(file).parent)
    _drafts.add(draft)
    try:
        try:
            if before is not None:
                Path(draft).chmod(stat.S_IMODE(before.st_mode))
            _write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        _drop([draft])
        raise
    return draft, file


def _before(file: str) -> os.stat_result | None:
    """Look at the file that is to be replaced; one that must not be written to is not replaced either."""
    try:
        found = Path(file).stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(21, "Is a directory", file)
    if not os.access(file, os.W_OK):
        raise PermissionError(13, "Permission denied", file)
    return found


def _begun_draft(folder: Path) -> tuple[str, int]:
    for number in count():
        # Hidden, as a folder full of results is often read while it is written.
        draft = str(folder / f".simulator-{os.getpid()}-{number}.draft")
        with suppress(FileExistsError):  # another thread's, or left by a kill
            return draft, os.open(draft, _MADE, 0o666)
    raise AssertionError("there is a number for every draft")


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        # A disk that fills up takes a part first and refuses the next.
        rest = rest[os.write(handle, rest) :]


def _drop(drafts: Iterable[str]) -> None:
    for draft in drafts:
        if draft in _drafts:
            with suppress(OSError):  # nothing more can be done about it
                Path(draft).unlink()
            _drafts.discard(draft)
