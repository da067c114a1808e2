"""Poses in answers, on two small rulebooks with headings and levels: what is told, what is played, what is refused."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import roof_couriers
import shapely
import table_couriers
import turning_couriers

from simulator import parse_scenario
from simulator.engine.chain import Chain, ChainReach, LinkStart, ask
from simulator.engine.errors import IllegalOrder, TableError, UnreadableOrder
from simulator.engine.game import Game
from simulator.engine.orders import Element, Goal, Order
from simulator.engine.reach import ReachAnswer
from simulator.errors import FileError, NoPlace, NoPose
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose, place_text
from simulator.geometry.squares import SquareGrid, SquareKind
from simulator.geometry.table import InchTable
from simulator.pathing.ends import HeadingRange
from simulator.pathing.traces import NoRoute
from simulator.rulebook import Ruleset

LEVELS = ("ground", "roof")


def on_squares(seed, ap=4):
    """A courier among buildings on a small board."""
    dice = np.random.default_rng(seed)
    kinds = dice.choice(2, (4, 5), p=[0.6, 0.4])
    board = SquareGrid.from_kinds((SquareKind(), SquareKind(impeded=True)), kinds)
    at = tuple(int(one) for one in dice.integers((5, 4)))
    fields = {"ap": ap, "level": "roof" if board.impeded[board.index(at)] and seed % 2 else "ground"}
    heading = int(dice.choice((0, 90, 180, 270)))
    courier = turning_couriers.RULESET.make_unit("A1", "courier", "red", at, heading, **fields)
    return Game.new(turning_couriers.RULESET, board, [courier])


def on_a_table(seed):
    """A courier beside some huts."""
    dice = np.random.default_rng(seed)
    shapes = [rectangle(tuple(dice.uniform((3, 3), (17, 12))), tuple(dice.uniform(1, 4, 2))) for _ in range(3)]
    huts = [Piece(f"hut{number}", "hut", shape, "ground") for number, shape in enumerate(shapes)]
    board = InchTable("Yard", 20, 15, pieces=huts)
    at, heading = tuple(dice.uniform((6, 5), (14, 10)).tolist()), float(dice.uniform(0, 360))
    courier = roof_couriers.RULESET.make_unit("A1", "courier", "red", at, heading)
    return Game.new(roof_couriers.RULESET, board, [courier])


def chained(game, dice):
    """The last links of a chain that has come to where a courier stands for 2, and to a place nearby for nothing."""
    courier = game.state.unit("A1")
    x, y = courier.place
    near = game.branch()
    near.state = game.state.with_unit(courier.put(place=(x + 1.0, y), heading=float(dice.uniform(0, 360))))
    starts = [(LinkStart(game.state, paid={"inches": Fraction(2)}), game), (LinkStart(near.state), near)]
    answers = [(begun, there.reach("A1")) for begun, there in starts]
    return ChainReach(game.table, courier, Chain([ask("run")]), answers)


@pytest.mark.parametrize("seed", range(6))
def test_ends_of_a_chain_cost_what_their_poses_do(seed):
    """Ranges of headings of one answer lie over those of another, at other costs and with other middles."""
    game, dice = on_a_table(seed), np.random.default_rng(seed)
    answer = chained(game, dice)
    assert isinstance(answer, ReachAnswer)
    for place in [(x, y) for x, y in dice.uniform((4, 3), (16, 12), (12, 2)).tolist()]:
        ends, ranges = answer.ends_at(place), answer.headings_at(place)
        assert all(end.cost == answer.cost_at(end.pose) for end in ends)
        assert min((end.cost for end in ends), default=None) == answer.cost_at(place)
        for heading in dice.uniform(0, 360, 12).tolist():
            least = min((one.cost for one in ranges if heading in one), default=None)
            assert least == answer.cost_at(Pose(place, heading))


@pytest.mark.parametrize("make", [on_squares, on_a_table])
def test_goals_are_planned_by_reach(make):
    game = make(2)
    answer, courier = game.reach("A1"), game.state.unit("A1")
    here = Order("A1", "run", goal=Goal(courier.place))
    with pytest.raises(NoRoute, match=r"A1 is at .* already"):
        game.planned(here)
    far = next(place for place in places_of(game, answer, np.random.default_rng(2)) if place not in answer)
    with pytest.raises(IllegalOrder) as refused:
        game.planned(Order("A1", "run", goal=Goal(far)))
    assert refused.value.breaches == answer.why_not(far).reasons
    with pytest.raises(TableError, match="does not plan paths through waypoints"):
        game.planned(Order("A1", "run", goal=Goal(far, via=(courier.place,))))
    there = next(place for place in places_of(game, answer, np.random.default_rng(3)) if answer.cost_at(place))
    (order,) = answer.orders_to(there)
    assert game.planned(Order("A1", "run", goal=Goal(there))) == order


def places_of(game, answer, dice):
    """Places to ask about: every square, or random ones on the table and in its huts."""
    if isinstance(game.board, SquareGrid):
        return list(game.board.places())
    free = [tuple(place) for place in dice.uniform((0, 0), (20, 15), (25, 2)).tolist()]
    inside = [piece.shape.polygon.centroid.coords[0] for piece in game.board.pieces]
    return [answer.start, *free, *inside]


def headings_of(game, dice):
    if isinstance(game.board, SquareGrid):
        return (0, 90, 180, 270)
    return tuple(dice.uniform(0, 360, 8).tolist())


@pytest.fixture(
    params=[(make, seed) for make in (on_squares, on_a_table) for seed in range(4)],
    ids=lambda made: f"{made[0].__name__}-{made[1]}",
)
def asked(request):
    """A game with one courier, its reach, and poses of every kind to ask about."""
    make, seed = request.param
    game, dice = make(seed), np.random.default_rng([seed, 7])
    answer = game.reach("A1")
    places = places_of(game, answer, dice)
    return game, answer, places, headings_of(game, dice)


class TestLaws:
    """What every answer holds, whatever the board."""

    def test_it_is_an_answer(self, asked):
        assert isinstance(asked[1], ReachAnswer)

    def test_a_pose_is_in_reach_where_it_has_a_cost_and_a_chance(self, asked):
        _, answer, places, headings = asked
        poses = [Pose(*parts) for parts in product(places, (None, *headings), (None, *LEVELS))]
        for number, pose in enumerate(poses):
            cost = answer.cost_at(pose)
            assert (pose in answer) == (cost is not None)
            assert number % 10 or bool(answer.why_not(pose)) == (cost is None)
            assert answer.chance_at(pose) == int(cost is not None)
            if pose.is_place:
                assert (cost, pose in answer) == (answer.cost_at(pose.place), pose.place in answer)

    def test_many_poses_are_asked_at_once(self, asked):
        _, answer, places, headings = asked
        poses = [Pose(*parts) for parts in product(places, (None, headings[0]), (None, *LEVELS))]
        one_by_one = [answer.cost_at(pose) for pose in poses]
        expected = [math.inf if cost is None else float(cost) for cost in one_by_one]
        assert answer.costs_at(poses).tolist() == pytest.approx(expected, abs=1e-4)
        assert answer.costs_at(places).tolist() == answer.costs_at([Pose(place) for place in places]).tolist()
        mixed = [places[0], Pose(places[-1], level="roof")]
        assert answer.costs_at(mixed).tolist() == [*answer.costs_at(mixed[:1]), *answer.costs_at(mixed[1:])]

    def test_a_place_costs_what_its_cheapest_end_does(self, asked):
        _, answer, places, headings = asked
        for pose in (Pose(*parts) for parts in product(places, (None, headings[0]), (None, *LEVELS))):
            ends = answer.ends_at(pose)
            assert answer.cost_at(pose) == min((end.cost for end in ends), default=None)
            assert [end.cost for end in ends] == sorted(end.cost for end in ends)
            for end in ends:
                assert answer.cost_at(end.pose) == end.cost
                assert end.level in LEVELS
                assert end.place == pose.place

    def test_ranges_hold_the_headings_that_are_in_reach_and_no_others(self, asked):
        _, answer, places, headings = asked
        for place, level in product(places, (None, *LEVELS)):
            ranges = answer.headings_at(Pose(place, level=level))
            if level is None:
                assert ranges == answer.headings_at(place)
            for heading in headings:
                costs = [one.cost for one in ranges if heading in one]
                pose = Pose(place, heading, level)
                assert (min(costs, default=None), bool(costs)) == (answer.cost_at(pose), pose in answer)

    def test_orders_end_in_the_pose_at_its_cost(self, asked):
        game, answer, places, headings = asked
        played = 0
        for pose in (Pose(*parts) for parts in product(places, (None, *headings), (None, *LEVELS))):
            if pose not in answer:
                with pytest.raises(NoRoute):
                    answer.orders_to(pose)
                continue
            twin, spent = game.branch(), Fraction(0)
            for order in answer.orders_to(pose):
                assert not game.breaches(order), (pose, order)
                spent += twin.do(order).ledger.total("inches" if hasattr(answer, "huts") else "AP")
            stands = twin.ruleset.pose_of(twin.table, twin.state.unit("A1"))
            assert stands.place == pytest.approx(pose.place)
            assert pose.heading is None or stands.heading == pytest.approx(pose.heading)
            assert pose.level in (None, stands.level)
            assert float(spent) == pytest.approx(float(answer.cost_at(pose)), abs=1e-4)
            played += 1
        assert played > 20

    def test_areas_are_of_a_heading_or_a_level(self, asked):
        game, answer, places, headings = asked
        assert answer.area_of().equals(answer.area)
        for heading, level in product((None, *headings[:3]), (None, *LEVELS)):
            area = answer.area_of(heading=heading, level=level)
            assert area.difference(answer.area).area < 1e-3
            for place in places:
                x, y = game.board.centre(place) if isinstance(game.board, SquareGrid) else place
                spot = shapely.Point(x, y)
                inside = area.contains(spot)
                if area.is_empty or area.boundary.distance(spot) > 0.01:
                    assert inside == (Pose(place, heading, level) in answer), (place, heading, level)

    def test_why_not_names_the_pose_and_the_nearest_end_with_its_own(self, asked):
        _, answer, places, headings = asked
        out = [Pose(*parts) for parts in product(places, headings, LEVELS) if Pose(*parts) not in answer]
        for pose in out[:40]:
            why = answer.why_not(pose)
            assert why.pose == pose
            assert str(why).startswith(f"{pose} cannot be reached")
            assert why.nearest_pose.place == why.nearest
            assert answer.cost_at(why.nearest_pose) == why.nearest_cost
            assert f"nearest legal end: {why.nearest_pose}, for" in str(why)
            fields = why.to_fields()
            assert (fields["place"], fields["heading"], fields["level"]) == (list(pose.place), pose.heading, pose.level)
            assert (fields["nearest_heading"], fields["nearest_level"]) == (
                why.nearest_pose.heading,
                why.nearest_pose.level,
            )
        assert out

    def test_why_not_names_the_nearest_end_like_the_pose(self, asked):
        _, answer, places, headings = asked
        poses = [Pose(*parts) for parts in product(places, headings, LEVELS)]
        out = [pose for pose in poses if pose not in answer]
        for pose in out[:40]:
            why = answer.why_not(pose)
            alike = [one for one in poses if one.state_text == pose.state_text and one in answer]
            if why.nearest_alike is None:
                assert not alike
                continue
            assert why.nearest_alike.state_text == pose.state_text
            assert answer.cost_at(why.nearest_alike) == why.alike_cost
            fields = why.to_fields()
            assert fields["nearest_alike"] == list(why.nearest_alike.place)
            assert float(Fraction(fields["alike_cost"])) == float(why.alike_cost)
            if why.nearest_alike != why.nearest_pose:
                assert f"nearest legal end{pose.state_text}: {place_text(why.nearest_alike.place)}, for" in str(why)
            near = math.dist(pose.place, why.nearest_alike.place)
            assert all(math.dist(pose.place, one.place) >= near - 0.02 for one in alike)
        assert out


@pytest.mark.parametrize("seed", range(4))
def test_on_squares_the_ends_are_those_of_all_orders_played(seed):
    """Every row of elements, judged one by one: the poses that they end in, at their least price."""
    game = on_squares(seed, ap=3)
    rules, unit = game.ruleset, game.table.unit("A1")
    found = {rules.pose_of(game.table, unit): 0}
    for names in (names for count in range(1, 4) for names in product(turning_couriers.PRICES, repeat=count)):
        if game.breaches(Order("A1", "run", [Element(name) for name in names])):
            continue
        pose = rules.pose_of(game.table, unit)
        for name in names:
            pose = turning_couriers.after(game.board, pose, name)
        price = sum(turning_couriers.PRICES[name] for name in names)
        found[pose] = min(price, found.get(pose, price))
    ends = {end.pose: end.cost for end in game.reach("A1").ends}
    assert ends == found
    assert {pose.level for pose in found} <= set(LEVELS)
    assert len(found) > 8


def hut_game():
    """A courier at 5,5 who looks east, a hut around 8,5."""
    board = InchTable("Yard", 20, 15, pieces=[Piece("hut", "hut", rectangle((8, 5), (2, 2)), "ground")])
    unit = roof_couriers.RULESET.make_unit("A1", "courier", "red", (5, 5), 0)
    return Game.new(roof_couriers.RULESET, board, [unit])


class Headwind(turning_couriers.TurningReach):
    """Whoever faces east is blown off with the chance 1/2; with any other heading an end is certain."""

    def chance_at(self, place):
        poses = [end.pose for end in self.ends_at(place)]
        return max(Fraction(1, 2) if pose.heading == 0 else Fraction(1) for pose in poses) if poses else Fraction(0)


def test_an_end_of_geojson_has_the_chance_of_its_own_heading():
    game = on_squares(0)
    table = game.table
    unit = table.unit("A1")
    answer = Headwind(table, game.reach("A1").costs, unit, "run")
    ends = [one["properties"] for one in answer.to_geojson()["features"] if one["properties"]["what"] == "end"]
    assert {end["heading"] for end in ends} == {0, 90, 180, 270}
    assert [end["chance"] for end in ends] == ["1/2" if end["heading"] == 0 else 1 for end in ends]


class TestSaid:
    """In the words of players, in JSON and on the map."""

    def test_an_order_leads_to_a_pose(self):
        game = hut_game()
        order = game.read("A1 run to 8,5 facing north level roof")
        assert order.goal == Goal((8.0, 5.0), 90.0, level="roof")
        assert order.goal.pose == Pose((8, 5), 90, "roof")
        assert game.write(order) == "A1 run to 8,5 facing 90 level roof"
        assert Order.from_fields(order.to_fields()) == order
        assert game.do(order).ledger.total("inches") == 6
        assert game.ruleset.pose_of(game.table, game.table.unit("A1")) == Pose((8, 5), 90, "roof")

    def test_a_level_is_said_only_where_the_rules_know_levels(self):
        game = Game.new(
            table_couriers.RULESET,
            InchTable("Yard", 20, 15),
            [table_couriers.RULESET.make_unit("A1", "courier", "red", (5, 5))],
        )
        with pytest.raises(UnreadableOrder):
            game.read("A1 run: to 8,5 level roof")
        plain = Goal((3, 4), 90.0)
        assert set(plain.to_fields()) == {"place", "heading", "via"}

    def test_on_the_map_each_level_has_its_ground(self):
        told = hut_game().reach("A1").to_geojson()
        by_level = {
            one["properties"]["level"]: shapely.geometry.shape(one["geometry"])
            for one in told["features"]
            if one["properties"]["what"] == "level"
        }
        assert list(by_level) == ["ground", "roof"]
        assert by_level["roof"].area == pytest.approx(4, abs=0.2)
        assert by_level["ground"].area > 90

    def test_on_squares_each_end_names_its_level(self):
        ends = [one["properties"] for one in on_squares(1).reach("A1").to_geojson()["features"]]
        assert {end["level"] for end in ends if end["what"] == "end"} == set(LEVELS)


class TestUnknown:
    """A rulebook without headings or levels says so, whatever is asked."""

    def asked(self):
        board = InchTable("Yard", 20, 15)
        courier = table_couriers.RULESET.make_unit("A1", "courier", "red", (5, 5))
        return Game.new(table_couriers.RULESET, board, [courier]).reach("A1")

    @pytest.mark.parametrize(
        ("pose", "told"),
        [
            (Pose((6, 5), 90), "run of table_courier knows no headings: ask about 6,5, not about 6,5 facing 90"),
            (Pose((6, 5), level=1), "run of table_courier knows no levels: ask about 6,5, not about 6,5 level 1"),
            (
                Pose((6, 5), 90, "roof"),
                "run of table_courier knows no headings and no levels: "
                "ask about 6,5, not about 6,5 facing 90 level roof",
            ),
        ],
    )
    def test_of_a_pose(self, pose, told):
        answer = self.asked()
        for question in (answer.cost_at, answer.chance_at, answer.why_not, answer.orders_to, answer.ends_at):
            with pytest.raises(NoPose) as error:
                question(pose)
            assert str(error.value) == told
        with pytest.raises(NoPose):
            _ = pose in answer
        with pytest.raises(NoPose):
            answer.costs_at([pose])
        with pytest.raises(NoPose, match=f"{told.partition(':')[0]}: ask about all ends"):
            answer.area_of(heading=pose.heading, level=pose.level)

    def test_the_place_alone_is_a_pose(self):
        answer = self.asked()
        assert answer.cost_at(Pose((6, 5))) == answer.cost_at((6, 5)) == 1
        assert [order.elements for order in answer.orders_to(Pose((6, 5)))] == [
            order.elements for order in answer.orders_to((6, 5))
        ]
        assert answer.headings_at((6, 5)) == (HeadingRange(0, 360, 1.0),)
        assert [(end.pose, end.cost) for end in answer.ends_at((6, 5))] == [(Pose((6.0, 5.0)), 1.0)]
        assert answer.area_of() is answer.area

    def test_what_can_be_no_pose(self):
        with pytest.raises(NoPose, match="a heading is a finite number of degrees, not nan"):
            Pose((1, 2), math.nan)
        with pytest.raises(NoPose, match=r"a level is a name or a whole number, not 1\.5"):
            Pose((1, 2), level=1.5)
        with pytest.raises(NoPlace):
            hut_game().reach("A1").cost_at(Pose("roof", 90))

    def test_an_answer_that_does_not_say_is_not_guessed(self):
        class Silent(table_couriers.CourierRuleset):
            reach_headings = reach_levels = True

        silent = Silent()
        board, unit = InchTable("Yard", 20, 15), silent.make_unit("A1", "courier", "red", (5, 5))
        answer = Game.new(silent, board, [unit]).reach("A1")
        for question in (answer.cost_at, answer.headings_at, answer.ends_at, answer.why_not):
            with pytest.raises(NotImplementedError, match="does not define"):
                question(Pose((6, 5), 90, "roof"))
        with pytest.raises(NotImplementedError, match="does not define"):
            answer.area_of(level="roof")


SCENARIO = """
format: 1
ruleset: roof_courier
board:
  board: table
  size: [20, 15]
  pieces:
    - {id: hut, kind: hut, layer: ground, rectangle: {centre: [8, 5], size: [2, 2]}}
units:
  A1: {type: courier, side: red, at: [5, 5], heading: 0}
turns:
  - - order: "A1 run to 8,5 facing 90 level roof"
      expect:
        units: {A1: {at: "8,5 facing 90 level roof"}}
expect:
  reach:
    - {unit: A1, includes: [INSIDE], excludes: [OUTSIDE]}
"""


def played(wanted='"8,6 facing 90"', unwanted='"1,1"', rules=roof_couriers.RULESET):
    text = SCENARIO.replace("INSIDE", wanted).replace("OUTSIDE", unwanted)
    return parse_scenario(text, rulesets={"roof_courier": rules}).run()


class Plain(roof_couriers.RoofRuleset):
    reach_headings = reach_levels = False


class TestExpected:
    """In scenarios, as one text or under its keys."""

    @pytest.mark.parametrize(
        "wanted",
        [
            '"8,6 facing 90"',
            '{at: "8,6 facing north", cost: 1}',
            "{at: [8, 6], heading: 90, cost: 1}",
            "{at: [8, 5], level: roof, cost: 2}",
            '{at: "8,5 level roof", heading: 270, cost: 3}',
        ],
    )
    def test_a_pose_in_reach(self, wanted):
        account = played(wanted)
        assert account.ok, str(account)

    @pytest.mark.parametrize(
        "unwanted", ['"8,8 level roof"', "{at: [8, 8], level: roof}", "{at: [8, 11], heading: 270}"]
    )
    def test_a_pose_out_of_reach(self, unwanted):
        assert played(unwanted=unwanted).ok
        assert not played(wanted=unwanted).ok

    def test_what_is_expected_and_what_is_are_told(self):
        failed = [check for check in played('{at: "8,6 facing 90", cost: 2}').checks if not check.met]
        assert [(check.what, check.expected, check.got) for check in failed] == [
            ("reach of A1, 8,6 facing 90", "within reach for 2", "within reach for 1")
        ]

    def test_where_a_unit_stands(self):
        text = SCENARIO.replace("INSIDE", '"8,5"').replace("OUTSIDE", '"1,1"')
        text = text.replace('{at: "8,5 facing 90 level roof"}', '{at: "8,5 facing 80 level ground"}')
        account = parse_scenario(text, rulesets={"roof_courier": roof_couriers.RULESET}).run()
        failed = [check for one in account.played for check in one.checks if not check.met]
        assert [(check.expected, check.got) for check in failed] == [
            ("8,5 facing 80 level ground", "8,5 facing 90 level roof")
        ]

    @pytest.mark.parametrize(
        ("wanted", "told"),
        [
            ("{at: [8, 6], heading: up}", "heading: expected a heading: degrees, or a compass word"),
            ('"8,6 facing up"', "expected a heading: degrees, or a compass word"),
            ('"8,6 level 1.5"', "expected ground or roof"),
            ("{at: [8, 6], level: 1.5}", "level: expected the name or the number of a level"),
            ('{at: "8,6 facing 90", heading: 90}', "heading: is already in '8,6 facing 90': name the heading once"),
            ('"8,6 facing 90 facing 80"', "expected one heading and one level at most"),
        ],
    )
    def test_what_can_not_be_meant_is_a_fault(self, wanted, told):
        with pytest.raises(FileError) as error:
            played(wanted)
        assert f"expect.reach[0].includes[0]{'.' if told[0] in 'hl' else ': '}{told}" in str(error.value)

    @pytest.mark.parametrize(
        ("wanted", "told"),
        [
            ('"8,6 facing 90"', "includes[0]: a reach of roof_courier has no headings: expect the place alone"),
            (
                "{at: [8, 6], level: 1}",
                "includes[0].level: a reach of roof_courier has no levels: expect the place alone",
            ),
        ],
    )
    def test_what_the_rulebook_knows_nothing_of_is_a_fault(self, wanted, told):
        with pytest.raises(FileError) as error:
            played(wanted, rules=Plain())
        assert told in str(error.value)


class TestTexts:
    @pytest.mark.parametrize(
        "pose",
        [Pose((3, 4)), Pose((3.5, 4.25), 22.5), Pose((3, 4), level=2), Pose((3, 4), 0, "roof"), Pose((-1, 0), 359, -1)],
        ids=str,
    )
    def test_what_is_written_is_read(self, pose):
        from simulator.engine.orders import Vocabulary
        from simulator.engine.places import read_pose

        assert read_pose(Vocabulary([]), str(pose)) == pose

    def test_a_range_of_headings(self):
        assert [str(one) for one in (HeadingRange(0, 360, 1), HeadingRange(315, 45, 1), HeadingRange(60, 60, 1))] == [
            "any heading",
            "315 to 45",
            "60",
        ]
        assert [heading in HeadingRange(315, 45, 1) for heading in (0, 314.9, 315, 45, 46, -10)] == [
            *(True, False, True, True, False, True)
        ]
        assert all(heading in HeadingRange.whole(1) for heading in (0, 90, 359.9))
        assert [HeadingRange.whole(1).middle, HeadingRange(315, 45, 1).middle] == [None, 0]
        assert "N" in HeadingRange("N", "N", 1)
        assert "S" not in HeadingRange("N", "N", 1)


def test_a_rulebook_says_what_it_knows():
    assert (Ruleset.reach_headings, Ruleset.reach_levels) == (False, False)
