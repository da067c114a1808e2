"""The questions of the page, each with its fields, and their answers as plain data.

Answers come from the library and nowhere else: what a question costs, forbids or allows is what the game does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from simulator.engine.answers import Answer, DiceBag, Occasion
from simulator.engine.best_case import best_result, worst_result
from simulator.engine.clauses import CLAUSE_ID
from simulator.engine.errors import Breach, IllegalOrder, MissingAnswer
from simulator.engine.foresight import Foreseen
from simulator.engine.game import Game
from simulator.engine.ledger import sums_text
from simulator.engine.places import read_pose
from simulator.engine.questions import LET_PASS, Question, React, Roll
from simulator.engine.ranges import AnswerRange
from simulator.engine.reach import ReachAnswer, reason_fields
from simulator.engine.story import Story
from simulator.engine.table import Table
from simulator.engine.values import Value, show
from simulator.errors import NoPlace, NoPose, SimulatorError
from simulator.formats.foreseen_text import ending_text, interrupted
from simulator.formats.rulebooks import register_of
from simulator.formats.scenario import Scenario
from simulator.formats.scenarios import scenario_text
from simulator.geometry.board import Lattice
from simulator.geometry.poses import Pose, known_pose, place_text
from simulator.live.moments import Moments, Reached, script_of, written_answer
from simulator.views.overlays import Band
from simulator.views.palette import band_colour, side_colour
from simulator.views.reach_picture import (
    chance_bands,
    comparison_bands,
    cost_bands,
    draw_answer,
    interruption_spots,
    ways_of,
)
from simulator.views.replay import backdrop, captions
from simulator.views.replay.figures import figures_of
from simulator.views.replay.marks import MARKS
from simulator.views.replay.outlines import FINENESS, Cells, outline
from simulator.views.replay.timeline import timeline_of
from simulator.views.state_picture import draw_state
from simulator.views.svg import Sheet
from simulator.wording import chance_text, measure

#: No more answers of a question are listed.
_MOST_CHOICES = 40

Short = Annotated[str, Field(max_length=400)]


class AtMoment(BaseModel):
    """A moment of a scenario."""

    model_config = ConfigDict(extra="forbid", strict=True)

    scenario: Short
    options: dict[Short, Short] = Field(default_factory=dict, max_length=200)
    steps: list[Annotated[str, Field(max_length=4000)]] = Field(default_factory=list, max_length=5000)


class AskReach(AtMoment):
    """Where a unit can end with an action."""

    unit: Short
    action: Short = ""
    values: dict[Short, Short] = Field(default_factory=dict, max_length=20)
    shade: Literal["cost", "chance"] = "cost"


class AskCompare(AskReach):
    """What a change of options does to that."""

    changes: dict[Short, Short] = Field(max_length=200)


class AskPlace(AskReach):
    """One place of that: written as in orders, or the row and the column of a square or dot."""

    place: Short = ""
    cell: tuple[int, int] | None = None
    state: Short = ""  #: such as `facing 90 level 1`


class AskSave(AtMoment):
    """The game so far as a file."""

    name: Short = ""


@dataclass
class Answers:
    """Answers questions about scenarios; reach that was asked about is kept for what is asked next."""

    root: Mapping[str, Path]
    moments: Moments
    _last_reach: tuple[Any, ReachAnswer] | None = None

    # --- the table ---

    def open(self, ask: AtMoment) -> dict[str, Any]:
        """Return a scenario: its board, the questions and options of its rulebook."""
        path, options = self._path(ask), tuple(sorted(ask.options.items()))
        scenario = self.moments.scenario(path, options)
        setting, ruleset = scenario.setting, self.moments.reached(path, options, ()).game.ruleset
        board = setting.board
        stage = backdrop.stage_of(board)
        sides = tuple(dict.fromkeys(unit.side for unit in scenario.units if unit.side))
        sheet = stage.sheet
        found = {
            "title": scenario.name,
            "subtitle": " · ".join(filter(None, (ruleset.title or ruleset.name, board.name, stage.size_in_words))),
            "description": scenario.description,
            "board": backdrop.board_picture(stage, sides),
            "legend": backdrop.legend(stage, sides),
            "size": stage.size,
            "fineness": FINENESS,
            "unit": round(sheet.pixels, 3),
            "plane": [sheet.left, sheet.top, sheet.min_x, sheet.max_y, sheet.pixels],
            "marks": MARKS,
            "colours": [side_colour(side, sides) for side in sides],
            "actions": dict(ruleset.reaches),
            "asks": {
                name: {"about": one.about, "words": list(one.kind.words), "unit": one.kind.is_unit, "for": one.actions}
                for name, one in ruleset.asks.items()
            },
            "headings": ruleset.reach_headings,
            "levels": ruleset.reach_levels,
            "options": [
                {
                    "name": name,
                    "clause": option.clause,
                    "about": option.about,
                    "values": [show(value) for value in option.values] if option.kind == "choice" else [],
                    "value": show(setting.options.fields[name]),
                }
                for name, option in setting.options.declared.items()
            ],
        }
        if isinstance(board, Lattice):
            cells = Cells(board, sheet)
            found["cells"] = {name: getattr(cells, name) for name in ("origin", "along", "down", "cell")}
        return found

    def script(self, ask: AtMoment) -> dict[str, Any]:
        """Return the orders and answers of the scenario's own script."""
        return {"steps": script_of(self.moments.scenario(self._path(ask), tuple(sorted(ask.options.items()))))}

    def moment(self, ask: AtMoment) -> dict[str, Any]:
        """Return the table after some steps: what is seen, the account, whose go it is, the open question."""
        reached = self._reached(ask)
        game = reached.game
        scenario = self.moments.scenario(self._path(ask), tuple(sorted(ask.options.items())))
        story = Story.of(game, scenario.name, scenario.description)
        timeline = timeline_of(story)
        figures = figures_of(timeline, backdrop.stage_of(game.board).sheet)
        register = register_of(game.ruleset)
        cited = list(captions.cited_in(timeline))
        question = game.question
        return {
            **figures.data(),
            "clock": str(game.state.clock),
            "over": game.state.clock.over,
            "account": captions.account(timeline, ended=False),
            "clauses": captions.clause_texts([register[one] for one in cited if one in register] if register else []),
            "begins": _steps_before(game),
            "may_go": [] if question else list(game.ruleset.clock.may_go(Table(game.setting, game.state))),
            "question": None if question is None else self._question(ask, reached, question),
            "done": reached.done,
            "error": None if reached.error is None else error_fields(game, reached.error),
        }

    def _question(self, ask: AtMoment, reached: Reached, question: Question) -> dict[str, Any]:
        """Return the open question, its answers to choose from, and what the dice would show."""
        scenario = self.moments.scenario(self._path(ask), tuple(sorted(ask.options.items())))
        game = reached.game
        asked = () if game.happened is None else game.happened.answered
        occasion = Occasion(game.table, tuple(entry.question for entry in asked))
        found: dict[str, Any] = {
            "text": str(question),
            "kind": question.kind,
            "who": question.who,
            "clause": question.clause,
        }
        if isinstance(question, Roll):
            rolled = _rolled(scenario, question, occasion)
            found["rolled"] = None if rolled is None else written_answer(rolled.value)
            found["dice"] = question.dice
            found["best"] = written_answer(best_result(question))
            found["worst"] = written_answer(worst_result(question))
            found["choices"] = [
                {"text": f"{question.says(value)} ({chance_text(chance)})", "step": written_answer(value)}
                for value, chance in list(question.chances.items())[:_MOST_CHOICES]
            ]
            return found
        answers: list[Value] = [LET_PASS] if isinstance(question, React) else []
        answers += question.samples[:_MOST_CHOICES]
        found["choices"] = [{"text": question.says(value), "step": written_answer(value)} for value in answers]
        found["typed"] = any(isinstance(one, AnswerRange) for one in question.options)
        return found

    # --- reach ---

    def reach(self, ask: AskReach) -> dict[str, Any]:
        """Return where a unit can end, in bands."""
        game, answer = self._reach(ask)
        sheet = backdrop.stage_of(game.board).sheet
        bands = cost_bands(answer) if ask.shade == "cost" else chance_bands(answer)
        return {
            "unit": answer.mover.id,
            "action": answer.action,
            "bands": _bands(bands, sheet),
        }

    def compare(self, ask: AskCompare) -> dict[str, Any]:
        """Return what changed options give a unit, and what they take from it."""
        game, answer = self._reach(ask)
        compared = game.compare(ask.unit, ask.changes, answer.action, figures={}, **ask.values)
        sheet = backdrop.stage_of(game.board).sheet
        return {
            "bands": _bands(comparison_bands(compared), sheet),
            "options": [f"{one.name}: {one.before} → {one.after} ({one.clause})" for one in compared.changes],
        }

    def place(self, ask: AskPlace) -> dict[str, Any]:
        """Return whether a unit can end at a place, and for what: the quick part of an answer, for the pointer."""
        game, answer = self._reach(ask)
        pose = _pose(game, ask)
        cost = answer.cost_at(pose)
        found: dict[str, Any] = {"place": str(Pose.of(pose)), "reachable": cost is not None}
        if cost is not None:
            found["cost"] = measure(cost, answer.unit)
            if game.ruleset.reach_headings:
                found["headings"] = [
                    [show(one.first), show(one.last), measure(one.cost, answer.unit)]
                    for one in answer.headings_at(Pose.of(pose).place)
                ]
        return found

    def way(self, ask: AskPlace) -> dict[str, Any]:
        """Return how a unit gets to a place: orders, price line by line, rolls, who can interrupt it where."""
        game, answer = self._reach(ask)
        pose = _pose(game, ask)
        foreseen = game.foresee(answer.orders_to(pose))
        found = _foreseen(game, foreseen)
        return {**found, "place": str(Pose.of(pose)), "best_chance": chance_text(answer.chance_at(pose))}

    def why_not(self, ask: AskPlace) -> dict[str, Any]:
        """Return why a unit cannot end at a place: clauses, what is in the way, what is missing, the nearest end."""
        game, answer = self._reach(ask)
        why = answer.why_not(_pose(game, ask))
        sheet = backdrop.stage_of(game.board).sheet
        nearest = None if why.nearest is None else str(why.nearest_pose or place_text(why.nearest))
        at = None if why.nearest is None else _spot(sheet.at(*game.board.centre(why.nearest[:2])))
        return {
            "place": str(why.pose or place_text(why.place)),
            "reasons": _reasons(game, why.reasons),
            "remedy": why.remedy,
            "nearest": nearest,
            "nearest_at": at,
            "nearest_cost": None if why.nearest_cost is None else measure(why.nearest_cost, why.unit),
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
        game, answer = self._reach(ask)
        return {"text": draw_answer(game.table, answer, shade=ask.shade, certain=False)}

    def geojson(self, ask: AskReach) -> dict[str, Any]:
        """Return a reach as GeoJSON."""
        _, answer = self._reach(ask)
        return answer.to_geojson()

    # --- the parts of questions ---

    def _path(self, ask: AtMoment) -> Path:
        if ask.scenario not in self.root:
            raise NoPlace(f"there is no scenario {ask.scenario!r} here")
        return self.root[ask.scenario]

    def _reached(self, ask: AtMoment) -> Reached:
        return self.moments.reached(self._path(ask), tuple(sorted(ask.options.items())), ask.steps)

    def _reach(self, ask: AskReach) -> tuple[Game[Any], ReachAnswer]:
        reached = self._reached(ask)
        if reached.error is not None:
            raise reached.error
        key = (ask.scenario, tuple(sorted(ask.options.items())), *ask.steps, ask.unit, ask.action, *ask.values.items())
        if self._last_reach is None or self._last_reach[0] != key:
            self._last_reach = key, reached.game.reach(ask.unit, ask.action, **ask.values)
        return reached.game, self._last_reach[1]


#: Every question, the model of its fields, and what answers it.
QUESTIONS: Mapping[str, tuple[type[AtMoment], Callable[[Answers, Any], dict[str, Any]]]] = {
    "open": (AtMoment, Answers.open),
    "script": (AtMoment, Answers.script),
    "moment": (AtMoment, Answers.moment),
    "reach": (AskReach, Answers.reach),
    "compare": (AskCompare, Answers.compare),
    "place": (AskPlace, Answers.place),
    "way": (AskPlace, Answers.way),
    "why_not": (AskPlace, Answers.why_not),
    "save": (AskSave, Answers.save),
    "picture": (AskReach, Answers.picture),
    "geojson": (AskReach, Answers.geojson),
}


def error_fields(game: Game[Any] | None, error: SimulatorError) -> dict[str, Any]:
    """Return why something was refused."""
    breaches = error.breaches if isinstance(error, IllegalOrder) else ()
    return {"message": str(error).splitlines()[0] if breaches else str(error), "reasons": _reasons(game, breaches)}


def _pose(game: Game[Any], ask: AskPlace) -> Any:
    """Return the place of a question, or the pose if it names a heading or a level."""
    board, ruleset = game.board, game.ruleset
    if ask.cell is not None and isinstance(board, Lattice):
        text = place_text(board.place_at(*ask.cell))
    else:
        text = ask.place
    try:
        pose = read_pose(game.setting.vocabulary, f"{text} {ask.state}".strip())
    except ValueError as error:
        raise NoPose(f"the place {error}") from None
    if pose.place not in board:
        raise NoPlace(board.no_such_place(pose.place))
    return known_pose(pose, ruleset.name, headings=ruleset.reach_headings, levels=ruleset.reach_levels).plain


def _foreseen(game: Game[Any], foreseen: Foreseen) -> dict[str, Any]:
    sheet = backdrop.stage_of(game.board).sheet
    ways = ways_of(foreseen)
    after = [unit for unit in foreseen.state if unit.id == foreseen.unit]
    return {
        "orders": [game.write(order) for order in foreseen.orders],
        "not_now": [breach.message for breach in foreseen.not_now],
        "price": [
            {"what": line.what, "clause": line.clause, "price": sums_text({line.currency: line.price})}
            for line in foreseen.ledger
        ],
        "total": sums_text(foreseen.ledger.totals),
        "rolls": [
            f"{roll}: {chance_text(roll.chance)}" if roll.target is not None else str(roll) for roll in foreseen.rolls
        ],
        "chance_of_rolls": chance_text(foreseen.chance) if foreseen.rolls else "",
        "endings": [[chance_text(one.chance), ending_text(one)] for one in foreseen.endings if one.failed],
        "interrupted": interrupted(foreseen).rstrip(":"),
        "interruptions": [str(one) for one in foreseen.interruptions],
        "spots": [
            {"at": _spot(sheet.at(spot.x, spot.y)), "number": spot.number, "label": spot.label}
            for spot in interruption_spots(game.board, foreseen.interruptions)
        ],
        "ways": [{"unit": way.unit, "points": [_spot(sheet.at(*point)) for point in way.points]} for way in ways],
        "heading": show(after[0].heading) if after and after[0].heading is not None else None,
    }


def _spot(point: tuple[float, float]) -> list[int]:
    return [round(point[0] * FINENESS), round(point[1] * FINENESS)]


def _reasons(game: Game[Any] | None, breaches: Iterable[Breach]) -> list[dict[str, Any]]:
    """Return reasons, each with the text of its clause."""
    register = None if game is None else register_of(game.ruleset)
    found = []
    for breach in breaches:
        ids = CLAUSE_ID.findall(breach.clause) if register is not None else []
        texts = [" ".join(register[one].text.split()) for one in ids if register is not None and one in register]
        found.append({**reason_fields(breach), "text": " ".join(texts)})
    return found


def _rolled(scenario: Scenario, question: Roll, occasion: Occasion) -> Answer | None:
    """Return what the dice of a scenario show: those of its file, else those that its name stands for."""
    for dice in (*scenario.dice.answerers(), DiceBag.of(scenario.name)):
        try:
            rolled = dice.answer(question, occasion)
        except MissingAnswer:  # the results in the file are used up
            continue
        if rolled is not None:
            return rolled
    return None


def _bands(bands: Iterable[Band], sheet: Sheet) -> list[dict[str, str]]:
    return [
        {
            "label": band.label,
            "colour": band.colour or band_colour(band.share),
            "path": outline(band.region, sheet),
        }
        for band in bands
    ]


def _steps_before(game: Game[Any]) -> list[int]:
    """Return for every order of a game how many steps were taken before it; the beginning is none."""
    found, count = [], 0
    for number, happened in enumerate(game.history):
        found.append(count)
        count += (1 if number else 0) + len(happened.answered)
    return found
