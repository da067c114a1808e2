"""Pictures for dark pages: what was light is dark and the other way round, and every hue stays.

>>> in_the_dark('<rect fill="#fbfaf6"/><text fill="#2f2c28">Gate</text>')
'<rect fill="#1a1810"/><text fill="#c4c1be">Gate</text>'
"""

from __future__ import annotations

import colorsys
import re

from simulator.views.palette import WALL

_COLOUR = re.compile(r'((?:fill|stroke)=")#([0-9a-f]{6})([0-9a-f]{2})?"')
#: Paper is not quite black, and ink not quite white; large light areas would glow in their full colour.
_DARKEST, _LIGHTEST = 0.06, 0.9
_PALER = 0.6
#: Closed ground is dark on any page.
_CLOSED = {WALL.removeprefix("#"): "#0b0a09"}


def in_the_dark(picture: str) -> str:
    """Return a picture, the text of an SVG file, in dark colours."""

    def turned(found: re.Match[str]) -> str:
        attribute, colour, opacity = found.groups(default="")
        closed = _CLOSED.get(colour) if attribute.startswith("fill") else None
        return f'{attribute}{closed or _turned(colour)}{opacity}"'

    return _COLOUR.sub(turned, picture)


def _turned(colour: str) -> str:
    hue, lightness, saturation = colorsys.rgb_to_hls(*(int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)))
    lightness, saturation = _DARKEST + (1 - lightness) * (_LIGHTEST - _DARKEST), saturation * _PALER
    return "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, lightness, saturation))
