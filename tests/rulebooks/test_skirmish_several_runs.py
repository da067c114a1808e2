"""Several runs in one activation, of soldiers with AP for them: each is a spend of its own (SK-28, SK-31, SK-35)."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from skirmish_compared import lucky, misplayed
from skirmish_tables import chosen, game_with, rough, wall

from simulator.engine.answers import Script
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS

CHEAP = {"cost.run.ap": 1}
#: What the soldier is like, the options and the figures.
MEANS = {
    "runs of 2 AP": ({"ap_per_activation": 4}, {}, {"cost.run.ap": 2}),
    "runs of 1 AP": ({"ap_per_activation": 2}, {}, CHEAP),
    "straight moves": ({"ap_per_activation": 2}, {"path_shape": "straight_per_ap"}, CHEAP),
    "either runs or traverses": ({"ap_per_activation": 2}, {"run_and_traverse_same_activation": False}, CHEAP),
    "from front to front": ({"ap_per_activation": 2}, {"measure": "front_point"}, CHEAP),
}
STRIP = rough(2, -20, 3, 20)


def a_table(means, seed, psq=6):
    """Some walls, a patch of rough ground, a friend and a foe, wherever the seed puts them."""
    me, options, tables = MEANS[means]
    rng = np.random.default_rng(seed)
    (wx, wy), (rx, ry), friend, foe = rng.uniform(3.0, 9.0, (4, 2)) * rng.choice([-1.0, 1.0], (4, 2))
    pieces = [wall((wx, wy - 1.5), (wx, wy + 1.5), height=0.8), rough(rx - 1, ry - 1, rx + 1, ry + 1)]
    others = (("A2", "red", tuple(friend)), ("B1", "blue", tuple(foe)))
    me = me | {"psq": psq, "threshold_left": 0}
    return game_with(*pieces, me=me, others=others, options=options, tables=tables, corner=(-14, -14), size=28)


def chains(game, seed, count, dice=1):
    """Legal orders of moves, traverses and several runs: the soldier after each, and the AP spent."""
    rng = np.random.default_rng(seed)
    whole = int(game.ready_table("A1").unit("A1")["ap"])
    for _ in range(count):
        twin = game.branch(Script.dice((dice,) * 20, open_ended=True))
        for _ in range(20):
            x, y = twin.state.unit("A1").place
            angle, part = float(rng.uniform(0.0, 2.0 * math.pi)), float(rng.choice([1.0, rng.random()]))
            kind, inches = ("A1", 3.0) if rng.random() < 0.2 else ("A1 run", 9.0)
            order = f"{kind}: to {x + part * inches * math.cos(angle)!r},{y + part * inches * math.sin(angle)!r}"
            if rng.random() < 0.2:
                order = "A1 traverse wall"
            if list(twin.breaches(order)):
                continue
            twin.do(order, chosen())
            unit = twin.state.unit("A1")
            is_over = unit["status"] != "activating"
            yield unit, whole if is_over else whole - int(unit["ap"])
            if is_over:
                break


@pytest.mark.sampled("runs of 1 AP")
@pytest.mark.parametrize("means", MEANS)
def test_where_several_runs_end_is_reached(means):
    game = a_table(means, seed=len(means))
    reach, ends = game.reach("A1"), list(chains(game, seed=1, count=12))
    places = np.array([unit.place for unit, _ in ends])
    assert len(places) > 20
    assert (reach.costs_at(places) <= [spent for _, spent in ends]).all()
    if game.setting.options.measure == "translation":
        assert shapely.distance(reach.area, shapely.points(places)).max() <= TOLERANCE_OF_AREAS
    assert all(reach.chance_at(place) > 0 for place in places[-1:].tolist())


@pytest.mark.sampled("runs of 1 AP")
@pytest.mark.parametrize("means", MEANS)
def test_the_orders_with_several_runs_are_played(means):
    game = a_table(means, seed=len(means))
    reach = game.reach("A1", stance="kept")
    assert misplayed(game, reach, np.random.default_rng(3), 3) == []
    far = [place for place in shapely.get_coordinates(reach.area).tolist() if math.hypot(*place) > 15]
    assert sum(" run" in str(game.write(order)) for order in reach.orders_to(far[0])) == 2


@pytest.mark.sampled("runs of 1 AP")
@pytest.mark.parametrize("means", ["runs of 1 AP", "from front to front"])
def test_the_last_run_decides_about_the_token(means):
    """Where no Terrain roll ever succeeds play is certain: what it ends with is just what reach says (SK-35)."""
    game = a_table(means, seed=4, psq=0)
    reaches = {token: game.reach("A1", token=token, stance="kept") for token in (True, False)}
    found = set()
    for unit, spent in chains(game, seed=5, count=25, dice=10):
        found.add(unit["running"])
        reach = reaches[unit["running"]]
        assert reach.cost_at(unit.place) <= spent
        if len(found) < 2:
            assert reach.chance_at(unit.place) == 1
    assert found == {True, False}
    rng = np.random.default_rng(6)
    for token, reach in reaches.items():
        for place in [one for one in rng.uniform(-13, 13, (40, 2)).tolist() if one in reach][:4]:
            twin = game.branch(Script.dice((10,) * 20, open_ended=True))
            for order in reach.orders_to(place):
                twin.do(order, chosen())
            assert twin.state.unit("A1").place == pytest.approx(tuple(place), abs=1e-5)
            assert twin.state.unit("A1")["running"] == token


def test_who_fails_the_first_run_may_run_again_for_sure():
    """SK-35: cut short at 8 inches without the token, from there 8 more on open ground win it back."""
    game = game_with(STRIP, me={"threshold_left": 0}, options={"ap_per_activation": 2}, tables=CHEAP)
    with_token, without, either = (game.reach("A1", stance="kept", token=token) for token in (True, False, None))
    for x, sure in [(16, "1"), (17, "1"), (17.5, "0.6"), (18, "0.6")]:
        place = x, 0.0
        assert with_token.chance_at(place) == either.chance_at(place) == Fraction(sure)
        assert shapely.intersects_xy(with_token.certain_area.buffer(0.02), *place) == (sure == "1")
    assert without.chance_at((7, 0)) == Fraction("0.4")


def test_six_ap_are_two_runs():
    """Moves of three inches would have to end on a friend (SK-56)."""
    game = lucky(game_with(me={"ap_per_activation": 6}, others=(("A2", "red", (3, 0)), ("A3", "red", (12, 0)))))
    reach = game.reach("A1")
    assert [reach.cost_at((x, 0)) for x in (9, 12, 18, 18.1)] == [3, None, 6, None]
    assert [str(game.write(order)) for order in reach.orders_to((18, 0))] == ["A1 run: to 9,0", "A1 run: to 18,0"]
