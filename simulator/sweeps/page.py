"""The page of a report: one file that needs nothing else, in light and in dark, without scripts; and its tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from simulator.reading import read_whole
from simulator.views.dark import in_the_dark
from simulator.wording import visible

_STYLE, _MOST_BYTES = Path(__file__).with_name("report.css"), 1_000_000


def page_of(title: str, lines: Iterable[str]) -> str:
    """Return a page with some lines of markup as the text of an HTML file."""
    style = read_whole(_STYLE, _MOST_BYTES).decode()
    body = "\n".join(lines)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{text_of(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>\n{style}</style></head>\n'
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def text_of(value: object) -> str:
    """Return a value as the text of an element."""
    return escape(visible(str(value)))


def figure_text(value: float) -> str:
    """Return a number with two decimals at most.

    >>> figure_text(2.5), figure_text(-0.001), figure_text(-3)
    ('2.5', '0', '−3')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text.replace("-", "−")


def picture_lines(picture: str) -> str:
    """Return a picture, the text of an SVG file, as the page shows it: in light or in dark."""
    return f'<div class="map"><div class="light">{picture}</div><div class="dark">{in_the_dark(picture)}</div></div>'


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: int,
    raw: Sequence[int] = (),
    long: Sequence[int] = (),
    clear: Sequence[bool] = (),
) -> Iterator[str]:
    """Yield a table; the first `left` columns are text, those in `raw` are markup, rows in `clear` stand out."""
    yield '<div class="scroll"><table><thead><tr>'
    yield "".join(f"<th{_class(number, left, ())}>{text_of(head)}</th>" for number, head in enumerate(heads))
    yield "</tr></thead><tbody>"
    for index, row in enumerate(rows):
        cells = [
            f"<td{_class(number, left, long)}>{cell if number in raw else text_of(cell)}</td>"
            for number, cell in enumerate(row)
        ]
        yield f"<tr{' class=clear' if clear and clear[index] else ''}>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _class(number: int, left: int, long: Sequence[int]) -> str:
    names = ["left"] * (number < left) + ["long"] * (number in long)
    return f' class="{" ".join(names)}"' if names else ""
