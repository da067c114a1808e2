"""Shared by the commands that query a scenario: the moment, the unit, the question, and the output."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from simulator.cli.completions import action_names, completer, figure_settings, option_settings, parameter_names
from simulator.cli.files import is_stdout, require_one_on_stdout, write_file
from simulator.cli.outputs import OutputFile
from simulator.cli.picture_files import PICTURES, write_pictures
from simulator.cli.rulebook_files import rulebook_option
from simulator.cli.runs import RunSettings, figure_pairs, loaded, option_pairs
from simulator.cli.terminal import echo
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.engine.game import Game
    from simulator.engine.reach import ReachAnswer, WhyNot
    from simulator.formats.scenario import Scenario

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]

#: A place whose first number is negative: click would take it for an option.
_NEGATIVE_PLACE = re.compile(r"-[0-9.]+\s*[,:]")
#: A text that can only be meant as a place, even if it is not one on this board: `6.5,6` on squares.
_TWO_NUMBERS = re.compile(r"-?[0-9.]+\s*[,:]\s*-?[0-9.]+")


class WithPlaces(click.Command):
    """A command that takes places: `-1,2` is a place, not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, including places that begin with a minus."""
        return super().parse_args(ctx, [f" {word}" if _NEGATIVE_PLACE.match(word) else word for word in args])


def _packed(name: str, kind: type[Any], *options: Option) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command and passes their values as one object of `kind`."""

    def add(command: Command) -> Command:
        @wraps(command)
        def called(**arguments: Any) -> Any:
            values = {field.name: arguments.pop(field.name) for field in fields(kind) if field.name in arguments}
            return command(**arguments, **{name: kind(**values)})

        for option in reversed(options):
            called = option(called)
        return cast(Command, called)

    return add


@dataclass(frozen=True)
class ScenarioMoment:
    """The moment of a scenario to query, and the options and figures of the rulebook."""

    turn: int | None = None
    after: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    figures: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class UnitQuestion:
    """A question about a unit: the action, and the rulebook's own parameters."""

    action: str = ""
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Output:
    """The form in which an answer is written."""

    as_json: bool = False
    svg_file: str | None = None
    png_file: str | None = None
    dark: bool = False
    geojson_file: str | None = None

    def __post_init__(self) -> None:
        require_one_on_stdout(self.as_json, self.svg_file, self.png_file, self.geojson_file)

    @property
    def is_text(self) -> bool:
        """Whether the answer is printed as text and no picture is wanted."""
        files = (self.svg_file, self.png_file, self.geojson_file)
        return not (self.as_json or self.svg_file or self.png_file or any(map(is_stdout, files)))

    @property
    def has_files(self) -> bool:
        """Whether a file is wanted."""
        return bool(self.svg_file or self.png_file or self.geojson_file)

    @property
    def is_drawn(self) -> bool:
        """Whether a picture is wanted."""
        return bool(self.svg_file or self.png_file)

    def draw(self, drawn: Callable[[], str]) -> None:
        """Write the requested pictures; draw nothing if none was requested."""
        if not self.is_drawn:
            return
        with waiting("drawing"):
            write_pictures(drawn(), self.svg_file, self.png_file, self.dark)

    def map(self, areas: Callable[[], Mapping[str, Any]]) -> None:
        """Write the areas as GeoJSON, if requested."""
        if self.geojson_file:
            with waiting("computing the areas"):
                written = json.dumps(areas())
            write_file(self.geojson_file, f"{written}\n".encode())

    def report(self, lines: Callable[[], Iterable[str]], document: Callable[[], Mapping[str, Any]]) -> None:
        """Print the answer as text or as one JSON document, computing only that; neither if a file took stdout."""
        if self.as_json:
            with waiting("computing the answer"):
                text = json.dumps(document(), indent=2, allow_nan=False)
            echo(text)
        elif not any(map(is_stdout, (self.svg_file, self.png_file, self.geojson_file))):
            coming = iter(lines())
            while True:
                # Line by line: the first lines are printed while the rest is computed.
                with waiting("computing the rest"):
                    line = next(coming, None)
                if line is None:
                    break
                echo(line)


_TURN = click.option("--turn", type=click.IntRange(1, 999), metavar="N", help="Query the beginning of turn N.")
_AFTER = click.option(
    "--after", type=click.IntRange(0), metavar="N", help="Query the moment after N orders of the script."
)


def _rules(name: str, help_text: str) -> Option:
    return click.option(
        name,
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        callback=option_pairs,
        shell_complete=completer(option_settings),
        help=help_text,
    )


def _figures(name: str, help_text: str) -> Option:
    return click.option(
        name,
        "figures",
        multiple=True,
        metavar="PATH=VALUE",
        callback=figure_pairs,
        shell_complete=completer(figure_settings),
        help=help_text,
    )


#: `--option` and `--table`, for every command that plays or queries a scenario.
option_option = _rules("--option", "Set an option.")
table_option = _figures("--table", "Replace a figure of the tables: inches.standing=5/2.")
moment_options = _packed("moment", ScenarioMoment, _TURN, _AFTER, option_option, table_option, rulebook_option)
#: The same for `diff`, where --option and --table name what is compared.
base_options = _packed(
    "moment",
    ScenarioMoment,
    _rules("--base", "An option that is set in both answers."),
    _figures("--base-table", "A figure that is replaced in both answers."),
    _TURN,
    _AFTER,
    rulebook_option,
)
question_options = _packed(
    "question",
    UnitQuestion,
    click.option(
        "--action",
        default="",
        metavar="NAME",
        shell_complete=completer(action_names),
        help="The action; by default the first that fits.",
    ),
    click.option(
        "--with",
        "values",
        multiple=True,
        metavar="NAME=VALUE",
        callback=option_pairs,
        shell_complete=completer(parameter_names),
        help="Refine the question by a parameter of the rulebook: ap=2, mode=max.",
    ),
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
_GEOJSON = click.option(
    "--geojson",
    "geojson_file",
    type=OutputFile(),
    metavar="FILE",
    help="Write the areas as GeoJSON; - is standard output.",
)
text_output = _packed("output", Output, _JSON)
picture_output = _packed("output", Output, _JSON, *PICTURES)
area_output = _packed("output", Output, _JSON, *PICTURES, _GEOJSON)


# --- the moment ---


@dataclass(frozen=True)
class Position:
    """A scenario and its game at the moment queried."""

    scenario: Scenario
    game: Game[Any]

    @property
    def about(self) -> dict[str, Any]:
        """The fields that begin every JSON document."""
        from simulator.formats.query_data import moment_data

        return moment_data(self.scenario.name, self.game)


def load_position(path: str, moment: ScenarioMoment) -> Position:
    """Load a scenario and play it up to a moment."""
    from simulator.formats.peek import kind_of_file

    kind = kind_of_file(path) if Path(path).is_file() else "scenario"
    if kind == "sweep":
        raise click.UsageError(f"{path} is the plan of a sweep; play it: simulator sweep {path}")
    if kind == "board":
        raise click.UsageError(
            f"{path} is a board; units belong to a scenario (docs/scenarios.md); "
            f"for a walker without rules: simulator walk {path} --from C,R --budget N"
        )
    scenario = loaded(Path(path), RunSettings(options=tuple(moment.options), figures=tuple(moment.figures)))
    return Position(scenario, _at(scenario, moment.turn, moment.after))


def _at(scenario: Scenario, turn: int | None, after: int | None) -> Game[Any]:
    from dataclasses import replace

    from simulator.formats.scenario_models import Expected

    if turn is not None and after is not None:
        raise click.UsageError("--turn and --after name two moments: use only one of them")
    if after is not None and after > scenario.orders:
        raise click.UsageError(f"--after {after}: the scenario has {scenario.orders} orders")
    script: tuple[Any, ...] = ()
    if turn is not None:
        script = (*scenario.turns[: turn - 1], *((),) * (turn - len(scenario.turns[: turn - 1])))
    elif after:
        script = _first_orders(scenario, after)
    if not script:
        return scenario.start()
    account = replace(scenario, turns=script, expect=Expected()).run()
    for played in account.played:
        if played.error is not None and not all(check.met for check in played.checks):
            echo(f"before this moment '{played.order}' was not done: {played.error}", err=True)
    clock = account.game.state.clock
    if turn is not None and clock.turn < turn:
        raise click.UsageError(f"--turn {turn}: the game is over in turn {clock.turn}")
    return account.game


def _first_orders(scenario: Scenario, count: int) -> tuple[Any, ...]:
    script: list[tuple[Any, ...]] = []
    for steps in scenario.turns:
        script.append(())
        for step in steps:
            if step.order:
                script[-1] = (*script[-1], step)
                count -= 1
            if not count:
                return tuple(script)
    return tuple(script)


# --- the question ---


def unit_named(game: Game[Any], name: str) -> str:
    """Return the name of a unit; an unknown name is wrong usage."""
    from simulator.wording import did_you_mean

    if name not in game.state.units:
        raise click.UsageError(f"there is no unit {name!r}; {did_you_mean(name, game.state.units)}")
    return name


def pose_named(game: Game[Any], text: str) -> Any:
    """Parse a place or a pose, written as in orders; it must be on the board and known to the rulebook."""
    from simulator.engine.places import read_pose
    from simulator.errors import NoPose
    from simulator.geometry.poses import known_pose, place_part

    board, ruleset = game.board, game.ruleset
    try:
        pose = read_pose(game.setting.vocabulary, text)
    except ValueError as error:
        raise click.UsageError(f"place: {error}") from None
    if pose.place not in board:
        raise click.UsageError(f"{place_part(text)} is not on the board: {board.no_such_place(pose.place)}")
    try:
        known = known_pose(pose, ruleset.name, headings=ruleset.reach_headings, levels=ruleset.reach_levels)
    except NoPose as error:
        raise click.UsageError(str(error)) from None
    return known.plain


def is_place(game: Game[Any], text: str) -> bool:
    """Return whether a word looks like a place, on the board or not."""
    kinds = (game.setting.vocabulary.goal_place.pattern, _TWO_NUMBERS)
    return any(kind.fullmatch(text.strip()) for kind in kinds)


def is_pose(game: Game[Any], text: str) -> bool:
    """Return whether a text looks like a place with or without a heading and a level."""
    from simulator.geometry.poses import place_part

    return is_place(game, place_part(text))


def reach_of(game: Game[Any], unit: str, question: UnitQuestion) -> ReachAnswer:
    """Compute the reach of a unit; an unknown question is wrong usage, reported together with the known ones."""
    unit_named(game, unit)
    with waiting(f"computing where {unit} can end"):
        answer: ReachAnswer = guarded(game, lambda values: game.reach(unit, question.action, **values), question)
    return answer


def chain_of(game: Game[Any], unit: str, question: UnitQuestion, then: tuple[str, ...]) -> ReachAnswer:
    """Compute the reach of a unit after a chain of questions and orders."""
    from simulator.engine.chain_text import read_chain
    from simulator.errors import NoPlace

    unit_named(game, unit)

    def asking(values: Mapping[str, Any]) -> Any:
        words = game.setting.vocabulary
        try:
            return game.reach(unit, read_chain(game.ruleset, words, question.action, then, game.state.units, values))
        except NoPlace as error:
            raise click.UsageError(f"--then: a place to begin at is not on the board: {error}") from None

    with waiting(f"asking where {unit} can end"):
        answer: ReachAnswer = guarded(game, asking, question)
    return answer


def why_not(answer: ReachAnswer, place: Any) -> WhyNot:
    """Return why a place or pose is closed; answers compute much of their content on first use."""
    with waiting(f"computing the reasons for {answer.mover.id}"):
        return answer.why_not(place)


def guarded(game: Game[Any], query: Callable[[Mapping[str, Any]], Any], question: UnitQuestion) -> Any:
    """Run a query with the values of --with; a rulebook that declares no parameters gets them as plain values."""
    from simulator.errors import SimulatorError
    from simulator.formats.scenario_values import value_of_text

    if game.ruleset.asks or not question.values:
        return query(dict(question.values))
    values = {name: value_of_text(text) for name, text in question.values}
    try:
        return query(values)
    except SimulatorError:
        raise
    except (TypeError, ValueError):
        # The rulebook does not check its arguments, so the message can only name them.
        refused = ", ".join(f"{name}={text}" for name, text in question.values)
        raise click.UsageError(f"{game.ruleset.name} does not understand --with {refused}") from None
