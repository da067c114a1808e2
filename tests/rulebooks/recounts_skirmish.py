"""The figures in refusals of skirmish, counted again from the order, the table and the figures."""

from __future__ import annotations

import math

import networkx
import numpy as np
import shapely
from one_truth import table_position
from recounts import NONE, refused_order, refused_reach, wrong_among
from skirmish_tables import block, game_with, rough, wall

from simulator.engine.game import Game
from simulator.rulesets.skirmish import RULESET
from simulator.rulesets.skirmish.reach.answer import reach_of

TOLERANCE = 1e-6


# --- by hand ---


def mover(case):
    return case.answer.mover if case.answer is not None else case.mover


def outline(piece):
    shape = piece.shape
    return shape.polygon


def solids(case):
    return [outline(piece) for piece in case.game.board.pieces if piece.kind == "obstacle"]


def solid(case, name):
    return outline(next(piece for piece in case.game.board.pieces if piece.id == name))


def inches(case, unit):
    return float(case.tables["inches"][unit["stance"]])


def points_of(case, steps=400):
    """The line of an order as many points, exact at its corners (SK-4)."""
    here = mover(case).place
    points = [here]
    for element in case.order.elements:
        if element.name == "to":
            points.append(element["place"])
        elif element.name in ("left_around", "right_around"):
            (cx, cy), (x, y) = element["centre"], points[-1]
            sign = 1 if element.name == "left_around" else -1
            radius, begin = math.dist((cx, cy), (x, y)), math.atan2(y - cy, x - cx)
            for number in range(1, steps + 1):
                angle = begin + sign * math.radians(float(element["angle"])) * number / steps
                points.append((cx + radius * math.cos(angle), cy + radius * math.sin(angle)))
    return points


def line(case):
    """The line of movement, of an order or straight to a place."""
    points = points_of(case) if case.order is not None else [mover(case).place, case.place]
    return shapely.LineString(points) if len(points) > 1 else shapely.LineString([points[0]] * 2)


def length(case):
    """The length of a line of movement, arcs in closed form."""
    if case.order is None:
        return float(line(case).length)
    total, points = 0.0, [mover(case).place]
    for element in case.order.elements:
        if element.name == "to":
            total += math.dist(points[-1], element["place"])
            points.append(element["place"])
        elif element.name in ("left_around", "right_around"):
            total += math.dist(points[-1], element["centre"]) * math.radians(float(element["angle"]))
            points.append(points_of(case)[-1])
    return total


def allowed(case):
    if case.order.action == "run":
        return float(case.tables["run.inches"])
    return inches(case, mover(case)) * int(case.order.get("ap", 1))


def barred(case, breach):
    """How far the base gets along the line before it is on what bars it: felt for, and halved (SK-17, SK-53)."""
    whole, unit = line(case), mover(case)
    radius = float(unit["radius"])
    names = breach.blocker.split(" and ")
    if breach.clause == "SK-53":
        other = case.game.state.unit(breach.blocker)
        room = float(other["radius"]) + (0 if case.options.enemy_block == "line_only" else radius)
        shapes = [(shapely.Point(other.place), room)]
    elif breach.clause == "SK-63":
        shapes = []
    else:
        shapes = [(solid(case, name), radius) for name in names]

    def free(at):
        spot = whole.interpolate(at)
        if breach.clause == "SK-63":
            low_x, low_y, high_x, high_y = case.game.board.bounds
            return (
                low_x + radius - TOLERANCE <= spot.x <= high_x - radius + TOLERANCE
                and low_y + radius - TOLERANCE <= spot.y <= high_y - radius + TOLERANCE
            )
        return all(shape.distance(spot) >= room - TOLERANCE for shape, room in shapes)

    low = 0.0
    for high in np.linspace(0.0, whole.length, 4000).tolist():
        if not free(high):
            break
        low = high
    else:
        return length(case), NONE
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if free(middle) else (low, middle)
    return length(case), Nearly(low * length(case) / (whole.length or 1.0))


def place_of(case, breach):
    return breach.place or case.place


def over_the_edge(case, breach):
    low_x, low_y, high_x, high_y = case.game.board.bounds
    (x, y), radius = place_of(case, breach), float(mover(case)["radius"])
    return float(max(low_x + radius - x, x - high_x + radius, low_y + radius - y, y - high_y + radius)), 0


def on_a_piece(case, breach):
    away = solid(case, breach.blocker).distance(shapely.Point(place_of(case, breach)))
    return float(mover(case)["radius"]), float(away)


def on_a_base(case, breach):
    other = case.game.state.unit(breach.blocker)
    return float(mover(case)["radius"] + other["radius"]), float(math.dist(place_of(case, breach), other.place))


def ap_of(case, breach):
    """SK-1, SK-18, SK-28, SK-64: the AP of a spend, and those there are."""
    what = case.order.action if case.order is not None else case.question["action"]
    needed = {
        "move": int(case.tables["cost.move"]) * (case.order.get("ap", 1) if case.order is not None else 1),
        "run": int(case.tables["cost.run.ap"]),
        "traverse": int(case.options.traverse_ap),
        "change_stance": int(case.tables["cost.change_stance"]),
    }[what]
    return needed, int(case.mover["ap"])


def to_obstacle(case, breach):
    """SK-18: from the base to the nearest point; of a gap, to its throat."""
    unit = case.mover
    names = [breach.blocker]
    if case.order is not None:
        names = [name for name in (case.order["obstacle"], case.order.get("other")) if name]
    spot = shapely.Point(unit.place)
    if "aimed at" in breach.message:
        away = math.dist(case.order["towards"], unit.place) - float(unit["radius"])
        return away, float(case.tables["traverse.within"])
    if len(names) == 1 or len(set(names)) == 1:
        return float(solid(case, names[0]).distance(spot) - float(unit["radius"])), float(
            case.tables["traverse.within"]
        )
    throat = shapely.shortest_line(*(solid(case, name) for name in names))
    return float(throat.distance(spot) - float(unit["radius"])), float(case.tables["traverse.within"])


def depth(case, breach):
    """SK-24: the length of the ray inside the obstacle."""
    shape, start = solid(case, breach.blocker), shapely.Point(case.mover.place)
    nearest = shapely.shortest_line(start, shape).coords[-1]
    if case.order is not None and (towards := case.order.get("towards")):
        nearest = towards if case.options.traverse_direction == "any_direction" else nearest
    (x, y), (nx, ny) = case.mover.place, nearest
    apart = math.dist((x, y), (nx, ny)) or 1.0
    ray = shapely.LineString([(x, y), (x + 100 * (nx - x) / apart, y + 100 * (ny - y) / apart)])
    inside = ray.intersection(shape)
    far = max(shapely.Point(x, y).distance(shapely.Point(point)) for point in shapely.get_coordinates(inside).tolist())
    return float(far - apart), float(case.tables["traverse_max_depth.inches"])


def comes_down(case, breach):
    """SK-24: where a traverse would come down; of its figures those of the place."""
    if "over the table's edge" in breach.message:
        return over_the_edge(case, breach)
    return on_a_base(case, breach) if breach.blocker in case.game.state.units else on_a_piece(case, breach)


def aimed_beside(case, breach):
    return float(solid(case, breach.blocker).distance(shapely.Point(case.order["towards"]))), 0


def aimed_farther(case, breach):
    start = case.mover.place
    return (
        float(math.dist(case.order["towards"], start)),
        float(solid(case, breach.blocker).distance(shapely.Point(start))),
    )


def by_walking(case, breach):
    """SK-2: the shortest way round, whatever its length, and the inches of all AP in the best stance."""
    answer, cost = case.answer, int(case.tables["cost.move"])
    unit, action = answer.mover, answer.action
    stances = [unit["stance"]]
    if answer.spending.changing and int(case.tables["cost.change_stance"]) < answer.ap:
        stances = list(case.tables["inches"])
    price = int(case.tables["cost.change_stance"])
    figures = {stance: float(case.tables["inches"][stance]) for stance in stances}
    best = max(
        (answer.ap - price * (stance != unit["stance"])) // cost * figures[stance] if action != "run" else 0
        for stance in stances
    )
    return round_things(case, unit, case.place), float(best)


def round_things(case, unit, place):
    """The shortest way of a base round everything, over corners of grown outlines."""
    radius = float(unit["radius"])
    solid_ones = [one.buffer(radius, quad_segs=32) for one in solids(case)]
    foes = [other for other in case.game.state if other.side != unit.side and other.place is not None]
    for foe in foes:
        room = float(foe["radius"]) + (0 if case.options.enemy_block == "line_only" else radius)
        solid_ones.append(shapely.Point(foe.place).buffer(room, quad_segs=32))
    closed = shapely.union_all([one.buffer(-2e-4) for one in solid_ones])
    nodes = [tuple(unit.place), tuple(place)]
    for one in solid_ones:
        nodes += [tuple(point) for point in shapely.get_coordinates(one.convex_hull if one.is_empty else one).tolist()]
    nodes = list(nodes[:2]) + [node for node in nodes[2:] if not closed.contains(shapely.Point(node))]
    graph = networkx.Graph()
    shapely.prepare(closed)
    pairs = [(one, other) for number, one in enumerate(nodes) for other in nodes[number + 1 :]]
    lines = shapely.linestrings([[one, other] for one, other in pairs])
    clear = ~shapely.crosses(closed, lines) & ~shapely.contains(closed, lines)
    graph.add_weighted_edges_from(
        (one, other, math.dist(one, other)) for (one, other), good in zip(pairs, clear.tolist(), strict=True) if good
    )
    try:
        return Nearly(networkx.shortest_path_length(graph, nodes[0], nodes[1], weight="weight"))
    except networkx.NetworkXNoPath:
        return NONE


class Nearly(float):
    """A length that was found with many-sided circles, or felt for: right to a few hundredths."""

    def __eq__(self, other):
        return isinstance(other, int | float) and abs(float(self) - other) < 0.02

    __hash__ = float.__hash__


def over_it(case, breach):
    """SK-18: with so many AP it is reached, and with one less not."""
    answer = case.answer
    for ap in range(answer.ap + 1, answer.ap + 5):
        state = case.game.state
        more = Game(case.game.setting, state)
        table = more.ready_table(case.unit)
        unit = table.unit(case.unit)
        able = unit.put(ap=int(unit["ap"]) + ap - answer.ap)
        question = {name: value for name, value in case.question.items() if name not in ("action", "ap")}
        if case.place in reach_of(table, able, case.question["action"], ap, **question):
            return ap, answer.ap
    return NONE, answer.ap


def other_end(case, _):
    """SK-31: an end that is reached only with the token where it is asked without, or the other way round."""
    question = {name: value for name, value in case.question.items() if name not in ("action", "ap", "token")}
    asked_with = case.question["token"]
    answers = {}
    for token in (True, False):
        table = case.game.ready_table(case.unit)
        unit = table.unit(case.unit)
        answers[token] = case.place in reach_of(
            table, unit, case.question["action"], case.answer.ap, token=token, **question
        )
    if answers[asked_with] or not answers[not asked_with]:
        return NONE, answers
    return ("with the token", "without it") if asked_with else ("without the token", "with it")


S, T, W = "skirmish/obstruction.py.", "skirmish/traverse/rules.py.", "skirmish/why/reasons.py."
RECOUNTS = {
    f"{S}standing_breaches 1": over_the_edge,
    f"{S}standing_breaches 2": on_a_piece,
    f"{S}standing_breaches 3": on_a_base,
    "skirmish/judge.py.attack 1": lambda case, _: (
        case.order.get("base", "normal"),
        {case.order.get("at"), case.order.get("made")},
    ),
    "skirmish/judge.py.breaches 1": lambda case, _: (
        max(abs(value) for element in case.order.elements for value in element["place"]),
        1e6,
    ),
    "skirmish/movement.py.ap_breaches 1": ap_of,
    "skirmish/movement.py.line_breaches 1": lambda case, _: (length(case), allowed(case)),
    "skirmish/movement.py.line_breaches 2": barred,
    "skirmish/movement.py._of_lots 1": lambda case, _: (case.order["ap"], 1),
    "skirmish/movement.py.run_breaches 1": lambda case, _: (int(case.options.run_min_inches), length(case)),
    f"{T}_aim_faults.beside 1": aimed_beside,
    f"{T}_aim_faults.farther 1": aimed_farther,
    f"{T}_end_faults.against_row 1": comes_down,
    f"{T}_figure_faults.too_deep 1": depth,
    f"{T}_figure_faults.too_far 1": to_obstacle,
    f"{T}order_breaches 1": lambda case, _: (2 * float(case.mover["radius"]), NONE),
    f"{W}_on_the_line 1": barred,
    f"{W}_other_end 1": other_end,
    f"{W}_over_something 1": over_it,
    f"{W}_reasons 1": lambda case, _: (length(case), float(case.tables["run.inches"])),
    f"{W}_reasons 2": lambda case, _: (float(case.options.run_min_inches), length(case)),
    f"{W}_reasons 3": by_walking,
}


# --- positions ---

OPTIONS = (
    {},
    {"path_shape": "straight_per_ap"},
    {"pool_ap": True},
    {"enemy_block": "line_only"},
    {"traverse_direction": "any_direction"},
    {"traverse_ap": 0},
    {"run_min_inches": 9},
    {"exact_fit_passes": False},
    {"run_and_traverse_same_activation": False},
)
FIGURES = (
    {},
    {},
    {"inches": {"standing": 4, "crouching": 2.5, "prone": 0.5}},
    {"traverse.within": 0.4},
    {"run.inches": 7.25},
    {"cost.move": 2},
    {"cost.run.ap": 2},
)


def position(seed):
    """A table with obstacles and others, in the middle of an activation, under any option or figure."""
    dice = np.random.default_rng([seed, 7])
    there = table_position(seed)[0]
    options = OPTIONS[seed % len(OPTIONS)]
    figures = FIGURES[int(dice.integers(len(FIGURES)))]
    tables = {f"inches.{name}": value for name, value in figures.get("inches", {}).items()}
    tables |= {path: value for path, value in figures.items() if path != "inches"}
    setting = type(there.setting).of(RULESET, there.board, {**options}, tables)
    me = there.state.unit("A1").put(stance=str(dice.choice(["standing", "crouching", "prone"])))
    played = Game(setting, there.state.with_unit(me), there.answers)
    for _ in range(int(dice.integers(0, 3))):
        angle, far = dice.uniform(0, 2 * math.pi), float(dice.choice([0.5, 1.0, 2.0]))
        x, y = played.state.unit("A1").place
        order = f"A1: to {x + far * math.cos(angle):.2f},{y + far * math.sin(angle):.2f}"
        if not played.breaches(order):
            played.do(order)
            if played.question is not None:
                return position(seed + 10_000)
    return played, dice


def cases(seed):
    """Orders and questions of a generated position, each with why they are refused."""
    played, dice = position(seed)
    x, y = played.state.unit("A1").place
    pieces = [piece.id for piece in played.board.pieces if piece.kind == "obstacle"]

    def spot(most=6.0):
        angle, far = dice.uniform(0, 2 * math.pi), dice.uniform(0.0, most)
        return f"{x + far * math.cos(angle):.3f},{y + far * math.sin(angle):.3f}"

    for _ in range(5):
        yield refused_order(played, f"A1: to {spot()}")
        yield refused_order(played, f"A1: to {spot(2)}, to {spot(4)}")
        yield refused_order(played, f"A1 run: to {spot(12)}")
        yield refused_order(played, f"A1 move ap {int(dice.integers(1, 6))}: to {spot(16)}")
        yield refused_order(played, f"A1: left_around {spot(2)} by {int(dice.integers(5, 300))}")
    for name in pieces:
        yield refused_order(played, f"A1 traverse '{name}'")
        point = shapely.shortest_line(
            shapely.Point(x, y), outline(next(one for one in played.board.pieces if one.id == name))
        )
        nx, ny = point.coords[-1]
        yield refused_order(played, f"A1 traverse '{name}' towards {nx + 0.3:.2f},{ny:.2f}")
        yield refused_order(played, f"A1 traverse '{name}' towards {nx:.3f},{ny + 0.4:.3f}")
        for other in pieces:
            yield refused_order(played, f"A1 traverse '{name}' and '{other}'")
    yield refused_order(played, "A1 change_stance prone")
    yield refused_order(played, "A1: to 2000000,3")
    yield refused_order(played, "A1 attack B9 base good at normal")
    for action, question in (("move", {}), ("run", {}), ("traverse", {}), ("turn", {"stance": "kept", "ap": 2})):
        places = [tuple(float(value) for value in spot(8).split(",")) for _ in range(2)]
        yield from refused_reach(played, "A1", action, places, **question)
    yield from _directed(seed, dice)


def _directed(seed, dice):
    """What generated positions seldom come to."""
    deep = round(float(dice.uniform(2.5, 5.0)), 2)
    there = game_with(block(1, -3, 1 + deep, 3), block(2 + deep, -3, 9, 3, name="next"), rough(-3, 1, -1, 2))
    yield refused_order(there, "A1 traverse block")
    yield refused_order(there, "A1 traverse next")
    bent = wall((1.2, -2), (1, 0), (1.2, 2))
    there = game_with(bent, others=(("A2", "red", (2.3, 0.2)), ("B1", "blue", (-2, 0))))
    for order in ("traverse wall", "traverse wall towards 1.1,1", "traverse wall towards 1.4,1"):
        yield refused_order(there, f"A1 {order}")
    ends = game_with(wall((1, -3), (1, float(dice.uniform(-1, 1)))), corner=(-3, -3), size=6)
    for order in (": to 2.9,0", ": to -2.8,1", " run: to 2.7,2", " traverse wall"):
        yield refused_order(ends, f"A1{order}")
    yield from refused_reach(ends, "A1", "turn", [(1.0, -1.5), (-2.0, 1.0)], ap=1, token=True)
    yield from refused_reach(game_with(), "A1", "turn", [(0.0, dice.uniform(6.5, 7.5))], ap=2, token=False)
    spent = game_with(me={"ap": int(dice.integers(0, 2))})
    spent.do("A1: to 1,0") if not spent.breaches("A1: to 1,0") else None
    least = game_with(options={"run_min_inches": 9})
    yield refused_order(least, f"A1 run: to {dice.uniform(0, 9):.5f},0")
    yield from refused_reach(least, "A1", "run", [(5.0, 0.0), (9.4, 0.0)])
    over = game_with(wall((3, -20), (3, 20)))
    yield from refused_reach(over, "A1", "turn", [(3.5, 0.0), (4.7, 1.0)], ap=1)
    poor = Game(spent.setting, spent.state.with_unit(spent.state.unit("A1").put(ap=0)))
    for order in (": to 1,0", " run: to 1,0", " traverse wall", " change_stance prone"):
        yield refused_order(poor, f"A1{order}")


def wrong(seed):
    """Name what is wrong with the figures of a generated position, and count the sites that were seen."""
    return wrong_among(cases(seed), RECOUNTS)
