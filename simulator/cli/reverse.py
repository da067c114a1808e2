"""`simulator reach --reverse`: from where a unit could get to a place or into a pose, at what cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from simulator.cli.asking import Output, Position, UnitQuestion, guarded, pose_named, unit_named
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.engine.reverse_reach import NotFrom, ReverseReach


def answer_reverse(
    position: Position, unit: str, goal: str, begin: str | None, question: UnitQuestion, output: Output
) -> int:
    """Report from where the goal can be reached; with a place to begin, whether from there, and if not, why."""
    from simulator.formats.query_data import reverse_data

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
    output.report(
        lambda: _lines(position, unit, answer, why), lambda: position.about | reverse_data(game, unit, answer, why)
    )
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
