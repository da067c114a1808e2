"""One self-contained page: text, pictures, style and script in one file without network requests.

The same story produces the same bytes. Everything from a file is escaped: as HTML in `captions`, and here as JSON
without `<`, so that nothing in it can end the element that contains it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from simulator.engine.clauses import Register
from simulator.engine.story import Story
from simulator.engine.values import show
from simulator.geometry.board import Board, Lattice
from simulator.version import __version__
from simulator.views.palette import band_colour, side_colour
from simulator.views.replay import backdrop, captions
from simulator.views.replay.captions import plain
from simulator.views.replay.figures import Figures, figures_of
from simulator.views.replay.marks import MARKS
from simulator.views.replay.outlines import DIGITS, FINENESS, Cells
from simulator.views.replay.reaches import MOST_BANDS, Reaches, Shown, Watch, reaches_of, unwatched
from simulator.views.replay.timeline import timeline_of

_HERE = Path(__file__).resolve().parent
_PLACE = re.compile(r"\{\{(\w+)\}\}")


def replay_page(
    story: Story,
    *,
    register: Register | None = None,
    reach: Shown = "cost",
    watch: Watch = unwatched,
    tell: Callable[[str], None] | None = None,
) -> str:
    """Return the text of the page.

    `register` contains the rulebook's clauses, whose texts the page shows where they are cited. The ruleset computes
    every unit's reach for every order, by cost or, which may take long, by chance too; `watch` may show the progress.
    If these are too many queries, the page reports what it leaves out, and `tell` is called with that text.
    """
    timeline = timeline_of(story)
    board: Board[Any] = story.setting.board
    stage = backdrop.stage_of(board)
    figures = figures_of(timeline, stage.sheet)
    cells = Cells(board, stage.sheet) if isinstance(board, Lattice) else None
    reaches = reaches_of(timeline, reach, stage.sheet, cells, watch)
    if reaches.note and tell is not None:
        tell(reaches.note)
    cited = captions.cited_in(timeline)
    known = [] if register is None else [register[id] for id in cited if id in register]
    style, shared, own = (_slim((_HERE / name).read_text("utf-8")) for name in ("page.css", "tabletop.js", "page.js"))
    script = shared + own
    style = _side_colours(figures) + style
    ruleset = story.setting.ruleset
    subtitle = (ruleset.title or ruleset.name, board.name, stage.size_in_words)
    parts = {
        "policy": _policy(style, script),
        "title": plain(story.title),
        "subtitle": plain(" · ".join(filter(None, subtitle))),
        "description": f'<p class="description">{plain(story.description)}</p>' if story.description else "",
        "settings": _settings(story) + (f'<p class="settings">{plain(reaches.note)}</p>' if reaches.note else ""),
        "style": style,
        "board": backdrop.board_picture(stage, figures.sides),
        "units": backdrop.chips(figures),
        "legend": backdrop.legend(stage, figures.sides),
        "ruler": backdrop.ruler(timeline),
        "account": captions.account(timeline),
        "clauses": captions.clause_texts(known),
        "last": str(len(timeline.moments) - 1),
        "version": escape(__version__),
        "data": _json(_data(stage, figures, cells, reaches)),
        "script": script,
    }
    template = (_HERE / "page.html").read_text(encoding="utf-8")
    # In one go: what is put in is not looked through for further places.
    return _PLACE.sub(lambda found: parts[found.group(1)], template)


def _data(stage: backdrop.Backdrop, figures: Figures, cells: Cells | None, reaches: Reaches) -> dict[str, Any]:
    """Return what the script shows, in numbers and names."""
    data = {
        "size": stage.size,
        "fineness": FINENESS,
        "unit": round(stage.sheet.pixels, 3),
        "marks": MARKS,
        "bands": [[band_colour(at / max(1, count - 1)) for at in range(count)] for count in range(1, MOST_BANDS + 1)],
        **figures.data(),
    }
    if cells is not None:
        names = ("columns", "origin", "along", "down", "cell")
        data["cells"] = {name: getattr(cells, name) for name in names}
    if reaches.at:
        index = {unit.id: at for at, unit in enumerate(figures.units)}
        data["reach"] = {
            "words": reaches.labels.texts,
            **({"digits": DIGITS, "rings": reaches.rings.texts} if reaches.rings.texts else {}),
            "outlines": reaches.outlines.texts,
            "answers": reaches.answers,
            "at": [{str(index[unit]): numbers for unit, numbers in here.items()} for here in reaches.at],
        }
    return data


def _slim(text: str) -> str:
    """Return the style or the script without comments on lines of their own and without indentation."""
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def _json(data: dict[str, Any]) -> str:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c")


def replay_frame(page: str, height: int = 720) -> str:
    """Return a page as an element to be put into another page, such as a notebook's."""
    return (
        f'<iframe srcdoc="{escape(page)}" title="replay" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )


def _policy(style: str, script: str) -> str:
    """Allow this style and this script, and nothing else from anywhere."""
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    allowed = [f"{kind} 'sha256-{digest}'" for kind, digest in zip(("style-src", "script-src"), digests, strict=True)]
    return "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])


def _side_colours(figures: Figures) -> str:
    rules = []
    for at in range(len(figures.sides) + 1):
        side = figures.sides[at] if at < len(figures.sides) else ""
        colour = side_colour(side, figures.sides) if side else "#6b655c"
        rules.append(f".side-{at}{{--side:{colour}}}")
    return "".join(rules) + "\n"


def _settings(story: Story) -> str:
    """Return the options and figures that differ from the defaults."""
    setting = story.setting
    other = [*setting.options.changed.items(), *setting.tables.overrides.items()]
    changed = [f"{name} = {show(value)}" for name, value in other]
    return f'<p class="settings">{plain(", ".join(changed))}</p>' if changed else ""
