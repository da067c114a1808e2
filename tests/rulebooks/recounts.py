"""Figures of refusals counted again: every place in the rulebooks that writes one, and who recounts it.

A site is a `Breach` in the source that carries `needed` or `available`. While `watched` is open, each refusal that is
made is known by its site. A recount works the figures out from the order, the position and the tables, without the
code that wrote them. A site without a recount is found by comparing `sites` with the recounts.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import simulator
from simulator.engine.errors import Breach, IllegalOrder, TableError, UnreadableOrder
from simulator.engine.game import Game
from simulator.engine.table import Table
from simulator.geometry.poses import Pose

ROOT = Path(simulator.__file__).parent
#: Stands for a figure that is not there.
NONE = None


@dataclass
class Case:
    """What was refused: an order, or a place of an answer of reach."""

    game: Game[Any]
    unit: str
    order: Any = None
    answer: Any = None
    place: Any = None
    question: Mapping[str, Any] = field(default_factory=dict)
    #: All reasons together.
    breaches: Sequence[Breach] = ()

    @property
    def table(self) -> Any:
        return self.game.ready_table(self.unit)

    @property
    def mover(self) -> Any:
        return self.table.unit(self.unit)

    @property
    def options(self) -> Any:
        return self.game.setting.options

    @property
    def tables(self) -> Any:
        return self.game.setting.tables

    def __str__(self) -> str:
        return f"{self.game.write(self.order)}" if self.order is not None else f"{self.answer!r} {self.place}"


Recount = Callable[[Case, Breach], tuple[Any, Any]]


def _within(file: Path) -> str:
    """A file's path below the rulebooks, or below the package."""
    rulebooks = ROOT / "rulesets"
    return str(file.relative_to(rulebooks if file.is_relative_to(rulebooks) else ROOT))


@cache
def _calls() -> dict[tuple[str, int], str]:
    """Every line of a call of `Breach` with figures, with the name of its site."""
    found: dict[tuple[str, int], str] = {}

    def visit(node: ast.AST, name: str, file: Path, counts: dict[str, int]) -> None:
        for child in ast.iter_child_nodes(node):
            inner = f"{name}.{child.name}" if isinstance(child, ast.FunctionDef | ast.ClassDef) else name
            if isinstance(child, ast.Call) and getattr(child.func, "id", "") == "Breach":
                named = {word.arg for word in child.keywords}
                if len(child.args) > 2 or named & {"needed", "available"}:
                    site = f"{_within(file)}{name}"
                    counts[site] = counts.get(site, 0) + 1
                    site = f"{site} {counts[site]}"
                    for line in range(child.lineno, (child.end_lineno or child.lineno) + 1):
                        found[str(file), line] = site
            visit(child, inner, file, counts)

    for file in sorted((*(ROOT / "rulesets").rglob("*.py"), ROOT / "engine" / "turns.py")):
        visit(ast.parse(file.read_text(encoding="utf-8")), "", file, {})
    return found


def sites(folder: str) -> set[str]:
    """Every site of a rulebook's folder."""
    return {site for site in _calls().values() if site.startswith(f"{folder}/")}


class Watch:
    """Knows of each refusal where it was made."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Breach, str]] = {}
        self.seen: dict[str, int] = {}

    def site_of(self, breach: Breach) -> str:
        """The site of a refusal, "" where it carries no figures."""
        return self._made.get(id(breach), (breach, ""))[1]

    def noted(self, breach: Breach, file: str, line: int) -> None:
        if site := _calls().get((file, line)):
            self._made[id(breach)] = breach, site

    def copied(self, one: Breach, other: Breach) -> None:
        if site := self.site_of(one):
            self._made[id(other)] = other, site


@contextmanager
def watched() -> Iterator[Watch]:
    """Watch where refusals are made."""
    watch, usual = Watch(), Breach.__init__

    def noting(self: Breach, *args: Any, **named: Any) -> None:
        usual(self, *args, **named)
        frame = sys._getframe(1)
        if isinstance(one := frame.f_locals.get("obj"), Breach):  # dataclasses.replace: of the site of the first
            watch.copied(one, self)
        else:
            watch.noted(self, frame.f_code.co_filename, frame.f_lineno)

    Breach.__init__ = noting  # type: ignore[method-assign]
    try:
        yield watch
    finally:
        Breach.__init__ = usual  # type: ignore[method-assign]


# --- what is refused ---


def refused_order(game: Game[Any], text: Any) -> tuple[Case | None, list[Breach]]:
    """An order and why it is refused; no case where it cannot be read."""
    try:
        order = game.read(text)
        return Case(game, order.unit, order), game.breaches(order)
    except UnreadableOrder:
        return None, []
    except IllegalOrder as error:
        return Case(game, order.unit, order), list(error.breaches)


def refused_reach(
    game: Game[Any], unit: str, action: str, places: Any, wanted: Mapping[str, Any] | None = None, **question: Any
) -> Iterator[tuple[Case, list[Breach]]]:
    """Why places are out of a reach; `wanted` is the heading or level that is asked about at each."""
    try:
        answer = game.reach(unit, action, **question)
    except TableError:
        return
    for place in places:
        case = Case(game, unit, answer=answer, place=place, question={"action": action, **question})
        yield case, list(answer.why_not(Pose(place, **(wanted or {}))).reasons)


def _clock(case: Case, breach: Breach) -> tuple[Any, Any]:
    """Who may act instead: those whom the clock lets, and no others."""
    table, clock = Table(case.game.setting, case.game.state), case.game.ruleset.clock
    free = [name for name in breach.needed if not any(clock.breaches(table, name, ""))]
    return tuple(free), case.unit


#: The recounts of what every rulebook has of the engine.
OF_ALL: Mapping[str, Recount] = {"engine/turns.py.TurnClock.breaches 1": _clock}


# --- what is wrong ---

_NUMBER = re.compile(r"(?<![\w.,-])-?\d+(?:\.\d+)?(?![\w]|,\d|\.\d)")


def wrong_figures(watch: Watch, case: Case, breaches: list[Breach], recounts: Mapping[str, Recount]) -> list[str]:
    """Name what is wrong with the figures of some refusals."""
    found = []
    case.breaches = breaches
    for breach in breaches:
        site = watch.site_of(breach)
        if not site:
            continue
        watch.seen[site] = watch.seen.get(site, 0) + 1
        told = f"{site}: {case}: {breach} (needed {breach.needed}, available {breach.available})"
        recount = recounts.get(site, OF_ALL.get(site))
        if recount is None:
            found.append(f"nobody recounts {told}")
            continue
        try:
            wanted = recount(case, breach)
        except (TypeError, KeyError, ValueError, StopIteration, IndexError) as error:
            found.append(f"{told}, which cannot be recounted: {error!r}")
            continue
        if not all(map(_alike, wanted, (breach.needed, breach.available))):
            found.append(f"{told}, recounted {wanted}")
        if not _is_short(breach):
            found.append(f"nothing is missing: {told}")
        found += [f"{number} is not a figure of it: {told}" for number in _strange_numbers(case, breach)]
    return found


def _alike(wanted: Any, told: Any) -> bool:
    """Whether a figure is the one that was recounted; inches are told in ten-thousandths."""
    if type(wanted) is float and isinstance(told, int | float):
        return abs(wanted - told) <= 1.01e-4
    return bool(wanted == told) or (isinstance(wanted, set) and told in wanted)


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_short(breach: Breach) -> bool:
    """Whether more is needed than there is, where both are amounts."""
    if not (_is_amount(breach.needed) and _is_amount(breach.available)) or "level" in breach.message:
        return True
    return bool(breach.needed > breach.available)


def _strange_numbers(case: Case, breach: Breach) -> Iterator[str]:
    """Numbers with a point in a sentence that are not the figures, in the form that the figures have."""
    known = {breach.needed, breach.available}
    if _is_amount(breach.needed) and _is_amount(breach.available):
        known.add(breach.needed - breach.available)
    shown = {f"{one:.10g}" for one in known if _is_amount(one)} | {
        f"{round(one, 4):.10g}" for one in known if _is_amount(one)
    }
    message = re.sub(r"-?[\d.]+(?:e-?\d+)?,-?[\d.]+(?:e-?\d+)?", "", breach.message)
    for name in case.game.state.units:
        message = message.replace(name, "")
    for number in _NUMBER.findall(message):
        if "." in number and number not in shown:
            yield number


def wrong_among(
    cases: Iterable[tuple[Case | None, list[Breach]]], recounts: Mapping[str, Recount]
) -> tuple[list[str], dict[str, int]]:
    """Name what is wrong with the figures of refusals, which are made meanwhile, and count the sites that were seen."""
    found = []
    with watched() as watch:
        for case, breaches in cases:
            if case is not None:
                found += wrong_figures(watch, case, breaches, recounts)
    return found, watch.seen
