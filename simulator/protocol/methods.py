"""The methods of the engine, each with its parameters; results are the plain data of `formats`."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from simulator.engine.answers import Answerer, DiceBag, InTurn, Policy
from simulator.engine.errors import TableError
from simulator.engine.log import Log, log_bytes, parse_log, replay
from simulator.engine.log_lines import MAX_BYTES
from simulator.engine.table import Setting
from simulator.engine.values import from_plain
from simulator.errors import SimulatorError
from simulator.formats.answers import ANSWERS, FORMAT
from simulator.formats.boards import board_text, parse_board
from simulator.formats.game_data import happened_data, legal_data, moment_of_game, state_data, to_move_data
from simulator.formats.query_data import moment_data, path_data, reach_data, so_far_data
from simulator.formats.scenario import Scenario
from simulator.formats.scenario_answers import GivenAnswers
from simulator.formats.scenarios import parse_scenario, scenario_text
from simulator.formats.schema import KINDS, answer_schema, json_schema
from simulator.formats.typed_answers import read_typed, typed_pose
from simulator.protocol.areas import Areas
from simulator.protocol.folder import Folder
from simulator.protocol.limited import answered_within
from simulator.protocol.messages import NO_SUCH_METHOD, RpcError
from simulator.protocol.params import (
    AnswerParams,
    DoParams,
    GameParams,
    LegalParams,
    LimitedParams,
    LoadParams,
    NewParams,
    Params,
    PlaceParams,
    ReachParams,
    SaveParams,
    SchemaParams,
)
from simulator.protocol.refusals import refusal_of, wrong_params
from simulator.protocol.sessions import Session, Sessions
from simulator.rulesets import shelf
from simulator.version import __version__
from simulator.wording import did_you_mean

#: The version of the protocol.
PROTOCOL = 1


@dataclass
class Engine:
    """All games of one process."""

    folder: Folder
    sessions: Sessions = field(default_factory=Sessions)
    areas: Areas = field(default_factory=Areas)

    def handle(self, method: str, params: Mapping[str, Any]) -> Any:
        """Answer a request; raise RpcError."""
        if method not in METHODS:
            raise RpcError(NO_SUCH_METHOD, f"there is no method {method!r}; {did_you_mean(method, METHODS)}")
        model, answer = METHODS[method]
        try:
            asked = model.model_validate(params)
        except ValidationError as error:
            raise wrong_params(error) from None
        if isinstance(asked, LimitedParams) and asked.seconds is not None:
            return answered_within(asked.seconds, lambda: self._answered(answer, asked))
        return self._answered(answer, asked)

    def _answered(self, answer: Callable[[Engine, Any], dict[str, Any]], asked: Params) -> dict[str, Any]:
        try:
            return answer(self, asked)
        except SimulatorError as error:
            game = self.sessions[asked.game].game if isinstance(asked, GameParams) else None
            raise refusal_of(error, game) from None

    # --- games ---

    def new(self, ask: NewParams) -> dict[str, Any]:
        """Begin a game of a scenario."""
        self.sessions.require_room()
        scenario = self.folder.scenario(ask.scenario) if ask.scenario else parse_scenario(ask.text)
        scenario = _changed(scenario, ask).with_seed(ask.seed)
        game = scenario.start()
        game.answers = _answers(ask.ask, scenario)
        return self._opened(Session(scenario.name, game, scenario.dice.seed))

    def load(self, ask: LoadParams) -> dict[str, Any]:
        """Go on with a game from its log."""
        self.sessions.require_room()
        data = self.folder.read(ask.log, MAX_BYTES) if ask.log else ask.text.encode("utf-8", "surrogatepass")
        log = parse_log(data, ask.log or "<text>")
        game = replay(log, _setting_of(log))
        dice = [] if log.header.seed is None else [DiceBag.of(log.header.seed)]
        game.answers = {"all": None, "choices": InTurn(dice), "nothing": InTurn([*dice, Policy()])}[ask.ask]
        return self._opened(Session("", game, log.header.seed))

    def _opened(self, session: Session) -> dict[str, Any]:
        name = self.sessions.add(session)
        about = moment_data(session.name, session.game)
        return {**about, "game": name, "seed": session.seed, **moment_of_game(session.game)}

    def close(self, ask: GameParams) -> dict[str, Any]:
        """Forget a game."""
        self.sessions.close(ask.game)
        self.areas.forget(ask.game)
        return {"closed": ask.game}

    def save(self, ask: SaveParams) -> dict[str, Any]:
        """Return or write a game: its log, or a scenario that plays it again."""
        session = self.sessions[ask.game]
        game = session.game
        if ask.form == "log":
            data = log_bytes(game, session.seed, board_text(game.board))
        else:
            data = scenario_text(game, name=ask.name or session.name).encode()
        if ask.path is None:
            return {"as": ask.form, "text": data.decode()}
        self.folder.write(ask.path, data)
        return {"as": ask.form, "path": ask.path, "bytes": len(data)}

    # --- the table ---

    def state(self, ask: GameParams) -> dict[str, Any]:
        """Return the whole table."""
        return state_data(self.sessions[ask.game].game)

    def to_move(self, ask: GameParams) -> dict[str, Any]:
        """Return whose go it is."""
        return to_move_data(self.sessions[ask.game].game)

    def legal(self, ask: LegalParams) -> dict[str, Any]:
        """Return the legal orders of a unit, or of all that may go."""
        game = self.sessions[ask.game].game
        units = [game.state.unit(ask.unit).id] if ask.unit else game.to_move()
        return {"units": {unit: legal_data(game, unit, ask.most) for unit in units}, **moment_of_game(game)}

    # --- questions ---

    def reach(self, ask: ReachParams) -> dict[str, Any]:
        """Return where a unit can end; with a deadline what is known by then, and more if it is asked again."""
        session = self.sessions[ask.game]
        game, question = session.game, (ask.unit, ask.action, ask.values)
        pose = typed_pose(game, ask.to) if ask.to else None
        if ask.within is not None:
            until = time.monotonic() + ask.within
            so_far = self.areas.begun(ask.game, game, *question)
            so_far.refine(max(0.0, until - time.monotonic()))
            found = so_far_data(game, ask.unit, so_far, ask.within, pose, with_outlines=True)
            return moment_data(session.name, game) | found
        begun = self.areas.known(ask.game, game, *question)
        answer = game.reach(ask.unit, ask.action, **ask.values) if begun is None else begun.refine(math.inf).answer
        why = None if pose is None else answer.why_not(pose)
        return moment_data(session.name, game) | reach_data(game, ask.unit, answer, why)

    def path(self, ask: PlaceParams) -> dict[str, Any]:
        """Return the way of a unit to a place, or why there is none."""
        session = self.sessions[ask.game]
        game = session.game
        answer = game.reach(ask.unit, ask.action, **ask.values)
        pose = typed_pose(game, ask.to)
        why = answer.why_not(pose)
        foreseen = None if why else game.foresee(answer.orders_to(pose))
        return moment_data(session.name, game) | path_data(game, ask.unit, answer, why, foreseen)

    def why_not(self, ask: PlaceParams) -> dict[str, Any]:
        """Return whether a unit can end at a place, and why not."""
        session = self.sessions[ask.game]
        answer = session.game.reach(ask.unit, ask.action, **ask.values)
        why = answer.why_not(typed_pose(session.game, ask.to))
        return moment_data(session.name, session.game) | path_data(session.game, ask.unit, answer, why)

    # --- orders ---

    def do(self, ask: DoParams) -> dict[str, Any]:
        """Play an order, up to its end or to a question that nobody answers."""
        session = self.sessions[ask.game]
        session.step()
        given = GivenAnswers.of(tuple(from_plain(value) for value in ask.answers)) if ask.answers else None
        happened = session.game.do(ask.order, given)
        session.done()
        return happened_data(session.game, happened)

    def answer(self, ask: AnswerParams) -> dict[str, Any]:
        """Answer the open question, and go on with the order."""
        session = self.sessions[ask.game]
        session.step()
        question = session.game.question
        if question is None:
            raise TableError("no question is open")
        value = read_typed(question, ask.answer) if isinstance(ask.answer, str) else from_plain(ask.answer)
        happened = session.game.answer(value)
        session.done()
        return happened_data(session.game, happened)

    def undo(self, ask: GameParams) -> dict[str, Any]:
        """Take back the last order or answer."""
        session = self.sessions[ask.game]
        happened = session.undo()
        return {"undone": session.game.write(happened.given or happened.order), **moment_of_game(session.game)}

    def redo(self, ask: GameParams) -> dict[str, Any]:
        """Do again what was taken back last."""
        session = self.sessions[ask.game]
        happened = session.redo()
        return happened_data(session.game, happened)

    # --- about the engine ---

    def version(self, ask: Params) -> dict[str, Any]:
        """Return the versions, the rulebooks and the methods."""
        del ask
        return {
            "version": __version__,
            "protocol": PROTOCOL,
            "format": FORMAT,
            "rulesets": sorted(shelf()),
            "methods": list(METHODS),
        }

    def schema(self, ask: SchemaParams) -> dict[str, Any]:
        """Return a schema; without a name the names of all."""
        names = [*KINDS, *ANSWERS]
        if not ask.name:
            return {"names": names}
        if ask.name not in names:
            raise TableError(f"there is no schema {ask.name!r}; {did_you_mean(ask.name, names)}")
        made = json_schema(ask.name) if ask.name in KINDS else answer_schema(ask.name)
        return {"name": ask.name, "schema": json.loads(json.dumps(made))}


#: Every method with the model of its parameters.
METHODS: Mapping[str, tuple[type[Params], Callable[[Engine, Any], dict[str, Any]]]] = {
    "new": (NewParams, Engine.new),
    "load": (LoadParams, Engine.load),
    "state": (GameParams, Engine.state),
    "to_move": (GameParams, Engine.to_move),
    "legal": (LegalParams, Engine.legal),
    "reach": (ReachParams, Engine.reach),
    "path": (PlaceParams, Engine.path),
    "why_not": (PlaceParams, Engine.why_not),
    "do": (DoParams, Engine.do),
    "answer": (AnswerParams, Engine.answer),
    "undo": (GameParams, Engine.undo),
    "redo": (GameParams, Engine.redo),
    "save": (SaveParams, Engine.save),
    "close": (GameParams, Engine.close),
    "version": (Params, Engine.version),
    "schema": (SchemaParams, Engine.schema),
}


def _changed(scenario: Scenario, ask: NewParams) -> Scenario:
    """Return a scenario with other options and figures."""
    if ask.options:
        scenario = scenario.with_options({name: from_plain(value) for name, value in ask.options.items()})
    if ask.figures:
        scenario = scenario.with_figures({path: from_plain(value) for path, value in ask.figures.items()})
    return scenario


def _answers(ask: str, scenario: Scenario) -> Answerer | None:
    """Return who answers what is not asked."""
    return {"all": None, "choices": InTurn(scenario.dice.answerers()), "nothing": scenario.answerer()}[ask]


def _setting_of(log: Log) -> Setting[Any]:
    header = log.header
    if not header.board_file:
        raise log.refused("board_file", "the log does not contain its board")
    return log.setting(shelf()[header.ruleset], parse_board(header.board_file, f"{log.path}, board_file"))
