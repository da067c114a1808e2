"""Coming onto the board in combined_arms: over the edge, later and elsewhere, or straight down."""

import pytest
from arms_games import arms_game, piece

from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.geometry.table import EntryArea, InchTable
from simulator.rulesets.combined_arms import RULESET

#: Red comes from the south-west, blue from the north.
SOUTH_WEST = EntryArea("south-west", "red", ((-48, -48), (0, -48), (0, -42), (-48, -42)))
NORTH = EntryArea("north", "blue", ((-48, 42), (48, 42), (48, 48), (-48, 48)))


def waiting(name="A", mobility="grav", **fields):
    return piece(name, mobility, None, **{"enters_on": 1, **fields})


def game(*units, areas=(SOUTH_WEST, NORTH), terrain=(), **settings):
    board = InchTable("Test", 96, 96, (-48, -48), pieces=terrain, entry_areas=areas)
    names = tuple(unit.id for unit in units)
    return Game.new(RULESET, board, list(units), data={"initiative": names}, **settings)


def clauses(table, order):
    return [breach.clause for breach in table.breaches(order)]


DELAYED = {"delayed_entry": True}
ENEMY = piece("E", "on_foot", (40, 40), "blue")


class TestOverTheEdge:
    def test_on_the_edge_of_its_area_facing_inward(self):
        """CA-148."""
        table = game(waiting(), ENEMY)
        assert clauses(table, "A move: enter at -20,-48 facing 90") == []
        assert clauses(table, "A move: enter at -20,-48 facing 0") == []
        assert clauses(table, "A move: enter at -20,-48 facing 271") == ["CA-148"]
        assert clauses(table, "A move: enter at 0.5,-48 facing 90") == ["CA-148"]
        assert clauses(table, "A move: enter at -20,-47 facing 90") == ["CA-148"]
        assert clauses(table, "A move: enter at -48,-45 facing 0") == []
        assert clauses(table, "A move: enter at -48,-41 facing 0") == ["CA-148"]
        assert clauses(table, "A move: forward 3") == ["CA-148"]
        assert clauses(table, "A move: enter at -20,-48 facing 90, enter at -10,-48 facing 90") == ["CA-148"]

    def test_with_its_whole_allowance_at_an_altitude_for_nothing(self):
        table = game(waiting(), ENEMY)
        happened = table.do("A move: enter at -20,-48 facing 90 altitude 4, forward 36")
        tank = table.state.unit("A")
        assert (tank.place, tank.heading, tank["altitude"], tank["enters_on"]) == ((-20, -12), 90, 4, 0)
        assert happened.ledger.total("inches") == 36
        assert clauses(game(waiting(), ENEMY), "A move: enter at -20,-48 facing 90, forward 36.5") == ["CA-3"]
        assert clauses(game(waiting(), ENEMY), "A move: enter at -20,-48 facing 90 altitude 5") == ["CA-148"]

    def test_by_name_or_anywhere(self):
        north = game(waiting(entry_area="north"), ENEMY)
        assert clauses(north, "A move: enter at 0,48 facing 270") == []
        assert clauses(north, "A move: enter at -20,-48 facing 90") == ["CA-148"]
        assert clauses(game(waiting(), ENEMY, areas=()), "A move: enter at 48,7 facing 180") == []
        assert [one.clause for one in game(waiting(entry_area="south"), ENEMY).faults] == ["CA-148"]

    def test_not_before_its_turn(self):
        """CA-148: until then it has no go, and nobody waits for it."""
        table = game(waiting(enters_on=2), ENEMY)
        assert clauses(table, "A move: enter at -20,-48 facing 90")[0] == "CA-7"
        table.do("E move: forward 1")
        assert table.state.clock.turn == 2
        assert clauses(table, "A move: enter at -20,-48 facing 90") == []

    def test_what_is_there_is_in_the_way(self):
        wall = Piece("keep", "building", rectangle((-20, -46), (6, 4)))
        table = game(waiting(base=1), ENEMY, terrain=(wall,))
        assert clauses(table, "A move: enter at -20,-48 facing 90") == ["CA-68"]

    def test_under_fire_from_the_edge_on(self):
        """CA-148: being shot at begins there."""
        gun = piece("E", "tracked", (-20, -20), "blue", weapon_range=60)
        table = game(waiting(), gun)
        (found,) = table.foresee("A move: enter at -20,-48 facing 90, forward 10").interruptions
        assert (found.spans[0].low, found.spans[0].high) == (0, 10)

    def test_those_aboard_come_with_it(self):
        table = game(waiting("T", "tracked"), piece("A", "on_foot", None, carrier="T"), ENEMY)
        assert clauses(table, "A move: unload at -20,-47")[0] == "CA-7"
        table.do("T move: enter at -20,-48 facing 90, forward 10")
        assert clauses(table, "A move: unload at -20.5,-38.5") == []


class TestElsewhereAndLater:
    @pytest.mark.parametrize(
        ("detour", "turn", "left"),
        [(36, 2, 12), (24, 2, 24), (48, 3, 24), (50, 3, 22), (10, 1, 14)],
    )
    def test_the_earliest_turn_and_what_is_left_then(self, detour, turn, left):
        """CA-140, CA-141, CA-144, E18, E41: R 24."""
        table = game(waiting("A", "jetpack"), ENEMY, options=DELAYED)
        (event,) = [one for one in table.do(f"A delay_entry {detour} toward east").events if one.kind == "goes round"]
        assert (event.unit, event.detail["turn"], event.detail["toward"]) == ("", turn, "east")
        for number in range(1, turn):
            assert clauses(table, "A move: enter at 48,0 facing 180")[0] == "CA-7"
            assert table.state.clock.turn == number
            table.do("E move: forward 1")
        assert clauses(table, f"A move: enter at 48,0 facing 180, forward {left}") == []
        short = table.breaches(f"A move: enter at 48,0 facing 180, forward {left + 1}")
        assert [breach.clause for breach in short] == ["CA-3"]
        table.do(f"A move: enter at 48,0 facing 180, forward {left}")
        # CA-146: what it has spent off the board counts for the bands.
        assert table.state.unit("A")["spent_translation"] == 24

    def test_later_it_has_its_full_allowance(self):
        """CA-142."""
        table = game(waiting("A", "jetpack"), ENEMY, options=DELAYED)
        table.do("A delay_entry 36 toward east")
        for _ in range(2):
            table.do("E move: forward 1")
            if table.state.clock.turn == 2:
                table.do("A done")
        assert table.state.clock.turn == 3
        table.do("A move: enter at 48,0 facing 180, forward 24")
        assert table.state.unit("A").place == (24, 0)

    def test_not_through_the_area_of_the_opponent(self):
        """CA-143."""
        table = game(waiting(detour=10), ENEMY, options=DELAYED)
        assert clauses(table, "A move: enter at 0,48 facing 270") == ["CA-143"]
        assert clauses(table, "A move: enter at 48,40 facing 180") == []

    def test_an_optional_rule_for_those_who_wait(self):
        """CA-139."""
        assert clauses(game(waiting(), ENEMY), "A delay_entry 10 toward west") == ["CA-139"]
        assert clauses(game(waiting(), ENEMY, options=DELAYED), "E delay_entry 10 toward west") == ["CA-139"]
        sent = game(waiting(), ENEMY, options=DELAYED)
        sent.do("A delay_entry 72 toward north")
        assert clauses(sent, "A delay_entry 10 toward south") == ["CA-140"]


class TestLandings:
    def test_straight_down_from_the_height_of_its_rate(self):
        """E19, CA-149."""
        table = game(waiting("A", "thruster", assault_lander=True), ENEMY)
        happened = table.do("A move: drop at 3,4 facing 77, descend 48")
        assert happened.events[1].detail["altitude"] == 48
        lander = table.state.unit("A")
        assert (lander.place, lander.heading, lander["altitude"]) == ((3, 4), 77, 0)
        assert lander["moved_until"] == 3  # CA-155: nobody gets off

    def test_only_landers(self):
        """CA-147, CA-154."""
        assert clauses(game(waiting(), ENEMY), "A move: drop at 3,4 facing 77, descend 36") == ["CA-147"]
        pod = RULESET.make_unit("A", "drop_pod", "red", None, 0, enters_on=1, rate_original=30, size_class=2)
        table = game(pod, ENEMY)
        assert clauses(table, "A move: drop at 3,4 facing 77, descend 29") == ["CA-86"]
        table.do("A move: drop at 3,4 facing 77, descend 30")
        table.do("E move: forward 1")
        assert clauses(table, "A move: forward 1") == ["CA-154"]
        assert "CA-154" in clauses(game(pod, ENEMY), "A move: enter at -20,-48 facing 90")

    def test_nobody_gets_off_where_it_has_just_come_down(self):
        """CA-155: a full descent spends three thirds."""
        pod = RULESET.make_unit("P", "drop_pod", "red", None, 0, enters_on=1, rate_original=24, size_class=2)
        rider = piece("A", "on_foot", None, carrier="P")
        table = game(pod, rider, ENEMY)
        table.do("P move: drop at 0,0 facing 0, descend 24")
        assert clauses(table, "A move: unload at 0.5,0") == ["CA-127"]
        table.do("A done")
        table.do("E move: forward 1")
        table.do("P done")
        assert clauses(table, "A move: unload at 0.5,0") == []

    def test_one_that_hovers_goes_on(self):
        """CA-151, CA-153: a grav lander of limit 4 starts at 36."""
        table = game(waiting(assault_lander=True), ENEMY)
        assert clauses(table, "A move: drop at 3,4 facing 0, descend 32, forward 4") == []
        assert clauses(table, "A move: drop at 3,4 facing 0, descend 32, forward 4.5") == ["CA-3"]
        assert clauses(table, "A move: drop at 3,4 facing 0, descend 31") == ["CA-153"]
        assert clauses(table, "A move: drop at 3,4 facing 0, forward 4, descend 32") == ["CA-149"]
        table.do("A move: drop at 3,4 facing 0, descend 32, forward 4")
        assert (table.state.unit("A").place, table.state.unit("A")["altitude"]) == ((7, 4), 4)

    def test_a_rotation_on_the_way_costs(self):
        """CA-149: a lander that has to land may not make one that it cannot afford."""
        stays = waiting(assault_lander=True, can_hover=False)
        table = game(stays, ENEMY)
        assert clauses(table, "A move: drop at 3,4 facing 0, descend 36") == []
        assert clauses(table, "A move: drop at 3,4 facing 0, turn_left 45, descend 36") == ["CA-3"]
        assert clauses(table, "A move: drop at 3,4 facing 0, turn_left 45, descend 30") == ["CA-86", "CA-153"]

    def test_where_it_may_end(self):
        """CA-152: entry areas notwithstanding, but not on what bars its end."""
        house = Piece("keep", "building", rectangle((0, 0), (6, 6)))
        table = game(waiting(assault_lander=True), ENEMY, terrain=(house,))
        assert clauses(table, "A move: drop at 0,45 facing 0, descend 36") == []
        assert "CA-68" in clauses(table, "A move: drop at 1,1 facing 0, descend 36")
        assert clauses(table, "A move: drop at 49,1 facing 0, descend 36")[0] in ("CA-138", "CA-152")

    def test_damage_on_the_way_down(self):
        """CA-150, CA-92: one that has to land goes on down."""
        gun = piece("E", "tracked", (0, 20), "blue", weapon_range=60)
        table = game(waiting(assault_lander=True, can_hover=False), gun)
        table.do("A move: drop at 0,0 facing 0, descend 36", [30, "stationary", 12])
        lander = table.state.unit("A")
        assert (lander["altitude"], lander["damage_level"], lander["spent_translation"]) == (0, 1, 36)


class TestReach:
    def test_of_one_that_comes_over_the_edge(self):
        table = game(waiting("A", "on_foot"), ENEMY)
        reach = table.reach("A")
        assert reach.cost_at((-20, -42)) == pytest.approx(6)
        assert reach.cost_at((-20, -48)) == pytest.approx(0)
        assert reach.cost_at((-20, -41.9)) is None
        assert reach.cost_at((5, -48)) == pytest.approx(5)
        (order,) = reach.orders_to((-20, -42))
        assert clauses(table, order) == []

    def test_of_one_that_lands(self):
        table = game(waiting(assault_lander=True), ENEMY)
        reach = table.reach("A", landing=True)
        assert reach.cost_at(Pose((10, 10), None, 0)) == pytest.approx(36)
        assert reach.cost_at((99, 10)) is None
        (order,) = reach.orders_to(Pose((10, 10), 45, 0))
        assert clauses(table, order) == []
        assert [element.name for element in order.elements] == ["drop", "descend"]

    def test_after_a_detour(self):
        """CA-141, CA-146: what it has spent off the board is spent."""
        table = game(waiting("A", "jetpack", detour=10), ENEMY, options={"delayed_entry": True})
        reach = table.reach("A")
        assert reach.cost_at((40, 0)) == pytest.approx(18)
        assert reach.cost_at((33.9, 0)) is None
        assert reach.cost_at((0, 34)) is None

    @pytest.mark.sampled
    @pytest.mark.parametrize("landing", [False, True])
    @pytest.mark.parametrize("mobility", ["on_foot", "grav", "tracked"])
    def test_each_end_is_an_order(self, mobility, landing):
        """Every order that leads to a place is legal, and costs what was said."""
        house = Piece("keep", "building", rectangle((-20, -40), (6, 4)))
        wood = Piece("wood", "vegetation", rectangle((-30, -44), (8, 6)))
        fields = {"assault_lander": True} if landing else {}
        if landing and mobility == "on_foot":
            return
        table = game(waiting("A", mobility, base=0.5, **fields), ENEMY, terrain=(house, wood))
        reach = table.reach("A", landing=landing)
        found = 0
        for place in [(-30, -44), (-20, -37), (-44, -45), (-3, -46), (10, 10)]:
            if reach.cost_at(place) is None:
                continue
            found += 1
            (order,) = reach.orders_to(place)
            there = game(waiting("A", mobility, base=0.5, **fields), ENEMY, terrain=(house, wood))
            happened = there.do(order)
            total = happened.ledger.total("inches")
            assert float(total) == pytest.approx(float(reach.cost_at(place)), abs=1e-4)
            assert there.state.unit("A").place == pytest.approx(place, abs=1e-6)
        assert found >= 2

    def test_when_it_may_not(self):
        with pytest.raises(TableError, match="A is not on the table"):
            game(waiting(enters_on=3), ENEMY).reach("A")
        with pytest.raises(TableError, match="A is on the table"):
            arms_game(piece("A", "grav")).reach("A", landing=True)
        reach = game(waiting(), ENEMY).reach("A", landing=True)
        assert reach.cost_at((0, 0)) is None
        assert next(reason.clause for reason in reach.why_not((0, 0)).reasons) == "CA-147"
