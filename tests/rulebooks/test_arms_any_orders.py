"""Orders of all elements of combined_arms at random, most of them nonsense: each is legal, or refused in words."""

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.engine.errors import IllegalOrder
from simulator.geometry.pieces import LineShape, Piece, PointShape, rectangle

#: How many orders of how many elements are tried for each piece.
COUNT, LONGEST = 60, 5


def keep(**attributes):
    """A building of 6 inches with three floors, on a board with a road, a tree and a wall."""
    house = {"floors": 3, "floor_height": 2, **attributes}
    return (
        Piece("road", "road", rectangle((-4, 0), (6, 4))),
        Piece("oak", "individual_tree", PointShape(-6, 0)),
        Piece("wall", "high_wall", LineShape([(0, -9), (0, -5)])),
        Piece("k", "building", rectangle((6, 0), (6, 6)), "elevated", height=6, attributes=house),
        Piece("s", "stairs", LineShape([(4, 0), (6, 0)]), on="k"),
        Piece("l", "ladder", PointShape(7, 0), on="k", attributes={"joins": (1, 2)}),
    )


BOARDS = [keep(), keep(doors=[(3, 0)]), keep(vehicle_entry=True, vehicle_floors=(0, 1))]
ON_FLOORS = [{"at": (4, 0), "floor": 1}, {"at": (7, 0), "floor": 2}]
#: Pieces wherever they can be.
PIECES = [
    *(("on_foot", fields) for fields in ({}, {"at": (4, 0)}, {"at": (3, 0), "building": "k"}, *ON_FLOORS)),
    *(("jetpack", fields) for fields in ({}, {"altitude": 4, "at": (6, 0)}, *ON_FLOORS, {"at": None, "carrier": "T"})),
    *(("crew_weapon", fields) for fields in ({"wheeled_chassis": False}, {"at": (4, 0)})),
    *(("grav", fields) for fields in ({"altitude": 3}, {"damage_level": 3}, {"at": None, "enters_on": 1})),
    *(("thruster", fields) for fields in ({"at": None, "enters_on": 1, "assault_lander": True}, {"can_hover": False})),
    ("tracked", {"base": 1}),
]
WAYS = ["s", "l", "zzz", "wall", "k door 1", "k door 1 out", "k floor 0", *(f"k floor {n}" for n in (1, 2, 7))]
WAYS += [f"k floor {number} out" for number in (0, 1, 2)]


def element(dice):
    """An element of an order at random."""
    inches, angle = dice.choice([0, 0.5, 1, 2, 3, 4, 11]), dice.choice([0, 45, 90, 180, 270])
    return str(
        dice.choice(
            [
                *(f"{name} {inches}" for name in ("climb", "descend") for _ in range(6)),
                *(f'take "{dice.choice(WAYS)}"' for _ in range(12)),
                *(f"{name} {inches}" for name in ("forward", "reverse", "sideways_left", "sideways_right")),
                *(f"{name} {angle}" for name in ("turn_left", "turn_right")),
                *(f"oblique_left {inches} at {min(angle, 180)}", "fire", "fire at E band slow", "fire at A"),
                *("load T", "load E", "unload at 1,1", "unload at 5,0 facing 30", "leave_board"),
                *("enter at -48,0 facing 0", "enter at 0,0 facing 0 altitude 9", "drop at 20,0 facing 90"),
            ]
        )
    )


@pytest.mark.sampled
@pytest.mark.parametrize("geometry", ["sum", "euclid"])
@pytest.mark.parametrize("board", range(len(BOARDS)))
@pytest.mark.parametrize("number", range(len(PIECES)))
def test_each_is_legal_or_refused_in_words(number, board, geometry):
    """CA-69, CA-71, CA-84, CA-85: an order that is legal is played; all others cite a clause and say why."""
    mobility, fields = PIECES[number]
    dice = np.random.default_rng([number, board, len(geometry)])
    for _ in range(COUNT):
        own = piece("A", mobility, **fields)
        foe, carrier = piece("E", "on_foot", (-9, 5), "blue"), piece("T", "wheeled", (-1, 3), base=1)
        units, options = [own, carrier, foe], {"vertical_geometry": geometry, "direction_model": "oblique_half"}
        data = {"initiative": ("A", "E", "T")}
        game = arms_game(*units, terrain=BOARDS[board], options=options, data=data)
        over = " over E" * int(dice.integers(4) == 0)
        order = f"A move{over}: {', '.join(element(dice) for _ in range(dice.integers(1, LONGEST + 1)))}"
        found = list(game.breaches(order))
        assert all(one.clause.startswith("CA-") and one.message for one in found), order
        if found:
            with pytest.raises(IllegalOrder):
                game.do(order)
        else:
            game.do(order)
