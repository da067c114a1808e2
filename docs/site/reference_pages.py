"""Reference pages made from the package: every public name, the names for rulebooks, the JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import simulator
import simulator.rulebook
from simulator.formats.schema import ANSWER_FOLDER, FOLDER

#: The headings of the public names, in order; who is not named is a class or function of its own.
_ERRORS = "Errors"
_GROUPS = ("Boards", "Games and scenarios", "Questions and answers", "Pictures", _ERRORS)
_GROUP_OF = {
    **dict.fromkeys(
        ("DotMap", "InchTable", "SquareGrid", "load_board", "mask_of", "parse_board", "save_board", "zone"), "Boards"
    ),
    **dict.fromkeys(("draw", "picture"), "Pictures"),
    **dict.fromkeys(("Pose", "Reach", "Route", "WhyNot", "plain_space", "reach"), "Questions and answers"),
    **dict.fromkeys(
        ("BoardError", "FileError", "IllegalOrder", "LimitReached", "NoPlace", "NoPose", "NoRoute", "SimulatorError"),
        _ERRORS,
    ),
}


def public_names() -> str:
    """Return the page of the public names."""
    lines = ["# Public names", "", "`from simulator import ...`: each is shown at work in [Python](../python.md).", ""]
    for group in _GROUPS:
        lines += [f"## {group}", ""]
        for name in simulator.__all__:
            if _GROUP_OF.get(name, "Games and scenarios") == group:
                lines += _entry(f"simulator.{name}")
    return "\n".join(lines)


def rulebook_names() -> str:
    """Return the page of the names that rulebooks are written with."""
    lines = ["# Names for rulebooks", ""]
    lines += ["`from simulator.rulebook import ...`: [Adding a rulebook](../adding_a_ruleset.md) uses them.", ""]
    for name in simulator.rulebook.__all__:
        lines += _entry(f"simulator.rulebook.{name}")
    return "\n".join(lines).replace("heading_level: 3", "heading_level: 2")


def _entry(path: str) -> Iterator[str]:
    yield from (f"::: {path}", "    options:", "      heading_level: 3", "")


def schema_files() -> dict[str, Path]:
    """Return the JSON Schemas by their path below the folder `schemas` of the site."""
    return {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.rglob("*.json"))}


def schema_page() -> str:
    """Return the page that lists the JSON Schemas."""
    lines = [
        "# JSON Schemas",
        "",
        "`simulator schema NAME` prints one; [JSON answers](../json.md) says what stays as it is.",
    ]
    for title, answers in (("Files that you write", False), ("Answers", True)):
        lines += ["", f"## {title}", "", "| schema | of | |", "|---|---|---|"]
        for uri, path in schema_files().items():
            if uri.startswith(ANSWER_FOLDER) is answers:
                schema = json.loads(path.read_text(encoding="utf-8"))
                name = path.name.partition(".")[0]
                about = schema.get("$comment", "").replace("|", "&#124;")
                described = " ".join(schema.get("description", "").split()).replace("|", "&#124;")
                lines.append(f"| [{name}](../schemas/{uri}) | {about or schema.get('title', '')} | {described} |")
    return "\n".join([*lines, ""])
