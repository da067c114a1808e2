"""The plan of a sweep of reach maps: what is asked of each unit, and the question of each map."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from simulator.engine.values import Value
from simulator.formats.scenario_values import value_of_text
from simulator.sweeps.plan import AnyPlan, Staging
from simulator.sweeps.reach_map import MapQuestion
from simulator.wording import measure


@dataclass(frozen=True)
class MapAsking:
    """A unit that is put everywhere, and what is asked of it; the further values are texts, as after `--with`."""

    unit: str
    action: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    #: The headings in which it sets out; empty for those of `reach-map` without any.
    headings: tuple[Any, ...] = ()

    @property
    def question(self) -> str:
        """The further values as shown."""
        return " ".join(f"{name}={value}" for name, value in self.values.items())

    @property
    def label(self) -> str:
        """All of it as shown."""
        facing = f"facing {', '.join(map(str, self.headings))}" if self.headings else ""
        return " ".join(filter(None, (self.unit, self.action, self.question, facing)))


@dataclass(frozen=True)
class MapAt:
    """One map of a sweep."""

    number: int
    staging: Staging
    #: For each thing that is varied, the index of its value.
    settings: tuple[int, ...]
    asking: MapAsking


@dataclass(frozen=True)
class ReachPlan(AnyPlan):
    """A plan of reach maps that was read without faults."""

    askings: tuple[MapAsking, ...] = ()
    #: How far apart the places of a table are, in inches.
    spacing: float = 1.0
    #: Whether the areas of the ends are measured as polygons.
    measured: bool = False
    #: Whether the costs themselves are kept, not only their summary.
    with_costs: bool = True

    def __len__(self) -> int:
        return len(self.stagings) * len(self.askings) * len(self.settings)

    def __iter__(self) -> Iterator[MapAt]:
        return map(self.at, range(len(self)))

    def at(self, number: int) -> MapAt:
        """Return a map by its number: those of one scenario and unit follow each other, the reference first."""
        rest, settings = divmod(number, len(self.settings))
        staging, asking = divmod(rest, len(self.askings))
        return MapAt(number, self.stagings[staging], self.settings[settings], self.askings[asking])

    def number_of(self, staging: int, asking: int, settings: tuple[int, ...]) -> int:
        """Return the number of the map of a scenario and a unit, by their indexes, under a combination of values."""
        return (staging * len(self.askings) + asking) * len(self.settings) + self.settings.index(settings)

    @property
    def size_text(self) -> str:
        """How many maps it has, and by what they are multiplied."""
        parts = [
            measure(len(self.stagings), "scenario"),
            measure(len(self.askings), "unit"),
            measure(len(self.settings), "setting"),
        ]
        return f"{measure(len(self), 'map')} ({' x '.join(parts)})"

    def question(self, at: MapAt) -> MapQuestion:
        """Return the question of a map, as `simulator reach-map` asks it of the scenario as it begins."""
        scenario = self.staged(at.staging, at.settings)
        game = scenario.start()
        asking = at.asking
        read = str if game.ruleset.asks else value_of_text
        return MapQuestion(
            scenario.name,
            game.setting,
            game.state,
            asking.unit,
            asking.action,
            values={name: read(text) for name, text in asking.values.items()},
            spacing=self.spacing,
            headings=asking.headings,
            measured=self.measured,
            with_costs=self.with_costs,
        )

    def command(self, at: MapAt) -> str:
        """Return the command that makes a map by itself, for a folder in which the plan is."""
        asking = at.asking
        words = ["simulator", "reach-map", at.staging.file, asking.unit]
        words += ["--action", asking.action] if asking.action else []
        for name, text in asking.values.items():
            words += ["--with", f"{name}={text}"]
        for one, index in zip(self.varied, at.settings, strict=True):
            words += ["--option" if one.kind == "option" else "--table", f"{one.name}={_written(one.values[index])}"]
        for heading in asking.headings:
            words += ["--heading", str(heading)]
        words += ["--spacing", f"{self.spacing:g}"] if self.spacing != 1 else []
        words += ["--areas"] if self.measured else []
        words += [] if self.with_costs else ["--summary"]
        return shlex.join([*words, "-o", f"{at.number}.npz"])

    @cached_property
    def described(self) -> dict[str, Any]:
        """Everything that the results follow from, as plain data: a sweep is resumed only if none of it differs."""
        return {
            "sweep": "reach",
            **self.varied_described,
            "units": [asking.label for asking in self.askings],
            "spacing": self.spacing,
            "areas": self.measured,
            "costs": self.with_costs,
        }


def _written(value: Value) -> str:
    """Return a value of an option or a figure as it is written at the command line.

    >>> _written(True), _written((1, "any"))
    ('true', '[1, any]')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    return str(value)
