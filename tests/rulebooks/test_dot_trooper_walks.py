"""On foot: what a walk is interrupted by, and where it leads, worked out by hand on small maps."""

import pytest
from dt_games import RULES, bike, blocked, centred, game, shots_offered, trooper

from simulator.geometry.dots import Edge
from simulator.geometry.poses import Pose

EVERYWHERE = centred(9)
#: All but one row of dots, so that there is no way but along it.
WALLS = blocked(*(dot for dot in EVERYWHERE.places() if dot[1] != 0))
#: A house of two storeys on the lane, with stairs up to its first floor and a ladder on to the roof.
HOUSE = [((q, 0), {"storeys": 2}) for q in (1, 2)]
UP = [Edge("stairs", (0, 0), (1, 0), (0, 1)), Edge("ladder", (1, 0), (2, 0), (1, 2))]


def lane(*units, special=(), edges=(), **rules):
    return game(list(units), centred(9, special=[*WALLS, *special], edges=edges), **rules)


def clauses(table, order):
    return [breach.clause for breach in table.breaches(order)]


class TestPlaying:
    """DT-97, DT-162, DT-164: dot by dot, under fire."""

    def walked(self, order, *foes, shots=(), rolls=12, damage=7, options=None, **fields):
        """Walk, with a target for each shot offered in turn; give the walker and the shots offered."""
        damaging = {"weapon.pistol.damage": damage}
        table = game([trooper("A1", **fields), *foes], EVERYWHERE, options=options, tables=damaging)
        table.do(f"A1 foot_move: {order}", answers=None)
        offered = [(who, place) for who, _, place in shots_offered(table, shots, rolls)]
        return table.state.unit("A1"), offered

    def gunner(self, *arc, name="B1"):
        return trooper(name, "blue", (3, 2 + (name == "B2")), weapon="pistol", arc=arc)

    def test_each_enemy_fires_once_at_a_walk(self):
        """DT-97: when it likes, and at no more than one dot."""
        arc = ((1, 0), (2, 0), (3, 0))
        walk = "step 1,0, step 2,0, step 3,0"
        assert self.walked(walk, self.gunner(*arc))[1] == [("B1", (1, 0)), ("B1", (2, 0)), ("B1", (3, 0))]
        assert self.walked(walk, self.gunner(*arc), shots=["A1"], rolls=2)[1] == [("B1", (1, 0))]
        both = self.walked(walk, self.gunner(*arc), self.gunner(*arc, name="B2"), shots=["A1"], rolls=2)[1]
        assert both == [("B1", (1, 0)), ("B2", (1, 0)), ("B2", (2, 0)), ("B2", (3, 0))]

    def test_a_hit_may_leave_too_few_ap_to_go_on(self):
        """DT-6, DT-162: of 5 AP on the card 3 are spent, so two more dots are walked of five."""
        walk = ", ".join(f"step {q},0" for q in range(1, 9))
        unit, _ = self.walked(walk, self.gunner((3, 0)), shots=["A1"])
        assert (unit.place, unit["ap_spent"], unit["movement_spent"]) == ((5, 0), 5, 5)

    def test_nor_for_a_change_of_posture(self):
        """DT-164: with 3 of 4 AP spent there is one for lying down and none for getting up."""
        unit, _ = self.walked(
            "step 1,0, step 2,0, step 3,0, lie_down, stand_up, step 4,0", self.gunner((3, 0)), shots=["A1"], damage=8
        )
        assert (unit.place, unit["posture"], unit["ap_spent"], unit["movement_spent"]) == ((3, 0), "prone", 4, 3)

    def test_nor_for_crawling(self):
        """DT-164: a dot takes two prone."""
        unit, _ = self.walked("lie_down, step 1,0, step 2,0", self.gunner((1, 0)), shots=["A1"], damage=8)
        assert (unit.place, unit["posture"], unit["ap_spent"]) == ((1, 0), "prone", 3)

    def test_nor_for_a_level(self):
        """DT-164: the step up is two AP and one is left."""
        foe = trooper("B1", "blue", (0, -1), weapon="pistol", arc=((0, 0),))
        board = centred(4, special=HOUSE, edges=UP)
        table = game([trooper("A1", place=(-3, 0)), foe], board, tables={"weapon.pistol.damage": 8})
        table.do("A1 foot_move: step -2,0, step -1,0, step 0,0, step 1,0 level 1", answers=["A1", 12])
        assert (table.state.unit("A1").place, table.state.unit("A1")["ap_spent"]) == ((0, 0), 3)

    def test_the_dead_go_no_further(self):
        unit, offered = self.walked(
            "step 1,0, step 2,0", self.gunner((1, 0)), self.gunner((2, 0), name="B2"), shots=["A1"], damage=10
        )
        assert (unit.place, unit["posture"], offered) == (None, "dead", [("B1", (1, 0))])

    def test_changes_of_posture_in_an_arc_are_shot_at(self):
        """DT-97: activating inside an arc."""
        assert self.walked("lie_down", self.gunner((0, 0)))[1] == [("B1", (0, 0))]

    def test_a_floor_is_kept_until_another_is_named(self):
        """DT-164: a step stays on its level; each level is an AP more."""
        board = centred(4, special=[*HOUSE, ((3, 0), {"storeys": 2})], edges=UP)
        table = game([trooper("A1")], board)
        happened = table.do("A1 foot_move: step 1,0 level 1, step 2,0 level 2, step 3,0")
        unit = table.state.unit("A1")
        assert (unit.place, unit["level"], unit["ap_spent"]) == ((3, 0), 2, 5)
        lines = [(one.what, one.amount, one.rate) for one in happened.ledger.lines]
        assert lines == [("a dot standing", 1, 1), ("levels", 1, 1)] * 2 + [("a dot standing", 1, 1)]


class TestJudging:
    """DT-4, DT-5, DT-164, DT-165."""

    def test_not_in_the_saddle_nor_under_a_vehicle(self):
        for fields in ({}, {"posture": "under_vehicle"}):
            table = game(bike(motion="stopped", rider_fields=fields), EVERYWHERE)
            (breach,) = table.breaches("A1 foot_move: step 1,1")
            assert (breach.clause, breach.needed) == ("DT-164", ("standing", "prone"))

    def test_by_option_friends_let_one_pass_and_not_stay(self):
        """DT-165: enemies do neither."""
        units = [trooper("A1"), trooper("A2", "red", (1, 0)), trooper("B1", "blue", (0, 1))]
        table = game(units, EVERYWHERE, options={"pass_through_units": "friends"})
        assert clauses(table, "A1 foot_move: step 1,0, step 2,0") == []
        (breach,) = table.breaches("A1 foot_move: step 1,0")
        assert (breach.clause, breach.blocker, breach.place) == ("DT-165", "A2", (1, 0))
        assert clauses(table, "A1 foot_move: step 0,1, step 0,2") == ["DT-165"]

    def test_others_are_in_the_way_on_their_own_floor(self):
        """DT-165: not one floor up."""
        units = [trooper("A1"), trooper("A2", "red", (1, 0), level=1)]
        table = game(units, centred(4, special=HOUSE, edges=UP))
        assert clauses(table, "A1 foot_move: step 1,0") == []
        (breach,) = table.breaches("A1 foot_move: step 1,0 level 1")
        assert (breach.clause, breach.blocker) == ("DT-165", "A2")

    def test_levels_are_in_the_price(self):
        """DT-162, DT-164."""
        table = game([trooper("A1", ap_bonus=-7)], centred(4, special=HOUSE, edges=UP))
        (breach,) = table.breaches("A1 foot_move: step 1,0 level 1")
        assert (breach.clause, breach.needed, breach.available) == ("DT-162", 2, 1)

    def test_stairs_go_through_what_closes_the_edge(self):
        """DT-5, DT-164: a wall with stairs through it is climbed, and no way on one level; a door is one."""
        for kind, level in (("wall", ["DT-5"]), ("window", ["DT-5"]), ("door", [])):
            board = centred(4, special=HOUSE, edges=[*UP, Edge(kind, (0, 0), (1, 0))])
            table = game([trooper("A1")], board)
            assert clauses(table, "A1 foot_move: step 1,0") == level
            assert clauses(table, "A1 foot_move: step 1,0 level 1") == []
            assert table.reach("A1", "foot_move").cost_at(Pose((1, 0), level=1)) == 2

    @pytest.mark.parametrize(("levels", "open_"), [((0, 0), (1, 2)), ((1, 2), (0,)), ((0, 1), (2,))])
    def test_walls_stand_on_the_levels_they_are_given(self, levels, open_):
        """DT-5: one downstairs is in nobody's way on the roof."""
        board = centred(4, special=HOUSE, edges=[Edge("wall", (1, 0), (2, 0), levels)])
        for level in (0, 1, 2):
            table = game([trooper("A1", place=(1, 0), level=level, ap_bonus=-7)], board)
            assert clauses(table, "A1 foot_move: step 2,0") == ([] if level in open_ else ["DT-5"])
            assert ((2, 0) in table.reach("A1", "foot_move")) == (level in open_)

    def test_there_is_no_way_up_but_where_it_leads(self):
        """DT-164: the stairs go to the first floor, from the ground, and down again."""
        board = centred(4, special=HOUSE, edges=UP)
        table = game([trooper("A1")], board)
        assert clauses(table, "A1 foot_move: step 1,0 level 2") == ["DT-164"]
        assert clauses(table, "A1 foot_move: step 1,0, step 2,0 level 1") == ["DT-164"]
        assert clauses(table, "A1 foot_move: step 1,0 level 1, step 0,0 level 0, step 0,1") == []
        assert clauses(table, "A1 foot_move: step 1,0 level 1, step 0,0") == ["DT-164"]
        assert clauses(table, "A1 foot_move: step 1,0 level 1, step 2,0, step 3,0") == ["DT-164"]


class TestReach:
    """DT-6, DT-28, DT-64, DT-164: what the AP are enough for, place by place."""

    def costs(self, table, action="foot_move", level=None, **asked):
        """The cheapest AP of each place down the lane, or of those of one level and posture."""
        reach = table.reach("A1", action)
        poses = [Pose(place, level=level) for place in reach.places if place[1] == 0]
        found = {pose.place[0]: reach.cost_at(pose, **asked) for pose in poses}
        return {place: cost for place, cost in found.items() if cost is not None}

    def test_standing_and_prone(self):
        """DT-164: a dot for one AP standing, for two prone, one for each change; the last one lies down cheaply."""
        table = lane(trooper("A1", ap_bonus=-4))
        assert self.costs(table, posture="standing") == {q: abs(q) for q in range(-4, 5)}
        assert self.costs(table, posture="prone") == {q: abs(q) + 1 for q in range(-3, 4)}
        down = lane(trooper("A1", posture="prone", ap_bonus=-4))
        assert self.costs(down, posture="prone") == {-2: 4, -1: 2, 0: 0, 1: 2, 2: 4}
        assert self.costs(down, posture="standing") == {-3: 4, -2: 3, -1: 2, 0: 1, 1: 2, 2: 3, 3: 4}

    def test_stairs_and_a_ladder(self):
        """DT-164: two AP to the first floor, two more to the roof."""
        table = lane(trooper("A1", ap_bonus=-3), special=HOUSE, edges=UP)
        assert self.costs(table, level=0) == {-5: 5, -4: 4, -3: 3, -2: 2, -1: 1, 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
        assert self.costs(table, level=1) == {1: 2, 2: 3}
        assert self.costs(table, level=2) == {1: 5, 2: 4}
        assert self.costs(table, level=1, posture="prone") == {1: 3, 2: 4}

    def test_stairs_only_where_they_are(self):
        """DT-164: through the house, up at its far end, and back on the floor above."""
        house = [((q, 0), {"storeys": 1}) for q in (1, 2, 3)]
        table = lane(trooper("A1"), special=house, edges=[Edge("stairs", (4, 0), (3, 0), (0, 1))])
        assert self.costs(table, level=1) == {3: 6, 2: 7, 1: 8}

    def test_prices_are_those_of_the_table(self):
        """DT-164: dots, levels and changes of posture at other prices."""
        prices = {"foot.standing": 2, "foot.prone": 3, "foot.level": 2, "foot.posture": 2}
        table = lane(trooper("A1", ap_bonus=-2), special=HOUSE, edges=UP, tables=prices)
        assert self.costs(table, level=0, posture="standing") == {q: 2 * abs(q) for q in range(-3, 4)}
        assert self.costs(table, level=0, posture="prone") == {q: 2 * abs(q) + 2 for q in range(-2, 3)}
        assert self.costs(table, level=1) == {1: 4, 2: 6}

    def test_every_end_has_orders_at_its_price(self):
        """DT-28, DT-164: standing and prone, upstairs, and after a flight."""
        units = [trooper("A1", jet_pack="worn", ap_bonus=1, posture="prone")]
        table = lane(*units, special=HOUSE, edges=UP)
        for action in ("foot_move", "turn"):
            reach, elements = table.reach("A1", action), set()
            for end in reach.end_fields():
                pose, posture = Pose(tuple(end["place"]), level=end["level"]), end["posture"]
                twin, spent = table.branch(), 0
                for order in reach.orders_to(pose, posture=posture):
                    elements |= {element.name for element in order.elements}
                    spent += twin.do(order).ledger.total("AP")
                unit = twin.state.unit("A1")
                assert (table.ruleset.pose_of(twin.table, unit), unit["posture"]) == (pose, posture)
                assert spent == reach.cost_at(pose, posture=posture)
            assert elements == {"step", "lie_down", "stand_up"} | ({"fly"} if action == "turn" else set())

    @pytest.mark.parametrize(("counts", "lying"), [("movement_only", 3), ("all_activities", 2)])
    def test_a_cap_below_the_ap_there_are(self, counts, lying):
        """DT-64: changes of posture are no movement; by option everything is."""
        table = lane(trooper("A1"), options={"cap_counts": counts}, tables={"movement.cap": 3})
        assert self.costs(table, posture="standing") == {q: abs(q) for q in range(-3, 4)}
        assert self.costs(table, posture="prone") == {q: abs(q) + 1 for q in range(-lying, lying + 1)}

    def test_a_cap_for_who_begins_prone(self):
        """DT-64: getting up and down again is two AP and no movement."""
        table = lane(trooper("A1", posture="prone"), tables={"movement.cap": 3})
        assert self.costs(table, posture="standing") == {q: abs(q) + 1 for q in range(-3, 4)}
        assert self.costs(table, posture="prone") == {-3: 5, -2: 4, -1: 2, 0: 0, 1: 2, 2: 4, 3: 5}

    def test_what_has_been_spent_is_gone(self):
        """DT-64, DT-162."""
        table = lane(trooper("A1", ap_bonus=2))
        table.do("A1 foot_move: step 1,0, step 2,0, lie_down, stand_up")
        assert self.costs(table, posture="standing") == {q: abs(q - 2) for q in range(-4, 9)}
        capped = lane(trooper("A1", ap_bonus=9), tables={"movement.cap": 4})
        capped.do("A1 foot_move: step 1,0, step 2,0, lie_down, stand_up")
        assert self.costs(capped, posture="standing") == {q: abs(q - 2) for q in range(5)}

    def test_a_flight_among_the_dots_on_foot(self):
        """DT-28: six AP; a flight of three, and three dots before it, after it, or divided."""
        table = lane(trooper("A1", place=(-9, 0), jet_pack="worn"))
        costs = self.costs(table, "turn")
        assert costs == {-9: 0, -8: 1, -7: 2, **dict.fromkeys(range(-6, 8), 3), 8: 4, 9: 5}
        alone = self.costs(table, "activate_jet_pack")
        assert alone == dict.fromkeys(range(-9, 8), 3)

    def test_a_walk_after_a_flight_where_none_can_come_before_it(self):
        """DT-28, DT-164: out of a nook by air, and then on foot, up the stairs or down on the ground."""
        nook = blocked((-8, 0))
        table = lane(trooper("A1", place=(-9, 0), jet_pack="worn"), special=nook)
        assert self.costs(table, "turn", posture="standing") == {-9: 0, **dict.fromkeys(range(-7, 8), 3), 8: 4, 9: 5}
        assert self.costs(table, "turn", posture="prone") == {-9: 1, **dict.fromkeys(range(-7, 8), 4), 8: 5, 9: 6}
        house = [((q, 0), {"storeys": 2}) for q in (5, 6, 7, 8)]
        stairs = [Edge("stairs", (4, 0), (5, 0), (0, 1))]
        climber = lane(trooper("A1", place=(-9, 0), jet_pack="worn"), special=[*nook, *house], edges=stairs)
        assert self.costs(climber, "turn", level=1) == {5: 5, 6: 6}
        capped = {"movement.cap": 5}
        lying = trooper("A1", place=(-9, 0), jet_pack="worn", posture="prone", ap_bonus=4)
        climber = lane(lying, special=[*nook, *house], edges=stairs, tables=capped)
        assert self.costs(climber, "turn", level=1) == {5: 6}

    @pytest.mark.parametrize("options", [{"flight_path": "no_revisit"}, {"flight_length": "displacement"}], ids=str)
    def test_flights_that_are_looked_at_whole(self, options):
        """DT-8, DT-28: where a flight leads away by six dots, or does not come back, there are walks about it, too."""
        open_ground = game([trooper("A1", place=(-6, 0), jet_pack="worn", ap_bonus=-1)], centred(7), options=options)
        for place, wanted in (((-6, 0), 0), ((-5, 0), 1), ((-4, 0), 2), ((-3, 0), 3), ((0, 0), 3), ((6, 0), 3)):
            assert open_ground.reach("A1", "turn").cost_at(place) == wanted
        alone = open_ground.reach("A1", "activate_jet_pack")
        assert ((-3, 0) in alone) == ("flight_path" in options)
        far = lane(
            trooper("A1", place=(-9, 0), jet_pack="worn", posture="prone"), special=blocked((-8, 0)), options=options
        )
        assert self.costs(far, "turn", posture="standing")[8] == 5
        assert self.costs(far, "turn", posture="prone")[8] == 6

    def test_a_flight_from_a_floor_that_was_climbed_to(self):
        """DT-13, DT-28: from the ground a tower of six storeys is too high, from a roof of one storey it is not."""
        special = [((-8, 0), {"storeys": 1}), ((8, 0), {"storeys": 6})]
        for edges, wanted in (((), None), ([Edge("stairs", (-9, 0), (-8, 0), (0, 1))], 5)):
            table = lane(trooper("A1", place=(-9, 0), jet_pack="worn"), special=special, edges=edges)
            assert self.costs(table, "turn", level=6).get(8) == wanted

    def test_whoever_is_in_the_way_is_named(self):
        """DT-165."""
        table = lane(trooper("A1"), trooper("B1", "blue", (2, 0)))
        why = table.reach("A1", "foot_move").why_not((3, 0))
        assert ([one.clause for one in why.reasons], why.remedy) == (["DT-165"], "with B1 gone")

    def test_who_lies_gets_up_before_a_flight(self):
        """DT-28: a turn of 6 AP: up for one, a flight for three, two dots; the pack alone does not lift them."""
        table = lane(trooper("A1", place=(-9, 0), jet_pack="worn", posture="prone"))
        assert self.costs(table, "activate_jet_pack") == {}
        costs = self.costs(table, "turn", posture="standing")
        assert (costs[-9], costs[-8], costs[7], costs[9]) == (1, 2, 4, 6)

    def test_flights_and_changes_of_posture_under_a_cap(self):
        """DT-64: a flight and a dot are four of movement; getting up first and lying down last are none."""
        table = lane(trooper("A1", place=(-9, 0), jet_pack="worn", posture="prone"), tables={"movement.cap": 4})
        assert self.costs(table, "turn", posture="standing")[8] == 5
        assert self.costs(table, "turn", posture="prone")[8] == 6
        assert 9 not in self.costs(table, "turn")
        strict = lane(
            trooper("A1", place=(-9, 0), jet_pack="worn", posture="prone"),
            tables={"movement.cap": 4},
            options={"cap_counts": "all_activities"},
        )
        assert self.costs(strict, "turn")[7] == 4
        assert 8 not in self.costs(strict, "turn")

    @pytest.mark.parametrize(
        "fields", [{"jet_pack": "none"}, {"jet_pack": "carried"}, {"jet_pack": "worn", "ap_bonus": -4}], ids=str
    )
    def test_without_a_pack_or_its_ap_a_turn_is_a_walk(self, fields):
        """DT-7."""
        table = lane(trooper("A1", **fields))
        assert self.costs(table, "turn") == self.costs(table, "foot_move")
        assert self.costs(table, "activate_jet_pack") == {}

    def test_a_walk_after_the_flight_is_a_walk(self):
        """DT-10: whoever has flown walks what AP are left."""
        table = lane(trooper("A1", place=(-9, 0), jet_pack="worn"))
        table.do("A1 activate_jet_pack: fly -8,0 -7,0 -6,0 -5,0 -4,0 -3,0")
        assert self.costs(table, "turn") == {q: abs(q + 3) for q in range(-6, 1)}

    def test_others_are_walked_round_and_flown_over(self):
        """DT-165: on the lane that is to say not at all, or over them."""
        units = [trooper("A1", jet_pack="worn"), trooper("B1", "blue", (1, 0)), trooper("A2", "red", (-2, 0))]
        table = lane(*units)
        assert self.costs(table) == {-1: 1, 0: 0}
        costs = self.costs(table, "turn")
        assert {1, -2}.isdisjoint(costs)
        assert (costs[2], costs[9]) == (3, 3)

    def test_by_option_past_friends(self):
        """DT-165."""
        table = lane(
            trooper("A1", ap_bonus=-4),
            trooper("A2", "red", (2, 0)),
            trooper("B1", "blue", (-2, 0)),
            options={"pass_through_units": "friends"},
        )
        assert self.costs(table) == {-1: 1, 0: 0, 1: 1, 3: 3, 4: 4}

    def test_nobody_takes_off_from_a_friends_dot(self):
        """DT-165: a walk may come through it by option; but a flight begins where the walk before it could end."""
        alone = trooper("A1", place=(-9, 0), jet_pack="worn", ap_bonus=-2)
        for friends, wanted in (([], 4), ([trooper("A2", "red", (-8, 0))], None)):
            options = {"pass_through_units": "friends"}
            table = lane(alone, *friends, special=blocked((7, 0)), options=options)
            assert self.costs(table, "turn").get(8) == wanted

    def test_who_shares_a_dot_may_stay_there(self):
        """DT-128: a skid may leave two on a dot; nobody else may end on it."""
        table = lane(trooper("A1"), trooper("B1", "blue"), trooper("A2", "red", (1, 0), ap_bonus=-6))
        assert self.costs(table) == {q: abs(q) for q in range(-8, 1)}
        assert table.reach("A2", "foot_move").cost_at((0, 0)) is None

    def test_whichever_search_answers(self):
        """DT-162: the map of moves that is given to other tools has the AP there are as its budget."""
        table = lane(trooper("A1", jet_pack="worn"), special=HOUSE, edges=UP)
        ready = table.ready_table("A1")
        for action, stays in (("foot_move", True), ("turn", True), ("activate_jet_pack", False)):
            space = RULES.move_space(ready, ready.unit("A1"), action)
            assert (space.budget, space.unit, space.start_is_end) == (6, "AP", stays)
        other = table.reach("A1", "foot_move", engine="networkx")
        assert {place[0]: other.cost_at(place) for place in other.places} == self.costs(table)

    def test_riders_and_the_buried_do_not_walk(self):
        """DT-164."""
        for fields in ({}, {"posture": "under_vehicle"}):
            table = game(bike(motion="stopped", rider_fields={**fields, "jet_pack": "worn"}), EVERYWHERE)
            for action in ("foot_move", "activate_jet_pack"):
                assert len(table.reach("A1", action)) == 0
