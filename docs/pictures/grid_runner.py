"""The pictures of the rulebook grid_runner: reach past guards, weapon bands, charge lanes, the odds of a tumble."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from simulator.engine.game import Game
from simulator.engine.state import Unit
from simulator.geometry.squares import Square, SquareGrid
from simulator.rulesets.grid_runner import RULESET
from simulator.rulesets.grid_runner.ranges import ANSWERS, BANDS, TOO_CLOSE, bands_around, range_band
from simulator.rulesets.grid_runner.reach.answer import GridReach
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Overlays, RouteLine, UnitMark

COURT = """
. . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . .
. . # # # # . . . . # # # # . . .
. . # . . . . . . . . . . # . . .
. . # . . . . . . . . . . # . . .
. . # . . . . . . . . . . # . . .
. . # # # # # . . # # # # # . . .
. . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . .
"""
STREET = """
. . . . . . . . . . . . .
. . , . . . . . . . . . .
. . . . . . . . . . # . .
. . . . . . . . . . . . .
. . . . . , . . . . . . .
. . . . . . . . . . . . .
"""
HALL = """
# # # # # # # # # #
# . . . . . . . . #
# . . . . . . . . #
# . . . . . . . . #
# # # # # # # # # #
"""


def character(name: str, side: str, place: Square, **fields: object) -> Unit:
    """A character of these pictures."""
    return RULESET.make_unit(name, "character", side, place, **fields)


def marks(game: Game) -> list[UnitMark]:
    """All characters as discs with their names."""
    return [
        UnitMark(*game.board.centre(unit.place), unit.id, unit.side, radius=0.38)
        for unit in game.state
        if unit.place is not None
    ]


def in_words(chance: Fraction) -> str:
    """A chance as players say it."""
    return "nobody can hinder it" if chance == 1 else f"chance {chance}, {float(chance):.0%}"


def chance_shades(reach: GridReach) -> Iterator[Band]:
    """The ground by chance, the surest lightest."""
    bands = reach.chance_bands()
    for number, (chance, region) in enumerate(bands):
        yield Band(region, in_words(chance), number / max(1, len(bands) - 1))


def past_guards() -> str:
    """A gate with a guard, a gate with a dog: certain ground, and the chance of what lies behind."""
    units = [
        character("runner", "red", (8, 4)),
        character("guard", "green", (8, 7), weapon="baton", damage_chance="1/3"),
        character("dog", "green", (6, 1), damage_chance="1/2"),
    ]
    game = Game.new(RULESET, SquareGrid.from_text(COURT, name="Court"), units)
    reach = game.reach("runner", "move")
    route = reach.safest_route_to((4, 8))
    strikes = [
        UnitMark(
            *game.board.centre(trigger.origin), "" if step else f"{trigger.enemy} may strike", "green", radius=0.14
        )
        for step, trigger in enumerate(reach.triggers(route))
    ]
    way = RouteLine(route.points, "", "red")
    title = "A walk out of a court: what is certain, what is a chance"
    return draw(
        game.board, Overlays(list(chance_shades(reach)), routes=[way], units=[*marks(game), *strikes]), title=title
    )


def weapon_bands() -> str:
    """Which band a target falls into, all around a shooter at m2."""
    board = SquareGrid.open(43, 25, name="Firing range", square_size=2.0)
    game = Game.new(RULESET, board, [character("shooter", "red", (21, 12))], options={"scale": "m2"})
    answers = bands_around(game.table, (21, 12), "light_pistol")
    shades = []
    for number, name in enumerate(BANDS):
        found = range_band(game.table, "light_pistol", [0, 4, 10, 19][number])
        region = board.region_of(answers == ANSWERS.index(name))
        shades.append(Band(region, f"{name}, {found.modifier} dice", number / 3))
    assert not (answers == ANSWERS.index(TOO_CLOSE)).any()
    return draw(board, Overlays(shades, units=marks(game)), title="The bands of a light pistol at 2 m (GR-84, GR-93)")


def charge_lanes() -> str:
    """From where a charge strikes, and the ways that make it one."""
    units = [
        character("ork", "red", (1, 3)),
        character("target", "green", (9, 3)),
        character("bystander", "red", (7, 1)),
    ]
    game = Game.new(RULESET, SquareGrid.from_text(STREET, name="Street"), units)
    lanes = game.reach("ork", "charge_attack", target="target")
    ends = Band(lanes.area, "a charge ends here", 0.8)
    ways = [RouteLine(lanes.route_to(place).points, "", "red") for place in lanes]
    return draw(
        game.board,
        Overlays([ends], routes=ways, units=marks(game)),
        title="Where a charge at the target can end, by which ways",
    )


def tumble_odds() -> str:
    """The chances of a tumble past and through three guards."""
    units = [
        character("vix", "red", (1, 2), agility_gymnastics=7),
        character("g1", "green", (3, 1)),
        character("g2", "green", (3, 3)),
        character("g3", "green", (6, 2)),
    ]
    game = Game.new(RULESET, SquareGrid.from_text(HALL, name="Hall"), units)
    reach = game.reach("vix", "tumble")
    return draw(
        game.board,
        Overlays(list(chance_shades(reach)), units=marks(game)),
        title="A tumble with seven dice past three guards",
    )


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    return {
        "grid_runner_reach.svg": past_guards(),
        "grid_runner_bands.svg": weapon_bands(),
        "grid_runner_lanes.svg": charge_lanes(),
        "grid_runner_odds.svg": tumble_odds(),
    }
