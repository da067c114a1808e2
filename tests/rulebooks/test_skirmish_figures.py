"""skirmish at its edges: figures, comparisons and clause ids that a small slip would put wrong."""

import math
from fractions import Fraction

import numpy as np
import pytest
from skirmish_tables import block, clauses_broken, game_with, place_of, rough

from simulator.engine.errors import OptionError, TableError
from simulator.engine.line_orders import elements_of
from simulator.engine.orders import Element
from simulator.engine.ranges import samples_of
from simulator.geometry.paths import Bend, Path, Straight, Turn
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish import RULESET, make_soldier
from simulator.rulesets.skirmish.dodging import (
    AWAY,
    dodge_directions,
    end_of_dodge,
    is_under,
    level_left,
    levels_off,
    line_of_dodge,
    price_of_dodge,
)
from simulator.rulesets.skirmish.movement import (
    facing_of,
    legal_stop,
    lengths_to_circle,
    line_of,
    measured,
    stop_after_failure,
)
from simulator.rulesets.skirmish.rolls import (
    LEVELS,
    attack_roll,
    chance_of,
    dodge_levels,
    dodge_roll,
    faulty_levels,
    penalties_of,
    rank_of,
    target_modifier,
    terrain_roll,
    traverse_roll,
)

QUARTER = Bend((0.0, 2.0), 2.0, -math.pi / 2, math.pi / 2)


#: Lines, the facing after them, and how far the front gets that looked along x before (SK-3).
FRONT_TO_FRONT = [
    ((), None, 0.0),
    ((), 180.0, 1.0),
    ((Straight((0.0, 0.0), (2.0, 0.0)),), None, 2.0),
    ((Straight((0.0, 0.0), (2.0, 0.0)),), 180.0, 1.0),
    ((Straight((0.0, 0.0), (0.0, 2.0)),), 90.0, math.hypot(0.5, 2.5)),
    ((Straight((0.0, 0.0), (2.0, 0.0)), Straight((2.0, 0.0), (2.0, 3.0))), 90.0, 1.5 + 3.5),
    # A leg counts from where the front was before it, or to where it is after it.
    ((Straight((0.0, 0.0), (2.0, 0.0)), Straight((2.0, 0.0), (2.0, 3.0))), 0.0, 1.5 + math.hypot(0.5, 3.0)),
    ((Straight((0.0, 0.0), (0.0, 3.0)), Straight((0.0, 3.0), (2.0, 3.0))), None, math.hypot(0.5, 3.0) + 2.5),
    ((QUARTER,), None, math.pi + 1.0),
    ((QUARTER, Straight((2.0, 2.0), (2.0, 4.0))), 90.0, 0.5 + math.pi + 2.5),
    ((Straight((-1.0, 0.0), (0.0, 0.0)), QUARTER), 90.0, 0.5 + math.pi + 0.5),
]


#: Turns of the table, in degrees, about a place off its middle.
ANYHOW = (0, 70, 200)


def laid(place, turn):
    """A place on a table that lies anyhow."""
    along, across = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return 3 + along * place[0] - across * place[1], across * place[0] + along * place[1] - 2


def laid_out(pieces, turn):
    """A line on such a table."""
    return tuple(
        Straight(laid(piece.start, turn), laid(piece.end, turn))
        if isinstance(piece, Straight)
        else Bend(laid(piece.centre, turn), piece.radius, piece.begin + math.radians(turn), piece.sweep)
        for piece in pieces
    )


def messages(game, order):
    """The reasons against an order, in words."""
    return [str(breach) for breach in game.breaches(order)]


class TestRolls:
    """SK-7, SK-10, SK-19, SK-32, SK-42, SK-57 to SK-60: what is rolled, at which target, by which clause."""

    def test_ranks(self):
        table = game_with().table
        assert [rank_of(table, level) for level in LEVELS] == [1, 2, 3, 4]
        with pytest.raises(TableError, match="no such success level; did you mean 'good'"):
            rank_of(table, "goood")

    @pytest.mark.parametrize(
        ("rank", "adds"), [(0, 2), (1, 2), (2, 0), (3, -2), (8, -12), (9, -14), (10, -16), (12, -20)]
    )
    def test_what_a_rank_adds(self, rank, adds):
        """SK-58: beyond the table it goes on in steps as its last."""
        assert target_modifier(game_with().table, rank) == adds

    def test_the_last_step_is_that_of_the_table(self):
        table = game_with(tables={"target_modifier.r9": -17}).table
        assert [target_modifier(table, rank) for rank in (8, 9, 10, 11)] == [-12, -17, -22, -27]

    def test_penalties_are_named_and_left_out_where_there_are_none(self):
        """SK-59."""
        assert penalties_of(make_soldier("A1", "red", (0, 0))) == []
        assert penalties_of(make_soldier("A1", "red", (0, 0), health=2)) == [("health", 2)]
        both = make_soldier("A1", "red", (0, 0), health=1, incoming_fire=3)
        assert penalties_of(both) == [("incoming_fire", 3), ("health", 1)]

    def test_each_roll_by_its_attribute_and_clause(self):
        me = {"psq": 5, "ins": 7, "attack": 4, "health": 1, "incoming_fire": 2}
        table = game_with(me=me, others=(("B1", "blue", (9, 0)),)).table
        unit, target = table.unit("A1"), table.unit("B1")
        penalties = (("incoming_fire", -4), ("health", -2))
        for roll, what, aim, clause, level, modifiers in (
            (terrain_roll(table, unit), "Terrain roll", 5, "SK-10", "normal", penalties),
            (traverse_roll(table, unit, "poor"), "Traverse roll", 9, "SK-19", "poor", penalties),
            (dodge_roll(table, unit, "good"), "dodge roll", 5, "SK-42", "good", penalties),
            (attack_roll(table, unit, target, "excellent"), "attack roll", 0, "SK-32", "excellent", ()),
        ):
            assert (roll.what, roll.who, roll.dice, roll.clause) == (what, "A1", "D10", clause)
            assert (roll.target, roll.at_most, dict(roll.detail)) == (aim, True, {"level": level})
            assert tuple(tuple(one) for one in roll.modifiers) == modifiers

    def test_penalties_add_up_from_the_level_on(self):
        """SK-58, SK-59: each begins where the one before it ended, whatever the steps of the table."""
        table = game_with(me={"health": 1, "incoming_fire": 2}, tables={"target_modifier.r5": -9}).table
        roll = terrain_roll(table, table.unit("A1"))
        assert tuple(tuple(one) for one in roll.modifiers) == (("incoming_fire", -4), ("health", -5))

    def test_whoever_runs_is_harder_to_hit(self):
        """SK-32."""
        table = game_with(others=(("B1", "blue", (9, 0)),)).table
        unit, target = table.unit("A1"), table.unit("B1").put({"running": True})
        roll = attack_roll(table, unit, target, "normal")
        assert tuple(tuple(one) for one in roll.modifiers) == (("target_running", -2),)
        assert chance_of(roll) == Fraction(4, 10)
        assert chance_of(attack_roll(table, unit, table.unit("B1"), "normal")) == Fraction(6, 10)

    @pytest.mark.parametrize(
        ("base", "levels"), [("poor", LEVELS), ("normal", LEVELS[1:]), ("excellent", ("excellent",))]
    )
    def test_a_dodge_is_declared_at_its_base_or_higher(self, base, levels):
        """SK-42, SK-60."""
        assert dodge_levels(game_with(tables={"dodge.roll.level": base}).table) == levels

    @pytest.mark.parametrize(
        ("path", "clause"),
        [("terrain.roll.level", "SK-10"), ("traverse_difficulty.gap", "SK-20"), ("dodge.roll.level", "SK-42")],
    )
    def test_a_level_that_is_none_is_told(self, path, clause):
        for level in (*LEVELS, "impossible", "goood"):
            table = game_with(tables={path: level}).table
            sound = level in LEVELS or (level == "impossible" and clause == "SK-20")
            found = [(one.clause, one.message.split(";")[0]) for one in faulty_levels(table)]
            assert found == ([] if sound else [(clause, f"{path}: no such success level")])


class TestJudge:
    """SK-45, SK-60, SK-63, SK-64, SK-67."""

    def test_a_change_of_stance(self):
        game = game_with()
        assert messages(game, "A1 change_stance standing") == ["SK-64  A1 is standing already"]
        for stance in ("crouching", "prone", "crouching"):
            assert clauses_broken(game, f"A1 change_stance {stance}") == []
            game.do(f"A1 change_stance {stance}")

    def test_what_is_short_of_ap(self):
        game = game_with(me={"ap_per_activation": 0})
        assert messages(game, "A1 change_stance prone") == ["SK-64  a change of stance takes 1 AP, A1 has 0"]
        assert messages(game, "A1: to 1,0") == ["SK-1   the move takes 1 AP, A1 has 0"]
        assert messages(game, "A1 run: to 9,0") == ["SK-28  a run takes 3 AP, A1 has 0"]
        (breach,) = game.breaches("A1 run: to 9,0")
        assert (breach.needed, breach.available) == (3, 0)

    def test_what_is_far_off_any_table(self):
        """SK-63."""
        game = game_with()
        for x, y, far in ((1e6, 0, False), (1000001, 0, True), (0, -1000001, True), (-1000001, 2, True)):
            found = list(game.breaches(f"A1: to {x:.0f},{y:.0f}"))
            assert any("far off any table" in breach.message for breach in found) == far
            if far:
                assert (found[0].clause, found[0].needed, found[0].available) == ("SK-63", max(abs(x), abs(y)), 1e6)

    @pytest.mark.parametrize("base", LEVELS)
    @pytest.mark.parametrize("made", LEVELS)
    def test_no_attack_below_its_base(self, base, made):
        """SK-60."""
        game = game_with(others=(("B1", "blue", (5, 0)),))
        broken = ["SK-60"] if LEVELS.index(made) < LEVELS.index(base) else []
        assert clauses_broken(game, f"A1 attack B1 base {base} made {made}") == broken
        assert clauses_broken(game, f"A1 attack B1 base {base} at {made}") == broken

    def test_who_attacks_from_off_the_table_says_from_where(self):
        """SK-63, SK-67."""
        away = game_with(others=(("B1", "blue", None),))
        assert clauses_broken(away, "B1 attack A1") == ["SK-63"]
        assert clauses_broken(away, "B1 attack A1 from 3,0") == []
        assert clauses_broken(away, "A1 attack B1") == ["SK-63"]
        assert clauses_broken(away, "A1 attack B1 from 3,0") == ["SK-63"]

    def test_no_attack_on_a_friend(self):
        """SK-67."""
        game = game_with(others=(("A2", "red", (5, 0)),))
        (breach,) = game.breaches("A1 attack A2")
        assert (breach.clause, breach.blocker) == ("SK-67", "A2")


class TestLines:
    """SK-2 to SK-4, SK-13: the line of a movement, its length, its spelling, what stands along it."""

    def test_spelling(self):
        line = [Straight((0.0, 0.0), (1.0, 0.0)), Bend((1.0, 1.0), 1.0, -math.pi / 2, math.pi / 2)]
        line.append(Bend((3.0, 1.0), 1.0, math.pi, -math.pi / 4))
        elements = elements_of(line)
        assert [element.name for element in elements] == ["to", "left_around", "right_around"]
        assert elements[0]["place"] == (1.0, 0.0)
        assert [element["centre"] for element in elements[1:]] == [(1.0, 1.0), (3.0, 1.0)]
        assert [element["angle"] for element in elements[1:]] == pytest.approx([90.0, 45.0])
        again = line_of(make_soldier("A1", "red", (0, 0)), elements)
        assert again.start == (0, 0)
        for spelled in (
            [Element("facing", {"heading": 30}), *elements],
            [*elements, Element("facing", {"heading": 30})],
        ):
            assert line_of(make_soldier("A1", "red", (0, 0)), spelled).pieces == again.pieces
            assert facing_of(spelled) == 30.0
        assert facing_of(elements) is None
        (turned,) = elements_of([Turn((1.0, 0.0), 300.0, 90.0)])
        assert facing_of([turned]) == 30.0
        assert again.end == pytest.approx(line[-1].end)
        assert again.length == pytest.approx(1 + math.pi / 2 + math.pi / 4)
        assert again.at(0.25) == pytest.approx((0.25, 0.0))
        assert again.at(1 + math.pi / 4) == pytest.approx((1 + math.sqrt(0.5), 1 - math.sqrt(0.5)))
        assert again.at(99.0) == pytest.approx(again.end)

    @pytest.mark.parametrize(("degrees", "name"), [(30, "left_around"), (-30, "right_around"), (200, "left_around")])
    def test_which_way_round(self, degrees, name):
        (element,) = elements_of([Bend((0.0, 2.0), 2.0, -math.pi / 2, math.radians(degrees))])
        assert (element.name, element["angle"]) == (name, pytest.approx(abs(degrees)))

    @pytest.mark.parametrize("measure", ["translation", "front_point"])
    def test_whoever_tells_no_facing_keeps_its_own(self, measure):
        """SK-3."""
        game = game_with(me={"heading": 90}, options={"measure": measure})
        game.do("A1: to 1,0, to 2,0")
        assert game.state.unit("A1").heading == 90
        game.do("A1: to 3,0, facing 0")
        assert game.state.unit("A1").heading == 0

    @pytest.mark.parametrize(("order", "clauses"), [("", ["SK-4"]), (" run", ["SK-29"])])
    def test_a_bent_line_breaks_the_rule_of_its_spend(self, order, clauses):
        """SK-4, SK-29, option path_shape."""
        game = game_with(options={"path_shape": "straight_per_ap"})
        assert clauses_broken(game, f"A1{order}: to 1,0, to 1,1") == clauses

    def test_what_is_straight(self):
        here = Straight((0.0, 0.0), (1.0, 0.0))
        for pieces, straight in (((), True), ((here,), True), ((here, here), False), ((QUARTER,), False)):
            assert Path((0.0, 0.0), pieces).is_straight == straight

    @pytest.mark.parametrize(("pieces", "facing", "length"), FRONT_TO_FRONT)
    def test_from_front_to_front(self, pieces, facing, length):
        """SK-3."""
        start = pieces[0].start if pieces else (0.0, 0.0)
        table = game_with(me={"heading": 0}, at=start, options={"measure": "front_point"}).table
        line = Path(start, pieces)
        assert measured(table, table.unit("A1"), line, facing) == pytest.approx(length)
        table = game_with(me={"heading": 0}, at=start).table
        assert measured(table, table.unit("A1"), line, facing) == pytest.approx(sum(one.length for one in pieces))

    @pytest.mark.parametrize("turn", ANYHOW)
    @pytest.mark.parametrize(("pieces", "facing", "length"), FRONT_TO_FRONT)
    def test_from_front_to_front_however_the_table_lies(self, pieces, facing, length, turn):
        """SK-3."""
        moved = laid_out(pieces, turn)
        start = moved[0].start if moved else laid((0.0, 0.0), turn)
        table = game_with(me={"heading": turn}, at=start, options={"measure": "front_point"}).table
        after = None if facing is None else facing + turn
        assert measured(table, table.unit("A1"), Path(start, moved), after) == pytest.approx(length)

    @pytest.mark.parametrize(
        ("pieces", "centre", "radius", "lengths"),
        [
            ((Straight((1.0, 1.0), (1.0, 9.0)),), (2.0, 5.0), 1.25, [3.25, 4.75]),
            ((Straight((1.0, 0.0), (1.0, 9.5)),), (4.0, 5.0), 5.0, [1.0, 9.0]),
            ((Straight((1.0, 1.0), (1.0, 3.0)),), (1.0, 5.0), 3.0, [1.0]),
            ((Straight((-3.0, 0.0), (0.0, 0.0)), Straight((0.0, 0.0), (0.0, 3.0))), (0.0, 0.0), 1.0, [2.0, 4.0]),
            ((Straight((1.0, 1.0), (1.0, 3.0)),), (9.0, 2.0), 3.0, []),
            (
                (Straight((-3.0, 0.0), (0.0, 0.0)), QUARTER),
                (2.0, 2.0),
                math.sqrt(2),
                [3 + math.pi - 2 * math.acos(0.75)],
            ),
            ((Straight((-3.0, 0.0), (0.0, 0.0)), QUARTER), (0.0, 2.0), 1.0, []),
            ((QUARTER,), (0.0, 9.0), 1.0, []),
            (
                (Straight((-2.0, -9.0), (-2.0, 0.0)), Bend((0.0, 0.0), 2.0, math.pi, math.pi)),
                (0.0, -3.0),
                2.5,
                [4.5, 7.5, 9 + math.pi - 2 * math.acos(0.5625), 9 + math.pi + 2 * math.acos(0.5625)],
            ),
            (
                (Bend((0.0, 0.0), 2.0, 0.0, -math.pi),),
                (0.0, -3.0),
                2.5,
                [math.pi - 2 * math.acos(0.5625), math.pi + 2 * math.acos(0.5625)],
            ),
            ((QUARTER, Straight((2.0, 2.0), (2.0, 9.0))), (0.0, 2.0), 3.0, [math.pi + math.sqrt(5)]),
            (
                (Bend((0.0, 3.0), 3.0, -math.pi / 2, math.pi / 2),),
                (4.0, 3.0),
                2.0,
                [3 * (math.pi / 2 - math.acos(0.875))],
            ),
        ],
    )
    @pytest.mark.parametrize("turn", ANYHOW)
    def test_where_a_line_comes_to_a_circle(self, pieces, centre, radius, lengths, turn):
        moved, middle = laid_out(pieces, turn), laid(centre, turn)
        line = Path(moved[0].start, moved)
        found = sorted(lengths_to_circle(line, middle, radius))
        assert found == pytest.approx(lengths)
        assert [math.dist(line.at(length), middle) for length in found] == pytest.approx([radius] * len(found))

    @pytest.mark.parametrize(
        ("centre", "radius", "lengths"), [((2.0, 5.0), 1.0, [4.0, 4.0]), ((4.0, 5.0), 5.0, [0.0, 8.0])]
    )
    def test_a_line_comes_to_a_circle_that_it_touches_or_begins_and_ends_on(self, centre, radius, lengths):
        line = Path((1.0, 1.0), (Straight((1.0, 1.0), (1.0, 9.0)),))
        assert sorted(lengths_to_circle(line, centre, radius)) == pytest.approx(lengths)

    @pytest.mark.parametrize(
        ("inches", "stop"), [(1.5, 1.5), (2.0, 2.0), (2.5, 2.0), (3.5, 2.0), (4.0, 4.0), (9.0, 6.0)]
    )
    def test_whoever_is_cut_short_stops_off_all_bases(self, inches, stop):
        """SK-13."""
        table = game_with(others=(("A2", "red", (3, 0)),)).table
        line = Path((0.0, 0.0), (Straight((0.0, 0.0), (6.0, 0.0)),))
        assert legal_stop(table, table.unit("A1"), line, inches) == pytest.approx(stop)


class TestStopsAfterFailure:
    """SK-12, SK-13, SK-35: how far along its line a soldier gets whose Terrain roll fails."""

    @pytest.mark.parametrize(
        ("text", "heading", "measure", "stop"),
        [
            ("A1: to 3,0", 0, "translation", 2),  # 3 inches a lot, one is lost
            ("A1: to 2,0", 0, "translation", None),
            ("A1: to 2.0000005,0", 0, "translation", None),  # no more than lengths are exact
            ("A1: to 2.5,0", 0, "translation", 2),
            ("A1: to 2,0, facing 0", 180, "front_point", 1),  # the front went 3
            ("A1: to 0.5,0, facing 180", 0, "front_point", None),
            ("A1 run: to 9,0", 0, "translation", 8),
            ("A1 run: to 8,0", 0, "translation", None),
            ("A1 run: to 8.5,0, facing 0", 180, "front_point", 7),
        ],
    )
    def test_what_is_too_long_is_taken_off_the_line(self, text, heading, measure, stop):
        game = game_with(me={"heading": heading}, options={"measure": measure})
        unit, order = game.state.unit("A1"), game.read(text)
        found = stop_after_failure(game.table, unit, order, line_of(unit, order.elements))
        assert found == (None if stop is None else pytest.approx(stop))

    def test_nobody_is_stopped_on_a_friend(self):
        """SK-13, SK-14: before the base, though the line was long enough."""
        game = game_with(others=(("A2", "red", (2, 0)),))
        unit, order = game.state.unit("A1"), game.read("A1: to 3,0")
        assert stop_after_failure(game.table, unit, order, line_of(unit, order.elements)) == pytest.approx(1)


def any_line(dice):
    """A heading, and an order along a line of one, two or three pieces, with a facing."""
    heading, facing = (float(dice.uniform(0.0, 360.0)) for _ in range(2))
    x, y = dice.uniform(-2.0, 2.0, 2)
    told = [f"to {x},{y}"]
    if dice.random() < 0.5:
        told.append(f"left_around {x},{y + 0.8} by {dice.uniform(10.0, 80.0)}")
    if dice.random() < 0.5:
        told.append(f"to {x + dice.uniform(-1, 1)},{y + dice.uniform(-1, 1)}")
    return heading, f"A1: {', '.join(told)}, facing {facing}"


@pytest.mark.parametrize("measure", ["translation", "front_point"])
@pytest.mark.parametrize("stance", ["standing", "crouching", "prone"])
def test_after_a_failure_a_soldier_goes_just_as_far_as_is_allowed(stance, measure):  # SK-2, SK-3, SK-12, SK-13
    dice = np.random.default_rng([12, len(stance)])
    options, allowed = {"measure": measure}, {"standing": 2, "crouching": 1, "prone": 0}[stance]
    shortened = 0
    for _ in range(200):
        heading, text = any_line(dice)
        me = {"heading": heading, "stance": stance, "threshold_left": 0}
        game = game_with(rough(-10, -10, 10, 10), me=me, options=options, dice=(10,))
        if game.breaches(text):
            continue
        before, order = game.state.unit("A1"), game.read(text)
        line, facing = line_of(before, order.elements), facing_of(order.elements)
        table = game.table
        price = game.do(order).events[-1].price
        after = game.state.unit("A1")
        (gone,) = (row.amount for row in price if row.currency == "inches")
        whole = measured(table, before, line, facing)
        if whole <= allowed + TOLERANCE:
            assert after.place == pytest.approx(line.end)
            assert gone == pytest.approx(whole)  # what the judge measures is what the ledger shows
            continue
        shortened += 1
        parts = [line.part(0.0, share * line.length) for share in np.linspace(0.0, 1.0, 401)]
        fitting = [part for part in parts if measured(table, before, part, facing) <= allowed]
        if not fitting:  # too few inches even for the turn
            assert (after.place, after.heading) == (before.place, before.heading) or gone <= allowed + TOLERANCE
            continue
        way = line.part(0.0, float(stop_after_failure(table, before, order, line)))
        assert after.place == pytest.approx(way.end)
        assert after.heading == pytest.approx(facing)
        assert gone == pytest.approx(measured(table, before, way, facing))
        assert gone <= allowed + TOLERANCE
        assert fitting[-1].length - TOLERANCE <= way.length <= fitting[-1].length + line.length / 400 + TOLERANCE
    assert shortened > 5


def test_too_few_inches_to_turn_leave_a_soldier_as_it_stood():  # SK-3, SK-12
    me = {"heading": 90.0, "stance": "prone", "threshold_left": 0}
    game = game_with(rough(-10, -10, 10, 10), me=me, options={"measure": "front_point"}, dice=(10,))
    price = game.do("A1: to 0.1,0, facing 30").events[-1].price
    unit = game.state.unit("A1")
    assert (place_of(game), unit.heading) == ((0, 0), 90.0)
    assert price[-1].amount == 0


class TestRuns:
    """SK-28 to SK-30, SK-34, SK-35: how far a run has to go, how far it gets, what it costs."""

    @pytest.mark.parametrize(("inches", "refused"), [(9, []), (8.9999995, []), (8.999, ["SK-30"])])
    def test_the_least_length_is_inclusive(self, inches, refused):
        """SK-30, option run_min_inches."""
        assert clauses_broken(game_with(options={"run_min_inches": 9}), f"A1 run: to {inches},0") == refused

    @pytest.mark.parametrize(
        ("order", "measure", "refused"),
        [
            ("to 8,0, facing 0", "front_point", []),
            ("to 8,0, facing 0", "translation", ["SK-30"]),
            ("to 9,0, facing 0", "front_point", ["SK-30"]),
        ],
    )
    def test_it_is_measured_as_any_move(self, order, measure, refused):
        """SK-3, SK-30: who turns round brings the front 1 inch farther than the centre."""
        game = game_with(me={"heading": 180}, options={"run_min_inches": 9, "measure": measure})
        assert clauses_broken(game, f"A1 run: {order}") == refused

    @pytest.mark.parametrize("inches", [8, 5, 1])
    def test_how_far_a_failed_run_gets_is_a_figure_of_its_own(self, inches):
        """SK-35: it has nothing to do with the inch that a move loses."""
        game = game_with(rough(2, -9, 3, 9), dice=(7,), tables={"run.failed.inches": inches})
        game.do("A1 run: to 9,0")
        assert place_of(game) == (inches, 0)

    def test_the_price_of_a_line(self):
        """SK-1, SK-2, SK-5, SK-28, SK-30."""
        for order, options, lines in (
            (
                "A1: to 1,0, to 1,1.5",
                {},
                [("a move", 1, "AP", "SK-1"), ("line of movement, standing", 2.5, "inches", "SK-2")],
            ),
            (
                "A1 move ap 2: to 4,0",
                {"pool_ap": True},
                [("a move", 2, "AP", "SK-1"), ("line of movement, standing", 4, "inches", "SK-2")],
            ),
            (
                "A1 run: to 7,0",
                {},
                [("a run, one spend", 3, "AP", "SK-28"), ("line of movement, running", 7, "inches", "SK-30")],
            ),
        ):
            told = game_with(options=options).do(order).ledger
            assert [(line.what, line.amount * line.rate, line.currency, line.clause) for line in told.lines] == lines


class TestDodges:
    """SK-38 to SK-45: who pays what, where to, what is left."""

    @pytest.mark.parametrize(
        ("status", "owed", "threshold", "price"),
        [
            ("not_activated", 0, 0, "AP"),
            ("not_activated", 2, 0, "AP"),
            ("not_activated", 3, 3, ""),
            ("activated", 0, 1, "Threshold"),
            ("activated", 0, 0, ""),
        ],
    )
    def test_the_price(self, status, owed, threshold, price):
        table = game_with().table
        unit = table.unit("A1").put({"status": status, "ap_owed": owed, "threshold_left": threshold})
        assert price_of_dodge(table, unit) == price

    @pytest.mark.parametrize(
        ("source", "heading", "end"),
        [((1, 2), AWAY, (5.8, 5.6)), ((9, 5), AWAY, (4, 5)), ((1, 2), 90, (5, 6)), ((1, 2), 0, (6, 5))],
    )
    def test_straight_away_or_along_a_heading(self, source, heading, end):
        """SK-41."""
        table = game_with(at=(5, 5)).table
        line = line_of_dodge(table, table.unit("A1"), source, heading)
        assert (line.start, line.length) == ((5.0, 5.0), pytest.approx(1.0))
        assert line.end == pytest.approx(end)
        assert end_of_dodge(table, table.unit("A1"), line) == pytest.approx(1.0)

    @pytest.mark.parametrize("inches", [0.5, 2])
    def test_how_far_is_a_figure(self, inches):
        """SK-41."""
        table = game_with(at=(3, 4), tables={"dodge.inches": inches}).table
        line = line_of_dodge(table, table.unit("A1"), (0, 0))
        assert line.end == pytest.approx((3 + 0.6 * inches, 4 + 0.8 * inches))
        assert end_of_dodge(table, table.unit("A1"), line) == pytest.approx(inches)

    def test_to_the_last_place_before_what_is_in_the_way(self):
        table = game_with(block(6.2, 4, 7, 6), at=(5, 5)).table
        line = line_of_dodge(table, table.unit("A1"), (0, 5))
        assert end_of_dodge(table, table.unit("A1"), line) == pytest.approx(0.7)

    def test_all_directions_that_lead_away_the_straightest_first(self):
        table = game_with(at=(5, 5)).table
        told = samples_of(dodge_directions(table, table.unit("A1"), (5, 0)))
        assert told[:4] == (AWAY, 90, 89, 91)
        assert sorted(told[1:]) == list(range(1, 180))
        aslant = samples_of(dodge_directions(table, table.unit("A1"), (2, 1)))
        assert aslant[:4] == (AWAY, 53, 54, 52)
        assert sorted(aslant[1:]) == sorted(degrees % 360 for degrees in range(-36, 144))
        assert not is_under(table.unit("A1"), (5, 0))
        assert is_under(table.unit("A1"), (5, 5))
        for source in ((5, 5), (5.0000005, 5), (5, 4.9999995)):
            assert samples_of(dodge_directions(table, table.unit("A1"), source))[:3] == (0, 1, 359)
        in_turn = [turn for degrees in range(1, 180) for turn in (degrees, 360 - degrees)]
        assert list(samples_of(dodge_directions(table, table.unit("A1"), (5, 5)))) == [0, *in_turn, 180]

    @pytest.mark.parametrize("level", LEVELS)
    def test_what_a_dodge_takes_off(self, level):
        """SK-44."""
        assert levels_off(game_with().table, level) == LEVELS.index(level)

    @pytest.mark.parametrize("base", LEVELS)
    @pytest.mark.parametrize("made", LEVELS)
    @pytest.mark.parametrize("off", range(4))
    def test_what_is_left(self, base, made, off):
        """SK-44, SK-45."""
        left = LEVELS.index(made) - off
        expected = LEVELS[left] if left >= LEVELS.index(base) else ""
        assert level_left(game_with().table, base, made, off) == expected


class TestFiguresThatMakeNoSense:
    """SK-1, SK-2, SK-18, SK-28, SK-58: they are refused where they are put, with the clause."""

    @pytest.mark.parametrize(
        ("path", "figure", "told"),
        [
            ("inches.standing", "fast", "expected a number of inches from 0 to 100, not fast (SK-2)"),
            ("inches.prone", -1, "expected a number of inches from 0 to 100, not -1 (SK-2)"),
            ("cost.move", Fraction(1, 2), "expected a whole number from 1 to 99, not 0.5 (SK-1 SK-39 SK-64)"),
            ("cost.run.ap", 0, "expected a whole number from 1 to 99, not 0 (SK-28)"),
            ("run.failed.inches", "x", "expected a number of inches from 0 to 100, not x (SK-35)"),
            ("traverse.within", -2, "expected a number of inches from 0 to 100, not -2 (SK-18)"),
            ("target_modifier.r1", Fraction(3, 2), "expected a whole number from -99 to 99, not 1.5 (SK-58)"),
            ("obstacles.kinds", [3], "expected a list of words, not 3 (SK-66)"),
        ],
    )
    def test_they_are_told(self, path, figure, told):
        with pytest.raises(OptionError) as error:
            RULESET.tables.override({path: figure})
        assert error.value.message == f"{path}: {told}"

    def test_every_figure_can_be_replaced_by_itself(self):
        tables = RULESET.tables
        assert tables.override({path: tables[path] for path in tables}).figures == tables.figures

    def test_what_costs_nothing_may(self):
        assert RULESET.tables.override({"cost.dodge": 0, "cost.change_stance": 0, "inches.prone": 0})["cost.dodge"] == 0
