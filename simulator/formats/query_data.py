"""The answers to questions about a game as plain data: the documents of `--json`, and of programs that ask on.

Their models are in `formats.answers`, and docs/json.md describes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simulator.engine.reach import ReachAnswer, WhyNot, reason_fields, searched_chance_bands
from simulator.geometry.board import Board, Lattice
from simulator.geometry.poses import Pose
from simulator.wording import figure

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from simulator.engine.area_so_far import AreaSoFar
    from simulator.engine.errors import Breach
    from simulator.engine.foresight import Foreseen
    from simulator.engine.game import Game
    from simulator.engine.orders import Order
    from simulator.engine.reverse_reach import NotFrom, ReverseReach
    from simulator.pathing.ends import End

#: The version of every document.
FORMAT = 1


def board_data(board: Board[Any]) -> dict[str, Any]:
    """Return what identifies a board."""
    return {"name": board.name, "kind": board.kind, "hash": board.content_hash}


def moment_data(scenario: str, game: Game[Any]) -> dict[str, Any]:
    """Return the fields that begin every document about a game: what was asked about, and when."""
    return {
        "format": FORMAT,
        "scenario": scenario,
        "ruleset": game.ruleset.name,
        "board": board_data(game.board),
        "clock": str(game.state.clock),
    }


# --- reach ---


def reach_data(game: Game[Any], unit: str, answer: ReachAnswer, why: WhyNot | None = None) -> dict[str, Any]:
    """Return where a unit can end; with `why`, whether it can end at that place."""
    from simulator.engine.areas import measured, with_ground
    from simulator.pathing.reach import Reach

    board = game.board
    chances, limit = searched_chance_bands(answer)
    found = _subject(game, unit, answer) | {
        **measured(board, answer.area),
        "bands": [{"cost": figure(level), **measured(board, area)} for level, area in with_ground(answer.bands())],
        "chances": [{"chance": figure(level), **measured(board, area)} for level, area in with_ground(chances)],
    }
    if limit:
        found["chances_not_searched"] = limit
    if isinstance(answer, Reach):
        found["ends"] = [_end(end, answer.knows_levels) for end in answer.ends]
    if why is not None:
        place = why.pose or why.place
        chance, cost = answer.chance_at(place), answer.cost_at(place)
        found["to"] = why.to_fields() | {"cost": None if why else figure(cost), "chance": figure(chance)}
    return found


def so_far_data(
    game: Game[Any], unit: str, so_far: AreaSoFar, within: float, place: Any = None, *, with_outlines: bool = False
) -> dict[str, Any]:
    """Return what was known within some seconds of where a unit can end; of a `place`, whether it can end there."""
    found = _subject(game, unit, so_far.answer) | {
        "within": within,
        "is_whole": so_far.is_whole,
        "inner": _known_ground(game.board, so_far.inner, with_outlines),
        "outer": _known_ground(game.board, so_far.outer, with_outlines),
        "gap": so_far.gap,
    }
    if place is not None:
        found["to"] = Pose.of(place).to_fields() | {"reachable": so_far.has(place)}
    return found


def _known_ground(board: Board[Any], area: BaseGeometry, with_outline: bool) -> dict[str, Any]:
    from simulator.engine.areas import measured
    from simulator.engine.geojson import geometry

    outline = {"geometry": geometry(area)} if with_outline else {}
    return {**measured(board, area), **outline}


def so_far_geojson(so_far: AreaSoFar, within: float) -> dict[str, Any]:
    """Return the ground that is known and the ground that is not known yet as a feature collection."""
    from simulator.engine.geojson import collection, feature

    features = [
        feature(so_far.inner, "inner", unit=so_far.answer.unit),
        feature(so_far.outer, "outer"),
        feature(so_far.unknown, "gap"),
    ]
    return collection(so_far.answer, features, within=within, is_whole=so_far.is_whole)


def reverse_data(game: Game[Any], unit: str, answer: ReverseReach, why: NotFrom | None = None) -> dict[str, Any]:
    """Return from where a unit can get to a place; with `why`, whether it can from that place."""
    from simulator.engine.areas import measured, with_ground
    from simulator.pathing.reach import Reach

    board = game.board
    found = _subject(game, unit, answer) | {
        "goal": Pose.of(answer.goal).to_fields(),
        **measured(board, answer.area),
        "bands": [{"cost": figure(level), **measured(board, area)} for level, area in with_ground(answer.bands())],
    }
    if isinstance(answer.starts, Reach):
        found["starts"] = [_end(end, answer.starts.knows_levels) for end in answer.starts.ends]
    if why is not None:
        cost = answer.cost_at(why.place)
        orders = [] if why else [game.write(order) for order in answer.orders_from(why.place)]
        found["from"] = why.to_fields() | {"cost": None if cost is None else figure(cost), "orders": orders}
    return found


def _subject(game: Game[Any], unit: str, answer: ReachAnswer | ReverseReach) -> dict[str, Any]:
    board = game.board
    return {
        "unit": unit,
        "mover": answer.mover.id,
        "action": answer.action,
        "costs_count": answer.unit,
        "ground": "places" if isinstance(board, Lattice) else f"square {board.scale[1]}",
    }


def _end(end: End, knows_levels: bool) -> dict[str, Any]:
    level = {"level": end.level} if knows_levels else {}
    return {"place": list(end.place), "heading": end.heading, **level, "phase": end.phase, "cost": figure(end.cost)}


# --- ways and orders ---


def path_data(
    game: Game[Any], unit: str, answer: ReachAnswer, why: WhyNot, foreseen: Foreseen | None = None
) -> dict[str, Any]:
    """Return the way of a unit to a place, as foreseen; without one, why there is none."""
    from simulator.formats.foreseen_text import foreseen_data

    found: dict[str, Any] = {"unit": unit, "action": answer.action, "to": why.to_fields()}
    if foreseen is None:
        return found
    found["to"]["chance"] = figure(answer.chance_at(why.pose or why.place))
    return found | foreseen_data(game, foreseen)


def judged_data(game: Game[Any], order: Order, breaches: Sequence[Breach]) -> dict[str, Any]:
    """Return the judgement of an order."""
    return {
        "order": game.write(order),
        "legal": not breaches,
        "reasons": [reason_fields(breach) for breach in breaches],
    }
