"""Writing files atomically: all files of this program are written here.

A file is replaced as a whole: readers see the old or the new one, whatever happens in between, even a full disk or a
kill. Anything that is not a regular file (a device, a pipe, a link to one) cannot be replaced safely and is written to
directly. So is the file that standard output or standard error goes to, if it is named.
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

#: Stands for standard output instead of the name of a file.
STANDARD_OUTPUT: Final = 1
Target = str | os.PathLike[str] | int

_MADE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_INTO = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
#: The drafts being written, which have not replaced their files yet.
_drafts: set[str] = set()
before_the_end(lambda: _drop(list(_drafts)))


def write_whole(path: Target, data: bytes) -> None:
    """Write a file atomically; raise OSError with the name of the file if that fails, leaving the old one unchanged.

    Permissions are kept; a new file gets the usual ones.
    """
    write_together([(path, data)])


def write_pieces(path: Target, pieces: Iterable[bytes]) -> None:
    """Write a file atomically, as `write_whole` does, from pieces that need not be in memory at the same time."""
    with _naming(path):
        if (file := replaced_file(path)) is None:
            for piece in pieces:
                _write_into(path, piece)
            return
        draft = _draft(file, pieces)
        try:
            Path(draft).replace(file)
            _drafts.discard(draft)
        finally:
            _drop([draft])


def write_together(files: Iterable[tuple[Target, bytes]]) -> None:
    """Write several files: none is replaced before all could be written."""
    ready: list[tuple[str, str]] = []
    try:
        for path, data in files:
            with _naming(path):
                if (file := replaced_file(path)) is None:
                    _write_into(path, data)
                else:
                    ready.append((_draft(file, [data]), file))
        for draft, file in ready:
            with _naming(file):
                Path(draft).replace(file)
            _drafts.discard(draft)
    finally:
        _drop(draft for draft, _ in ready)


def make_folder(path: str | os.PathLike[str]) -> None:
    """Create a folder and its parents, if they do not exist."""
    with _naming(path):
        Path(path).mkdir(parents=True, exist_ok=True)


class GrowingFile:
    """A file that grows piece by piece; each piece is written completely, or not at all if that fails.

    A stream instead of a file receives the pieces as they come and keeps them.
    """

    def __init__(self, path: Target, size: int) -> None:
        """Continue an existing file after `size` bytes, truncating the rest; or continue a stream."""
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
        """Begin a file with its first piece, replacing an existing one."""
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
        """Append a piece."""
        if self._handle < 0:
            raise ValueError("the file is closed")
        try:
            # One call if the system allows: a kill then leaves all of a piece, none, or a truncated end.
            _write_all(self._handle, data)
        except BaseException:
            if not self._is_stream:
                with suppress(OSError):  # the first error is the one to report
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
    """Make an OSError name the requested file, not the draft beside it."""

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
    """Return whether a name stands for something that is written to directly, not replaced."""
    if isinstance(path, int):
        return True
    try:
        found = Path(path).stat()
    except (OSError, ValueError):  # does not exist yet, or opening it will report the error
        return False
    return not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)) or _standard(found) is not None


def replaced_file(path: Target) -> str | None:
    """Return the file that is replaced when a name is written to; None if it is written to directly."""
    return None if isinstance(path, int) or _is_stream(path) else os.path.realpath(path)


def _standard(found: os.stat_result) -> int | None:
    """Return the handle of standard output or standard error if it goes to this file."""
    for handle in (1, 2):
        with suppress(OSError):  # a closed one goes nowhere
            if os.path.samestat(found, os.fstat(handle)):
                return handle
    return None


def _opened_stream(path: Target) -> int:
    """Open a stream; a standard one is open already, and is flushed first."""
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


def _draft(file: str, pieces: Iterable[bytes]) -> str:
    """Write the draft of a file beside it: only there a rename is guaranteed to be atomic."""
    before = _before(file)
    draft, handle = _begun_draft(Path(file).parent)
    _drafts.add(draft)
    try:
        try:
            if before is not None:
                Path(draft).chmod(stat.S_IMODE(before.st_mode))
            for piece in pieces:
                _write_all(handle, piece)
            os.fsync(handle)
        finally:
            os.close(handle)
    except BaseException:
        _drop([draft])
        raise
    return draft


def _before(file: str) -> os.stat_result | None:
    """Return the status of the file to replace; a file that is not writable is not replaced either."""
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
        # Hidden, since a folder of results is often read while it is written.
        draft = str(folder / f".simulator-{os.getpid()}-{number}.draft")
        with suppress(FileExistsError):  # another thread's, or left by a kill
            return draft, os.open(draft, _MADE, 0o666)
    raise AssertionError("there is a number for every draft")


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        # A disk that fills up accepts a part first and refuses the next.
        rest = rest[os.write(handle, rest) :]


def _drop(drafts: Iterable[str]) -> None:
    for draft in drafts:
        if draft in _drafts:
            with suppress(OSError):  # nothing more can be done about it
                Path(draft).unlink()
            _drafts.discard(draft)
