"""Ends of played moves, in the very pose as the game keeps it: reach from before says the price of the ledger."""

import pytest
from arms_games import arms_game, piece
from mecha_games import mecha_game, unit

from simulator.geometry.poses import Pose

TURNS = ("turn_left 30", "turn_left 45", "turn_right 67.5", "turn_left 90", "turn_right 20", "turn_left 135")
LEGS = ("forward 3", "forward 1", "forward 0.25", "reverse 1", "sideways_left 0.5", "sideways_right 1.5")


def require_known(build, name, action, orders, paid):
    """Each order that is legal leads where reach knows it for no more, and the order of that is accepted at that."""
    reach, known = build().reach(name, action), 0
    for order in orders:
        play = build()
        if play.breaches(order):
            continue
        spent = play.do(order).ledger.total(paid)
        after = play.table.unit(name)
        pose = Pose(after.place, float(after.heading))
        known += 1
        assert reach.cost_at(pose) <= float(spent) + 1e-4, order
        assert reach.cost_at(after.place) <= float(spent) + 1e-4, order
        again = build()
        assert not again.breaches(reach.orders_to(pose)[0]), order
        ledger = again.do(reach.orders_to(pose)[0]).ledger
        assert float(ledger.total(paid)) == pytest.approx(float(reach.cost_at(pose)), abs=1e-3)
        assert again.table.unit(name).place == pytest.approx(after.place, abs=1e-6)
    assert known > 3


@pytest.mark.parametrize("heading", [0, 45, 33])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("walker", {}),
        ("walker", {"turn_cost_rounding": "exact"}),
        ("grav", {}),
        ("powered_armor", {"direction_model": "oblique_half"}),
        ("tracked", {"turn_table": "linear"}),
    ],
)
def test_of_combined_arms(kind, options, heading):
    rate = {} if kind == "powered_armor" else {"rate_original": 12}

    def build():
        return arms_game(piece("A", kind, (1.25, 2.5), heading=heading, **rate), options=options)

    orders = [f"A move: {turn}, {leg}" for turn in TURNS for leg in LEGS[:4]] + [f"A move: {leg}" for leg in LEGS]
    if options.get("direction_model"):
        orders += [f"A move: oblique_left 2 at {aside}, forward 1" for aside in (30, 60, 125)]
    require_known(build, "A", "move", orders, "inches")


@pytest.mark.parametrize("heading", [0, 30, 200])
@pytest.mark.parametrize("mobility", ["walker", "track", "infantry", "hover"])
def test_of_mecha(mobility, heading):
    def build():
        return mecha_game(unit("A", mobility, (5.3, 1), heading=heading))

    legs = [leg.replace("reverse", "backward") for leg in LEGS]
    orders = [f"A standard: {turn}, {leg}" for turn in TURNS for leg in legs] + [f"A standard: {leg}" for leg in legs]
    require_known(build, "A", "standard", orders, "mp")
