"""The effect of a rule change: the reach of one unit on one table under two sets of options and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simulator import pictures
from simulator.engine import geojson
from simulator.engine.areas import cells_in, common, extent, extent_text, places_in, without
from simulator.engine.errors import TableError
from simulator.engine.given import named_values
from simulator.engine.options import text_of
from simulator.engine.playthrough import Playthrough
from simulator.engine.reach import Place, ReachAnswer, searched_chance_bands
from simulator.engine.ruleset import register_order
from simulator.engine.table import Table
from simulator.engine.tables import Tables
from simulator.engine.values import NO_FIELDS
from simulator.geometry.board import Board, Lattice
from simulator.geometry.snapping import union
from simulator.wording import figure, measure

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

#: Areas by level, such as those of cost, that do not overlap.
Levels: TypeAlias = "Sequence[tuple[Any, BaseGeometry]]"
_NO_CHANGE = "no option or figure differs"


@dataclass(frozen=True, slots=True)
class OptionChange:
    """An option, or a figure by its path, that differs between the two answers, and its clause."""

    name: str
    clause: str
    before: str
    after: str

    def to_fields(self) -> dict[str, str]:
        """Return it as plain data."""
        return {"name": self.name, "clause": self.clause, "before": self.before, "after": self.after}

    def __str__(self) -> str:
        return f"{self.clause}  {self.name}: {self.before} -> {self.after}"


@dataclass(frozen=True, slots=True)
class PriceChange:
    """Ground in both answers that has another cost in the second."""

    before: Any
    after: Any
    area: BaseGeometry


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two answers about one unit on one board: ground gained and lost, changes of costs and chances."""

    table: Table[Any]
    before: ReachAnswer
    after: ReachAnswer
    options: tuple[OptionChange, ...]
    #: The figures that differ.
    figures: tuple[OptionChange, ...] = ()

    @property
    def changes(self) -> tuple[OptionChange, ...]:
        """The options and figures that differ, in the order of their clauses."""
        return _in_order([*self.options, *self.figures])

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.table.board

    @cached_property
    def gained(self) -> BaseGeometry:
        """The ground that is only in the second answer."""
        return without(self.after.area, self.before.area)

    @cached_property
    def lost(self) -> BaseGeometry:
        """The ground that is only in the first answer."""
        return without(self.before.area, self.after.area)

    @cached_property
    def kept(self) -> BaseGeometry:
        """The ground in both answers."""
        return common(self.before.area, self.after.area)

    @cached_property
    def prices(self) -> tuple[PriceChange, ...]:
        """The ground in both at different costs, with the cost before and after."""
        return tuple(self._changes(*self._by_cost()))

    @property
    def dearer(self) -> BaseGeometry:
        """The ground that costs more in the second answer."""
        return union(change.area for change in self.prices if change.after > change.before)

    @property
    def cheaper(self) -> BaseGeometry:
        """The ground that costs less in the second answer."""
        return union(change.area for change in self.prices if change.after < change.before)

    @cached_property
    def odds(self) -> tuple[PriceChange, ...]:
        """The ground in both with different chances, with the chance before and after."""
        (one, _), (other, _) = self._by_chance
        if self.odds_not_compared:
            return ()
        levels = sorted({level for level, _ in [*one, *other]}, reverse=True)
        # Chances can be expensive to compute: bands with all levels are reused.
        one = one if len(one) == len(levels) else self.before.chance_bands(levels)
        other = other if len(other) == len(levels) else self.after.chance_bands(levels)
        return tuple(self._changes(one, other))

    @cached_property
    def _by_chance(self) -> list[tuple[Levels, str]]:
        return [searched_chance_bands(answer) for answer in (self.before, self.after)]

    @property
    def odds_not_compared(self) -> str:
        """Why chances are not compared, if those of an answer are beyond the limits of the search."""
        return next((limit for _, limit in self._by_chance if limit), "")

    @property
    def surer(self) -> BaseGeometry:
        """The ground with a better chance in the second answer."""
        return union(change.area for change in self.odds if change.after > change.before)

    @property
    def riskier(self) -> BaseGeometry:
        """The ground with a worse chance in the second answer."""
        return union(change.area for change in self.odds if change.after < change.before)

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return any(extent(self.board, area) for area in (self.gained, self.lost)) or bool(self.prices or self.odds)

    # --- computation ---

    def _by_cost(self) -> tuple[Levels, Levels]:
        levels = sorted({*_costs(self.before), *_costs(self.after)})
        return self.before.bands(levels), self.after.bands(levels)

    def _changes(self, one: Levels, other: Levels) -> Iterable[PriceChange]:
        if isinstance(self.board, Lattice):
            yield from self._cell_changes(self.board, one, other)
            return
        for before, area in one:
            for after, there in other:
                if before != after and not (both := common(area, there)).is_empty:
                    yield PriceChange(before, after, both)

    @staticmethod
    def _cell_changes(board: Lattice, one: Levels, other: Levels) -> Iterable[PriceChange]:
        first, second = _level_numbers(board, one), _level_numbers(board, other)
        pairs = np.unique(np.stack([first, second], -1).reshape(-1, 2), axis=0)
        for before, after in pairs.tolist():
            if min(before, after) >= 0 and one[before][0] != other[after][0]:
                area = board.region_of((first == before) & (second == after))
                yield PriceChange(one[before][0], other[after][0], area)

    # --- output ---

    def __repr__(self) -> str:
        changed = "; ".join(map(str, self.changes)) or _NO_CHANGE
        return f"<Comparison of {self.before.mover.id} by {self.before.action}: {changed}>"

    def __str__(self) -> str:
        def text(area: BaseGeometry) -> str:
            return extent_text(self.board, extent(self.board, area))

        lines = [str(change) for change in self.changes] or [_NO_CHANGE]
        lines += [f"before: {text(self.before.area)}, after: {text(self.after.area)}"]
        pairs = [
            ("gained", self.gained),
            ("lost", self.lost),
            ("dearer", self.dearer),
            ("cheaper", self.cheaper),
            ("surer", self.surer),
            ("riskier", self.riskier),
        ]
        lines += [f"  {word:<8} {text(area)}" for word, area in pairs if not area.is_empty]
        if self.odds_not_compared:
            lines.append(f"  chances are not compared: {self.odds_not_compared}")
        if not self:
            lines.append(
                f"  nothing changes: the same ends, at the same costs{'' if self.odds_not_compared else ' and chances'}"
            )
        return "\n".join(lines)

    def to_fields(self) -> dict[str, Any]:
        """Return the comparison as plain data; on a lattice with the places."""

        def size(area: BaseGeometry) -> dict[str, Any]:
            found: dict[str, Any] = {"extent": extent(self.board, area)}
            if isinstance(self.board, Lattice):
                found["places"] = [list(place) for place in places_in(self.board, area)]
            return found

        beyond = {"odds_not_compared": self.odds_not_compared} if self.odds_not_compared else {}
        return {
            "options": [option.to_fields() for option in self.options],
            "figures": [figure.to_fields() for figure in self.figures],
            "before": extent(self.board, self.before.area),
            "after": extent(self.board, self.after.area),
            "gained": size(self.gained),
            "lost": size(self.lost),
            "prices": [
                {"before": figure(change.before), "after": figure(change.after), **size(change.area)}
                for change in self.prices
            ],
            "odds": [
                {"before": figure(change.before), "after": figure(change.after), **size(change.area)}
                for change in self.odds
            ],
            **beyond,
        }

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)

    def to_geojson(self) -> dict[str, Any]:
        """Return the ground gained, lost and kept as a GeoJSON feature collection in plane coordinates."""
        areas = {"gained": self.gained, "lost": self.lost, "dearer": self.dearer, "cheaper": self.cheaper}
        features = [
            geojson.feature(area, what, extent=extent(self.board, area))
            for what, area in {**areas, "kept": self.kept}.items()
        ]
        return {"type": "FeatureCollection", "features": features}


def _costs(answer: ReachAnswer) -> list[Any]:
    """Return every cost in an answer if it can count them; else those of its own bands."""
    counts = getattr(answer, "counts", None)
    return [level for level, _ in (answer.bands() if counts is None else counts())]


def _level_numbers(board: Lattice, levels: Levels) -> NDArray[np.int64]:
    """Compute for each cell the number of its level, -1 without one."""
    numbers = np.full(board.shape, -1)
    for number, (_, area) in enumerate(levels):
        numbers[cells_in(board, area)] = number
    return numbers


def compare(
    game: Playthrough[Any],
    unit: str,
    changes: Mapping[str, Any],
    action: str = "",
    *,
    figures: Mapping[str, Any] = NO_FIELDS,
    **question: Any,
) -> Comparison:
    """Compute a unit's reach twice, with the current options and figures and with some changed; all else is the same.

    Raise OptionError for an option or figure that does not exist or cannot have that value.
    """
    setting = game.setting
    changed = replace(
        setting,
        options=setting.options.put(**named_values("options", changes, "{'lunges': True}")),
        tables=setting.tables.override(figures),
    )
    return compare_games(game, type(game)(changed, game.state, game.answers), unit, action, **question)


def compare_games(
    game: Playthrough[Any], other: Playthrough[Any], unit: str, action: str = "", **question: Any
) -> Comparison:
    """Compute the reach of a unit in two games of one rulebook, whatever else differs between them.

    Raise TableError if the boards are not of one size, so that their places cannot be compared.
    """
    one, two = game.setting, other.setting
    if one.ruleset.name != two.ruleset.name:
        raise TableError(f"{one.ruleset.name} and {two.ruleset.name} are two rulebooks: their answers do not compare")
    if (one.board.kind, one.board.bounds, one.board.scale) != (two.board.kind, two.board.bounds, two.board.scale):
        raise TableError(f"{_size_of(one.board)} and {_size_of(two.board)} are not of one size: places do not compare")
    before, after = game.reach(unit, action, **question), other.reach(unit, action, **question)
    changes = option_changes(one.options, two.options), figure_changes(one.tables, two.tables)
    return Comparison(game.table, before, after, *changes)


def _size_of(board: Board[Any]) -> str:
    return f"{board.name or 'a board'} ({board.kind}, {board.bounds.width:g} × {board.bounds.height:g})"


def opening_options(
    game: Playthrough[Any],
    unit: str,
    place: Place,
    action: str = "",
    *,
    watch: Callable[[int, int], None] = lambda _done, _of: None,
    **question: Any,
) -> tuple[OptionChange, ...]:
    """Return each single change of an option with which a unit could end at a place where it now cannot.

    It tries every value of the options with listed values; a value that leads to no answer does not count. Each takes
    a reach: `watch` is called with the number done and the total.
    """
    options = game.setting.options
    values = [
        (name, value)
        for name, option in options.declared.items()
        if option.kind == "choice"
        for value in option.values
        if value != options.fields[name]
    ]
    found: list[OptionChange] = []
    for done, (name, value) in enumerate(values):
        watch(done, len(values))
        changed = replace(game.setting, options=options.put(**{name: value}))
        try:
            opens = place in type(game)(changed, game.state).reach(unit, action, **question)
        except TableError:
            opens = False
        if opens:
            found += option_changes(options, changed.options)
    watch(len(values), len(values))
    return _in_order(found)


def option_changes(one: Any, other: Any) -> tuple[OptionChange, ...]:
    """Return the options that differ, in the order of their clauses."""
    return _in_order(
        OptionChange(name, option.clause, text_of(one.fields[name]), text_of(other.fields[name]))
        for name, option in one.declared.items()
        if one.fields[name] != other.fields[name]
    )


def figure_changes(one: Tables, other: Tables) -> tuple[OptionChange, ...]:
    """Return the figures that differ, by their clauses; one that only one side has is `none` on the other."""
    before, after = dict(one.items()), dict(other.items())
    return _in_order(
        OptionChange(path, other.clause(path), text_of(before.get(path, "none")), text_of(after.get(path, "none")))
        for path in dict.fromkeys([*before, *after])
        if before.get(path) != after.get(path)
    )


def _in_order(changes: Iterable[OptionChange]) -> tuple[OptionChange, ...]:
    return tuple(sorted(changes, key=lambda change: (register_order(change.clause), change.name)))


def price_changes_text(comparison: Comparison, most: int = 8) -> list[str]:
    """Return lines of text about the changes of price, the largest areas first."""
    board, unit = comparison.board, comparison.after.unit
    amounts = [(extent(board, change.area), change) for change in comparison.prices]
    amounts.sort(key=lambda pair: -pair[0])
    lines = [
        f"{extent_text(board, amount)}: {measure(change.before, unit)} -> {measure(change.after, unit)}"
        for amount, change in amounts[:most]
    ]
    left = len(amounts) - most
    return [*lines, f"and {left} more"] if left > 0 else lines
