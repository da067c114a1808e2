"""Refusals and explanations are claims: each figure is counted again, each remedy and each hinted order is tried."""

import re
from itertools import combinations

import numpy as np
import pytest
from exhaustive_grid_runner import DIRECTIONS, after, order_of, squares_paid
from grid_runner_boards import RULES, game, generated
from grid_runner_positions import asked_at

from simulator.engine.errors import UnreadableOrder
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.rulesets.grid_runner.allotments import allotment_now

SCALES = ("m1", "m2", "m5")
_MORE = re.compile(r"(\d+) squares? more")


def with_squares(played, more):
    """The game with so many squares more for A in this pass, at either pace."""
    unit, clock = played.ready_table("A").unit("A"), played.state.clock
    tables = dict(played.setting.tables.overrides)
    for mode in ("walk", "run"):
        path = f"allotment_table.{played.setting.options.scale}.{mode}.{unit['metatype']}.h{len(clock.phases)}"
        tables[path] = [int(one) + more for one in played.setting.tables[path]]
    setting = type(played.setting).of(RULES, played.board, played.setting.options, tables)
    return Game(setting, played.state)


def without(played, names):
    state = played.state
    for name in names:
        state = state.without_unit(name)
    return Game(played.setting, state)


def told_in(remedy):
    """What a remedy names: who is to be gone, how many squares more, whether to run would do instead."""
    more = _MORE.search(remedy)
    who = re.search(r"without (\w+(?:, \w+)*(?: and \w+)?)(?:$|, and)", remedy)
    names = re.split(r", | and ", who.group(1)) if who else []
    return names, int(more.group(1)) if more else 0, "or to run" in remedy


class TestRemedies:
    """What `why_not` promises takes A there, and anything smaller does not."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("action", ["move", "withdrawal", "tumble", "one_square_move", "charge_attack"])
    @pytest.mark.parametrize("scale", SCALES)
    def test_each_helps_and_nothing_smaller_does(self, scale, action):
        tried = 0
        for seed in range(40, 44):
            played = generated(seed, scale, budget=2, crowd=6)
            if len(played.state.clock.phases) > 4:
                continue
            targets = [one.id for one in played.table.units(other_than="red")] if action == "charge_attack" else [""]
            for target in targets[:2]:
                asking = {"target": target} if target else {}
                answer = played.reach("A", action, **asking)
                for row, column in np.ndindex(played.board.shape):
                    place = (column, row)
                    why = answer.why_not(place)
                    if not why.remedy:
                        continue
                    tried += 1
                    names, more, runs = told_in(why.remedy)
                    assert target not in names
                    cleared = without(played, names)

                    def reached(here, place=place, asking=asking, **pace):
                        return place in here.reach("A", action, **asking, **pace)

                    assert reached(with_squares(cleared, more)), str(why)
                    if more:
                        assert not reached(with_squares(cleared, more - 1)), str(why)
                    for fewer in combinations(names, max(len(names) - 1, 0)):
                        assert not names or not reached(with_squares(without(played, fewer), more)), str(why)
                    if runs:
                        assert reached(cleared, mode="run"), str(why)
        assert tried or action in ("charge_attack", "one_square_move")


class TestFigures:
    """Each figure of a refused movement, counted again by hand."""

    @pytest.mark.parametrize("seed", range(200, 224))
    def test_of_squares_needed_and_left(self, seed):
        if (position := asked_at(seed, several=False)) is None:
            return
        played, _ = position
        table = played.ready_table("A")
        unit, dice = table.unit("A"), np.random.default_rng(seed)
        for _ in range(12):
            path = [DIRECTIONS[int(one)] for one in dice.integers(0, 8, int(dice.integers(1, 6)))]
            for breach in played.breaches(order_of("move", path)):
                if breach.clause not in ("GR-27", "GR-18"):
                    continue
                assert breach.needed == squares_paid(path, unit["parity"])[0]
                assert breach.place == after(unit.place, path)
                assert breach.available == left_by_hand(table, unit)
                if breach.clause == "GR-27":
                    said = [int(number) for number in re.findall(r"\d+", breach.message.replace(unit.id, ""))]
                    assert said == [breach.needed, breach.available, breach.needed - breach.available]

    def test_of_a_one_square_move_without_a_square(self):
        """GR-18: an allotment of 0 is the reason, not the one step."""
        played = game("@ . .", {}, {"A": {"passes": 1}}, tables={"allotment_table.m1.walk.human.h1": [0]})
        (reason,) = played.reach("A", "one_square_move").why_not((1, 0)).reasons
        assert (reason.clause, reason.needed, reason.available) == ("GR-18", 1, 0)


def left_by_hand(table, unit):
    options = table.options
    figure = allotment_now(table, unit) + unit["carried"]
    if options.turn_total_cap:
        total = table.tables[f"allotment_table.{options.scale}.{unit['mode']}.{unit['metatype']}.h1"][0]
        labels = options.scale == "m1" and options.m1_totals == "labels"
        total = table.tables[f"m1_labels.{unit['mode']}.{unit['metatype']}"] if labels else total
        figure = max(min(figure, int(total) - unit["spent_before"]), 0)
    each = {"m1": 2, "m2": 1, "m5": 0.5}[options.scale]
    if f"sprint.per_hit.{options.scale}" in table.tables.overrides:
        each = table.tables[f"sprint.per_hit.{options.scale}"]
    hits = unit["sprint_hits"] or 0
    extra = hits * -int(-each // 1) if options.sprint_round == "per_hit" else -int(-hits * each // 1)
    if unit["mode"] == "walk":
        extra = min(extra, unit["spent"])
    return max(figure + extra - unit["spent"], 0)


class TestCharges:
    """GR-74, GR-75: why there is no charge."""

    def test_no_free_way_is_no_charge(self):
        """It is the way that is wanting, not the square that it stands on."""
        played = game("@ . , . . b .\n# # # # # # #")
        why = played.reach("A", "charge_attack", target="B1").why_not((0, 0))
        assert [reason.clause for reason in why.reasons] == ["GR-74"]
        assert "empty, unimpeded" in why.reasons[0].message

    def test_a_lane_that_is_too_long_tells_by_how_much(self):
        played = game("@" + " ." * 16 + " b")
        why = played.reach("A", "charge_attack", target="B1").why_not((0, 0))
        (reason,) = why.reasons
        assert (reason.clause, reason.needed, reason.available) == ("GR-27", 16, 12)
        assert reason.place == (16, 0)
        assert why.remedy == ""  # it stays where it is, and no square more makes that a charge
        assert len(with_squares(played, 4).reach("A", "charge_attack", target="B1"))
        assert not len(with_squares(played, 3).reach("A", "charge_attack", target="B1"))

    def test_squares_behind_the_target_are_no_matter_of_squares(self):
        played = game("@ . . . . b .\n. . . . . . .")
        why = played.reach("A", "charge_attack", target="B1").why_not((6, 0))
        assert [reason.clause for reason in why.reasons] == ["GR-74"]
        assert why.remedy == ""


class TestHeld:
    """A grapple is refused by its own clause, lying and being held by that of those states."""

    @pytest.mark.parametrize(
        ("fields", "clause"),
        [({"prone": True}, "GR-45"), ({"immobilised": True}, "GR-45")],
    )
    def test_each_by_its_clause(self, fields, clause):
        played = game("@ . .", fields={"A": fields})
        for action in ("move", "withdrawal", "one_square_move", "tumble"):
            assert [one.clause for one in played.breaches(order_of(action, ["e"]))] == [clause]
            assert played.reach("A", action).refused[0].clause == clause

    def test_a_grapple_by_gr_79(self):
        played = game("@ b .")
        played.do("A grapple B1", answers=["holds"])
        assert "GR-79" in [one.clause for one in played.breaches(Order("B1", "move", order_of("move", ["e"]).elements))]


class TestHints:
    """An order that was left incomplete is answered with one that the judge accepts, or with the word that none is."""

    @pytest.mark.parametrize("seed", range(300, 312))
    def test_each_is_given_to_the_judge(self, seed):
        if (position := asked_at(seed, several=False)) is None:
            return
        played, _ = position
        legal = {order.action for order in played.legal("A")}
        for form in RULES.vocabulary.actions:
            for text in (f"A {form.name}", f"A {form.name} nonsense ?"):
                try:
                    played.read(text)
                except UnreadableOrder as error:
                    hinted = re.search(r"reads like '(.*)'", error.advice)
                    if not error.advice:
                        assert len(played.state.units) == 1  # nobody else whom an example could name
                    elif hinted:
                        assert played.breaches(hinted.group(1)) == [], (text, error.advice)
                    else:
                        assert error.advice.endswith("none of this kind is legal now"), (text, error.advice)
                        assert form.name not in legal

    def test_a_one_square_move_has_one_step(self):
        """GR-55."""
        with pytest.raises(UnreadableOrder, match="reads like 'A one_square_move: e'"):
            game("@ . . b").do("A one_square_move")
        with pytest.raises(UnreadableOrder, match="'A charge_attack B1' shows the form; none of this kind is legal"):
            game("@ C . b").do("A charge_attack")


@pytest.mark.parametrize("moved", ["", "first", "last"])
@pytest.mark.parametrize("hits", [None, 0, 2])
@pytest.mark.parametrize("mode", ["walk", "run"])
def test_every_reason_against_a_sprint_is_reported(mode, hits, moved):
    """GR-21, GR-32, GR-34: one that hit nothing was a sprint too."""
    played = game("@ . . . .")
    there = Game(played.setting, played.state.put_unit("A", mode=mode, sprint_hits=hits, moved_this_pass=moved))
    wanted = ["GR-21"] * (moved == "last") + ["GR-32"] * (hits is not None)
    wanted += ["GR-34"] * ((mode == "walk") + bool(moved))
    assert [breach.clause for breach in there.breaches("A sprint")] == wanted
