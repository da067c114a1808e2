"""Places behind obstacles on tables of skirmish, and remedies of `why_not` that do not come true there.

Each remedy is applied to the question and asked again; so is everything smaller, in AP, in ten-thousandths of an inch,
and in each part by itself. Where no remedy is told, no few AP, no inch, nobody's absence may help either.
"""

from __future__ import annotations

import re

import numpy as np
import shapely
from one_truth import table_position

from simulator.engine.game import Game
from simulator.engine.table import Table
from simulator.rulesets.skirmish import RULESET
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.reach.answer import reach_of

#: So many AP are tried where no remedy is told.
MOST = 3
#: What is asked, and how.
QUESTIONS = (
    ("turn", {"ap": 1, "stance": "kept"}),
    ("turn", {"ap": 2, "stance": "kept"}),
    ("turn", {"ap": 1}),
    ("turn", {"ap": 2}),
    ("move", {}),
    ("run", {}),
)


class Asked:
    """A question of reach that can be asked again with something changed."""

    def __init__(self, game, action, question):
        self.game, self.action, self.question = game, action, question
        self.table = game.ready_table("A1")
        self.mover = self.table.unit("A1")

    def reach(self, ap=0, inches=0.0, without=()):
        """The same question with so many AP or inches more, somebody gone."""
        game, question = self.game, dict(self.question)
        setting = game.setting
        if inches:
            name = "run.inches" if self.action == "run" else f"inches.{self.mover['stance']}"
            figures = {**dict(setting.tables.overrides), name: float(setting.tables[name]) + inches}
            setting = type(setting).of(RULESET, game.board, setting.options, figures)
        state = self.table.state
        for name in without:
            state = state.without_unit(name)
        unit = self.mover.put(ap=int(self.mover["ap"]) + ap)
        if "ap" in question:
            question["ap"] += ap
        return reach_of(Table(setting, state.with_unit(unit)), unit, self.action, **question)


def behind(game, answer, seed, count):
    """Places out of reach where a base could stand, and to which something bars the straight way."""
    dice, unit = np.random.default_rng([seed, 3]), answer.mover
    solids = [piece.shape.polygon.buffer(0.5) for piece in game.board.pieces if piece.kind == "obstacle"]
    x, y = unit.place
    spots = (np.array([x, y]) + dice.uniform(-9, 9, (60, 2))).round(2)
    free = may_end(game.table, unit, spots)
    found = []
    for spot in spots[free].tolist():
        line = shapely.LineString([(x, y), spot])
        if any(one.crosses(line) for one in solids) and tuple(spot) not in answer:
            found.append(tuple(spot))
    return found[:count]


def untrue_at(asked, answer, place):
    """Name what is untrue about what would help to a place."""
    why = answer.why_not(place)
    told, found = why.remedy, []
    parts = [part for part in told.split(", or ") if part]
    for part in parts:
        found += list(_untrue_part(asked, place, part))
    if not any("AP more" in part for part in parts) and asked.action == "turn":
        helps = next((ap for ap in range(1, MOST + 1) if place in asked.reach(ap=ap)), None)
        if helps is not None:
            found.append(f"{helps} AP more would do, told is {told!r}")
    if not any("inches more" in part for part in parts) and asked.action in ("move", "run"):
        helps = next((far for far in (0.5, 2.0, 5.0) if place in asked.reach(inches=far)), None)
        if helps is not None:
            found.append(f"{helps} inches more would do, told is {told!r}")
    if not any("without" in part for part in parts):
        others = [name for name in asked.game.state.units if name != "A1"]
        helps = next((name for name in others if place in asked.reach(without=[name])), None)
        if helps is not None:
            found.append(f"without {helps} it would do, told is {told!r}")
    return [f"{place}: {one}" for one in found]


def _untrue_part(asked, place, part):
    if more := re.fullmatch(r"(at most )?(\d+) AP more", part):
        ap = int(more[2])
        if place not in asked.reach(ap=ap):
            yield f"{part!r} does not help"
        least = next((one for one in range(1, ap) if place in asked.reach(ap=one)), None)
        if least is not None and (not more[1] or least <= MOST):
            yield f"{least} AP more would do, not {part!r}"
    elif more := re.fullmatch(r"([\d.]+) inches more", part):
        inches = float(more[1])
        if place not in asked.reach(inches=inches):
            yield f"{part!r} does not help"
        if inches > 0.0002 and place in asked.reach(inches=inches - 0.0002):
            yield f"0.0002 less than {part!r} would do"
    elif more := re.fullmatch(r"without (\w+)", part):
        if place not in asked.reach(without=[more[1]]):
            yield f"{part!r} does not help"
    elif more := re.fullmatch(r"(\w+) more Threshold", part):
        yield f"{part!r} is nothing that can be tried"
    else:
        yield f"{part!r} is nothing that can be tried"


def untrue(seed, count=2, tried=None):
    """Name what is untrue about places behind obstacles of a generated table."""
    game = table_position(seed)[0]
    action, question = QUESTIONS[seed % len(QUESTIONS)]
    asked = Asked(game, action, question)
    answer = asked.reach()
    if answer.area.is_empty:
        return []
    found = []
    for place in behind(game, answer, seed, count):
        wrong = untrue_at(asked, answer, place)
        if tried is not None:
            tried.append(bool(wrong))
        found += [f"{action} {question} {one}" for one in wrong]
    return found


__all__ = ["Game", "untrue"]
