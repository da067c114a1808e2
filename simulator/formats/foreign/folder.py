"""Files that a map refers to: only those inside the folder of the map are read."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

from simulator.formats.foreign.tree import Value

_ADVICE = "only files in the folder of the map are read: copy it there and name it without a path"


def beside(map_file: Path, name: Value) -> Path:
    """Return the path of a file that a map names; raise FileError if it lies outside the folder of the map.

    Links are followed before the decision is made.
    """
    text = name.text().replace("\\", "/")
    if not text.strip() or "\0" in text:
        raise name.fault("expected the name of a file in the folder of the map")
    if PurePosixPath(text).is_absolute() or PureWindowsPath(text).drive or "://" in text:
        raise name.fault(f"{text!r} is outside the folder of the map; {_ADVICE}")
    folder = map_file.parent.resolve()
    try:
        target = (folder / text).resolve()
    except (OSError, RuntimeError) as error:  # a loop of links
        raise name.fault(f"{text!r} cannot be found: {error}") from None
    if not target.is_relative_to(folder):
        raise name.fault(f"{text!r} is outside the folder of the map; {_ADVICE}")
    return map_file.parent / text
