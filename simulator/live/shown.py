"""What the page shows, as plain data: a scenario, a moment of a game, a question, an outlook, reasons, bands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from simulator.engine.answers import Answer, DiceBag, Occasion
from simulator.engine.best_case import best_result, worst_result
from simulator.engine.clauses import CLAUSE_ID
from simulator.engine.errors import Breach, IllegalOrder, MissingAnswer
from simulator.engine.foresight import Foreseen
from simulator.engine.game import Game
from simulator.engine.ledger import sums_text
from simulator.engine.questions import LET_PASS, Question, React, Roll
from simulator.engine.ranges import AnswerRange
from simulator.engine.reach import reason_fields
from simulator.engine.story import Story
from simulator.engine.values import Value, show, to_plain
from simulator.errors import SimulatorError
from simulator.formats.foreseen_text import ending_text, foreseen_data, interrupted
from simulator.formats.rulebooks import register_of
from simulator.formats.scenario import Scenario
from simulator.formats.scenario_text import written_value
from simulator.geometry.board import Lattice
from simulator.live.moments import written_answer
from simulator.views.overlays import Band
from simulator.views.palette import UNKNOWN, band_colour, side_colour
from simulator.views.reach_picture import failed_ways, foreseen_spots, ways_of
from simulator.views.replay import backdrop, captions
from simulator.views.replay.figures import figures_of
from simulator.views.replay.marks import MARKS
from simulator.views.replay.outlines import FINENESS, Cells, outline
from simulator.views.replay.timeline import timeline_of
from simulator.views.svg import Sheet
from simulator.wording import chance_text

#: No more answers of a question are listed.
_MOST_CHOICES = 40


def opened(scenario: Scenario) -> dict[str, Any]:
    """Return a scenario: its board, the questions, options and figures of its rulebook."""
    setting, ruleset = scenario.setting, scenario.set_up().ruleset
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
        "figures": [
            {"path": path, "value": written_value(value), "clause": setting.tables.clause(path)}
            for path, value in setting.tables.items()
        ],
    }
    if isinstance(board, Lattice):
        cells = Cells(board, sheet)
        found["cells"] = {name: getattr(cells, name) for name in ("origin", "along", "down", "cell")}
    return found


def shown(scenario: Scenario, game: Game[Any]) -> dict[str, Any]:
    """Return what is seen of a game: its units at each moment, the account."""
    timeline = timeline_of(Story.of(game, scenario.name, scenario.description))
    register = register_of(game.ruleset)
    cited = list(captions.cited_in(timeline))
    return {
        **figures_of(timeline, backdrop.stage_of(game.board).sheet).data(only_last=True),
        "clock": str(game.state.clock),
        "over": game.state.clock.over,
        "account": captions.account(timeline, ended=False),
        "clauses": captions.clause_texts([register[one] for one in cited if one in register] if register else []),
    }


def question_fields(scenario: Scenario, game: Game[Any], question: Question) -> dict[str, Any]:
    """Return the open question, its answers to choose from, and what the dice would show."""
    asked = () if game.happened is None else game.happened.answered
    occasion = Occasion(game.table, tuple(entry.question for entry in asked))
    found: dict[str, Any] = {**to_plain(question.to_fields()), "text": str(question)}
    if isinstance(question, Roll):
        rolled = _rolled(scenario, question, occasion)
        found["rolled"] = None if rolled is None else written_answer(rolled.value)
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


def foreseen_fields(game: Game[Any], foreseen: Foreseen) -> dict[str, Any]:
    """Return an outlook: orders, price line by line, rolls, interruptions, the way on the board."""
    sheet = backdrop.stage_of(game.board).sheet
    ways = [*ways_of(foreseen), *failed_ways(foreseen)]
    after = [unit for unit in foreseen.state if unit.id == foreseen.unit]
    return {
        **foreseen_data(game, foreseen),
        "words": {
            "price": [sums_text({line.currency: line.price}) for line in foreseen.ledger],
            "cost": sums_text(foreseen.ledger.totals),
            "rolls": [
                f"{roll}: {chance_text(roll.chance)}" if roll.target is not None else str(roll)
                for roll in foreseen.rolls
            ],
            "chance_of_rolls": chance_text(foreseen.chance) if foreseen.rolls else "",
            "endings": [f"{chance_text(one.chance)}: {ending_text(one)}" for one in foreseen.endings if one.failed],
            "interrupted": interrupted(foreseen).rstrip(":"),
            "interruptions": [str(one) for one in foreseen.interruptions],
        },
        "spots": [
            {"at": spot_on(sheet, (spot.x, spot.y)), "number": spot.number, "label": spot.label}
            for spot in foreseen_spots(foreseen)
        ],
        "ways": [
            {"unit": way.unit, "points": [spot_on(sheet, point) for point in way.points], "fails": way.fails}
            for way in ways
        ],
        "turned": show(after[0].heading) if after and after[0].heading is not None else None,
    }


def band_fields(bands: Iterable[Band], sheet: Sheet) -> list[dict[str, str | bool]]:
    """Return the bands of an area: label, colour and outline, and whether its answer is known."""
    return [
        {
            "label": band.label,
            "colour": (band.colour or band_colour(band.share)) if band.is_known else UNKNOWN,
            "path": outline(band.region, sheet),
            "known": band.is_known,
        }
        for band in bands
    ]


def error_fields(game: Game[Any] | None, error: SimulatorError) -> dict[str, Any]:
    """Return why something was refused."""
    breaches = error.breaches if isinstance(error, IllegalOrder) else ()
    return {"message": str(error).splitlines()[0] if breaches else str(error), "reasons": reason_list(game, breaches)}


def reason_list(game: Game[Any] | None, breaches: Iterable[Breach]) -> list[dict[str, Any]]:
    """Return reasons, each with the text of its clause."""
    register = None if game is None else register_of(game.ruleset)
    found = []
    for breach in breaches:
        ids = CLAUSE_ID.findall(breach.clause) if register is not None else []
        texts = [" ".join(register[one].text.split()) for one in ids if register is not None and one in register]
        found.append({**reason_fields(breach), "text": " ".join(texts)})
    return found


def spot_on(sheet: Sheet, point: Sequence[float]) -> list[int]:
    """Return where a point of the board is in the picture, in the page's steps."""
    x, y = sheet.at(*point[:2])
    return [round(x * FINENESS), round(y * FINENESS)]
