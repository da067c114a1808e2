"""The figures in refusals of grid_runner, counted again from the order, the board and the tables."""

from __future__ import annotations

import heapq
import math
from fractions import Fraction
from itertools import count

import numpy as np
from exhaustive_grid_runner import DIRECTIONS, NoDamage, after, squares_paid
from grid_runner_boards import RULES, character, game
from grid_runner_positions import asked_at
from recounts import NONE, Case, refused_order, refused_reach, wrong_among

from simulator.engine.game import Game

SCALE = {"m1": 0, "m2": 1, "m5": 2}
WEAPONS = ("taser", "grenade_launcher", "throwing_knife", "bow", "smg", "pea_shooter")


# --- by hand ---


def printed(case, unit, mode):
    """The figure of this pass (GR-6 to GR-19)."""
    options, clock = case.options, case.game.state.clock
    high, path = len(clock.phases), f"allotment_table.{options.scale}.{mode}.{unit['metatype']}"
    labels = options.scale == "m1" and options.m1_totals == "labels"
    if not labels and high <= 4 and options.allotment_source == "printed":
        return int(case.tables[f"{path}.h{high}"][clock.number])
    return total(case, unit, mode) // high + (clock.number < total(case, unit, mode) % high)


def total(case, unit, mode):
    """The squares of the turn (GR-11, GR-12)."""
    if case.options.scale == "m1" and case.options.m1_totals == "labels":
        return int(case.tables[f"m1_labels.{mode}.{unit['metatype']}"])
    return int(case.tables[f"allotment_table.{case.options.scale}.{mode}.{unit['metatype']}.h1"][0])


def left(case, unit=None):
    """The squares left now (GR-13, GR-20, GR-33, GR-34)."""
    unit = unit or case.mover
    mode = unit["mode"]
    own = printed(case, unit, mode) + unit["carried"]
    if case.options.turn_total_cap:
        own = min(own, total(case, unit, mode) - unit["spent_before"])
    each, hits = Fraction(case.tables[f"sprint.per_hit.{case.options.scale}"]), unit["sprint_hits"] or 0
    extra = hits * math.ceil(each) if case.options.sprint_round == "per_hit" else math.ceil(hits * each)
    if mode == "walk":
        extra = min(extra, unit["spent"])
    return max(max(own, 0) + extra - unit["spent"], 0)


def path_of(order):
    return [element.name for element in order.elements for _ in range(element.get("squares", 1))]


def opens(board, square, name, corners):
    """Whether a step is open, whoever stands there (GR-26)."""
    (x, y), (to_x, to_y) = square, after(square, [name])

    def side(one, other):
        if other not in board or board.walls[board.index(other)]:
            return False
        (a, b), (c, d) = one, other
        if a == c:
            return not board.walls_south[min(b, d), a]
        return not board.walls_east[b, min(a, c)]

    if (to_x, to_y) not in board or board.walls[board.index((to_x, to_y))]:
        return False
    if x == to_x or y == to_y:
        return side(square, (to_x, to_y))
    ways = [side(square, by) and side(by, (to_x, to_y)) for by in ((to_x, y), (x, to_y))]
    return {"no_cut": all(ways), "only_between_two": any(ways), "free": True}[corners]


def cheapest(case, unit, place, tumbling=False):
    """The cheapest cost to a square, squares of others closed as they are: one square after another (GR-26, GR-35)."""
    board, scale = case.game.board, case.options.scale
    others = [other for other in case.game.state if other.id != unit.id and other.place is not None]
    closed = set()
    for other in others:
        friend = other.side == unit.side
        if (scale == "m1" or (scale == "m2" and not friend)) and not (tumbling and not friend):
            closed.add(other.place)
    known, waiting, number = {}, [(0, 0, unit.place, unit["parity"])], count(1)
    while waiting:
        paid, _, square, parity = heapq.heappop(waiting)
        if (square, parity) in known:
            continue
        known[square, parity] = paid
        for name in DIRECTIONS:
            there = after(square, [name])
            if opens(board, square, name, case.options.diagonal_corners) and there not in closed:
                price, after_ = squares_paid([name], parity)
                heapq.heappush(waiting, (paid + price, next(number), there, after_))
    costs = [paid for (square, _), paid in known.items() if square == place]
    return min(costs, default=None)


def apart(one, other):
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def free_squares(case):
    return case.tables[f"charge_distance.{case.options.scale}"]


def squares_between(case, _):
    """GR-74: between the enemy and where the charge began, or where it would begin."""
    origin, asked = (case.mover.place, case.question) if case.order is None else (case.mover["path"][0], case.order)
    return free_squares(case), apart(origin, case.game.state.unit(asked["target"]).place) - 1


def too_far(case, breach):
    """GR-18, GR-27."""
    if case.order is not None:
        return squares_paid(path_of(case.order), case.mover["parity"])[0], left(case)
    answer = case.answer
    needed = cheapest(case, answer.mover, breach.place, answer.action == "tumble")
    if answer.action == "charge_attack":
        needed = breach.needed if breach.needed >= needed else needed
    there = 1 if answer.action == "one_square_move" and left(case, answer.mover) else left(case, answer.mover)
    return needed, there


def band_limits(case, breach):
    """GR-83 to GR-93: too close or out of range."""
    unit, target = case.mover, case.game.state.unit(case.order["target"])
    across, down = (abs(one - other) for one, other in zip(unit.place, target.place, strict=True))
    away = {
        "diagonal_121": max(across, down) + min(across, down) // 2,
        "chebyshev": max(across, down),
        "euclidean_floor": math.isqrt(across**2 + down**2),
    }[case.options.range_metric]
    name = case.order.get("weapon", unit["weapon"])
    path = f"weapon_range.{case.options.scale}.{name}"
    if name == "shotgun_f" and case.options.scale == "m1" and case.options.shotgun_f_m1 == "rescaled":
        path = f"rescaled_range.{name}"

    def limit(text):
        if not text.endswith("S"):
            return Fraction(text)
        exact = Fraction(text[:-1] or 1) * unit["str"]
        whole = {"floor": math.floor, "up": math.ceil, "nearest": lambda one: math.floor(one + Fraction(1, 2))}
        return whole[case.options.str_range_rounding](exact)

    cells = [cell.removeprefix("to ") for cell in case.tables[path] if cell != "-"]
    least = limit(cells[0].split("-")[0]) if not case.tables[path][0].startswith("to") else 0
    most = max(limit(cell.split("-")[-1]) for cell in cells)
    return (least, away) if away < least else (away, most)


def fewest_passes(case, breach):
    """GR-20: the first number of passes that leads there."""
    question = dict(case.question)
    action, asked = question.pop("action"), question.pop("passes")
    for number in range(asked + 1, 20):
        if case.place in case.game.reach(case.unit, action, passes=number, **question):
            return number, asked
    return NONE, asked


def action_price(case, breach):
    """GR-24, GR-28: the kind of the action, and what is left of free and simple ones."""
    unit, name = (case.answer.mover if case.answer is not None else case.mover), case.question.get("action")
    kinds = {case.order["kind"]} if case.order is not None and case.order.action == "act" else set()
    for action in filter(None, (name, case.order.action if case.order is not None else "")):
        if action == "sprint":
            kinds.add(case.options.sprint_action)
        elif f"action_kind.{action}.kind" in case.tables:
            kinds.add(case.tables[f"action_kind.{action}.kind"])
    if case.question.get("mode") == "run":
        kinds.add(case.tables["action_kind.start_run.kind"])
    if case.question.get("sprint"):
        kinds.add(case.options.sprint_action)
    return kinds, f"{unit['free_left']} free and {unit['simple_left']} simple left"


def moved_clear(case, breach):
    """GR-74: the empty, unimpeded squares of the movement that has been made."""
    board, unit = case.game.board, case.mover
    taken = {other.place for other in case.game.state if other.id != unit.id}
    clear = [one for one in unit["path"][1:] if not board.impeded[board.index(one)] and one not in taken]
    return free_squares(case), len(clear)


RECOUNTS = {
    "grid_runner/reach/chains.py.PassesReach._against 1": fewest_passes,
    "grid_runner/charging.py.charge_breaches 1": moved_clear,
    "grid_runner/charging.py.distance_breaches 1": squares_between,
    "grid_runner/judge.py.single_step_breaches 1": lambda case, _: (len(path_of(case.order)), 1),
    "grid_runner/judge.py.single_step_breaches 2": lambda case, _: (
        squares_paid(path_of(case.order)[:1], case.mover["parity"])[0],
        1,
    ),
    "grid_runner/judge.py.ranged 1": band_limits,
    "grid_runner/judge.py.has_passes 1": lambda case, _: (case.order["passes"], 4),
    "grid_runner/judge.py.setting_faults 1": lambda case, _: (max(unit["passes"] for unit in case.game.state), 4),
    "grid_runner/movement.py.too_far 1": too_far,
    "grid_runner/movement.py.too_far 2": too_far,
    "grid_runner/clock.py.action_breaches 1": lambda case, _: (
        case.game.state.clock.number + 1,
        case.mover["turn_passes"],
    ),
    "grid_runner/clock.py._price_breaches 1": action_price,
    "grid_runner/why.py._too_dear 1": lambda case, breach: (cheapest(case, case.answer.mover, breach.place), 1),
}


# --- positions ---


def cases(seed):
    """Orders and questions of a generated position, each with why they are refused."""
    dice = np.random.default_rng([seed, 41])
    if (position := asked_at(seed, several=False)) is not None:
        yield from _asked(position[0], dice)
    if (position := asked_at(seed, several=True)) is not None:
        played, (passes, action, mode) = position
        places = [place for place in played.board.places() if dice.random() < 0.3]
        question = {"passes": max(passes - 1, 1)} | ({"mode": mode} if mode else {})
        if question["passes"] > 1:
            yield from refused_reach(played, "A", action, places, **question)
    yield from _directed(seed)


def _asked(played, dice):
    others = [name for name in played.state.units if name != "A"]
    for _ in range(6):
        path = [DIRECTIONS[int(one)] for one in dice.integers(0, 8, int(dice.integers(1, 6)))]
        action = ("move", "withdrawal", "one_square_move", "tumble")[int(dice.integers(4))]
        yield refused_order(played, f"A {action}: {', '.join(path)}")
    for text in ("start_run", "sprint", "act simple", "act complex", "has_passes 7"):
        yield refused_order(played, f"A {text}")
    for other in others:
        weapon = WEAPONS[int(dice.integers(len(WEAPONS)))]
        for text in (f"charge_attack {other}", f"melee_attack {other}", f"ranged_attack {other} with {weapon}"):
            yield refused_order(played, f"A {text}")
    places = [place for place in played.board.places() if dice.random() < 0.4]
    for action in ("move", "withdrawal", "tumble", "one_square_move"):
        mode = {"mode": ("walk", "run")[int(dice.integers(2))]} if dice.random() < 0.4 else {}
        yield from refused_reach(played, "A", action, places, **mode)
    for other in others[:2]:
        yield from refused_reach(played, "A", "charge_attack", [played.state.unit("A").place, *places], target=other)
    if dice.random() < 0.3:
        yield from refused_reach(played, "A", "move", places, sprint=int(dice.integers(3)))


def _directed(seed):
    """What generated positions seldom come to."""
    dice = np.random.default_rng([seed, 43])
    scale = ("m1", "m2", "m5")[seed % 3]
    options = {"scale": scale, "omitted_band": ("not_covered", "out_of_range")[seed % 2]}
    gap = int(dice.integers(1, 14))
    played = game("@ " + ". " * gap + "b", options, {"A": {"weapon": "bow", "str": seed % 5}})
    for weapon in WEAPONS:
        yield refused_order(played, f"A ranged_attack B1 with {weapon}")
    for path in ("any", "direct"):
        played = game("@ . , . b", {"scale": scale, "charge_path": path}, answers=NoDamage())
        played.do("A move: e" if seed % 2 else "A move: e, e")
        yield refused_order(played, "A charge_attack B1")
    units = [character("A", "red", (0, 0), passes=4 + seed % 3)]
    crowd = Game.new(RULES, played.board, units, options=options, begin=False)
    yield Case(crowd, "A"), list(crowd.faults)
    tables = {f"allotment_table.{scale}.walk.human.h1": [0]}
    played = game("@ . .", {"scale": scale}, tables=tables)
    yield refused_order(played, "A move: e, e")
    yield from refused_reach(played, "A", "move", [(1, 0), (2, 0)])
    if scale != "m5":
        played = game("@ . . .\n. . . .", {"scale": scale, "diagonal_parity_reset": "never"}, {"A": {"parity": 1}})
        yield refused_order(played, "A one_square_move: se")
        yield from refused_reach(played, "A", "one_square_move", [(1, 1), (2, 0), (3, 1)])
    played = game("@ . b", {"scale": scale, "run_start_without_pass": True}, {"A": {"passes": 1}, "B1": {"passes": 2}})
    played.do("all done")
    if played.state.clock.number == 1:
        spent = played.state.unit("A").put(free_left=0, simple_left=0)
        played = Game(played.setting, played.state.with_unit(spent))
        yield refused_order(played, "A start_run")
    yield refused_order(played, "A act simple")


def wrong(seed):
    """Name what is wrong with the figures of a generated position, and count the sites that were seen."""
    return wrong_among(cases(seed), RECOUNTS)
