"""The questions of the page, each with its fields, and their answers as plain data.

Answers come from the library and nowhere else: what a question costs, forbids or allows is what the game does.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from simulator.engine.area_so_far import AreaSoFar
from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.engine.reach import ReachAnswer
from simulator.engine.table import Table
from simulator.engine.values import show
from simulator.errors import NoPlace, SimulatorError
from simulator.formats.scenarios import scenario_text
from simulator.formats.typed_answers import typed_pose
from simulator.geometry.board import Lattice
from simulator.geometry.poses import Pose, place_text
from simulator.live.moments import Moments, Reached, Setup, read_figure, recent, script_of
from simulator.live.shown import (
    band_fields,
    error_fields,
    foreseen_fields,
    opened,
    question_fields,
    reason_list,
    shown,
    spot_on,
)
from simulator.views.reach_picture import chance_bands, comparison_bands, cost_bands, draw_answer, so_far_bands
from simulator.views.replay import backdrop
from simulator.views.state_picture import draw_state
from simulator.wording import figure, measure

#: So many units of a moment are looked at ahead of questions, and of so many the reach is kept.
MOST_AHEAD, _MOST_KNOWN = 10, 12

Short = Annotated[str, Field(max_length=400)]
#: The text of a scenario with its board inside.
Draft = Annotated[str, Field(max_length=900_000)]


class AtMoment(BaseModel):
    """A moment of a scenario."""

    model_config = ConfigDict(extra="forbid", strict=True)

    scenario: Short
    draft: Draft = ""
    options: dict[Short, Short] = Field(default_factory=dict, max_length=200)
    tables: dict[Short, Short] = Field(default_factory=dict, max_length=1000)
    steps: list[Annotated[str, Field(max_length=4000)]] = Field(default_factory=list, max_length=5000)


class AskReach(AtMoment):
    """Where a unit can end with an action."""

    unit: Short
    action: Short = ""
    values: dict[Short, Short] = Field(default_factory=dict, max_length=20)
    shade: Literal["cost", "chance"] = "cost"
    #: Where the unit would stand, such as `3,4 facing 90`; empty for where it stands.
    stood: Short = ""


class AskKnown(AskReach):
    """What is known of that after some seconds more."""

    within: Annotated[float, Field(ge=0, le=10)]


class AskCompare(AskReach):
    """What a change of options and figures does to that."""

    other_options: dict[Short, Short] = Field(default_factory=dict, max_length=200)
    other_tables: dict[Short, Short] = Field(default_factory=dict, max_length=1000)


class AskPlace(AskReach):
    """One place of that: written as in orders, or the row and the column of a square or dot."""

    place: Short = ""
    cell: tuple[int, int] | None = None
    state: Short = ""  #: such as `facing 90 level 1`


class AskSave(AtMoment):
    """The game so far as a file."""

    name: Short = ""


class _Known(NamedTuple):
    """The reach of a unit that was asked about, and its area as far as that has been drawn."""

    answer: ReachAnswer
    so_far: AreaSoFar


@dataclass
class Answers:
    """Answers questions about scenarios; reach that was asked about is kept for what is asked next."""

    root: Mapping[str, Path]
    moments: Moments
    _known: OrderedDict[tuple[Any, ...], _Known] = field(default_factory=OrderedDict)

    # --- the table ---

    def open(self, ask: AtMoment) -> dict[str, Any]:
        """Return a scenario: its board, the questions and options of its rulebook."""
        return opened(self.moments.scenario(self.setup(ask)))

    def script(self, ask: AtMoment) -> dict[str, Any]:
        """Return the orders and answers of the scenario's own script."""
        return {"steps": script_of(self.moments.scenario(self.setup(ask)))}

    def moment(self, ask: AtMoment) -> dict[str, Any]:
        """Return the table after some steps: what is seen, the account, whose go it is, the open question."""
        scenario, reached = self.moments.scenario(self.setup(ask)), self._reached(ask)
        game = reached.game
        question = game.question
        return {
            **shown(scenario, game),
            "begins": _steps_before(game),
            "may_go": list(game.to_move()),
            "question": None if question is None else question_fields(scenario, game, question),
            "done": reached.done,
            "error": None if reached.error is None else error_fields(game, reached.error),
        }

    # --- reach ---

    def reach(self, ask: AskReach) -> dict[str, Any]:
        """Return where a unit can end, in bands."""
        game, (answer, _) = self._reach(ask)
        sheet = backdrop.stage_of(game.board).sheet
        bands = cost_bands(answer) if ask.shade == "cost" else chance_bands(answer)
        return {
            "unit": answer.mover.id,
            "action": answer.action,
            "bands": band_fields(bands, sheet),
        }

    def known(self, ask: AskKnown) -> dict[str, Any]:
        """Return what is known of where a unit can end; who asks the same again goes on where this stopped."""
        until = time.monotonic() + ask.within
        game, (answer, so_far) = self._reach(ask)
        so_far.refine(max(0.0, until - time.monotonic()))
        return {
            "unit": answer.mover.id,
            "action": answer.action,
            "bands": band_fields(so_far_bands(so_far), backdrop.stage_of(game.board).sheet),
            "is_whole": so_far.is_whole,
        }

    def compare(self, ask: AskCompare) -> dict[str, Any]:
        """Return the ground that a unit gains and loses by other options and figures."""
        game, (answer, _) = self._reach(ask)
        figures = {path: read_figure(text) for path, text in ask.other_tables.items()}
        compared = game.compare(ask.unit, ask.other_options, answer.action, figures=figures, **ask.values)
        sheet = backdrop.stage_of(game.board).sheet
        return {
            "bands": band_fields(comparison_bands(compared), sheet),
            "changes": [one.to_fields() for one in compared.changes],
        }

    def place(self, ask: AskPlace) -> dict[str, Any]:
        """Return whether a unit can end at a place, and for what: the quick part of an answer, for the pointer."""
        game, (answer, _) = self._reach(ask)
        pose = _pose(game, ask)
        cost = answer.cost_at(pose)
        found: dict[str, Any] = {"place": str(Pose.of(pose)), "reachable": cost is not None}
        if cost is not None:
            found["cost"] = measure(cost, answer.unit)
        return found

    def headings(self, ask: AskPlace) -> dict[str, Any]:
        """Return how a unit can face at a place, and for what: of a table that takes longer than the least cost."""
        game, (answer, _) = self._reach(ask)
        listed = answer.headings_at(Pose.of(_pose(game, ask)).place) if game.ruleset.reach_headings else ()
        return {"headings": [[show(one.first), show(one.last), measure(one.cost, answer.unit)] for one in listed]}

    def way(self, ask: AskPlace) -> dict[str, Any]:
        """Return how a unit gets to a place: orders, price line by line, rolls, who can interrupt it where."""
        game, (answer, _) = self._reach(ask)
        pose = _pose(game, ask)
        foreseen = game.foresee(answer.orders_to(pose))
        found = foreseen_fields(game, foreseen)
        return {**found, **Pose.of(pose).to_fields(), "best_chance": figure(answer.chance_at(pose))}

    def why_not(self, ask: AskPlace) -> dict[str, Any]:
        """Return why a unit cannot end at a place: clauses, what is in the way, what is missing, the nearest end."""
        game, (answer, _) = self._reach(ask)
        why = answer.why_not(_pose(game, ask))
        sheet = backdrop.stage_of(game.board).sheet
        nearest = None if why.nearest is None else str(why.nearest_pose or place_text(why.nearest))
        at = None if why.nearest is None else spot_on(sheet, game.board.centre(why.nearest[:2]))
        return {
            **why.to_fields(),
            "reasons": reason_list(game, why.reasons),
            "nearest_at": at,
            "words": {
                "nearest": nearest,
                "nearest_cost": None if why.nearest_cost is None else measure(why.nearest_cost, why.unit),
            },
        }

    # --- files ---

    def save(self, ask: AskSave) -> dict[str, Any]:
        """Return the game so far as the text of a scenario that `simulator run` plays."""
        game = self._reached(ask).game
        return {"text": scenario_text(game, name=ask.name)}

    def picture(self, ask: AskReach) -> dict[str, Any]:
        """Return the picture of a reach, or of the table if no unit is named."""
        if not ask.unit:
            game = self._reached(ask).game
            return {"text": draw_state(game.table, title=str(game.state.clock))}
        game, (answer, _) = self._reach(ask)
        return {"text": draw_answer(game.table, answer, shade=ask.shade, certain=False)}

    def geojson(self, ask: AskReach) -> dict[str, Any]:
        """Return a reach as GeoJSON."""
        _, (answer, _) = self._reach(ask)
        return answer.to_geojson()

    # --- the parts of questions ---

    def setup(self, ask: AtMoment) -> Setup:
        """Return the setup of a moment."""
        options, tables = (tuple(sorted(changed.items())) for changed in (ask.options, ask.tables))
        return Setup(self.path(ask.scenario), options, tables, ask.draft)

    def path(self, name: str) -> Path:
        """Return the file of a scenario."""
        if name not in self.root:
            raise NoPlace(f"there is no scenario {name!r} here")
        return self.root[name]

    def _reached(self, ask: AtMoment) -> Reached:
        return self.moments.reached(self.setup(ask), ask.steps)

    def _reach(self, ask: AskReach) -> tuple[Game[Any], _Known]:
        reached = self._reached(ask)
        if reached.error is not None:
            raise reached.error
        game = reached.game if not ask.stood else standing_at(reached.game, ask.unit, ask.stood)
        key = (self.setup(ask).key(), *ask.steps, ask.unit, ask.action, ask.stood, *ask.values.items())
        if key not in self._known:
            answer = game.reach(ask.unit, ask.action, **ask.values)
            self._known[key] = _Known(answer, AreaSoFar(answer))
        known: _Known = recent(self._known, key, _MOST_KNOWN)
        return game, known

    # --- what may be asked next ---

    def ahead(self, ask: AtMoment) -> Iterator[object]:
        """Work out step by step where the units of a moment can end: first those whose go it is, areas before bands."""
        game = self._reached(ask).game
        if game.question is not None:
            return
        going = game.to_move()[:MOST_AHEAD]
        others = [unit.id for unit in game.state if unit.id not in going][: MOST_AHEAD - len(going)]
        moment = {name: getattr(ask, name) for name in AtMoment.model_fields}
        for units in (going, others):
            asked = [AskReach(**moment, unit=unit) for unit in units]
            for work in (*map(self._area_ahead, asked), *map(self._bands_ahead, asked)):
                # What a rulebook refuses to answer about a unit is said to who asks about it.
                with suppress(SimulatorError):
                    yield from work

    def _area_ahead(self, ask: AskReach) -> Iterator[object]:
        _, (_, so_far) = self._reach(ask)
        while not so_far.is_whole:
            yield so_far.refine(0.0)

    def _bands_ahead(self, ask: AskReach) -> Iterator[object]:
        _, (answer, _) = self._reach(ask)
        if hasattr(answer, "bands_in_parts"):
            yield from answer.bands_in_parts()
        yield self.reach(ask)


def standing_at(game: Game[Any], unit: str, stood: str) -> Game[Any]:
    """Return a game at the same table with one unit elsewhere; raise IllegalOrder if it cannot stand there."""
    pose = Pose.of(typed_pose(game, stood))
    heading = {} if pose.heading is None else {"heading": pose.heading}
    moved = Table(game.setting, game.state.put_unit(unit, place=pose.place, **heading))
    before = {breach.message for breach in game.ruleset.faults(game.table)}
    breaches = [breach for breach in game.ruleset.faults(moved) if breach.message not in before]
    if breaches:
        raise IllegalOrder(f"{unit} at {stood}", breaches)
    return Game(game.setting, moved.state)


def _pose(game: Game[Any], ask: AskPlace) -> Any:
    """Return the place of a question, or the pose if it names a heading or a level."""
    board = game.board
    if ask.cell is not None and isinstance(board, Lattice):
        text = place_text(board.place_at(*ask.cell))
    else:
        text = ask.place
    return typed_pose(game, f"{text} {ask.state}".strip())


def _steps_before(game: Game[Any]) -> list[int]:
    """Return for every order of a game how many steps were taken before it; the beginning is none."""
    found, count = [], 0
    for number, happened in enumerate(game.history):
        found.append(count)
        count += (1 if number else 0) + len(happened.answered)
    return found
