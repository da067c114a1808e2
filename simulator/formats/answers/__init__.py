"""The models of every JSON answer: of the commands with `--json`, of the live table, and of `simulator engine`.

    from simulator.formats.answers import ANSWERS, read_answer

    found = read_answer("reach", text)      # a ReachModel of `formats.answers.reach`
    found.ends[0].cost

Answers are built as plain data, without these models: they say what the data is, check it in tests, and make the JSON
Schemas in `formats/schemas/answers/` (`formats.schema`). docs/json.md has an example of each.

    values      figures, places, what every document begins with, reasons, faults
    play        orders, questions, events, prices, the table
    reach       where units can end: reach, reach --within, reverse, diff, threats, walk
    maps        where a unit can end from everywhere: reach-map, heat-map
    ways        what orders do: path, explain, exposed
    files       check, run
    rules       rules, reach --questions
    page        the live table
    drafts      the live table, where scenarios are written
    engine      `simulator engine`
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pydantic import TypeAdapter

#: The version of all answers. It goes up when a field goes or changes its meaning; see docs/json.md.
FORMAT = 1


class AnswerKind(NamedTuple):
    """An answer: the home of its model, and where it comes from."""

    module: str
    model: str
    about: str


def _in(module: str, **kinds: tuple[str, str]) -> dict[str, AnswerKind]:
    return {name: AnswerKind(module, model, about) for name, (model, about) in kinds.items()}


#: Every answer by the name of its schema.
ANSWERS = MappingProxyType(
    {
        **_in(
            "reach",
            reach=("ReachModel", "simulator reach SCENARIO UNIT"),
            reach_so_far=(
                "ReachSoFarModel",
                "simulator reach SCENARIO UNIT --within SECONDS, if not all was known in time; "
                "simulator engine, method reach with within",
            ),
            reverse=("ReverseModel", "simulator reach --reverse SCENARIO UNIT --to PLACE"),
            diff=("DiffModel", "simulator diff SCENARIO UNIT --option NAME=VALUE --table PATH=VALUE"),
            threats=("ThreatsModel", "simulator threats SCENARIO SIDE"),
            walk=("WalkModel", "simulator walk BOARD, on squares and dots"),
            walk_table=("TableWalkModel", "simulator walk BOARD, on an inch table"),
            geojson=("CollectionModel", "the files of --geojson; the live table, question geojson"),
        ),
        **_in(
            "maps",
            reach_map=("ReachMapModel", "simulator reach-map SCENARIO UNIT -o FILE; heat-map FILE"),
            reach_map_size=("ReachMapSizeModel", "simulator reach-map SCENARIO UNIT -o FILE --dry-run"),
        ),
        **_in(
            "ways",
            path=("Path", "simulator path SCENARIO UNIT PLACE"),
            explain=("Explain", "simulator explain SCENARIO ORDER, or UNIT PLACE"),
            exposed=("Exposed", "simulator exposed SCENARIO ORDER, or UNIT PLACE"),
        ),
        **_in(
            "files",
            check=("CheckModel", "simulator check FILES"),
            perft=("Perft", "simulator perft SCENARIO DEPTH"),
            import_map=("ImportModel", "simulator import MAP"),
            export=("ExportModel", "simulator export BOARD"),
            run=("RunModel", "simulator run FILES"),
        ),
        **_in(
            "rules",
            rules=("RulesModel", "simulator rules RULESET, with or without a CLAUSE"),
            uncovered=("UncoveredModel", "simulator rules --uncovered, of all rulebooks or of RULESET"),
            orders=("OrdersModel", "simulator rules RULESET --orders"),
            units=("UnitsModel", "simulator rules RULESET --units"),
            options=("OptionsModel", "simulator rules RULESET --options"),
            figures=("FiguresModel", "simulator rules RULESET --figures"),
            terrain=("TerrainModel", "simulator rules RULESET --terrain"),
            events=("EventKindsModel", "simulator rules RULESET --events"),
            asked=("AskedQuestionsModel", "simulator rules RULESET --questions"),
            questions=("QuestionsModel", "simulator reach SCENARIO UNIT --questions"),
        ),
        **_in(
            "page",
            page_open=("OpenedModel", "the live table, question open"),
            page_script=("StepsModel", "the live table, question script"),
            page_moment=("MomentModel", "the live table, question moment"),
            page_reach=("ReachBandsModel", "the live table, question reach"),
            page_known=("KnownBandsModel", "the live table, question known"),
            page_compare=("ComparedModel", "the live table, question compare"),
            page_place=("PlaceCostModel", "the live table, question place"),
            page_headings=("PlaceHeadingsModel", "the live table, question headings"),
            page_way=("WayModel", "the live table, question way"),
            page_why_not=("PlaceReasonsModel", "the live table, question why_not"),
            page_text=("FileTextModel", "the live table, questions save and picture"),
            page_refused=("RefusedModel", "the live table, any question that is refused"),
        ),
        **_in(
            "drafts",
            page_rulebooks=("RulebooksModel", "the live table, question rulebooks"),
            page_draft=("DraftModel", "the live table, questions draft, new and edit"),
            page_check=("CheckedModel", "the live table, question check"),
        ),
        **_in(
            "engine",
            engine_game=("EngineGame", "simulator engine, methods new and load"),
            engine_state=("EngineState", "simulator engine, method state"),
            engine_to_move=("EngineToMove", "simulator engine, method to_move"),
            engine_legal=("EngineLegal", "simulator engine, method legal"),
            engine_happened=("EngineHappened", "simulator engine, methods do, answer and redo"),
            engine_undone=("EngineUndone", "simulator engine, method undo"),
            engine_saved=("EngineSaved", "simulator engine, method save"),
            engine_closed=("EngineClosed", "simulator engine, method close"),
            engine_version=("EngineVersion", "simulator engine, method version"),
            engine_schema=("EngineSchemas", "simulator engine, method schema"),
            engine_error=("EngineError", "simulator engine, any error"),
        ),
    }
)


@cache
def answer_model(name: str) -> TypeAdapter[Any]:
    """Return the model of an answer; raise KeyError for an unknown name."""
    from pydantic import TypeAdapter

    kind = ANSWERS[name]
    module = import_module(f"{__name__}.{kind.module}")
    return TypeAdapter(getattr(module, kind.model))


def read_answer(name: str, text: str | bytes) -> Any:
    """Read an answer; raise ValueError if it is not what its model says."""
    return answer_model(name).validate_json(text)
