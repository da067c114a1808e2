"""Pages are written as a plain git host reads them; here they become what the site's Markdown reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from posixpath import normpath, relpath

_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
_FENCE = re.compile(r"^ *```")
_NAMED_FILE = re.compile(r"^```(\w+) ([\w./-]+\.\w+)$")
_LINK = re.compile(r"(!?\[[^\]]*\]\()((?!https?:|mailto:)[^)#\s]+)(#[^)\s]*)?\)")
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)#]+)\.svg\)")
#: The width to which the site's Markdown indents what belongs to an item.
_INDENT = 4


def for_the_site(text: str) -> str:
    """Return a page with lists indented, and set off from the text before them, as the site's Markdown wants it."""
    return "\n".join(_lines(text.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    fenced, step, parted, before = False, 0, False, ""
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
            named = _NAMED_FILE.match(line)
            line = f'```{named[1]} title="{named[2]}"' if named else line
        elif not fenced:
            if item := _ITEM.match(line):
                # What stands below a blank line of an item would take the next item with it.
                if before.strip() and (not step or parted):
                    yield ""
                parted = False
                step = step or (2 if item[0][0] in "-*" else 3)
            elif line.strip() and not line.startswith(" "):
                step = 0
        if step and line.startswith(" "):
            indent = len(line) - len(line.lstrip(" "))
            line = " " * (indent // step * _INDENT + indent % step) + line.lstrip(" ")
            if line.lstrip().startswith("|") and before.strip() and not before.lstrip().startswith("|"):
                yield ""
        yield line
        parted |= not line.strip()
        before = line


def relinked(text: str, page: str, uri: str, uri_of: Callable[[str], str]) -> str:
    """Return a page of the repository, now at `uri` of the site, with links to where the site has their targets."""

    def moved(found: re.Match[str]) -> str:
        target = normpath(str(PurePosixPath(page).parent / found[2]))
        there = relpath(uri_of(target), str(PurePosixPath(uri).parent))
        return f"{found[1]}{there}{found[3] or ''})"

    return _LINK.sub(moved, text)


def linked_files(text: str, page: str) -> Iterator[str]:
    """Yield the files of the repository that a page links to."""
    for found in _LINK.finditer(text):
        yield normpath(str(PurePosixPath(page).parent / found[2]))


def in_light_and_dark(text: str, dark: Callable[[str], str]) -> str:
    """Return a page that shows each of its drawings in the colours of the page; `dark` names the dark ones."""
    return _PICTURE.sub(
        lambda found: f"![{found[1]}]({found[2]}.svg#only-light)![{found[1]}]({dark(found[2])}.svg#only-dark)",
        text,
    )
