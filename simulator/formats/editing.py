"""Small changes to the text of a file that leave everything else in it, comments included, as it was written.

>>> board = "# a yard\\nboard: squares\\nunits:\\n  rex: {type: scout, at: [1, 2]}  # the leader\\n"
>>> print(with_value(board, ("units", "rex", "at"), [3, 4]), end="")
# a yard
board: squares
units:
  rex: {type: scout, at: [3, 4]}  # the leader
>>> print(with_value(board, ("units", "ada"), {"type": "scout"}), end="")
# a yard
board: squares
units:
  rex: {type: scout, at: [1, 2]}  # the leader
  ada: {type: scout}

Each change is proven: the new text is read, and what it says is what the old one said but for the change. A text that
is written in a way that cannot be changed like this is left to people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import yaml

from simulator.errors import FileError, SimulatorError
from simulator.formats import strict_yaml
from simulator.formats.faults import Faults, Path, path_text
from simulator.formats.strict_yaml import PARSER
from simulator.formats.yaml_text import flow
from simulator.formats.yaml_text import text as word

_GLYPH = re.compile(r"\S")


class CannotEdit(SimulatorError):
    """A text that has to be changed by hand."""


def with_value(text: str, path: Path, value: Any) -> str:
    """Return a text with another value at a path; keys that are missing are added, and a list is made longer by one."""
    return _proven(text, _Edit(text).put(path, value), lambda data: _put(data, path, value), path)


def without(text: str, path: Path) -> str:
    """Return a text without the value at a path."""
    return _proven(text, _Edit(text).remove(path), lambda data: _removed(data, path), path)


def with_glyphs(text: str, path: Path, cells: Iterable[tuple[int, int]], glyph: str) -> str:
    """Return a text with another glyph at some cells, each a row and a column, of the drawing at a path."""
    if not _GLYPH.fullmatch(glyph):
        raise CannotEdit(f"a glyph is one visible character (got {glyph!r})")
    wanted = set(cells)
    edit = _Edit(text)
    node = edit.node(path)
    if not isinstance(node, yaml.ScalarNode) or node.style != "|":
        raise CannotEdit(f"{path_text(path)} is no drawing below a `|`")
    lines = text.splitlines(keepends=True)
    drawn = [number for number in _lines_of(node) if number < len(lines) and lines[number].strip()]
    changed = list(lines)
    for row, column in wanted:
        spots = [found.start() for found in _GLYPH.finditer(lines[drawn[row]])] if 0 <= row < len(drawn) else []
        if not 0 <= column < len(spots):
            raise CannotEdit(f"{path_text(path)} has no glyph in row {row}, column {column}")
        line = changed[drawn[row]]
        changed[drawn[row]] = line[: spots[column]] + glyph + line[spots[column] + 1 :]
    return _proven(text, "".join(changed), lambda data: _repainted(data, path, wanted, glyph), path)


def with_part_inside(text: str, key: str, part: str, leave_out: Iterable[str] = ()) -> str:
    """Return a text that names a file under a key, with the text of that file there instead, comments included."""
    for name in leave_out:
        if name in plain(part):
            part = without(part, (name,))
    edit = _Edit(text)
    node = edit.node((key,))
    start, end = edit.extent(node)
    inner = "".join(f"  {line}".rstrip() + "\n" for line in part.splitlines())
    rest = text[end:]
    after = rest.partition("\n")[2] if not rest.partition("\n")[0].strip() else rest
    expected = plain(part)
    made = f"{text[:start].rstrip(' ')}\n{inner}{after}"
    return _proven(text, made, lambda data: {**data, key: expected}, (key,))


def plain(text: str) -> Any:
    """Return what a text says, as plain data; raise FileError if it cannot be read."""
    faults = Faults("<text>")
    root = strict_yaml.load(text, faults)
    if faults or root is None:
        faults.raise_if_any()
        raise FileError([])
    return _bare(root)


def _bare(node: strict_yaml.Node) -> Any:
    if isinstance(node.value, dict):
        return {key: _bare(part) for key, part in node.value.items()}
    if isinstance(node.value, list):
        return [_bare(part) for part in node.value]
    return node.value


def _proven(old: str, new: str, change: Callable[[Any], Any], path: Path) -> str:
    """Return the new text if it says what the old one says but for the change."""
    wanted = change(plain(old))
    try:
        if plain(new) == wanted:
            return new
    except FileError:
        pass  # reported below, like any text that does not say what it should
    raise CannotEdit(f"{path_text(path)} is written in a way that has to be changed by hand")


# --- the same changes of plain data ---


def _put(data: Any, path: Path, value: Any) -> Any:
    if not path:
        return _as_read(value)
    first, rest = path[0], path[1:]
    if isinstance(first, str):
        inner = {} if data is None else data
        return {**inner, first: _put(inner.get(first), rest, value)}
    inner = [] if data is None else list(data)
    inner[first : first + 1] = [_put(inner[first] if first < len(inner) else None, rest, value)]
    return inner


def _as_read(value: Any) -> Any:
    return plain(f"x: {flow(value)}\n")["x"]


def _removed(data: Any, path: Path) -> Any:
    first, rest = path[0], path[1:]
    inner: Any = dict(data) if isinstance(first, str) else list(data)
    if rest:
        inner[first] = _removed(inner[first], rest)
    else:
        del inner[first]
    return inner


def _repainted(data: Any, path: Path, cells: Iterable[tuple[int, int]], glyph: str) -> Any:
    if path:
        first: Any = path[0]
        inner: Any = dict(data) if isinstance(first, str) else list(data)
        inner[first] = _repainted(inner[first], path[1:], cells, glyph)
        return inner
    lines = data.split("\n")
    drawn = [number for number, line in enumerate(lines) if line.strip()]
    for row, column in cells:
        line = list(lines[drawn[row]])
        line[[at for at, letter in enumerate(line) if not letter.isspace()][column]] = glyph
        lines[drawn[row]] = "".join(line)
    return "\n".join(lines)


# --- where things are in a text ---


def _lines_of(node: Any) -> range:
    """Return the numbers of the lines below the header of a block of text."""
    last = node.end_mark.line + (1 if node.end_mark.column else 0)
    return range(node.start_mark.line + 1, last)


class _Edit:
    """A text that can be read, and where the values in it begin and end."""

    def __init__(self, text: str) -> None:
        plain(text)  # limits of size and depth hold here too
        self.text = text
        self.starts: list[int] = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.root: Any = yaml.compose(text, Loader=PARSER)

    def offset(self, mark: Any) -> int:
        begin: int = self.starts[min(mark.line, len(self.starts) - 1)]
        return min(begin + int(mark.column), len(self.text))

    def found(self, path: Path) -> tuple[Any, Path]:
        """Return the deepest node on a path, and the rest of the path that does not exist."""
        node = self.root
        for depth, key in enumerate(path):
            inner = _child(node, key)
            if inner is None:
                return node, path[depth:]
            node = inner
        return node, ()

    def node(self, path: Path) -> Any:
        node, rest = self.found(path)
        if rest:
            raise CannotEdit(f"there is no {path_text(path)}")
        return node

    def extent(self, node: Any) -> tuple[int, int]:
        """Return where a value begins and ends; a value in lines of its own ends with its last part."""
        last = node
        while isinstance(last, yaml.CollectionNode) and not last.flow_style:
            tail = last.value[-1]
            last = tail[1] if isinstance(last, yaml.MappingNode) else tail
        start, end = self.offset(node.start_mark), self.offset(last.end_mark)
        return start, start + len(self.text[start:end].rstrip()) if last is not node or _is_block(node) else end

    def put(self, path: Path, value: Any) -> str:
        node, rest = self.found(path)
        if not rest:
            start, end = self.extent(node)
            gap = " " if start and self.text[start - 1] == ":" else ""
            return f"{self.text[:start]}{gap}{flow(value)}{self.text[end:]}"
        self.check_room(node, path, rest)
        for key in reversed(rest[1:]):
            value = {key: value} if isinstance(key, str) else [value]
        key = rest[0]
        if isinstance(node, yaml.ScalarNode):  # nothing stands there yet
            return self.put(path[: -len(rest)], {key: value} if isinstance(key, str) else [value])
        entry = f"{word(key)}: {flow(value)}" if isinstance(key, str) else flow(value)
        if node.flow_style:
            at = self.offset(node.end_mark) - 1
            inside = self.text[:at].rstrip()
            comma = "" if not node.value or inside.endswith(",") else ", "
            return f"{inside}{comma}{entry}{self.text[at:]}"
        _, end = self.extent(node)
        line_end = self.text.find("\n", end)
        at = len(self.text) if line_end < 0 else line_end
        margin = " " * node.start_mark.column
        dash = "" if isinstance(key, str) else "- "
        return f"{self.text[:at]}\n{margin}{dash}{entry}{self.text[at:]}"

    def check_room(self, node: Any, path: Path, rest: Path) -> None:
        """Raise CannotEdit if the rest of a path cannot be added to a value."""
        if isinstance(node, yaml.MappingNode):
            fits = isinstance(rest[0], str)
        elif isinstance(node, yaml.SequenceNode):
            fits = rest[0] == len(node.value)
        else:
            fits = node.tag.endswith(":null")  # nothing stands there yet
        if not fits or any(key != 0 for key in rest[1:] if isinstance(key, int)):
            raise CannotEdit(f"there is no room for {path_text(path)}")

    def remove(self, path: Path) -> str:
        node, parent = self.node(path), self.node(path[:-1])
        if len(parent.value) == 1:
            return self.put(path[:-1], {} if isinstance(parent, yaml.MappingNode) else [])
        number = _number_in(parent, node)
        start, end = self._whole(parent, number)
        if not parent.flow_style:
            start = self.text.rfind("\n", 0, start) + 1
            line_end = self.text.find("\n", end)
            return self.text[:start] + (self.text[line_end + 1 :] if line_end >= 0 else "")
        if number:
            return self.text[: self._whole(parent, number - 1)[1]] + self.text[end:]
        return self.text[:start] + self.text[self._whole(parent, 1)[0] :]

    def _whole(self, parent: Any, number: int) -> tuple[int, int]:
        """Return where an entry begins, with its key if it has one, and ends."""
        entry = parent.value[number]
        if isinstance(parent, yaml.MappingNode):
            return self.offset(entry[0].start_mark), max(self.extent(entry[1])[1], self.offset(entry[0].end_mark) + 1)
        return self.extent(entry)


def _is_block(node: Any) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")


def _child(node: Any, key: str | int) -> Any:
    if isinstance(key, str) and isinstance(node, yaml.MappingNode):
        return next((value for name, value in node.value if name.value == key), None)
    if isinstance(key, int) and isinstance(node, yaml.SequenceNode) and 0 <= key < len(node.value):
        return node.value[key]
    return None


def _number_in(parent: Any, node: Any) -> int:
    entries = [entry[1] for entry in parent.value] if isinstance(parent, yaml.MappingNode) else parent.value
    return next(number for number, entry in enumerate(entries) if entry is node)
