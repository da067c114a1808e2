"""A unit put elsewhere, as a game of its own: the obvious way to ask from there."""

from simulator.engine.game import Game
from simulator.geometry.hex_lattice import step


def stood_at(game, unit, place, heading=None):
    """A game for each level on which a unit can stand at a place: everything else as it is, nothing newly wrong.

    With a heading it stands there turned. What is wrong with where it stands now is right only as it stands.
    """
    here = game.state.unit(unit)
    as_now = (place, here.heading if heading is None else heading) == (here.place, here.heading)
    faults = list(game.ruleset.faults(game.table))
    known = [fault for fault in faults if as_now or fault.blocker != unit or fault.place is None]
    levels = range(7) if "level" in game.state.unit(unit).fields else [None]
    for level in levels:
        of_level = {} if level is None else {"level": level}
        turned = {} if heading is None else {"heading": heading}
        moved = game.state.unit(unit).put(place=place, **of_level, **turned)
        state = game.state.with_unit(moved)
        for rider in game.state:
            if rider.type == "trooper" and rider["aboard"] == unit:
                rear = step(place, (moved.heading // 60 + 3) % 6)
                state = state.with_unit(rider.put(place=rear, **of_level))
        twin = Game(game.setting, state, game.answers)
        if all(fault in known for fault in game.ruleset.faults(twin.table)):
            yield twin
