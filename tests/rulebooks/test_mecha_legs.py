"""The price of written moves, by a second account of it: half inches counted one by one, turns spot by spot."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from mecha_games import mecha_game, unit

from simulator.engine.orders import Element, Order
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.move_judge import moves_for
from simulator.rulesets.mecha.shares import charges_of_each

HALF = Fraction(1, 2)
ASIDE = {"forward": 0, "backward": 180, "sideways_left": 90, "sideways_right": -90}
#: What an inch costs by mobility type on these kinds of ground.
RATES = {
    "walker": {"difficult": 2, "very_difficult": 4, "rough": 1, "shallow_water": 4},
    "four_legged_walker": {"difficult": 1, "very_difficult": 2, "rough": 1, "shallow_water": 4},
    "wheel": {"difficult": 4, "rough": 2, "shallow_water": 4},
    "infantry": {"difficult": 2, "very_difficult": 4, "rough": 1, "shallow_water": 4},
    "hover": {"difficult": 2, "rough": 1, "shallow_water": 1},
}
FREE = {"walker": 90, "four_legged_walker": 45}
#: A base comes no nearer to touching a border than this, so both accounts see the same overlaps.
CLEAR = 1e-4


def rates_on(stretch, areas, radius):
    """The dearest rate under a base along a stretch; None where it all but touches a border."""
    found = 1
    for area, rate in areas:
        gap = area.distance(stretch) - radius
        if abs(gap) < CLEAR:
            return None
        found = max(found, rate) if gap < 0 else found
    return found


def account(elements, heading, areas, radius, *, step, free_limit):
    """What a move from 0,0 costs; None if it is too close to a border to tell."""
    spots, legs = [[]], []
    for element in elements:
        if element.name in ASIDE:
            net = sum(turn for turn, _ in spots[-1]) % 360
            if legs and not net and legs[-1][0] == element.name:
                legs[-1] = (element.name, legs[-1][1] + Fraction(element["inches"]))
                spots[-1] = []
                continue
            legs.append((element.name, Fraction(element["inches"])))
            spots.append([])
        else:
            sense = 1 if element.name == "turn_left" else -1
            spots[-1].append((sense * Fraction(element["angle"]), Fraction(element.get("free") or 0)))
    total, x, y = Fraction(0), 0.0, 0.0
    for number, spot in enumerate(spots):
        net = sum(turn for turn, _ in spot) % 360
        net = min(net, 360 - net)
        if net:
            rate = rates_on(shapely.Point(x, y), areas, radius)
            paid = max(net - min(sum(free for _, free in spot), free_limit), 0)
            total += 0 if rate is None else rate * HALF * math.ceil(paid / step)
            if rate is None:
                return None
        heading += sum(turn for turn, _ in spot)
        if number < len(legs):
            name, inches = legs[number]
            course = math.radians(float(heading) + ASIDE[name])
            dx, dy = math.cos(course), math.sin(course)
            for piece in range(math.ceil(inches / HALF)):
                begin, end = float(piece * HALF), float(min((piece + 1) * HALF, inches))
                stretch = shapely.LineString([(x + begin * dx, y + begin * dy), (x + end * dx, y + end * dy)])
                rate = rates_on(stretch, areas, radius)
                if rate is None:
                    return None
                total += HALF * rate * (1 if name == "forward" else 2)
            x, y = x + float(inches) * dx, y + float(inches) * dy
    return total


def random_elements(dice, mobility):
    """A few legs and turns; the free turn somewhere, for who has one."""
    elements, freely = [], mobility in FREE and dice.uniform() < 0.6
    names = list(ASIDE) if mobility in FREE else ["forward", "backward"]
    for _ in range(int(dice.integers(1, 4))):
        for _ in range(int(dice.integers(0, 3))):
            angle = dice.choice([22.5, 45, 90, 23, 30, round(float(dice.uniform(1, 180)), 1)])
            args = {"angle": Fraction(str(angle))}
            if freely and dice.uniform() < 0.5:
                args["free"], freely = min(args["angle"], Fraction(FREE[mobility])), False
            elements.append(Element(("turn_left", "turn_right")[int(dice.integers(2))], args))
        inches = Fraction(str(dice.choice([0.5, 1, 1.2, 2.2, 3, round(float(dice.uniform(0.1, 4)), 2)])))
        elements.append(Element(str(dice.choice(names)), {"inches": inches}))
    return elements


def in_parts(elements, dice):
    """The same elements, legs and turns in two parts here and there."""
    for one in elements:
        name = "inches" if one.name in ASIDE else "angle"
        whole = one[name]
        first = Fraction(str(round(float(whole) * float(dice.uniform(0.1, 0.9)), 1)))
        if one.get("free") or dice.uniform() < 0.3 or not 0 < first < whole:
            yield one
        else:
            yield from (Element(one.name, {name: part}) for part in (first, whole - first))


def with_nil_legs(elements, dice, names):
    """The same elements, with legs of no length between them here and there."""
    for one in (*elements, None):
        if dice.uniform() < 0.4:
            yield Element(str(dice.choice(names)), {"inches": Fraction(0)})
        if one is not None:
            yield one


def tables(number, mobility):
    """A table with areas of ground, and the same as shapes with rates."""
    dice = np.random.default_rng(number)
    kinds = list(RATES[mobility])
    terrain, areas = [], []
    for index in range(4):
        kind = kinds[index % len(kinds)]
        at, size = dice.uniform(-4, 4, 2).round(2), dice.uniform(1, 4, 2).round(2)
        shape = rectangle(tuple(at), tuple(size), float(dice.integers(0, 90)))
        terrain.append(Piece(f"area {index}", kind, shape))
        areas.append((shape.polygon, RATES[mobility][kind]))
    heading, radius = int(dice.integers(0, 360)), float(dice.choice([0.5, 0.75, 1.0]))
    mover = unit("A", mobility, move=1000, heading=heading, base=radius)
    return mecha_game(mover, terrain=tuple(terrain)), areas, heading, radius


@pytest.mark.sampled
@pytest.mark.parametrize("mobility", RATES)
def test_moves_cost_what_half_inches_add_up_to(mobility):
    compared = 0
    for number in range(8):
        game, areas, heading, radius = tables(number, mobility)
        dice, mover = np.random.default_rng(1000 + number), game.table.unit("A")
        for _ in range(25):
            elements = random_elements(dice, mobility)
            step, limit = (45, 0) if mobility == "infantry" else (Fraction(45, 2), FREE.get(mobility, 0))
            expected = account(elements, heading, areas, radius, step=step, free_limit=limit)
            if expected is None:
                continue
            moves, written = moves_for(game.table, mover, Order("A", "standard", elements))
            assert moves.judged(written).total == expected, elements
            compared += 1
    assert compared > 150


@pytest.mark.parametrize("mobility", RATES)
def test_legs_of_no_length_part_nothing(mobility):
    """ME-17, ME-29, E30: neither turns on one spot, nor a leg; each element pays its share all the same."""
    dice = np.random.default_rng(3000)
    names = list(ASIDE) if mobility in FREE else ["forward", "backward"]
    for number in range(3):
        game, _, _, _ = tables(number, mobility)
        mover = game.table.unit("A")
        for _ in range(12):
            elements = list(in_parts(random_elements(dice, mobility), dice))
            padded = list(with_nil_legs(elements, dice, names))
            plain, more = (moves_for(game.table, mover, Order("A", "standard", some)) for some in (elements, padded))
            whole, judged = plain[0].judged(plain[1]), more[0].judged(more[1])
            assert (judged.total, judged.free) == (whole.total, whole.free), padded
            assert {(one.what, one.thing) for one in judged.objections} == {
                (one.what, one.thing) for one in whole.objections
            }
            shares = charges_of_each(*more)
            assert sum(one.price for charges in shares for one in charges) == whole.total
            nil = [charges for element, charges in zip(padded, shares, strict=True) if element.get("inches") == 0]
            assert not any(nil)


@pytest.mark.parametrize(
    ("order", "costs"),
    [
        ("turn_left 90, forward 0, turn_right 90, forward 6", 6),
        ("forward 1.2, backward 0, forward 1.2", Fraction(5, 2)),
        ("forward 1.2, turn_left 30, forward 0, turn_right 30, forward 1.2", Fraction(5, 2)),
        ("forward 0, backward 0", 0),
    ],
)
def test_what_legs_of_no_length_leave_as_it_was(order, costs):
    """ME-17, ME-29."""
    game = mecha_game(unit("A", "track"))
    assert game.do(f"A standard: {order}").ledger.total("mp") == costs


def test_no_leg_of_no_length_leads_where_it_travels_not():
    """ME-22, ME-23."""
    (found,) = mecha_game(unit("A", "track")).breaches("A standard: forward 1, sideways_left 0, forward 1")
    assert found.clause == "ME-23"


@pytest.mark.parametrize(
    ("granularity", "expected"), [("half_inch", Fraction(5, 2)), ("proportional", Fraction(11, 5))]
)
def test_granularity(granularity, expected):
    """ME-17, E6: 2.2 inches are five pieces, or just that."""
    game = mecha_game(unit("A", "track"), options={"granularity": granularity})
    happened = game.do("A standard: forward 2.2")
    assert happened.ledger.total("mp") == expected


def test_proportional_turns_are_rounded_all_the_same():
    game = mecha_game(unit("A", "track"), options={"granularity": "proportional"})
    assert game.do("A standard: turn_left 23").ledger.total("mp") == 1


@pytest.mark.parametrize(("under", "farthest"), [("base", 4), ("centre", 4.5)])
def test_terrain_under(under, farthest):
    """ME-18, E14."""
    mud = Piece("mud", "difficult", rectangle((23, 0), (40, 40)))
    game = mecha_game(unit("A", "track"), terrain=(mud,), options={"terrain_under": under})
    reach = game.reach("A")
    assert reach.cost_at((farthest, 0)) is not None
    assert reach.cost_at((farthest + 0.1, 0)) is None


def test_cant_is_tested_with_the_whole_base_even_so():
    """ME-18: the option is about what is charged."""
    wood = Piece("wood", "woodland", rectangle((23, 0), (40, 40)))
    game = mecha_game(unit("A", "track"), terrain=(wood,), options={"terrain_under": "centre"})
    assert [breach.clause for breach in game.breaches("A standard: forward 2.6")] == ["ME-19"]
    assert game.breaches("A standard: forward 2.5") == []


@pytest.mark.parametrize("options", [{}, {"granularity": "proportional"}], ids=str)
def test_each_element_pays_a_share_of_the_whole(options):
    """ME-17, ME-29: also where elements make up a leg or a turn that is priced as one."""
    several = 0
    for number, mobility in enumerate(RATES):
        game, _, _, _ = tables(number, mobility)
        game = mecha_game(*game.state, terrain=tuple(game.board.pieces), options=options)
        dice, mover = np.random.default_rng(2000 + number), game.table.unit("A")
        for _ in range(3):
            elements = list(in_parts(random_elements(dice, mobility), dice))
            moves, written = moves_for(game.table, mover, Order("A", "standard", elements))
            shares, whole = charges_of_each(moves, written), moves.judged(written)
            for move, charges in enumerate(shares):
                assert all(one.move == move and one.price > 0 for one in charges if one.price)
                legs = [one for one in charges if one.what == "leg"]
                assert all(one.price == one.amount * one.rate for one in legs)
                several += bool(charges) and move not in {one.move for one in whole.charges}
            assert sum(one.price for charges in shares for one in charges) == whole.total
    assert several > 5


def test_ground_that_is_cheaper_than_what_lies_around():
    """ME-12: the table of rates is data. The dearest under the base counts, bare ground as well."""
    road = Piece("road", "rough", rectangle((0, 0), (40, 2)))
    rates = {"move_table.track.rough": Fraction(1, 2)}
    game = mecha_game(unit("A", "track"), terrain=(road,), tables=rates)
    assert game.reach("A").cost_at((12, 0)) == 6
    assert game.do("A standard: turn_left 90, forward 1").ledger.total("mp") == Fraction(7, 4)


def test_ground_that_is_never_moved_on():
    """ME-16: a unit may be set up there, and nobody moves onto it."""
    pad = Piece("pad", "rough", rectangle((0, 0), (4, 4)))
    rates = {"move_table.track.rough": 0}
    game = mecha_game(unit("A", "track"), unit("B", "track", (4.5, 0)), terrain=(pad,), tables=rates)
    assert [breach.clause for breach in game.breaches("A standard: forward 1")] == ["ME-16"]
    assert [breach.clause for breach in game.breaches("B standard: backward 2.5")] == ["ME-16"]
    assert game.breaches("A standard") == []


def test_nobody_leaves_a_patch_in_ground_that_is_never_moved_on():
    """ME-16: bare ground as well as features."""
    patch = Piece("patch", "difficult", rectangle((0, 0), (6, 6)))
    game = mecha_game(unit("A", "track"), terrain=(patch,), tables={"move_table.track.flat_ground": 0})
    assert game.breaches("A standard: forward 2") == []
    assert [breach.clause for breach in game.breaches("A standard: forward 3")] == ["ME-16"]
    reach = game.reach("A")
    assert (reach.cost_at((2.5, 0)), reach.cost_at((2.6, 0))) == (5, None)


def test_who_is_pushed_or_falls_may_come_to_lie_on_ground_that_it_never_moves_on():
    """ME-16, ME-97: it is set down there, by no move of its own."""
    mud = Piece("mud", "difficult", rectangle((3, 0), (4, 8)))
    keep = Piece("keep", "building", rectangle((-4, 0), (8, 8)), "elevated", height=4)
    for mobility, tables in (("static", {}), ("track", {"move_table.track.difficult": 0})):
        kind = {"kind": "emplacement"} if mobility == "static" else {}
        low = mecha_game(unit("A", mobility, (0.6, 0), **kind), terrain=(mud,), tables=tables)
        low.do("A pushed toward 0 by 2")
        assert low.state.unit("A").place == (2.6, 0)
        high = mecha_game(unit("A", mobility, (-1, 0), level="keep", **kind), terrain=(mud, keep), tables=tables)
        happened = high.do("A pushed toward 0 by 2")
        while happened.question is not None:
            happened = high.answer(7)
        assert (high.state.unit("A").place, high.state.unit("A")["level"]) == ((0.5, 0), "ground")


class TestStatics:
    """ME-26, ME-39."""

    def test_they_neither_move_nor_turn(self):
        game = mecha_game(unit("A", "static", kind="emplacement"))
        assert game.breaches("A standard") == []
        assert game.breaches("A break_away") == []
        assert "ME-39" in [breach.clause for breach in game.breaches("A standard: turn_left 10")]
        assert "ME-26" in [breach.clause for breach in game.breaches("A run: forward 7")]
        assert game.reach("A").cost_at((0, 0)) == 0
        assert game.reach("A").cost_at((0.1, 0)) is None
