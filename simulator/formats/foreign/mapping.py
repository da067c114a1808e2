"""The meanings of words of foreign maps: those of `mapping.toml`, replaced by the user's file and options."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from simulator.errors import BoardError, Fault, FileError
from simulator.formats import limits
from simulator.formats.faults import got, no_such, shorten
from simulator.reading import read_whole

FORMAT = 1
#: The formats of maps, each with its words.
WORDED = ("megamek", "tiled", "uvtt", "geojson", "movingai", "polyanya")
_LAYERS = ("", "ground", "replacing", "modifier", "cover", "obstacle", "elevated")
_WALLS = ("", "between", "around", "cliff")
_DEFAULT = Path(__file__).with_name("mapping.toml")
_PLACEHOLDER = re.compile(r"\{(?!level\})[^}]*\}?|(?<!\{level)\}")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word of a foreign map stands for; `mapping.toml` describes the keys."""

    word: str = ""
    closed: bool = False
    impeded: bool = False
    sinks: bool = False
    storeys: int = 0
    walls: str = ""
    layer: str = ""
    height: float = 0.0
    width: float = 0.0
    skip: bool = False

    def named(self, level: int) -> str:
        """Return the word for a level of the foreign terrain."""
        return self.word.replace("{level}", str(level))


@dataclass(frozen=True, slots=True)
class Words:
    """The meanings of the words of one format, the most important first; `own` are those that the user has set."""

    meanings: Mapping[str, Meaning]
    own: frozenset[str] = frozenset()
    _ranks: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ranks", {word: rank for rank, word in enumerate(self.meanings)})

    def find(self, *spellings: str) -> Meaning | None:
        """Return the meaning of the first spelling that has one.

        >>> default_words("megamek").find("woods:2", "woods").word
        'heavy_woods'
        """
        return next((self.meanings[word] for word in spellings if word in self.meanings), None)

    def rank(self, *spellings: str) -> int:
        """Return the place in the order of importance; unknown words come last."""
        return next((self._ranks[word] for word in spellings if word in self._ranks), len(self._ranks))

    def __iter__(self) -> Iterator[str]:
        return iter(self.meanings)

    def renamed(self, words: Mapping[str, str]) -> Words:
        """Return the same with other words of the board for some words, which come first if they are new."""
        known = {word: replace(meaning, word=words.get(word, meaning.word)) for word, meaning in self.meanings.items()}
        new = {word: Meaning(board_word) for word, board_word in words.items() if word not in known}
        return Words(new | known, self.own | frozenset(words))


def default_words(form: str) -> Words:
    """Return the words of a format as they come with the package."""
    return Words(_default()[form])


def load_words(
    form: str, mapping: str | os.PathLike[str] | None = None, terrain: Mapping[str, str] | None = None
) -> Words:
    """Return the words of a format, with a user's file and single words over those of the package."""
    own = {} if mapping is None else read_mapping(Path(mapping))[form]
    meanings = own | {word: meaning for word, meaning in _default()[form].items() if word not in own}
    for word, board_word in (terrain or {}).items():
        if not word or not board_word or len(board_word) > limits.TEXT.most:
            raise BoardError(f"a word of the map and a word of the board are wanted, not {word!r} = {board_word!r}")
    return Words(meanings, frozenset(own)).renamed(terrain or {})


@cache
def _default() -> dict[str, dict[str, Meaning]]:
    return read_mapping(_DEFAULT)


def read_mapping(path: Path) -> dict[str, dict[str, Meaning]]:
    """Read a mapping file; raise FileError with all its faults."""
    file = str(path)
    try:
        text = read_whole(path, limits.FILE_BYTES.most).decode("utf-8-sig")
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line, column = _where(str(error))
        raise FileError([Fault(file, line, column, "", f"not valid TOML: {message}")]) from None
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise FileError([Fault(file, 1, 1, "", f"not valid TOML in UTF-8: {error}")]) from None
    faults = [Fault(file, _line_of(text, path), 1, ".".join(path), message) for path, message in _faults(tables)]
    if faults:
        raise FileError(faults)
    return {
        form: {word: _meaning(entry) for word, entry in entries.items()}
        for form, entries in tables.items()
        if form != "format"
    } | {form: {} for form in WORDED if form not in tables}


def _meaning(entry: Any) -> Meaning:
    return Meaning(entry) if isinstance(entry, str) else Meaning(**entry)


def _faults(tables: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield everything wrong with a mapping, each with its path."""
    if tables.get("format") != FORMAT or isinstance(tables["format"], bool):
        yield ("format",), f"this version reads format {FORMAT} {got(tables.get('format'))}"
    for form, entries in tables.items():
        if form == "format":
            continue
        if form not in WORDED:
            yield (form,), no_such(form, WORDED, "format of maps")
        elif not isinstance(entries, dict):
            yield (form,), f"expected a section of words {got(entries)}"
        else:
            for word, entry in entries.items():
                yield from (((form, word, *path), message) for path, message in _faults_of(entry))


def _faults_of(entry: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(entry, str):
        entry = {"word": entry}
    if not isinstance(entry, dict):
        yield (), f"expected a word, or keys and values {got(entry)}"
        return
    kinds = {each.name: type(each.default) for each in fields(Meaning)}
    for key, value in entry.items():
        if key not in kinds:
            yield (key,), no_such(key, kinds, "key")
        elif message := _unfit(key, value, kinds[key]):
            yield (key,), message
    if not entry.get("word") and not entry.get("skip"):
        yield (), "expected a word of the board, or skip = true"


def _unfit(key: str, value: Any, kind: type) -> str:
    """Return what is wrong with a value; empty if nothing is."""
    if kind is bool:
        return "" if isinstance(value, bool) else f"expected true or false {got(value)}"
    if kind is str:
        if not isinstance(value, str) or len(value) > limits.TEXT.most:
            return f"expected a text {got(value)}"
        known = {"layer": _LAYERS, "walls": _WALLS}.get(key)
        if known is not None and value not in known:
            return no_such(value, known[1:])
        odd = _PLACEHOLDER.search(value) if key == "word" else None
        return f"only {{level}} can stand in a word {got(odd[0])}" if odd else ""
    if isinstance(value, bool) or not isinstance(value, int if kind is int else int | float):
        return f"expected a {'whole ' if kind is int else ''}number {got(value)}"
    most = 32_767 if kind is int else limits.COORDINATE.most
    return "" if 0 <= value <= most else f"expected a number from 0 to {most} {got(value)}"


def _where(message: str) -> tuple[str, int, int]:
    """Take line and column out of a message of the TOML parser."""
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    if found is None:
        return shorten(message), 1, 1
    return message[: found.start()], int(found[1] or 1), int(found[2] or 1)


def _line_of(text: str, path: tuple[str, ...]) -> int:
    """Return the line in which a path begins: that of its word within its section, or of the section."""
    section, line_found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("["):
            section = bare.strip("[] ").split(".")[0].strip("\"'")
            if section == path[0]:
                line_found = number
        key = bare.split("=")[0].strip() if not bare.startswith(('"', "'")) else bare[1:].split(bare[0])[0]
        if (section == path[0] and len(path) > 1 and key == path[1]) or (not section and path == (key,)):
            return number
    return line_found


def read_pairs(texts: Iterable[str]) -> dict[str, str]:
    """Read `WORD=WORD` options; raise ValueError for anything else.

    >>> read_pairs(["woods:2=dense wood", "natural=water=lake"])
    {'woods:2': 'dense wood', 'natural=water': 'lake'}
    """
    pairs: dict[str, str] = {}
    for text in texts:
        word, equals, board_word = text.rpartition("=")
        if not (equals and word.strip() and board_word.strip()):
            raise ValueError(f"expected WORD=WORD, a word of the map and a word of the board (got {text!r})")
        if pairs.setdefault(word.strip(), board_word.strip()) != board_word.strip():
            raise ValueError(f"the word for {word.strip()} is set twice")
    return pairs
