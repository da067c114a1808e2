"""The search against the slow enumeration: the same ends, costs and chances on generated boards."""

from fractions import Fraction

import exhaustive_grid_runner as slow
import numpy as np
import pytest
from grid_runner_boards import RULES, game, generated

from simulator.engine.errors import TableError
from simulator.engine.questions import Roll
from simulator.pathing.move_space import UNREACHED

SCALES = ("m1", "m2", "m5")
ACTIONS = ("move", "withdrawal", "one_square_move", "tumble")
#: Ways that cost more are not enumerated.
MOST = 8
#: Every value of every option that has to do with where a character can go and how surely, away from its default.
VALUES = {
    "allotment_source": ("division_rule",),
    "m1_totals": ("labels",),
    "turn_total_cap": (True,),
    "h_above_4": ("division_rule",),
    "carry_over": (True,),
    "split_move": (True,),
    "diagonal_parity_reset": ("turn", "never"),
    "diagonal_corners": ("only_between_two", "free"),
    "run_start_without_pass": (True,),
    "sprint_round": ("per_hit",),
    "sprint_action": ("complex", "none"),
    "held_threatens": (True,),
    "free_actions_per_pass": (0, 2),
    "interception_order": (("A5", "A4", "A3", "A2"),),
    "tumble_counts": ("near_any",),
    "tumble_first": ("hits_plus_one", "gm"),
    "tumble_push": ("any_interception",),
    "charge_path": ("any",),
    "charge_requires_running": (True,),
}
#: Those that have not: dice, weapons and blasts.
ELSEWHERE = {
    "charge_bonus_dice",
    "shotgun_f_m1",
    "omitted_band",
    "str_range_rounding",
    "range_metric",
    "blast_random_m5",
}
#: With these the figures of the tables are asked about; the others get by with few squares.
OF_FIGURES = {"allotment_source", "m1_totals", "h_above_4"}
OPTIONS = ({}, *({name: value} for name, values in VALUES.items() for value in values))
#: What is asked: the action, what is said before it, and the question that stands for both.
QUESTIONS = {
    **{action: (action, "", {}) for action in ACTIONS},
    "to run": ("move", "A start_run", {"mode": "run"}),
    "to walk": ("move", "A stop_run", {"mode": "walk"}),
    "three hits": ("move", "A sprint", {"sprint": 3}),
}


def opened(seed, scale, options, midway=False, crowd=8):
    """A generated game: at its opening, or after a movement, in the next pass or after an action in between."""
    printed = not midway and (not options or OF_FIGURES & set(options))
    played = generated(seed, scale, options, budget=None if printed else 3 + (scale == "m1"), crowd=crowd)
    if "h_above_4" in options:
        units = [unit.put(passes=5) if unit.id == "A1" else unit for unit in played.opening]
        played = type(played).new(RULES, played.board, units, options=played.setting.options)
    if not midway:
        return played
    twin = played.branch(slow.NoDamage())
    ways = sorted(path for path in slow.paths(twin, "move") if len(path) <= 2)
    if ways:
        twin.do(slow.order_of("move", ways[seed % len(ways)]))
    twin.do("A act simple" if twin.setting.options.split_move and twin.state.clock.unit == "A" else "all done")
    return twin


def found(reach):
    """The ends of a reach as the slow enumeration tells them."""
    ends = {}
    for end in reach.ends:
        parity = int("costs 2" in end.phase)
        key = (end.place, parity)
        ends[key] = min(int(end.cost), ends.get(key, UNREACHED))
    return ends


def all_cases():
    for number, options in enumerate(OPTIONS):
        for place, scale in enumerate(SCALES):
            name = "-".join(f"{key}={value}" for key, value in options.items()) or "defaults"
            yield pytest.param(100 * number + 10 * place, scale, options, id=f"{scale}-{name}")


class TestSameEnds:
    """GR-26 to GR-41, GR-54 to GR-58, GR-70: what the search reaches is what legal orders reach, cost for cost."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("question", QUESTIONS)
    @pytest.mark.parametrize(("seed", "scale", "options"), list(all_cases()))
    def test_on_generated_boards(self, seed, scale, options, question):
        action, before, asking = QUESTIONS[question]
        for midway in (False, True) if not options or OF_FIGURES & set(options) else (True,):
            played = opened(seed + midway, scale, options, midway)
            fast, plain = (played.reach("A", action, engine=engine, **asking) for engine in ("numpy", "networkx"))
            assert np.array_equal(fast.array, plain.array)
            near = {key: cost for key, cost in found(fast).items() if cost <= MOST}
            unit = played.table.unit("A")
            runs = unit["mode"] == asking.get("mode", "")
            if before and not runs:
                if fast.refused:
                    assert near == {(unit.place, unit["parity"]): 0}
                    continue
                played = played.branch(slow.NoDamage())
                played.do(before, answers=[3] if "sprint" in asking else [])
            assert near == slow.played(played, action, MOST)

    def test_every_value_of_every_option_is_asked_about(self):
        declared = {**RULES.options.declared}
        assert set(declared) == {*VALUES, *ELSEWHERE, "scale"}
        for name, values in VALUES.items():
            if declared[name].kind == "choice":
                assert {declared[name].default, *values} == set(declared[name].values)
        assert set(declared["scale"].values) == set(SCALES)

    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize("seed", range(6))
    def test_both_engines_agree(self, scale, seed):
        played = generated(seed, scale)
        for action in ACTIONS:
            fast, plain = (played.reach("A", action, engine=engine) for engine in ("numpy", "networkx"))
            assert np.array_equal(fast.array, plain.array)
            assert np.array_equal(fast.certain, plain.certain)
            assert np.array_equal(fast.chances.array, plain.chances.array)

    @pytest.mark.parametrize("scale", SCALES)
    def test_everybody_at_once_is_everybody_one_by_one(self, scale):
        for seed in range(5):
            played = generated(seed, scale, crowd=9)
            for name, answer in played.reach_many(action="move"):
                assert np.array_equal(answer.cheapest, played.reach(name, "move").cheapest), (seed, name)


class TestSameChances:
    """GR-48, GR-49, GR-58, GR-64 to GR-68: the best chance of all paths, each played to every end of its rolls."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize("action", ["move", "withdrawal"])
    @pytest.mark.parametrize(
        "options",
        [{}, {"free_actions_per_pass": 2}, {"free_actions_per_pass": 0}, {"held_threatens": True},
         {"interception_order": ["A3", "A2"]}],
        ids=str,
    )  # fmt: skip
    def test_of_interceptions(self, scale, action, options):
        self.compare(scale, action, options, seeds=(2,) if options else (1, 2), budget=3)

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize(
        "options",
        [{}, {"tumble_counts": "near_any"}, {"tumble_first": "hits_plus_one"}, {"tumble_push": "any_interception"},
         {"tumble_first": "gm"}, {"free_actions_per_pass": 0}, {"interception_order": ["A4", "A3"]},
         {"held_threatens": True}],
        ids=str,
    )  # fmt: skip
    def test_of_tumbles(self, scale, options):
        self.compare(scale, "tumble", options, seeds=(4,) if options else (3, 4), budget=3)

    def compare(self, scale, action, options, seeds, budget):
        for seed in seeds:
            played = generated(seed, scale, options, budget=budget, crowd=7)
            best = {played.table.unit("A").place: 1}
            for path, place in slow.every_path(played, action):
                chance = slow.chance_of_path(played, action, path)
                best[place] = max(chance, best.get(place, 0))
            reach = played.reach("A", action)
            assert {place: reach.chance_at(place) for place in reach} == best
            for place in reach:
                route = reach.safest_route_to(place)
                if route.legs:
                    names = tuple(leg.what for leg in route.legs)
                    assert slow.chance_of_path(played, action, names) == best[place]


class TestSound:
    """Each reported end has a way that the judge accepts at exactly that cost."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize("action", ACTIONS)
    def test_every_way_is_legal_and_costs_what_was_said(self, scale, action):
        for seed in range(8):
            played = generated(seed, scale, crowd=8)
            reach = played.reach("A", action)
            for place in reach:
                route = reach.route_to(place)
                assert reach.ledger_of(route).total("squares") == route.cost == reach.cost_at(place)
                if route.legs:
                    assert played.breaches(reach.order_of(route)) == []
                    assert played.breaches(reach.orders_to(place, safest=True)[-1]) == []


class TestOverPasses:
    """GR-20, GR-24, GR-26, GR-28, GR-29: chains of legal movements, pass by pass."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize(
        "options",
        [{}, {"carry_over": True}, {"turn_total_cap": True}, {"carry_over": True, "turn_total_cap": True},
         {"diagonal_parity_reset": "turn"}, {"diagonal_parity_reset": "never"}],
        ids=str,
    )  # fmt: skip
    def test_are_those_that_play_gives(self, scale, options):
        for seed in (11, 12):
            played = generated(seed, scale, options, budget=2, crowd=5)
            passes = len(played.state.clock.phases)
            if passes > 1:
                chained = played.reach("A", "move", passes=2)
                assert {place: chained.cost_at(place) for place in list(chained)} == slow.over_two_passes(played)
                for place in list(chained):
                    routes = chained.routes_to(place)
                    assert len(routes) == chained.cost_at(place)
                    assert routes[-1].end == place
                    assert routes[0].start == played.table.unit("A").place

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize(
        "options",
        [{}, {"carry_over": True}, {"diagonal_parity_reset": "turn"}, {"free_actions_per_pass": 2}],
        ids=str,
    )
    def test_have_the_chance_of_the_best_chain(self, scale, options):
        """GR-48, GR-49: the product of both movements; enemies have their free actions again in the second."""
        narrow = "# b # c #\n@ . . . .\n# # d # #" if scale != "m5" else "@ b c d .\n# # , # #"
        walk = f"allotment_table.{scale}.walk.human.h2"
        for chances in ((1, 2, 3), (3, 1, 0), (4, 2, 2)):
            quarters = zip(("B1", "C1", "D1"), chances, strict=True)
            fields = {name: {"damage_chance": Fraction(number, 4)} for name, number in quarters}
            played = game(narrow, {"scale": scale, **options}, {"A": {"passes": 2}, **fields}, tables={walk: [2, 2]})
            chained = played.reach("A", "move", passes=2)
            best = slow.chances_over_two_passes(played)
            assert {place: chained.chance_at(place) for place in chained} == best
            assert len({*best.values()}) > 1

    def test_running_begins_in_the_pass_in_which_it_can(self):
        played = game("@ . . . . . . . . . . . .", fields={"A": {"passes": 3, "metatype": "dwarf"}})
        assert len(played.reach("A", "move", passes=3)) == 10
        played.do("A move: e 3")
        played.do("all done")
        assert played.reach("A", "move", passes=2, mode="run").cost_at((12, 0)) == 2

    def test_there_are_no_more_passes_than_the_turn_has(self):
        with pytest.raises(TableError, match="2 passes are left in this turn, not 3"):
            game("@ . .", fields={"A": {"passes": 2}}).reach("A", "move", passes=3)


def list(chained):
    return [(column, row) for row, column in np.argwhere(chained.mask).tolist()]


class TestChargeLanes:
    """GR-74, GR-75: where a movement ends from which the attack is a charge, as the judge sees it afterwards."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize("options", [{}, {"charge_path": "any"}, {"charge_requires_running": True}], ids=str)
    def test_are_those_after_which_the_judge_lets_charge(self, scale, options):
        for seed in (1, 3):
            played = generated(seed, scale, options, budget=5 if scale != "m1" else 6, crowd=5)
            charges = slow.charges(played)
            for enemy in played.table.units(other_than="red"):
                lanes = played.reach("A", "charge_attack", target=enemy.id)
                ends = set() if lanes.refused else set(lanes)
                assert ends == charges[enemy.id]
                for place in ends:
                    twin = played.branch(slow.NoDamage())
                    twin.do(lanes.order_of(lanes.route_to(place)))
                    assert twin.breaches(f"A charge_attack {enemy.id}") == []


class TestSprinting:
    """GR-33: reach is a function of the hits."""

    @pytest.mark.parametrize("scale", SCALES)
    def test_the_chance_is_that_of_the_hits_needed(self, scale):
        played = game(". . . . . .\n@ . . . . .\n. . . . # .", {"scale": scale}, {"A": {"mode": "run", "running": 3}},
                      tables={f"allotment_table.{scale}.run.human.h1": [1]})  # fmt: skip
        reach = played.reach("A", "move", sprint=True)
        shares = Roll("running", dice="3D6>=5").chances
        for place in reach:
            needed = min(hits for hits in shares if place in played.reach("A", "move", sprint=hits))
            assert reach.hits_needed(place) == needed
            assert reach.chance_at(place) == sum(shares[hits] for hits in shares if hits >= needed)
        assert np.array_equal(reach.certain, played.reach("A", "move", sprint=0).mask)
        assert np.array_equal(reach.possible, played.reach("A", "move", sprint=3).mask)
