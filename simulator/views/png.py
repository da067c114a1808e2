"""Pictures as PNG, made from the SVG by the optional package resvg-py."""

from __future__ import annotations

from simulator.errors import SimulatorError


class NoRasteriser(SimulatorError):
    """PNG was requested, but the extra for it is not installed."""

    exit_code = 2


def png_bytes(svg: str, zoom: float = 2.0) -> bytes:
    """Return the PNG file of an SVG picture, `zoom` pixels for each of its own."""
    try:
        import resvg_py
    except ImportError:
        raise NoRasteriser("PNG needs one more package: pip install 'simulator[png]'; SVG needs none") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom))
