"""Places of skirmish that the conditions of a question close, and what `why_not` says of them that is untrue.

Conditions are Threshold that may not be suffered, the token an end has to have, the stance that is kept. Tables have
rolls that never succeed, options differ from their defaults. Each change that is told is made, so is each that is not.
"""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import shapely
from behind_obstacles import Asked
from one_truth import table_position

from simulator.engine.game import Game
from simulator.rulesets.skirmish import RULESET
from simulator.rulesets.skirmish.obstruction import may_end

#: Every value of an option that is not its default and may decide where a soldier ends; {} for the defaults.
OPTIONS = (
    {},
    {"pool_ap": True},
    {"path_shape": "straight_per_ap"},
    {"measure": "front_point"},
    {"rough_test": "swept_base"},
    {"traverse_ap": 0},
    {"traverse_direction": "any_direction"},
    {"run_min_inches": 9},
    {"run_threshold": True},
    {"run_and_traverse_same_activation": False},
    {"exact_fit_passes": False},
    {"enemy_block": "line_only"},
)
#: What is asked, and how.
QUESTIONS = (
    ("turn", {"ap": 2, "stance": "kept"}),
    ("turn", {"ap": 3, "token": True}),
    ("turn", {"ap": 2, "token": False, "stance": "kept"}),
    ("turn", {"ap": 2, "token": True, "threshold": 1}),
    ("turn", {"ap": 1}),
    ("move", {}),
    ("move", {"token": True}),
    ("run", {}),
    ("run", {"token": False}),
    ("traverse", {}),
)
_END = re.compile(r"an end with(out)? the Running token")


def position(seed):
    """A generated table under some option, its soldier with penalties and a stance of its own."""
    dice = np.random.default_rng([seed, 7])
    game = table_position(seed)[0]
    fields = {
        "incoming_fire": int(dice.choice([0, 2, 4])),
        "threshold_left": int(dice.integers(0, 4)),
        "stance": str(dice.choice(["standing", "standing", "crouching", "prone"])),
    }
    state = game.state.with_unit(game.state.unit("A1").put(**fields))
    setting = type(game.setting).of(RULESET, game.board, OPTIONS[seed % len(OPTIONS)])
    return Game(setting, state, game.answers)


class Question(Asked):
    """A question with conditions, which can be asked again with some of them lifted."""

    def __init__(self, *asked):
        super().__init__(*asked)
        self._known = {}

    def lifted(self, ap=0, threshold=0, token=False, stance=False):
        """The same question with so many AP and so much Threshold more, any end, any stance."""
        change = (ap, threshold, token, stance)
        if change in self._known:
            return self._known[change]
        asked = dict(self.question)
        kept = self.question
        if threshold:
            asked["threshold"] = asked.get("threshold", 0) + threshold
        if token:
            asked.pop("token", None)
        if stance:
            asked.pop("stance", None)
        self.question = asked
        self._known[change] = self.reach(ap=ap)
        self.question = kept
        return self._known[change]

    @property
    def threshold_left(self):
        """The Threshold that the question does not use."""
        return max(int(self.mover["threshold_left"]) - self.question.get("threshold", 0), 0)

    @property
    def single(self):
        """Each condition that can be lifted by itself, by as much as can be."""
        if self.threshold_left:
            yield {"threshold": self.threshold_left}
        if "token" in self.question:
            yield {"token": True}
        if "stance" in self.question:
            yield {"stance": True}


def closed(asked, answer, seed, count):
    """Places out of reach where the base could stand: some that a condition closes, some others."""
    dice = np.random.default_rng([seed, 11])
    x, y = asked.mover.place
    spots = (np.array([x, y]) + dice.uniform(-9.5, 9.5, (80, 2))).round(2)
    spots = spots[may_end(asked.table, asked.mover, spots)]
    lines = [line for _, band in asked.lifted(threshold=9, token=True).bands() for line in _lines(band)]
    ends = np.array([line.interpolate(0.5, normalized=True).coords[0] for line in lines]).reshape(-1, 2)
    spots = np.concatenate([ends, spots])
    spots = spots[~np.isfinite(answer.costs_at(spots))]
    freed = np.zeros(len(spots), bool)
    for change in asked.single:
        freed |= np.isfinite(asked.lifted(**change).costs_at(spots))
    chosen = [*spots[freed].tolist()[:count], *spots[~freed].tolist()[:1]]
    return [tuple(spot) for spot in chosen]


def _lines(shape):
    return [part for part in shapely.get_parts(shape) if part.geom_type == "LineString"]


def parsed(part):
    """The change that one way to help says; None where it is of another kind."""
    change = {}
    for one in part.split(" and "):
        if found := re.fullmatch(r"(\d+) AP more", one):
            change["ap"] = int(found[1])
        elif found := re.fullmatch(r"(\d+) Threshold more to suffer", one):
            change["threshold"] = int(found[1])
        elif one == "a change of stance":
            change["stance"] = True
        elif _END.fullmatch(one):
            change["token"] = True
        else:
            return None
    return change


def smaller(change):
    """Every change that is less than one: some of it left out, or fewer of something."""
    names = list(change)
    for values in product(*(range(int(change[name]) + 1) for name in names)):
        less = {name: value for name, value in zip(names, values, strict=True) if value}
        if less != {name: int(value) for name, value in change.items()}:
            yield less


def untrue_at(asked, answer, place):
    """Name what is untrue about one closed place."""
    why = answer.why_not(place)
    found = []
    if not why.reasons:
        found.append("no reason at all")
    if (why.nearest is None) != (why.nearest_cost is None) or (
        why.nearest is not None and answer.cost_at(why.nearest) != why.nearest_cost
    ):
        found.append(f"nearest {why.nearest} for {why.nearest_cost}")
    parts = [part for part in why.remedy.split(", or ") if part]
    changes = [change for change in map(parsed, parts) if change is not None]
    for part, change in zip(parts, map(parsed, parts), strict=True):
        if change is None:
            if not re.fullmatch(r"at most \d+ AP more|[\d.]+ inches more|without \w+", part):
                found.append(f"{part!r} is nothing that can be tried")
            continue
        if place not in asked.lifted(**change):
            found.append(f"{part!r} does not help")
        found += [f"{less} would do, not {part!r}" for less in smaller(change) if place in asked.lifted(**less)]
    for change in asked.single:
        told = any(list(one) == list(change) for one in changes)
        if not told and place in asked.lifted(**change):
            found.append(f"{change} would do, told is {why.remedy!r}")
    every = {name: value for change in asked.single for name, value in change.items()}
    if not parts and asked.action == "turn":
        every["ap"] = 1
    if not parts and every and place in asked.lifted(**every):
        found.append(f"{every} together would do")
    found += ends_untrue(asked, why)
    return [f"{place}: {one}" for one in found]


def ends_untrue(asked, why):
    """A reason that names the token is true: without that condition the place is in reach."""
    named = [reason for reason in why.reasons if reason.clause == "SK-31"]
    freed = "token" in asked.question and why.place in asked.lifted(token=True)
    if not freed and any(reason.clause in ("SK-12", "SK-22", "SK-35") for reason in why.reasons):
        return []  # both close it together
    return [] if bool(named) == freed else [f"the token is {'no' * (not freed)} reason: {why.reasons}"]


def untrue(seed, count=3, tried=None):
    """Name what is untrue about places that the conditions of a generated question close."""
    game = position(seed)
    action, question = QUESTIONS[(seed // len(OPTIONS) + seed) % len(QUESTIONS)]
    asked = Question(game, action, question)
    answer = asked.reach()
    found = []
    for place in closed(asked, answer, seed, count):
        wrong = untrue_at(asked, answer, place)
        if tried is not None:
            tried.append(bool(wrong))
        found += [f"{seed} {OPTIONS[seed % len(OPTIONS)]} {action} {question} {one}" for one in wrong]
    return found
