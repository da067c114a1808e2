"""The plan of a sweep: everything that is varied; and for games the coordinates of each, and its seed.

`reach_plan` is the plan of a sweep of reach maps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from simulator.engine.values import Value, show
from simulator.formats.scenario import Scenario
from simulator.version import __version__
from simulator.wording import measure

#: The bits of a seed: written out, it is a number that can still be copied by hand.
_SEED_BITS = 48


@dataclass(frozen=True)
class Staging:
    """A scenario of a sweep: its label in the results, and a hash of its file and its board."""

    label: str
    scenario: Scenario
    digest: str
    #: The path of its file, as written in the plan.
    file: str = ""


@dataclass(frozen=True)
class Varied:
    """An option or a figure, and the values that are tried; the first one is the reference."""

    kind: str  # "option" or "figure"
    name: str
    values: tuple[Value, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The values as shown."""
        return tuple(show(value) for value in self.values)


@dataclass(frozen=True)
class Casting:
    """Who plays: an agent for each side, or one for all, under the side ""."""

    agents: Mapping[str, str]

    @property
    def label(self) -> str:
        """The cast as shown."""
        if "" in self.agents:
            return self.agents[""]
        return " ".join(f"{side}={agent}" for side, agent in sorted(self.agents.items()))

    def agent_of(self, side: str) -> str:
        """Return the name of the agent that plays a side."""
        return self.agents.get(side, self.agents.get("", ""))


@dataclass(frozen=True)
class PlayLimits:
    """Where a game is stopped."""

    turns: int | None = None
    orders: int = 1_000
    seconds: float = 60.0


@dataclass(frozen=True)
class Coordinates:
    """One game of a sweep."""

    run: int
    staging: Staging
    #: For each thing that is varied, the index of its value.
    settings: tuple[int, ...]
    cast: Casting
    #: The number of the game among those with the same scenario, settings and cast.
    number: int
    #: The seed of its dice and agents: games with other settings or agents have the same, so that they can be compared.
    seed: int


@dataclass(frozen=True)
class AnyPlan:
    """What every plan has: scenarios, and the values of options and figures that are crossed with each other."""

    name: str
    stagings: tuple[Staging, ...]
    varied: tuple[Varied, ...] = ()
    description: str = ""

    @cached_property
    def settings(self) -> tuple[tuple[int, ...], ...]:
        """Every combination of values, by their indexes; the first is that of all references."""
        found: list[tuple[int, ...]] = [()]
        for one in self.varied:
            found = [(*before, index) for before in found for index in range(len(one.values))]
        return tuple(found)

    def value_texts(self, settings: tuple[int, ...]) -> dict[str, str]:
        """Return a combination of values as shown, by the name of what is varied."""
        return {one.name: one.texts[index] for one, index in zip(self.varied, settings, strict=True)}

    def staged(self, staging: Staging, settings: tuple[int, ...]) -> Scenario:
        """Return a scenario under a combination of values."""
        chosen: dict[str, dict[str, Any]] = {"option": {}, "figure": {}}
        for one, index in zip(self.varied, settings, strict=True):
            chosen[one.kind][one.name] = one.values[index]
        scenario = staging.scenario
        scenario = scenario.with_options(chosen["option"]) if chosen["option"] else scenario
        return scenario.with_figures(chosen["figure"]) if chosen["figure"] else scenario

    @property
    def varied_described(self) -> dict[str, Any]:
        """The scenarios and what is varied, as plain data: part of what results follow from."""
        return {
            "program": __version__,
            "scenarios": {staging.label: staging.digest for staging in self.stagings},
            "options": {one.name: list(one.texts) for one in self.varied if one.kind == "option"},
            "tables": {one.name: list(one.texts) for one in self.varied if one.kind == "figure"},
        }


@dataclass(frozen=True)
class SweepPlan(AnyPlan):
    """A plan of games that was read without faults."""

    casts: tuple[Casting, ...] = (Casting({"": "script"}),)
    numbers: tuple[int, ...] = (1,)
    seed: int = 0
    limits: PlayLimits = PlayLimits()

    def __len__(self) -> int:
        return len(self.stagings) * len(self.settings) * len(self.casts) * len(self.numbers)

    def __iter__(self) -> Iterator[Coordinates]:
        return map(self.at, range(len(self)))

    @property
    def size_text(self) -> str:
        """How many games it has, and by what they are multiplied."""
        parts = [
            measure(len(self.stagings), "scenario"),
            measure(len(self.settings), "setting"),
            measure(len(self.casts), "cast"),
            measure(len(self.numbers), "seed"),
        ]
        return f"{measure(len(self), 'game')} ({' x '.join(parts)})"

    def at(self, run: int) -> Coordinates:
        """Return the coordinates of a game by its number in the sweep."""
        rest, number = divmod(run, len(self.numbers))
        rest, cast = divmod(rest, len(self.casts))
        staging, settings = divmod(rest, len(self.settings))
        chosen = self.stagings[staging]
        return Coordinates(
            run,
            chosen,
            self.settings[settings],
            self.casts[cast],
            self.numbers[number],
            self.seed_of(chosen.label, self.numbers[number]),
        )

    def seed_of(self, label: str, number: int) -> int:
        """Return the seed of the games of a scenario with a number."""
        text = json.dumps(["sweep", self.seed, label, number])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()) >> (256 - _SEED_BITS)

    @cached_property
    def described(self) -> dict[str, Any]:
        """Everything that the results follow from, as plain data: a sweep is resumed only if none of it differs."""
        return {
            **self.varied_described,
            "seed": self.seed,
            "agents": [cast.label for cast in self.casts],
            "seeds": list(self.numbers),
            "limits": {name: getattr(self.limits, name) for name in ("turns", "orders", "seconds")},
        }
