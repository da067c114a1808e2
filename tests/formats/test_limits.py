"""Each limit of files: what lies at it is read, what lies one beyond is refused and told why."""

import pytest
import yaml

from simulator.errors import LimitReached
from simulator.formats import limits
from simulator.formats.boards import parse_board
from simulator.geometry.pieces import MAX_VERTICES

SQUARES = "format: 1\nboard: squares\n"
GROUND = 'legend: {".": {}}\n'
DRAWN = f"{SQUARES}{GROUND}rows: ..\n"


def big(rows, columns):
    return f"{SQUARES}{GROUND}rows: |\n" + f"  {'.' * columns}\n" * rows


def listed(key, entry, count, above=DRAWN):
    return f"{above}{key}:\n" + f"  - {entry}\n" * count


def file_bytes(count):
    return DRAWN + "#" * (count - len(DRAWN))


def nodes(count):
    """An area that lists one square very often: three nodes each time, and pairs of two to make up the rest."""
    bare = f"{DRAWN}areas: [{{name: a, squares: []}}]\n"
    used = sum(isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) for event in yaml.parse(bare))
    pairs = -(count - used) % 3
    said = "name: x\n" * (pairs > 0) + f"areas: [{{{'side: x, ' * (pairs > 1)}name: a, squares: ["
    return f"{DRAWN}{said}{'[0,0],' * ((count - used - 2 * pairs) // 3)}]}}]\n"


def text(count):
    return f"{DRAWN}name: {'x' * count}\n"


def coordinate(count):
    return f"{DRAWN}labels: [{{point: [0, {-count}], text: x}}]\n"


def cells(count):
    """2000 x 2000 at the limit; a shorter board of another shape cannot be one more, so one long row is."""
    return big(2000, count // 2000) if count % 2000 == 0 else big(1, count)


def legend(count):
    glyphs = "".join(chr(0x4E00 + number) for number in range(count))
    return SQUARES + "legend:\n" + "".join(f"  {glyph}: {{}}\n" for glyph in glyphs) + f"rows: {glyphs}\n"


def terrains(count):
    glyphs = "".join(chr(0x4E00 + number) for number in range(count))
    looks = "".join(f"  {glyph}: {{terrain: t{number}}}\n" for number, glyph in enumerate(glyphs))
    return f"{SQUARES}legend:\n{looks}rows: {glyphs}\n"


def redrawn(count):
    """Overrides of the whole board again and again, then of single squares."""
    columns = 1_000
    whole, rest = divmod(count, columns * columns)
    over = "  - {from: [0, 0], to: [999, 999], level: 1}\n" * whole + "  - {at: [0, 0], level: 2}\n" * rest
    return big(columns, columns) + "overrides:\n" + over


def area_places(count):
    whole, rest = divmod(count, 1_000_000)
    boxes = "[[0, 0], [999, 999]], " * whole + "[[0, 0], [0, 0]], " * rest
    return f"{big(1000, 1000)}areas: [{{name: a, rectangles: [{boxes}]}}]\n"


def edges(count):
    return listed("edges", "wall: [[0, 0], [1, 0]]", count)


def edges_of_dots(count):
    """A row of houses of which each has an edge to either side and four to the row below."""
    row = "B." * 6_250
    dots = f"format: 1\nboard: dots\nlegend: {{'.': {{}}, 'B': {{}}}}\nrows: |\n  {row}\n  {'.' * 12_500}\n"
    around = 2 * 6_250 - 1 + 2 * 6_250 - 1  # to the sides, and below: the first has none to its lower left
    return f"{dots}edges:\n  - {{kind: wall, around: B}}\n" + "  - {kind: door, between: [[0, 0], [1, 0]]}\n" * (
        count - around
    )


def overrides(count):
    return listed("overrides", "{at: [0, 0], level: 1}", count)


def areas(count):
    return f"{DRAWN}areas:\n" + "".join(f"  - {{name: a{number}, squares: [[0, 0]]}}\n" for number in range(count))


def labels(count):
    return listed("labels", "{at: [0, 0], text: x}", count)


def table(pieces):
    return "format: 1\nboard: table\nsize: [40, 30]\npieces:\n" + pieces


def pieces(count):
    return table("".join(f"  - {{id: p{number}, kind: tree, point: [1, 1]}}\n" for number in range(count)))


def vertices(count):
    lines, rest = divmod(count, MAX_VERTICES)
    zigzag = "[1,1],[2,2]," * (MAX_VERTICES // 2)
    whole = "".join(f"  - {{id: p{number}, kind: wall, line: [{zigzag}]}}\n" for number in range(lines))
    # A line of one point is no line, but that is found later than that it is one too many.
    return table(whole + "  - {id: last, kind: wall, line: [[1, 1]]}\n" * rest)


CASES = {
    function.__name__: function
    for function in (
        file_bytes,
        nodes,
        text,
        coordinate,
        cells,
        legend,
        terrains,
        edges,
        overrides,
        redrawn,
        areas,
        area_places,
        labels,
        pieces,
        vertices,
    )
}


def refuses(board_text, limit):
    with pytest.raises(LimitReached) as caught:
        parse_board(board_text)
    assert caught.value.exit_code == 4
    (fault,) = caught.value.faults
    assert fault.message.endswith(f"beyond the limit: at most {limit.most} ({limit.what})")


@pytest.mark.sampled(dear=["area_places", "edges", "nodes", "overrides", "vertices"])
@pytest.mark.parametrize("name", CASES)
def test_at_the_limit_a_file_is_read(name):
    parse_board(CASES[name](limits.LIMITS[name].most))


@pytest.mark.sampled(dear=["edges", "nodes", "overrides", "vertices"])
@pytest.mark.parametrize("name", CASES)
def test_one_beyond_the_limit_it_is_refused(name):
    refuses(CASES[name](limits.LIMITS[name].most + 1), limits.LIMITS[name])


# Long: a board of as many edges as may be; one beyond is refused above.
@pytest.mark.long
def test_edges_of_dots_are_counted_once_they_are_drawn():
    parse_board(edges_of_dots(limits.EDGES.most))
    refuses(edges_of_dots(limits.EDGES.most + 1), limits.EDGES)


def test_an_outline_beyond_the_limit_is_not_even_begun():
    rows = "  B.B.B.B.B.B.B.B.B.B.\n" * 2_000
    dots = (
        f"format: 1\nboard: dots\nlegend: {{'.': {{}}, B: {{}}}}\nrows: |\n{rows}edges: [{{kind: wall, around: B}}]\n"
    )
    refuses(dots, limits.EDGES)


def test_no_limit_is_left_out():
    """Nesting is tested with both parsers, where YAML is; the limits of scenarios where they are read."""
    assert {*CASES, "nesting", "units", "orders", "settings"} == set(limits.LIMITS)
