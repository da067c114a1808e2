"""One truth for a number that is shown in several places: generated positions, and what is at odds in an answer.

`at_odds_in_numbers` compares what can be asked from Python, `at_odds_in_what_is_shown` text, JSON, GeoJSON and pictures
with that. Both return one line for each contradiction.
"""

from __future__ import annotations

import itertools
import json
import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import shapely
from dt_games import bike, random_map, trooper
from dt_games import game as dt_game
from grid_runner_boards import generated
from shapely.geometry import shape
from skirmish_tables import block, game_with, rough, wall

from simulator.cli import reach as command
from simulator.cli.reach_question import Asked
from simulator.engine.areas import ground_text, measured, places_in, with_ground
from simulator.formats.query_data import reach_data
from simulator.geometry.board import Lattice
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.odds.bands import TOLERANCE_OF_BANDS
from simulator.views.reach_picture import draw_answer
from simulator.wording import chance_text

ROUND = [(0.0, 0.0), *((np.cos(a), np.sin(a)) for a in np.arange(8) * np.pi / 4)]


# --- positions ---


def table_position(seed):
    """A table with obstacles that can be climbed, rough ground and others, all on quarters of an inch."""
    dice = np.random.default_rng(seed)

    def at(low, high):
        return float(np.round(dice.uniform(low, high) * 4) / 4)

    for _ in range(50):
        pieces = []
        for number in range(dice.integers(1, 3)):
            (x, y), height = (at(-4, 4), at(-4, 4)), float(dice.choice([0.8, 1.5, 2.5, 3.5]))
            if dice.random() < 0.5:
                pieces.append(block(x, y, x + at(0.25, 3), y + at(0.5, 5), height, f"block {number}"))
            else:
                across, long = int(dice.integers(0, 2)), at(1, 8)
                end = (x + long * across, y + long * (1 - across))
                pieces.append(wall((x, y), end, height=height, name=f"wall {number}"))
        for number in range(dice.integers(0, 3)):
            x, y = at(-4, 4), at(-4, 4)
            pieces.append(rough(x, y, x + at(0.5, 4), y + at(0.5, 4), f"rough {number}"))
        others = [("A2", "red"), ("B1", "blue")][: dice.integers(0, 3)]
        others = tuple((*other, (at(-4, 4), at(-4, 4))) for other in others)
        me = {"stance": str(dice.choice(["standing", "crouching"])), "threshold_left": int(dice.integers(0, 2))}
        game = game_with(*pieces, others=others, me=me)
        if all(may_end(game.table, unit, np.array([unit.place], float))[0] for unit in game.state):
            return game, game.reach("A1", ap=2 + seed % 5 // 4, threshold=me["threshold_left"], stance="kept")
    raise AssertionError("no room for anybody")


def squares_position(seed):
    game = generated(seed, ("m1", "m2", "m5")[seed % 3], budget=5)
    action = ("move", "withdrawal", "tumble")[seed // 3 % 3]
    return game, game.reach("A", action)


def dots_position(seed):
    board = random_map(seed, 5, share=0.08, levels=seed % 5 == 1)
    free = [dot for dot in board.places() if not board.impassable[board.index(dot)]]
    dice = np.random.default_rng(seed)
    one, other, third = (free[at] for at in dice.permutation(len(free))[:3])
    here = {dot: int(board.level[board.index(dot)]) for dot in free}
    units = [trooper("A1", "red", one, level=here[one]), trooper("B1", "blue", other, level=here[other])]
    if seed % 2:
        units = [*bike(place=third, heading=60 * int(dice.integers(6)), crossed=(12, 6)), units[1]]
        return (game := dt_game(units, board)), game.reach("A1", "drive", mode="cruise")
    return (game := dt_game(units, board)), game.reach("A1", ("foot_move", "turn")[seed // 2 % 2])


POSITIONS = {"table": table_position, "squares": squares_position, "dots": dots_position}


# --- what can be asked from Python ---


def some_places(answer, dice, count):
    """Places of an answer: of each of its bands, and from all over it."""
    if isinstance(answer.board, Lattice):
        every = list(answer.board.places())
        return [every[at] for at in dice.permutation(len(every))[:count]]
    found = []
    for region in [answer.area, *(region for level, region in answer.chance_bands() if level < 1)]:
        low_x, low_y, high_x, high_y = region.bounds
        tried = dice.uniform((low_x, low_y), (high_x, high_y), (40 * count, 2))
        found += tried[shapely.contains_xy(region, tried)][: count // 2].tolist()
    return [tuple(place) for place in found]


def at_odds_in_numbers(answer, seed, count=8):
    """Name what places, bands and areas say of the same thing and is not the same."""
    dice, board = np.random.default_rng(seed), answer.board
    found = []
    costs, chances = answer.bands(), answer.chance_bands()
    for what, bands in (("cost", costs), ("chance", chances)):
        levels = [level for level, _ in bands]
        if levels != sorted(set(levels), reverse=what == "chance"):
            found.append(f"levels of {what} out of order: {levels}")
        whole = sum(measured(board, region)["extent"] for _, region in bands)
        if abs(whole - measured(board, answer.area)["extent"]) > 1e-3 * max(1.0, whole):
            found.append(f"bands of {what} hold {whole}, the area {answer.area.area}")
        # Where others may interrupt a move it can be possible, if they let it pass, and have no chance.
        if not isinstance(board, Lattice) and any(level <= 0 for level, _ in bands if what == "chance"):
            found.append("a band of chance 0")
    places = some_places(answer, dice, count)
    told = answer.costs_at(np.array(places)) if places else []
    for place, cost in zip(places, told, strict=True):
        at = answer.cost_at(place)
        if (place in answer) != np.isfinite(cost) or (at is None) != (not np.isfinite(cost)) or at not in (None, cost):
            found.append(f"{place}: costs {cost}, {at}")
        chance = answer.chance_at(place)
        if (chance > 0 and at is None) or (chance == 0 and at is not None and not isinstance(board, Lattice)):
            found.append(f"{place}: cost {at}, chance {chance}")
        if at is not None:
            found += _not_in_its_bands(answer, place, at, chance, costs, chances)
    return found


def _not_in_its_bands(answer, place, cost, chance, costs, chances):
    if isinstance(answer.board, Lattice):
        here = shapely.Point(answer.board.centre(place))
        of_cost = [level for level, region in costs if region.covers(here)]
        of_chance = [level for level, region in chances if region.covers(here)]
        below = max((level for level, _ in costs if level < min(of_cost, default=0)), default=-1)
        above = min((level for level, _ in chances if level > max(of_chance, default=1)), default=2)
        fits = len(of_cost) == 1 and below < cost <= of_cost[0] and len(of_chance) == 1
        return [] if fits and of_chance[0] <= chance < above else [f"{place}: {cost}, {chance}: {of_cost}, {of_chance}"]
    here, found = shapely.Point(place), []
    if not any(level == cost for level, region in costs if region.distance(here) <= 0.011):
        found.append(f"{place}: cost {cost} is not that of its band")
    if hasattr(answer, "chance_bounds"):
        low, high = answer.chance_bounds(place)
        if not low == chance <= high:
            found.append(f"{place}: chance {chance}, bounds {low} and {high}")
    of_chance = {level for level, region in chances if region.distance(here) <= 1e-6}
    if chance not in of_chance:
        around = {answer.chance_at(near) for near in _near(here, [region for _, region in chances])}
        if not of_chance & around:
            found.append(f"{place}: chance {chance}, around it {sorted(map(str, around))}, in the band of {of_chance}")
    return found


def _near(here, regions):
    """Places as far away as bands may be off, halfway there, and in the middle of what bands have near by."""
    for share in (0.5, 1):
        yield from (
            (here.x + share * TOLERANCE_OF_BANDS * dx, here.y + share * TOLERANCE_OF_BANDS * dy) for dx, dy in ROUND
        )
    disc = here.buffer(TOLERANCE_OF_BANDS)
    for region in regions:
        for part in shapely.get_parts(shapely.get_parts(region)):
            near = shapely.intersection(part, disc)
            if not near.is_empty:
                middle = near.interpolate(0.5, normalized=True) if near.geom_type == "LineString" else near.centroid
                yield middle.x, middle.y


# --- what is shown ---


def at_odds_in_what_is_shown(game, answer):
    """Name what text, JSON, GeoJSON and pictures say otherwise than the answer."""
    board, unit = game.board, answer.mover.id
    asked = Asked(SimpleNamespace(game=game, about={}), unit, answer)
    if answer.area.is_empty or getattr(answer, "refused", ()):
        return []
    costs, chances = with_ground(answer.bands()), with_ground(answer.chance_bands())
    lines = list(command._lines(asked, None))
    document = json.loads(json.dumps(reach_data(game, unit, answer)))
    found = []
    if f"can end on {ground_text(board, answer.area)}, by least cost:" not in lines:
        found.append(f"text says {lines[1]!r} of {answer.area.area}")
    if [level for level, _ in chances] == [1]:
        expected = [] if lines[-1] == "all of it for certain" else ["all of it is certain"]
        found += expected
    else:
        wanted = [f"{chance_text(level, at_least=True)}: {ground_text(board, region)}" for level, region in chances]
        shown = [line.strip() for line in lines[lines.index("by best chance:") + 1 :]]
        found += [] if shown == wanted else [f"text {shown}, bands {wanted}"]
    for what, key, bands in (("bands", "cost", costs), ("chances", "chance", chances)):
        wanted = [measured(board, region) | {key: str(level)} for level, region in bands]
        told = [one | {key: str(one[key])} for one in document[what]]
        found += [] if told == wanted else [f"JSON says {told}, bands {wanted}"]
    features = answer.to_geojson()["features"]
    for what, key, bands in (("band", "cost", costs), ("chance band", "chance", chances)):
        told = [one for one in features if one["properties"]["what"] == what]
        if [str(one["properties"][key]) for one in told] != [str(level) for level, _ in bands]:
            found.append(f"GeoJSON has other bands of {key}")
        for one, (level, region) in zip(told, bands, strict=False):
            if abs(shape(one["geometry"]).area - region.area) > 1e-4 * max(1.0, region.area):
                found.append(f"GeoJSON has {key} {level} of another extent")
    picture = draw_answer(game.table, answer, shade="chance")
    words = [chance_text(level, at_least=True) for level, _ in chances]
    found += [f"the picture does not say {word}" for word in words if not re.search(rf">{re.escape(word)}<", picture)]
    if isinstance(board, Lattice):
        ends, area = {tuple(end["place"][:2]) for end in document["ends"]}, set(places_in(board, answer.area))
        found += [] if ends == area else ["JSON has other ends than the area"]
        best = {}
        for one in features:
            if (said := one["properties"])["what"] == "end":
                place = tuple(said["place"][:2])
                best[place] = max(best.get(place, Fraction(0)), Fraction(said["chance"]))
        wrong = [place for place, chance in best.items() if chance != answer.chance_at(place)]
        found += [f"GeoJSON has other chances at {wrong}"] * bool(wrong)
    return found


def at_odds(kind, seed):
    """All that is at odds in the answer to a generated position."""
    game, answer = POSITIONS[kind](seed)
    if answer.area.is_empty:
        return []
    return [*at_odds_in_numbers(answer, seed), *at_odds_in_what_is_shown(game, answer)]


def all_positions(begin=0):
    """One position after another, of all kinds: the kind, and its seed."""
    return ((kind, seed) for seed in itertools.count(begin) for kind in POSITIONS)
