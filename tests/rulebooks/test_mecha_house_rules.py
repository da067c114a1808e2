"""Reach is play under every value of every option: ends are played at their cost, and random orders end inside."""

import math

import numpy as np
import pytest
from mecha_carriers import price
from mecha_house_rules import ACTIONS, ASKED, order_for, position

from simulator.engine.errors import IllegalOrder
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.options import MechaOptions

#: Values other than the default ones, and the questions whose answers they may change.
VALUES = {
    "phase_list": (["movement_1, movement_2"], ["turn"]),
    "attack_phases": (["played"], ["turn"]),
    "ap_per_turn": ([None, 1], ["run", "turn"]),
    "contact_stops_move": ([True], ["charge", "break_away", "manoeuvre", "enter_unit"]),
    "granularity": (["proportional"], ["standard", "run", "charge", "manoeuvre", "exit_unit", "jump"]),
    "terrain_under": (["centre"], ["standard", "charge"]),
    "sideways_types": (["", "walker, hover"], ["standard", "hover", "jump"]),
    "free_turn_per": (["turn"], ["turn"]),
    "free_turn_split": ([True], ["standard", "charge", "break_away", "jump"]),
    "pass_type_of": (["mover", "both"], ["standard", "hover"]),
    "contact_tolerance": (["0.1", "0.001"], ["charge", "manoeuvre", "enter_unit", "exit_unit", "climb"]),
    "run_minimum": (["displacement", "none"], ["run", "charge"]),
    "facing_tolerance_deg": ([0, 10, 90], ["climb"]),
    "climb_down": ([True], ["climb", "climb down"]),
    "pinning_effect": (["half_move", "no_more_moves"], ["break_away"]),
    "action_test": (["asked"], ["break_away"]),
    "jump_move": (["edge_only"], ["jump", "falls"]),
    "carrier_lock_scope": (["turn"], ["enter_unit", "exit_unit"]),
    "unload_order": (["any"], ["unload"]),
    "rear_arc_deg": ([0, 30, 360], ["unload", "exit_unit"]),
    "placement_heading": (["away", "same"], ["unload", "exit_unit"]),
    "charge_minimum": (["none"], ["charge"]),
    "charge_expiry": (["end_of_turn"], ["charge"]),
    "endurance_min": ([1], ["falls"]),
    "endurance_test": (["asked"], ["falls"]),
    "endurance_fail_effect": (["destroyed"], ["falls"]),
}
CASES = [(name, value) for name, (values, _) in VALUES.items() for value in values]
#: Orders that are tried, and places asked about.
TRIED, PLACES = 6, 4
#: What is paid with, where that is not movement points.
CURRENCIES = {"turn": "ap", "climb": "none", "climb down": "none"}


def played(game, orders, currency):
    """A twin of a game after orders, and what they cost: nobody attacks, tests are passed, dice fall as they may."""
    twin, spent = game.branch(), 0.0
    for order in orders:
        happened = twin.do(order)
        spent += price(happened, currency)
        while happened.question is not None:
            happened = twin.answer(answer_to(happened.question))
            spent += price(happened, currency)
    return twin, spent


def answer_to(question):
    """The answer that lets a move go on."""
    if question.kind == "react":
        return None
    options = list(getattr(question, "options", ())) or list(question.chances)
    return next((one for one in ("succeeds", "passed") if one in options), options[0])


def stands_at(unit, pose):
    """Whether a unit stands in a pose; on its level too, if the pose has one."""
    turned = 0.0 if pose.heading is None else (float(unit.heading) - pose.heading + 180) % 360 - 180
    there = math.dist(map(float, unit.place), pose.place) < 2e-5 and abs(turned) < 1e-5
    return there and pose.level in (None, unit["level"])


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "value"), CASES)
def test_reach_is_play_under_every_value(name, value):
    """Ends of random orders are known for no more than these cost; some ends are played, at what they are said to."""
    game, dice = position(options={name: value}), np.random.default_rng([CASES.index((name, value)), 7])
    for what in VALUES[name][1]:
        who, question = ASKED[what]
        reach = game.reach(who, ACTIONS.get(what, what), **question)
        for ends in (list(ends_of_orders(game, what, reach, dice)), list(ends_nearby(game, what, reach, dice))):
            if ends:
                is_played(game, what, reach, ends[dice.integers(len(ends))])


def ends_of_orders(game, what, reach, dice):
    """Yield the ends of random orders that are legal, each of which reach knows."""
    who, _ = ASKED[what]
    for _ in range(TRIED):
        order, end = order_for(game, "standard" if what == "turn" else what, dice)
        try:
            twin, spent = played(game, [order], CURRENCIES.get(what, "mp"))
        except IllegalOrder:
            continue
        unit = twin.state.unit(who)
        if what in ("jump", "falls") and unit["fallen"] != (what == "falls"):
            continue
        if what in ("jump", "falls", "climb", "climb down"):
            end = Pose(tuple(map(float, unit.place)), None, unit["level"])
        cost = reach.cost_at(end)
        assert cost is not None, (what, order, end, spent)
        assert float(cost) <= spent + 1e-6, (what, order, end, spent, cost)
        yield end


def ends_nearby(game, what, reach, dice):
    """Yield some places nearby at which it can end."""
    middle = game.state.unit("C" if what == "exit_unit" else ASKED[what][0]).place
    places = dice.uniform(-2.5, 2.5, (PLACES, 2)).round(3) + np.array(middle, float)
    for place in places[np.isfinite(reach.costs_of(places))].tolist():
        yield Pose(tuple(place))


def is_played(game, what, reach, end):
    """An end is played by orders that are accepted, and cost what it is said to."""
    cost, orders = reach.cost_at(end), reach.orders_to(end)
    twin, spent = played(game, orders, CURRENCIES.get(what, "mp"))
    told = (what, [game.write(order) for order in orders], end, spent, cost)
    mover = twin.state.unit(ASKED[what][0])
    assert mover.carrier == "C" if what == "enter_unit" else stands_at(mover, end), told
    assert spent == pytest.approx(float(cost), abs=1e-4), told


def test_every_option_has_its_values():
    assert set(VALUES) == set(MechaOptions.declared)
