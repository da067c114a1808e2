"""What the picture of a board needs to know of its kind: one small class each, all with the same face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from shapely.geometry.base import BaseGeometry

from simulator.geometry.dots import DotMap
from simulator.geometry.squares import SquareGrid
from simulator.views.legend import LegendEntry
from simulator.views.svg import Sheet, Svg

LatticeT = TypeVar("LatticeT", SquareGrid, DotMap)


@dataclass(frozen=True, slots=True)
class Tick:
    """A number on a rim: its place along the axis in plane coordinates, and what is written there."""

    axis: Literal["x", "y"]
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Zone:
    """A named area of the board."""

    name: str
    side: str
    region: BaseGeometry


class GroundStyle(Protocol):
    """How one kind of board is drawn."""

    #: A unit of the plane is never drawn larger than this.
    most_pixels: float
    #: What one unit of the plane is called, where that is not its measure: 'square', 'dot', or ''.
    step: str

    def draw(self, svg: Svg, sheet: Sheet) -> None:
        """Draw the ground: what a band of reach may be laid over."""

    def draw_walls(self, svg: Svg, sheet: Sheet) -> None:
        """Draw what stands on it and is seen through every band: walls, edges, dots, heights."""

    def legend(self) -> list[LegendEntry]:
        """Name what occurs on it."""

    def size_in_words(self) -> str:
        """Describe how large it is."""

    def ticks(self, pixels: float) -> list[Tick]:
        """Return the numbers along its rims."""

    def zones(self) -> list[Zone]:
        """Return its named areas."""


class CellsGround(Generic[LatticeT]):
    """What the pictures of all boards with cells have in common."""

    def __init__(self, board: LatticeT) -> None:
        self.board: LatticeT = board

    def zones(self) -> list[Zone]:
        """Return the named areas."""
        return [Zone(area.name, area.side, self.board.region(area.places)) for area in self.board.areas]


def every(pixels: float) -> int:
    """Compute how many steps of a number of pixels lie between two numbers on a rim."""
    return next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if step * pixels >= 30), 1000)
