"""The files that may be read and written: those under one folder, links followed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from simulator.errors import Fault, FileError, LimitReached
from simulator.formats import limits, strict_yaml
from simulator.formats.faults import Faults
from simulator.formats.scenario import Scenario
from simulator.formats.scenarios import parse_scenario
from simulator.protocol.messages import RpcError
from simulator.protocol.refusals import NO_ACCESS
from simulator.reading import read_whole
from simulator.writing import write_whole


@dataclass(frozen=True)
class Folder:
    """A folder, and whatever is below it."""

    root: Path

    def inside(self, path: str) -> Path:
        """Return a path below the folder; raise RpcError for any other."""
        try:
            found = (self.root / path).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            raise RpcError(NO_ACCESS, f"{path!r} is not a path: {error}") from None
        if not found.is_relative_to(self.root):
            raise RpcError(NO_ACCESS, f"{path!r} lies outside the folder of this engine; see --root")
        return found

    def read(self, path: str, most: int) -> bytes:
        """Read a file below the folder."""
        file = self.inside(path)
        try:
            return read_whole(file, most)
        except FileError as error:
            raise self._seen_from_here(error) from None

    def write(self, path: str, data: bytes) -> None:
        """Write a file below the folder."""
        file = self.inside(path)
        try:
            write_whole(file, data)
        except OSError as error:
            raise RpcError(NO_ACCESS, f"{path!r} cannot be written: {error.strerror or error}") from None

    def scenario(self, path: str) -> Scenario:
        """Read a scenario; its board has to lie below the folder as well."""
        file = self.inside(path)
        text = _decoded(self.read(path, limits.FILE_BYTES.most), path)
        root = strict_yaml.load(text, Faults(path))
        board = root.value.get("board") if root is not None and isinstance(root.value, dict) else None
        if board is not None and isinstance(board.value, str):
            self.inside(str(file.parent / board.value))
        try:
            found = parse_scenario(text, path, folder=file.parent)
        except FileError as error:
            raise self._seen_from_here(error) from None
        return found if found.name else replace(found, name=file.stem)

    def _seen_from_here(self, error: FileError) -> FileError:
        """Return an error that names files by their paths below the folder."""
        above = f"{self.root}/"
        faults = [
            replace(fault, file=fault.file.removeprefix(above), message=fault.message.replace(above, ""))
            for fault in error.faults
        ]
        return (LimitReached if isinstance(error, LimitReached) else FileError)(faults)


def _decoded(data: bytes, path: str) -> str:
    faults = Faults(path)
    text = strict_yaml.decode(data, faults)
    faults.raise_if_any()
    if text is None:
        raise FileError([Fault(path, 0, 0, "", "not a text")])
    return text
