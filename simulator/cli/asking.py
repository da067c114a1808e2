"""What the commands share that ask about a scenario: which moment, which unit, which question, what is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from simulator.cli.files import is_stdout, want_one_on_stdout, write_file
from simulator.cli.runs import RunSettings, loaded, option_pairs
from simulator.cli.terminal import say
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.engine.game import Game
    from simulator.engine.reach import ReachAnswer, WhyNot
    from simulator.formats.scenario import Scenario

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]

#: What would be taken for an option: a place whose first number is negative.
_NEGATIVE_PLACE = re.compile(r"-[0-9.]+\s*[,:]")
#: What can be meant for a place only, though it may be none here: `6.5,6` on squares.
_TWO_NUMBERS = re.compile(r"-?[0-9.]+\s*[,:]\s*-?[0-9.]+")
_WHOLE = re.compile(r"[0-9]{1,18}")


class WithPlaces(click.Command):
    """A command that takes places: `-1,2` is one, and no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, places that begin with a minus among them."""
        return super().parse_args(ctx, [f" {word}" if _NEGATIVE_PLACE.match(word) else word for word in args])


def _packed(name: str, kind: type[Any], *options: Option) -> Callable[[Command], Command]:
    """Return a command some options, and hand their values over as one thing under a name."""

    def add(command: Command) -> Command:
        @wraps(command)
        def called(**given: Any) -> Any:
            values = {field.name: given.pop(field.name) for field in fields(kind) if field.name in given}
            return command(**given, **{name: kind(**values)})

        for option in reversed(options):
            called = option(called)
        return cast(Command, called)

    return add


@dataclass(frozen=True)
class ScenarioMoment:
    """Which moment of a scenario is asked about, under which options of the rulebook."""

    turn: int | None = None
    after: int | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class UnitQuestion:
    """What is asked about a unit: with which action, and what else the rulebook understands."""

    action: str = ""
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Output:
    """How the answer is written."""

    as_json: bool = False
    svg_file: str | None = None
    png_file: str | None = None
    geojson_file: str | None = None

    def __post_init__(self) -> None:
        want_one_on_stdout(self.as_json, self.svg_file, self.png_file, self.geojson_file)

    def draw(self, drawn: Callable[[], str]) -> None:
        """Write the picture that was asked for; nothing is drawn where none was."""
        if not (self.svg_file or self.png_file):
            return
        from simulator.views.png import png_bytes

        with waiting("drawing"):
            picture = drawn()
            pixels = png_bytes(picture) if self.png_file else b""
        if self.svg_file:
            write_file(self.svg_file, picture.encode())
        if self.png_file:
            write_file(self.png_file, pixels)

    def map(self, areas: Callable[[], Mapping[str, Any]]) -> None:
        """Write the areas as GeoJSON where that was asked for."""
        if self.geojson_file:
            with waiting("working out the areas"):
                written = json.dumps(areas())
            write_file(self.geojson_file, f"{written}\n".encode())

    def say(self, lines: Callable[[], Iterable[str]], document: Callable[[], Mapping[str, Any]]) -> None:
        """Print the answer as text or as one JSON document, and make only that; neither where a file took stdout."""
        if self.as_json:
            with waiting("working out the answer"):
                text = json.dumps(document(), indent=2, allow_nan=False)
            say(text)
        elif not any(map(is_stdout, (self.svg_file, self.png_file, self.geojson_file))):
            coming = iter(lines())
            while True:
                # Line by line: what is known early is printed while the rest is worked out.
                with waiting("working out the rest"):
                    line = next(coming, None)
                if line is None:
                    break
                say(line)


_TURN = click.option("--turn", type=click.IntRange(1, 999), metavar="N", help="Ask at the beginning of turn N.")
_AFTER = click.option(
    "--after", type=click.IntRange(0), metavar="N", help="Ask when N orders of the script are played."
)


def _rules(name: str, says: str) -> Option:
    return click.option(name, "options", multiple=True, metavar="NAME=VALUE", callback=option_pairs, help=says)


moment_options = _packed("moment", ScenarioMoment, _TURN, _AFTER, _rules("--option", "Set an option."))
#: The same where --option says what is compared.
base_options = _packed(
    "moment", ScenarioMoment, _rules("--base", "An option that is set in both answers."), _TURN, _AFTER
)
question_options = _packed(
    "question",
    UnitQuestion,
    click.option("--action", default="", metavar="NAME", help="With which action; by default the first that fits."),
    click.option(
        "--with",
        "values",
        multiple=True,
        metavar="NAME=VALUE",
        callback=option_pairs,
        help="Refine the question, as the rulebook understands it: ap=2, mode=max.",
    ),
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
_PICTURES = (
    click.option("--svg", "svg_file", metavar="FILE", help="Write the picture as SVG; - is standard output."),
    click.option("--png", "png_file", metavar="FILE", help="Write the picture as PNG; - is standard output."),
)
_GEOJSON = click.option(
    "--geojson", "geojson_file", metavar="FILE", help="Write the areas as GeoJSON; - is standard output."
)
text_output = _packed("output", Output, _JSON)
picture_output = _packed("output", Output, _JSON, *_PICTURES)
area_output = _packed("output", Output, _JSON, *_PICTURES, _GEOJSON)


# --- which moment ---


@dataclass(frozen=True)
class Position:
    """A scenario and the game at the moment that is asked about."""

    scenario: Scenario
    game: Game[Any]

    @property
    def about(self) -> dict[str, Any]:
        """What every JSON document begins with."""
        setting = self.scenario.setting
        return {
            "format": 1,
            "scenario": self.scenario.name,
            "ruleset": setting.ruleset.name,
            "board": setting.board.content_hash,
            "clock": str(self.game.state.clock),
        }


def ask(path: str, moment: ScenarioMoment) -> Position:
    """Load a scenario and play it up to the moment that is asked about."""
    from simulator.formats.peek import kind_of_file

    if Path(path).is_file() and kind_of_file(path) == "board":
        raise click.UsageError(
            f"{path} is a board, and units stand in a scenario (docs/scenarios.md); "
            f"for a walker without rules: simulator walk {path} --from C,R --budget N"
        )
    scenario = loaded(Path(path), RunSettings(options=tuple(moment.options)))
    return Position(scenario, _at(scenario, moment.turn, moment.after))


def _at(scenario: Scenario, turn: int | None, after: int | None) -> Game[Any]:
    from dataclasses import replace

    from simulator.formats.scenario_models import Expected

    if turn is not None and after is not None:
        raise click.UsageError("--turn and --after name two moments: say one of them")
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
            say(f"before this moment '{played.order}' was not done: {played.error}", err=True)
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


# --- what is asked ---


def unit_named(game: Game[Any], name: str) -> str:
    """Check that there is a unit of this name."""
    from simulator.wording import did_you_mean

    if name not in game.state.units:
        raise click.UsageError(f"there is no unit {name!r}; {did_you_mean(name, game.state.units)}")
    return name


def pose_named(game: Game[Any], text: str) -> Any:
    """Read a place or a pose in the words of orders; it has to be on the board, and one that the rulebook knows."""
    from simulator.engine.places import read_pose
    from simulator.errors import NoPose
    from simulator.geometry.poses import known_pose, said_place

    board, ruleset = game.board, game.ruleset
    try:
        pose = read_pose(game.setting.vocabulary, text)
    except ValueError as error:
        raise click.UsageError(f"the place {error}") from None
    if pose.place not in board:
        raise click.UsageError(f"{said_place(text)} is not on the board: {board.no_such_place(pose.place)}")
    try:
        known = known_pose(pose, ruleset.name, headings=ruleset.reach_headings, levels=ruleset.reach_levels)
    except NoPose as error:
        raise click.UsageError(str(error)) from None
    return known.plain


def is_place(game: Game[Any], text: str) -> bool:
    """Whether a word looks like a place, on the board or not."""
    kinds = (game.setting.vocabulary.goal_place.pattern, _TWO_NUMBERS)
    return any(kind.fullmatch(text.strip()) for kind in kinds)


def is_pose(game: Game[Any], text: str) -> bool:
    """Whether a text looks like a place with or without a heading and a level."""
    from simulator.geometry.poses import said_place

    return is_place(game, said_place(text))


def reach_of(game: Game[Any], unit: str, question: UnitQuestion) -> ReachAnswer:
    """Compute the reach of a unit; a question that can not be asked is wrong usage, reported with those that can."""
    unit_named(game, unit)
    with waiting(f"asking where {unit} can end"):
        answer: ReachAnswer = guarded(game, lambda values: game.reach(unit, question.action, **values), question)
    return answer


def chain_of(game: Game[Any], unit: str, question: UnitQuestion, then: tuple[str, ...]) -> ReachAnswer:
    """Compute the reach of a unit after a chain of questions and orders."""
    from simulator.engine.chain_text import read_chain

    unit_named(game, unit)

    def asking(values: Mapping[str, Any]) -> Any:
        words = game.setting.vocabulary
        return game.reach(unit, read_chain(game.ruleset, words, question.action, then, game.state.units, values))

    with waiting(f"asking where {unit} can end"):
        answer: ReachAnswer = guarded(game, asking, question)
    return answer


def why_not(answer: ReachAnswer, place: Any) -> WhyNot:
    """Return why a place or pose is closed; answers compute much of what they know when first asked."""
    with waiting(f"asking about {answer.mover.id}"):
        return answer.why_not(place)


def guarded(game: Game[Any], asking: Callable[[Mapping[str, Any]], Any], question: UnitQuestion) -> Any:
    """Put the question with the values of --with; a rulebook that declares none gets them as plain values."""
    from simulator.errors import SimulatorError
    from simulator.formats.scenario_values import exact

    if game.ruleset.asks or not question.values:
        return asking(dict(question.values))
    words = {"true": True, "false": False}
    values = {
        name: words.get(text, int(text) if _WHOLE.fullmatch(text) else exact(text)) for name, text in question.values
    }
    try:
        return asking(values)
    except SimulatorError:
        raise
    except (TypeError, ValueError):
        # The rulebook has not checked what it was given: all that is known is that it did not fit.
        said = ", ".join(f"{name}={text}" for name, text in question.values)
        raise click.UsageError(f"{game.ruleset.name} does not understand --with {said}") from None
