"""The tiles of one layer or chunk of a Tiled map: numbers, or a text in one of several encodings."""

from __future__ import annotations

import base64
import binascii
import re
import zlib

import numpy as np
from numpy.typing import NDArray

from simulator.formats.foreign.tree import Numbers, Value

Gids = NDArray[np.int64]

#: The upper four bits of a number say how a tile is turned or mirrored; the rest says which tile it is.
TURNED = 0xF0000000
_ONE_TILE = re.compile(r"\d{1,10}")
_MOST = 2**32 - 1
#: The window of zlib with the head of a zlib stream or of a gzip file.
_WINDOWS = {"zlib": 15, "gzip": 31}


def tiles_of(data: Value, encoding: str, compression: str, width: int, height: int) -> Gids:
    """Return the numbers of tiles [row, column]; raise FileError unless there is exactly one for each place."""
    count = width * height
    if isinstance(data.data, str):
        numbers = _csv(data) if encoding == "csv" else _bytes(data, encoding, compression, count)
    elif isinstance(data.data, Numbers):
        numbers = _checked(data)
    elif data.data == []:
        numbers = np.zeros(0, np.int64)
    else:
        odd = next((each for each in data.items() if not isinstance(each.data, int)), data)
        raise odd.fault("expected the number of a tile, or a text of encoded tiles")
    if len(numbers) != count:
        raise data.fault(f"expected {count} tiles, {width} × {height} (got {len(numbers)})")
    return numbers.reshape(height, width)


def _checked(data: Value) -> Gids:
    numbers = np.array(data.data, np.float64)
    wrong = np.flatnonzero((numbers < 0) | (numbers > _MOST) | (numbers != np.floor(numbers)))
    if wrong.size:
        shown = data.data[int(wrong[0])]
        raise data.fault(f"expected numbers of tiles, whole from 0 to {_MOST} (number {wrong[0]} is {shown})")
    return numbers.astype(np.int64)


def _csv(data: Value) -> Gids:
    words = [word.strip() for word in data.data.split(",")]
    if words == [""]:
        return np.zeros(0, np.int64)
    if words[-1] == "":
        words.pop()
    for number, word in enumerate(words):
        if not _ONE_TILE.fullmatch(word) or not word.isascii() or int(word) > _MOST:
            raise data.fault(f"expected numbers of tiles between commas (number {number} is {word[:20]!r})")
    return np.array(list(map(int, words)), np.int64)


def _bytes(data: Value, encoding: str, compression: str, count: int) -> Gids:
    if encoding != "base64":
        raise data.fault(f"no such encoding {encoding!r} of tiles (known: csv, base64)")
    try:
        packed = base64.b64decode("".join(data.data.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise data.fault(f"is not valid base64: {str(error).lower()}") from None
    if compression:
        packed = _inflated(data, packed, compression, count)
    if len(packed) % 4:
        raise data.fault(f"expected four bytes for each tile (got {len(packed)} bytes)")
    return np.frombuffer(packed, "<u4").astype(np.int64)


def _inflated(data: Value, packed: bytes, compression: str, count: int) -> bytes:
    """Inflate at most the bytes that the layer can have, so that no small file fills the memory."""
    if compression == "zstd":
        raise data.fault("tiles packed with zstd cannot be read: in Tiled, set the tile layer format to zlib or CSV")
    if compression not in _WINDOWS:
        raise data.fault(f"no such compression {compression!r} of tiles (known: zlib, gzip)")
    unpacker = zlib.decompressobj(_WINDOWS[compression])
    most = 4 * count
    try:
        found = unpacker.decompress(packed, most + 1)
    except zlib.error as error:
        raise data.fault(f"is not valid {compression}: {str(error).split(': ')[-1]}") from None
    if len(found) > most:
        raise data.fault(f"holds more than the {count} tiles that the layer can have")
    if not unpacker.eof:
        raise data.fault(f"is not valid {compression}: it ends too early")
    return found
