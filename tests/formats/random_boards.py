"""Random boards of each kind for the laws of reading and writing: small, and odd in every way a board may be."""

import numpy as np
from hypothesis import strategies as st

from simulator.geometry import hex_lattice
from simulator.geometry.board import Area, Label
from simulator.geometry.dots import DotMap, Edge
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.geometry.pieces import LAYERS, CircleShape, LineShape, Piece, PointShape, PolygonShape, rectangle
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import EntryArea, InchTable

#: Names as people give them, and names that would break a careless writer.
texts = st.one_of(
    st.sampled_from(
        ["", "no", "Loading dock", "12:30", "0101", " - a: b # c", "~", '"', "\\", "'", "\x00\x85\u2028", "é\n"]
    ),
    st.text(max_size=12),
)
sizes = st.one_of(st.sampled_from([1, 2.0, 0.1, 1e-7, 999_999.5]), st.floats(1e-300, 1e5))
numbers = st.one_of(st.integers(-40, 40).map(lambda n: n / 2), st.floats(-1e6, 1e6))
labels = st.lists(st.builds(Label, numbers, numbers, texts), max_size=3).map(tuple)


def areas_of(places):
    """Areas of some of these places, also empty ones and ones that name a place twice."""
    area = st.builds(
        Area,
        texts.filter(bool),
        st.lists(st.sampled_from(places), max_size=8).map(tuple),
        texts,
    )
    return st.lists(area, max_size=3, unique_by=lambda one: one.name).map(tuple)


@st.composite
def grids(draw):
    """Square grids."""
    shape = draw(st.integers(1, 9)), draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    east, south = rng.random(shape) < 0.3, rng.random(shape) < 0.3
    east[:, -1] = south[-1] = False
    kinds = tuple(draw(st.lists(texts, min_size=1, max_size=4, unique=True)))
    steepest = draw(st.sampled_from([0, 2, 1000, 32_767]))
    return SquareGrid(
        name=draw(texts),
        terrain_kinds=kinds,
        terrain=rng.integers(0, len(kinds), shape),
        walls=rng.random(shape) < 0.2,
        walls_east=east,
        walls_south=south,
        impeded=rng.random(shape) < 0.1,
        level=rng.integers(-steepest, steepest + 1, shape),
        square_size=draw(sizes),
        unit=draw(texts),
        areas=draw(areas_of([(column, row) for row in range(shape[0]) for column in range(shape[1])])),
        labels=draw(labels),
        description=draw(texts),
    )


@st.composite
def maps(draw):
    """Hex-dot maps of any outline, wherever they begin."""
    shape = draw(st.integers(1, 7)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    present = rng.random(shape) < draw(st.sampled_from([0.3, 0.8, 1]))
    present[draw(st.integers(0, shape[0] - 1)), draw(st.integers(0, shape[1] - 1))] = True
    kinds = tuple(draw(st.lists(texts, min_size=1, max_size=4, unique=True)))
    steepest = draw(st.sampled_from([0, 2, 1000, 30_000]))
    first = draw(st.integers(-9, 9)), draw(st.integers(-9, 9))
    dots = [(int(q) + first[0], int(r) + first[1]) for r, q in np.argwhere(present)]
    return DotMap(
        name=draw(texts),
        first=first,
        present=present,
        terrain_kinds=kinds,
        terrain=rng.integers(0, len(kinds), shape),
        level=rng.integers(-steepest, steepest + 1, shape),
        storeys=rng.integers(0, draw(st.sampled_from([1, 3, 300])), shape),
        impassable=rng.random(shape) < 0.2,
        openings=rng.random(shape) < 0.1,
        edges=_edges(dots, rng),
        dot_spacing=draw(sizes),
        unit=draw(texts),
        layout=draw(st.sampled_from(OffsetLayout)),
        areas=draw(areas_of(dots)),
        labels=draw(labels),
        description=draw(texts),
    )


def _edges(dots, rng):
    """Barriers on some storeys or all, and ways up, told from either dot."""
    there = set(dots)
    edges = []
    for dot in dots:
        for direction in range(3):
            other = hex_lattice.step(dot, direction)
            if other not in there or rng.random() < 0.7:
                continue
            ends = (dot, other) if rng.random() < 0.5 else (other, dot)
            barriers = rng.choice(["wall", "window", "door"], 2).tolist()
            if rng.random() < 0.5:
                edges.append(Edge(barriers[0], *ends))
            else:
                edges += [Edge(barriers[0], *ends, (-1, 0)), Edge(barriers[1], *ends, (1, 3))]
            if rng.random() < 0.4:
                up = rng.choice(["ramp", "stairs", "ladder"], 2).tolist()
                edges += [Edge(up[0], *ends, (0, int(rng.integers(0, 3)))), Edge(up[1], *ends)]
    return tuple(edges)


words = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True) | st.sampled_from(["no", "null", "y"])
lengths = st.sampled_from([0.0, 0.1, 1.5]) | st.floats(0, 1e5)
attributes = st.fixed_dictionaries(
    {},
    optional={
        "cover": words,
        "doors": st.lists(st.tuples(numbers, numbers), max_size=3),
        "floor_height": st.floats(1e-3, 1e5),
        "floors": st.integers(1, 9),
        "joins": st.sampled_from([(0, 1), (-1, 0), (2, 5)]),
        "paved": st.booleans(),
        "run": st.floats(1e-3, 1e5),
        "size_class": st.integers(0, 9),
        "top": words,
        "tree_cost": lengths,
        "uphill": st.floats(-720, 720),
        "vehicle_entry": st.booleans(),
        "vehicle_floors": st.lists(st.integers(-3, 9), max_size=4),
        "vehicle_ok": st.booleans(),
        "wet": st.booleans(),
    },
)


@st.composite
def tables(draw):
    """Inch tables with pieces of every shape in every layer, one on another, attributes and all."""
    width, height = draw(st.sampled_from([(40.0, 30.0), (0.5, 7.25), (100, 100)]))
    origin = draw(st.sampled_from([(0.0, 0.0), (-20.5, 3.125)]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))

    def at(along, up):
        """The point at a fraction of the table's sides."""
        return origin[0] + along * width, origin[1] + up * height

    pieces = []
    for name in draw(st.lists(texts.map(str.strip).filter(bool), max_size=6, unique=True)):
        shape = _shape(draw(st.sampled_from(_SHAPES)), at, (width, height), rng)
        layer = draw(st.sampled_from(LAYERS if shape.polygon.area else LAYERS[:-1]))
        pieces.append(Piece(name, draw(words), shape, layer, draw(lengths), "", draw(attributes)))
    if draw(st.booleans()) and not {piece.id for piece in pieces} & {"hill", "hut"}:
        hill, hut = rectangle(at(0.5, 0.5), (width / 2, height / 2)), rectangle(at(0.5, 0.5), (width / 4, height / 4))
        pieces.append(Piece("hut", "building", hut, "elevated", 1.5, "hill"))
        pieces.append(Piece("hill", "hill", hill, "elevated", 2.0))
    return InchTable(
        name=draw(texts),
        width=width,
        height=height,
        origin=origin,
        ground=draw(texts.filter(bool)),
        pieces=tuple(pieces),
        entry_areas=tuple(
            EntryArea(name, draw(texts), (at(0, 0), at(*rng.uniform(0.5, 1, 2)), at(0, 1)))
            for name in draw(st.lists(texts.filter(bool), max_size=3, unique=True))
        ),
        labels=draw(labels),
        description=draw(texts),
        unit=draw(texts),
    )


_SHAPES = ("polygon", "holed", "line", "strip", "point", "circle", "rectangle")


def _shape(kind, at, size, rng):
    """A shape somewhere in the middle of the table."""
    u, v = rng.uniform(0.2, 0.6, 2)
    short = min(size) / 20
    match kind:
        case "polygon":
            return PolygonShape([at(u, v), at(u + 0.2, v), at(u + 0.1, v + 0.2)])
        case "holed":
            shell = [at(u, v), at(u + 0.3, v), at(u + 0.3, v + 0.3), at(u, v + 0.3)]
            return PolygonShape(shell, [[at(u + 0.1, v + 0.1), at(u + 0.1, v + 0.2), at(u + 0.2, v + 0.1)]])
        case "line":
            return LineShape([at(*rng.random(2)) for _ in range(rng.integers(2, 5))])
        case "strip":
            return LineShape([at(u, v), at(u + 0.2, v), at(u + 0.2, v + 0.2)], width=short)
        case "point":
            return PointShape(*at(u, v))
        case "circle":
            return CircleShape(*at(u, v), short)
        case _:
            return rectangle(at(u, v), (short, 2 * short), turned=360 * rng.random())
