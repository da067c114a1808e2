"""Random boards of each kind for the laws of reading and writing: small, and odd in every way a board may be."""

import numpy as np
from hypothesis import strategies as st

from simulator.geometry import hex_lattice
from simulator.geometry.board import Area, Label
from simulator.geometry.dots import DotMap, Edge
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.geometry.squares import SquareGrid

#: Names as people give them, and names that would break a careless writer.
texts = st.one_of(
    st.sampled_from(
        ["", "no", "Loading dock", "12:30", "0101", " - a: b # c", "~", '"', "\\", "'", "\x00\x85\u2028", "é\n"]
    ),
    st.text(max_size=12),
)
sizes = st.one_of(st.sampled_from([1, 2.0, 0.1, 1e-7, 999_999.5]), st.floats(1e-300, 1e5))
numbers = st.one_of(st.integers(-40, 40).map(lambda n: n / 2), st.floats(-1e5, 1e5))
labels = st.lists(st.builds(Label, numbers, numbers, texts), max_size=3).map(tuple)


def areas_of(places):
    """Areas of some of these places, also empty ones and ones that name a place twice."""
    area = st.builds(
        Area,
        texts.filter(bool),
        st.lists(st.sampled_from(places), max_size=8).map(tuple),
        texts,
    )
    return st.lists(area, max_size=3).map(tuple)


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
    steepest = draw(st.sampled_from([0, 2, 1000, 32_767]))
    first = draw(st.integers(-9, 9)), draw(st.integers(-9, 9))
    dots = [(int(q) + first[0], int(r) + first[1]) for r, q in np.argwhere(present)]
    return DotMap(
        name=draw(texts),
        first=first,
        present=present,
        terrain_kinds=kinds,
        terrain=rng.integers(0, len(kinds), shape),
        level=rng.integers(-steepest, steepest + 1, shape),
        storeys=rng.integers(0, draw(st.sampled_from([1, 3, 32_768])), shape),
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
