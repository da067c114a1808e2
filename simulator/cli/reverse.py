"""`simulator reach --reverse`: from where a unit could get to a place or into a pose, at what cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from simulator.cli.asking import Output, Position, UnitQuestion, guarded, pose_named, unit_named
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.engine.reverse_reach import NotFrom, ReverseReach


def answer_reverse(
    position: Position, unit: str, goal: str, begin: str | None, question: UnitQuestion, output: Output
) -> int:
    """Report from where the goal can be reached; with a place to begin, whether from there, and if not, why."""
    game = position.game
    unit_named(game, unit)
    place = pose_named(game, goal)
    with waiting(f"computing from where {unit} can get there"):
        answer: ReverseReach = guarded(
            game, lambda values: game.reach_to(unit, place, question.action, **values), question
        )
        nowhere = answer.area.is_empty
    why = None if begin is None else answer.why_not(pose_named(game, begin))

    def drawn() -> str:
        from simulator.views.reach_picture import draw_reverse

        return draw_reverse(answer)

    output.draw(drawn)
    output.map(answer.to_geojson)
    output.report(lambda: _lines(position, unit, answer, why), lambda: _document(position, unit, answer, why))
    return 1 if nowhere or why else 0


def _lines(position: Position, unit: str, answer: ReverseReach, why: NotFrom | None) -> Iterator[str]:
    from simulator.engine.areas import ground_text
    from simulator.geometry.poses import Pose
    from simulator.views.reach_picture import cost_bands
    from simulator.wording import measure

    board, mover = position.game.board, answer.mover
    subject = unit if mover.id == unit else f"{unit} on {mover.id}"
    side = f" ({mover.side})" if mover.side else ""
    goal = Pose.of(answer.goal)
    yield f"{subject}{side} to {goal}, {answer.action}; {position.game.state.clock}"
    if answer.starts is None or answer.area.is_empty:
        yield f"it could get to {goal} from nowhere"
    else:
        facing = "" if answer.turned is None else f"{Pose((), mover.heading).state_text} as now"
        yield f"could get there from {ground_text(board, answer.area)}{facing}, by least cost:"
        bands = [
            (band.label, extent) for band in cost_bands(answer.starts) if (extent := ground_text(board, band.region))
        ]
        width = max(14, *(len(label) for label, _ in bands))
        yield from (f"  {label:>{width}}: {extent}" for label, extent in bands)
    if why is not None:
        yield from str(why).splitlines()
        if not why:
            yield f"for {measure(answer.cost_at(why.place), answer.unit)}"
            yield from (f"  {position.game.write(order)}" for order in answer.orders_from(why.place))


def _document(position: Position, unit: str, answer: ReverseReach, why: NotFrom | None) -> dict[str, Any]:
    from simulator.engine.areas import measured, with_ground
    from simulator.engine.values import figure
    from simulator.geometry.board import Lattice
    from simulator.geometry.poses import Pose
    from simulator.pathing.reach import Reach

    board, goal = position.game.board, Pose.of(answer.goal)
    found: dict[str, Any] = position.about | {
        "unit": unit,
        "mover": answer.mover.id,
        "action": answer.action,
        "reverse": True,
        "to": list(goal.place),
        **{f"to_{name}": value for name, value in goal.state_fields().items()},
        "costs_count": answer.unit,
        "ground": "places" if isinstance(board, Lattice) else f"square {board.scale[1]}",
        **measured(board, answer.area),
        "bands": [{"cost": figure(level), **measured(board, area)} for level, area in with_ground(answer.bands())],
    }
    if isinstance(answer.starts, Reach):
        has_levels = answer.starts.knows_levels
        found["starts"] = [
            {"place": list(end.place), "heading": end.heading, **({"level": end.level} if has_levels else {})}
            | {"phase": end.phase, "cost": figure(end.cost)}
            for end in answer.starts.ends
        ]
    if why is not None:
        cost = answer.cost_at(why.place)
        orders = [] if why else [position.game.write(order) for order in answer.orders_from(why.place)]
        found["from"] = why.to_fields() | {"cost": None if cost is None else figure(cost), "orders": orders}
    return found
