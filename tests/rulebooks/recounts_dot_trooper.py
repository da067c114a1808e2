"""The figures in refusals of dot_trooper, counted again from the order, the map, the cards and the tables."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress

from dot_trooper_positions import all_changes, all_option_values, at_the_moment
from dt_games import RULES, bike, centred, game, random_map, rear, trooper
from recounts import NONE, Case, refused_order, refused_reach, wrong_among

from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.geometry.dots import Edge
from simulator.geometry.hex_lattice import DIRECTIONS, distance, step
from simulator.geometry.poses import Pose

MODES = ("minimum", "cruise", "max")
WEAPONS = ("rifle", "smg", "pistol", "club", "grenade")
#: The vehicle of the mover, and the one beside the way.
BIKE, OTHER = "bike", "heap"


# --- by hand ---


def unit_of(case, name=""):
    return case.table.unit(name or case.unit)


def most_ap(case, unit):
    """DT-6, DT-161, DT-162."""
    hp = min(unit["crossed"], default=11) - 1
    worn = unit["jet_pack"] == "worn"
    if case.options.jetpack_penalty_timing == "next_turn" and unit["wore_pack"] is not None:
        worn = unit["wore_pack"]
    penalty = case.tables["flight.ap_penalty"] if worn else 0
    return max(0, case.tables["trooper_hp_table.ap"][10 - hp] + unit["ap_bonus"] - penalty)


def left(case, name=""):
    unit = unit_of(case, name)
    return max(0, most_ap(case, unit) - unit["ap_spent"])


def cap(case, name=""):
    unit = unit_of(case, name)
    counts = case.options.cap_counts == "all_activities"
    return max(0, case.tables["movement.cap"] - unit["ap_spent" if counts else "movement_spent"])


def for_driving(case):
    return min(left(case), cap(case))


def vehicle_of(case):
    return case.table.unit(unit_of(case)["aboard"] or BIKE)


def on_card(case, row):
    """DT-34, DT-36: what the card shows in a row."""
    vehicle = vehicle_of(case)
    hp = min(vehicle["crossed"], default=13) - 1
    figures = (vehicle["hp_table"] or {}).get(row) or case.tables[f"vehicle_hp_table.{row}"]
    return "none" if hp < 0 and row == "max_mode" else figures[12 - max(hp, 0)]


def supported(case):
    highest = on_card(case, "max_mode")
    return MODES[: MODES.index(highest) + 1] if highest in MODES else ()


def mode_asked(case):
    """The mode of an order or a question; without one, the lowest."""
    return case.order["mode"] if case.order is not None else case.question.get("mode", MODES[0])


def mode_of(case, end):
    return case.tables[f"mode.{mode_asked(case)}.{end}"]


def whole(case, segment):
    """DT-43, DT-72, DT-73: the dots of a segment."""
    dots = case.tables[f"class.{vehicle_of(case)['class']}.speed_multiplier"]
    per_ap = segment == "stop" and case.options.stop_dots == "m_per_ap"
    return dots * (case.tables["drive.stop"] if per_ap else 1)


def drive_ap(case):
    """DT-63: the AP of all segments and turns of an order."""
    names = [element.name for element in case.order.elements]
    turns = [element["angle"] for element in case.order.elements if element.name in ("left", "right")]
    segments = sum(case.tables[f"drive.{name}"] for name in names if name in ("start", "move", "stop"))
    return segments + sum(case.tables[f"turn.{angle}"] for angle in turns)


def most_for_mode(case):
    most = min(mode_of(case, "most"), for_driving(case))
    stop = case.tables["drive.stop"]
    free = case.options.minimum_stop == "allowed_2ap_no_check" and case.order["mode"] == "minimum"
    return {most, max(most, stop)} if free and for_driving(case) >= stop else most


def segments(case):
    """Each segment of an order with the dots it has and those it moves, up to the one that asks for too many."""
    found, moved = [], 0
    for element in case.order.elements:
        if element.name in ("start", "move", "stop"):
            moved = 0
        elif element.name != "on":
            continue
        name = element.name if element.name != "on" else found[-1][0]
        there = whole(case, name) - moved
        asked = element.get("dots", there)
        if element.name == "on":
            found[-1] = (name, there, asked, moved + asked)
        else:
            found.append((name, there, asked, asked))
        moved += asked
        if asked > there:
            return found
    return found


def unfinished(case, breach):
    """DT-72: a segment that is left before its dots are moved."""
    for name, _, _, moved in segments(case):
        if moved < whole(case, name) and (whole(case, name), moved) == (breach.needed, breach.available):
            return whole(case, name), moved
    return NONE, NONE


def too_many(case, _):
    _name, there, asked, _ = segments(case)[-1]
    return asked, there


def walk_ap(case):
    """DT-164: AP of a walk, and those of them that are movement."""
    unit, spent, moved = case.mover, 0, 0
    posture, level = unit["posture"], unit["level"]
    for element in case.order.elements:
        if element.name == "step":
            to = element.get("level", level)
            price = case.tables[f"foot.{posture}"] + abs(to - level) * case.tables["foot.level"]
            spent, moved, level = spent + price, moved + price, to
        else:
            posture = "prone" if element.name == "lie_down" else "standing"
            spent += case.tables["foot.posture"]
    return spent, moved


def order_ap(case):
    """What an order takes: AP, and those of them that are movement."""
    action = case.order.action if case.order is not None else "activate_jet_pack"
    if action == "foot_move":
        return walk_ap(case)
    if action == "activate_jet_pack":
        ap = case.tables["activity.activate_jet_pack"]
        drops = sum(one.name == "drop" for one in case.order.elements) if case.order is not None else 0
        fire = case.tables[f"weapon.{unit_of(case)['weapon']}.fire_ap"] if drops else 0
        return ap + (drops * fire if case.options.grenade_drop_ap == "fire_ap" else 0), ap
    if action == "standard_fire":
        return case.tables[f"weapon.{case.order.get('weapon', case.mover['weapon'])}.fire_ap"], 0
    kind = "activity" if "jet_pack" in action else "vehicle_activity"
    return case.tables[f"{kind}.{action}"], 0


def payer(case, breach):
    if case.order is None or case.order.action != "exchange_jet_pack":
        return ""
    names = {case.unit, case.order["partner"]}
    return next(name for name in names if f"{name} has" in breach.message) if "has" in breach.message else ""


def short_of_ap(case, breach):
    """DT-162."""
    return order_ap(case)[0], left(case, payer(case, breach))


def over_the_cap(case, _):
    """DT-64."""
    ap, moved = order_ap(case)
    if case.order is not None and case.order.action == "exchange_jet_pack":
        return ap, {cap(case), cap(case, case.order["partner"])}
    return ap if case.options.cap_counts == "all_activities" else moved, cap(case)


def flown(case):
    return [dot for element in case.order.elements if element.name == "fly" for dot in element["dots"]]


def counted(case):
    path = flown(case)
    far = distance(case.mover.place, path[-1])
    return far if case.options.flight_length == "displacement" else len(path)


def leap(case, breach):
    """DT-4: how far apart two dots are that should be neighbours."""
    if case.order.action == "activate_jet_pack":
        dots = [case.mover.place, *flown(case)]
    else:
        dots = [case.mover.place, *(one["to"] for one in case.order.elements if one.name == "step")]
    apart = {distance(one, other) for one, other in itertools.pairwise(dots) if other == breach.place}
    return (1, 0) if breach.available == 0 and 0 in apart else (apart - {0, 1}, 1)


def top(case, dot):
    board = case.game.board
    return int(board.level[board.index(dot)] + board.storeys[board.index(dot)])


def levels_of(case, dots):
    return dots // case.tables["flight.dots_per_level"]


def towers(case, breach):
    return top(case, breach.place), case.mover["level"] + levels_of(case, counted(case))


def fire_on_the_way(case, breach):
    """DT-154, DT-171: attacks and movement of one who shoots."""
    total: dict[str, int] = {}
    for element in case.order.elements:
        if element.name in ("fire", "throw", "strike"):
            who = element.get("by", case.unit)
            name = element.get("weapon", case.game.state.unit(who)["weapon"])
            total[who] = total.get(who, 0) + case.tables[f"weapon.{name}.fire_ap"]
    spent = {who: ap + (drive_ap(case) if who == case.unit else 0) for who, ap in total.items()}
    there = {who: left(case, who) if breach.clause == "DT-154" else cap(case, who) for who in spent}
    return next((spent[who], there[who]) for who in spent if spent[who] > there[who])


def shots(case, breach):
    fired = [(one.get("by", case.unit), one.get("weapon")) for one in case.order.elements if one.name == "fire"]
    return set(range(2, len(fired) + 1)), 1


def kind_of(case):
    element = next(one for one in case.order.elements if one.name in ("fire", "throw"))
    return case.tables[
        f"weapon.{element.get('weapon', case.game.state.unit(element.get('by', case.unit))['weapon'])}.class"
    ]


def allowed_aboard(case, on_the_move=True):
    """DT-149, DT-156."""
    hand = ("smg", "secondary", "satchel_charge", "grenade")
    element = next((one for one in case.order.elements if one.name in ("fire", "throw")), {})
    seat = case.game.state.unit(element.get("by", case.unit))["seat"]
    return {hand, (*hand, "primary"), ("primary", *hand)} if on_the_move and seat == "passenger" else hand


def weapon_range(case, breach):
    """DT-173: how far away the target is, the nearest of its dots; how far the weapon reaches."""
    name = case.order.get("weapon", case.mover["weapon"])
    target = case.game.state.unit(breach.blocker)
    elements = [one for one in case.order.elements if one.name == "fire"]
    if elements:
        name = elements[0].get("weapon", case.mover["weapon"])
        return breach.needed, case.tables[f"weapon.{name}.range"][-1]
    dots = [target.place] + ([rear(target.place, target.heading)] if target.type == "vehicle" else [])
    return {distance(case.mover.place, dot) for dot in dots}, case.tables[f"weapon.{name}.range"][-1]


# --- places that are out of reach ---


def otherwise(case, tables=None, **fields):
    """The same question with other figures, for a trooper with other fields."""
    setting = case.game.setting
    if tables:
        figures = {**dict(setting.tables.overrides), **tables}
        setting = type(setting).of(RULES, case.game.board, setting.options, figures)
    unit = case.game.state.unit(case.unit)
    state = case.game.state.with_unit(unit.put(fields))
    # Where others close every way, the AP are those of the way without them.
    for name in {name for one in case.breaches if one.clause == "DT-165" for name in one.blocker.split(", ")}:
        state = state.without_unit(name)
    there = Game(setting, state)
    question = {name: value for name, value in case.question.items() if name not in ("wanted", "action")}
    return there.reach(case.unit, case.question["action"], **question)


def cost_with_everything(case, unbound=False):
    """The AP of the way to a place if there were as many AP as one likes, by the modes there are or by any."""
    fields = {"ap_bonus": 300, "ap_spent": 0, "movement_spent": 0}
    tables = {"movement.cap": 300}
    if unbound:
        named = case.question.get("mode") or supported(case)[-1]
        others = [mode for mode in MODES if mode != named]
        tables |= {f"mode.{named}.least": 1, f"mode.{named}.most": 40}
        tables |= {f"mode.{mode}.{end}": 39 for mode in others for end in ("least", "most")}
        tables |= {f"class.{vehicle_of(case)['class']}.handling": -40}
    return otherwise(case, tables, **fields).cost_at(Pose(case.place, **case.question.get("wanted", {})))


def walked(case, _):
    wanted = cost_with_everything(case)
    return int(wanted), left(case)


def walked_within_cap(case, _):
    return int(cost_with_everything(case)), cap(case)


def least_budget(case):
    """The fewest AP of movement with which a drive gets there, by one mode or any."""
    for ap in range(1, 40):
        unit = unit_of(case)
        bonus = unit["ap_bonus"] + ap + unit["ap_spent"] - most_ap(case, unit)
        reach = otherwise(case, {"movement.cap": 300}, ap_bonus=bonus)
        if case.place in reach and reach.cost_at(Pose(case.place, **case.question.get("wanted", {}))) is not None:
            return ap
    return NONE


def beyond_the_mode(case, _):
    open_ = [case.question["mode"]] if "mode" in case.question else supported(case)
    return int(cost_with_everything(case, unbound=True)), max(case.tables[f"mode.{mode}.most"] for mode in open_)


def too_few(case, _):
    ap = int(cost_with_everything(case, unbound=True))
    open_ = [case.question["mode"]] if "mode" in case.question else supported(case)
    wants = [case.tables[f"mode.{mode}.least"] for mode in open_ if case.tables[f"mode.{mode}.least"] > ap]
    return min(wants, default=NONE), ap


def hopeless(case, _):
    """DT-160: how much lower the target numbers would have to be."""
    path = f"class.{vehicle_of(case)['class']}.handling"
    for lower in range(1, 30):
        reach = otherwise(case, {path: case.tables[path] - lower})
        if reach.cost_at(Pose(case.place, **case.question.get("wanted", {}))) is not None:
            return 12 + lower, 12
    return NONE, 12


def other_mode(case, breach):
    named = case.question["mode"]
    for mode in MODES:
        with suppress(TableError):
            other = case.game.reach(case.unit, "drive", **{**_plain(case.question), "mode": mode})
            if other.cost_at(Pose(case.place, **case.question.get("wanted", {}))) is not None:
                return mode, named
    return NONE, named


def _plain(question):
    return {name: value for name, value in question.items() if name not in ("wanted", "action")}


def wanted_levels(case):
    level = case.question.get("wanted", {}).get("level")
    return tuple(case.game.board.surfaces_at(case.place)) if level is None else (level,)


def away(case):
    return distance(unit_of(case).place, case.place)


def to_the_top(case):
    return abs(top(case, case.place) - unit_of(case)["level"]) * case.tables["flight.dots_per_level"]


def state(wanted, field, name=""):
    """A state that is wanted, and the one there is."""
    return lambda case, breach: (wanted, unit_of(case, name or _named(case, breach))[field])


def _named(case, breach):
    return breach.blocker if breach.blocker in case.game.state.units else ""


def modes_left(case, breach):
    driver = case.game.state.unit(next(iter(case.game.state.unit(BIKE)["former_riders"]), "A1"))
    there = Case(case.game, driver.id)
    have = for_driving(there)
    return tuple(mode for mode in supported(there) if case.tables[f"mode.{mode}.least"] <= have), NONE


ON_FOOT = ("standing", "prone")
F, P, E = "dot_trooper/flight.py.", "dot_trooper/judge/drive.py.", "dot_trooper/other_actions.py."
RECOUNTS = {
    "dot_trooper/judge/orders.py.against_angles 1": lambda case, _: (
        (60, 120, 180),
        {one["angle"] for one in case.order.elements if one.name in ("left", "right")},
    ),
    "dot_trooper/judge/orders.py.against_phase 1": lambda case, _: (
        case.order.action,
        case.game.state.clock.phase.name,
    ),
    "dot_trooper/judge/orders.py.against_strange_weapons 1": lambda case, _: (
        tuple(case.tables["weapon"]),
        case.mover["weapon"],
    ),
    "dot_trooper/aiming.py.against_shooting 1": weapon_range,
    f"{E}against_crawling 1": state("under_vehicle", "posture"),
    f"{E}against_dismounting 1": lambda case, _: ("stopped", vehicle_of(case)["motion"]),
    f"{E}against_dismounting 2": lambda case, _: (
        distance(case.order["to"], case.mover.place) or 1,
        int(distance(case.order["to"], case.mover.place) > 0),
    ),
    f"{E}against_exchange 1": state(ON_FOOT, "posture"),
    f"{E}against_jet_pack 1": lambda case, _: (
        {"remove_jet_pack": "worn", "equip_jet_pack": "carried"}[case.order.action],
        case.mover["jet_pack"],
    ),
    f"{E}against_jet_pack 2": state(ON_FOOT, "posture"),
    f"{E}against_lifting 1": lambda case, breach: (
        "prone",
        unit_of(case, breach.blocker)["posture"]
        if unit_of(case, breach.blocker).type == "vehicle"
        else breach.available,
    ),
    f"{E}against_lifting 2": state("standing", "posture"),
    f"{E}against_lifting 3": lambda case, breach: (case.mover.side, unit_of(case, breach.blocker).side),
    f"{E}against_mounting 1": state("standing", "posture"),
    f"{E}against_mounting 2": lambda case, breach: (
        1,
        1
        + case.tables[f"class.{unit_of(case, breach.blocker)['class']}.passengers"]
        - sum(unit.get("aboard") == breach.blocker for unit in case.game.state),
    ),
    f"{E}against_standard_fire 1": lambda case, _: (
        allowed_aboard(case, on_the_move=False),
        case.tables[f"weapon.{case.mover['weapon']}.class"],
    ),
    f"{F}_against_drops 1": lambda case, _: ("grenade", case.mover["weapon"]),
    f"{F}_against_drops 2": lambda case, _: (sum(one.name == "drop" for one in case.order.elements), 1),
    f"{F}_against_landing 1": lambda case, _: (
        abs(top(case, flown(case)[-1]) - case.mover["level"]) * case.tables["flight.dots_per_level"],
        counted(case),
    ),
    f"{F}_against_landing 2": towers,
    f"{F}_against_path_option 1": lambda case, _: (len(flown(case)), case.tables["flight.most"]),
    f"{F}against_activating 1": state("worn", "jet_pack"),
    f"{F}against_activating 2": state("standing", "posture"),
    f"{F}against_activating 3": lambda case, _: (
        1,
        0 if unit_of(case)["jet_pack_used"] or unit_of(case)["has_flown"] else 1,
    ),
    f"{F}against_flying 1": lambda case, _: (case.tables["flight.least"], len(flown(case))),
    f"{F}against_flying 2": lambda case, _: (case.tables["flight.least"], counted(case)),
    f"{F}against_flying 3": lambda case, _: (counted(case), case.tables["flight.most"]),
    "dot_trooper/foot.py.against_spending 1": short_of_ap,
    "dot_trooper/foot.py.against_spending 2": over_the_cap,
    "dot_trooper/surroundings.py.not_adjacent 1": leap,
    "dot_trooper/foot.py.against_step 1": lambda case, _: (
        {one["level"] for one in case.order.elements if one.get("level") is not None},
        {0, 1, 2, 3, 4},
    ),
    "dot_trooper/foot.py.against_afoot 1": state(ON_FOOT, "posture"),
    "dot_trooper/foot.py.against_walking 1": lambda case, _: (
        case.order["level"],
        next((one["level"] for one in case.order.elements[::-1] if "level" in one.args), case.mover["level"]),
    ),
    f"{P}_against_attack 1": lambda _, __: (1, 0),
    f"{P}_against_dots 1": too_many,
    f"{P}_against_fire 1": lambda case, _: (allowed_aboard(case), kind_of(case)),
    f"{P}_against_firing_again 1": shots,
    f"{P}_against_spending 1": fire_on_the_way,
    f"{P}_against_spending 2": fire_on_the_way,
    f"{P}_against_striking 1": lambda case, _: ("melee", case.mover["weapon"]),
    f"{P}against_driving 1": lambda _, __: (MODES, NONE),
    f"{P}against_driving 2": lambda case, _: (
        case.order["motion"],
        "stopped" if any(one.name == "stop" for one in case.order.elements) else "moving",
    ),
    f"{P}against_mode 1": lambda case, _: (mode_asked(case), on_card(case, "max_mode")),
    f"{P}against_mode 2": lambda case, _: (mode_of(case, "least"), for_driving(case)),
    f"{P}against_using 1": lambda case, _: ("upright", vehicle_of(case)["posture"]),
    "dot_trooper/riding.py.a_dot_comes_first 1": lambda _, __: (1, 0),
    "dot_trooper/riding.py.ap_are_in_range 1": lambda case, _: (drive_ap(case), most_for_mode(case)),
    "dot_trooper/riding.py.enough_is_spent 1": lambda case, _: (mode_of(case, "least"), drive_ap(case)),
    "dot_trooper/riding.py.segment_is_finished 1": unfinished,
    "dot_trooper/ruleset.py.DotTrooper._faults_of 1": lambda case, breach: (
        tuple(case.tables["weapon"]),
        case.game.state.unit(breach.blocker)["weapon"],
    ),
    "dot_trooper/ruleset.py.DotTrooper._rider_faults 1": lambda case, breach: (
        rear(case.game.state.unit(BIKE).place, case.game.state.unit(BIKE).heading),
        case.game.state.unit(breach.blocker).place,
    ),
    "dot_trooper/ruleset.py.DotTrooper._rider_faults 2": lambda case, _: (
        sum(unit.get("seat") == "driver" for unit in case.game.state),
        1,
    ),
    "dot_trooper/ruleset.py._mount_faults 1": lambda case, breach: (
        tuple(case.tables["weapon"]),
        case.game.state.unit(breach.blocker)["weapons"][0]["weapon"],
    ),
    "dot_trooper/ruleset.py._mount_faults 2": lambda case, breach: (
        len(case.tables[f"class.{case.game.state.unit(breach.blocker)['class']}.mounted"]),
        len(case.game.state.unit(breach.blocker)["arcs"]),
    ),
    "dot_trooper/clock.py.DotTrooperClock.breaches 1": modes_left,
    "dot_trooper/why/drive.py._Inquiry._hopeless 1": hopeless,
    "dot_trooper/why/drive.py._Inquiry._limits 1": beyond_the_mode,
    "dot_trooper/why/drive.py._Inquiry._limits 2": lambda case, _: (least_budget(case), left(case)),
    "dot_trooper/why/drive.py._Inquiry._limits 3": lambda case, _: (least_budget(case), cap(case)),
    "dot_trooper/why/drive.py._Inquiry._other_mode 1": other_mode,
    "dot_trooper/why/drive.py._Inquiry._too_few 1": too_few,
    "dot_trooper/why/drive.py._in_the_pose 1": lambda case, _: (
        (0, 60, 120, 180, 240, 300),
        case.question["wanted"]["heading"],
    ),
    "dot_trooper/why/drive.py._off_the_ground 1": lambda case, _: (
        case.question["wanted"]["level"],
        case.game.board.level[case.game.board.index(case.place)],
    ),
    "dot_trooper/why/foot.py._by_air_alone 1": lambda case, _: (wanted_levels(case), top(case, case.place)),
    "dot_trooper/why/foot.py._by_air_alone 2": lambda case, _: (away(case), case.tables["flight.most"]),
    "dot_trooper/why/foot.py._by_air_alone 3": lambda case, _: (to_the_top(case), case.tables["flight.most"]),
    "dot_trooper/why/foot.py._by_air_alone 4": lambda case, _: (case.tables["flight.least"], away(case)),
    "dot_trooper/why/foot.py._limits 1": walked,
    "dot_trooper/why/foot.py._limits 2": walked_within_cap,
    "dot_trooper/why/foot.py._limits 3": walked_within_cap,
    "dot_trooper/why/foot.py._no_such_place 1": lambda case, _: (
        case.question["wanted"]["level"],
        tuple(case.game.board.surfaces_at(case.place)),
    ),
}


# --- positions ---


def position(seed):
    """A trooper on foot or in the saddle in the middle of a turn, a friend, a foe, and a second vehicle."""
    dice = random.Random(seed)
    options, tables = {}, {}
    for _ in range(dice.choice((0, 1, 2))):
        options |= dice.choice(all_option_values())
    if dice.random() < 0.5:
        tables |= dice.choice(all_changes())
    board = random_map(seed, 5, share=0.05, buildings=seed % 2 == 0)
    free = [dot for dot in board.places() if not board.impassable[board.index(dot)]]
    poses = [(dot, 60 * way) for dot in free for way in range(6) if rear(dot, 60 * way) in free]
    (front, way), (heap, lies) = dice.sample(poses, 2)
    taken = {front, rear(front, way), heap, rear(heap, lies)}
    start, friend, foe = dice.sample([dot for dot in free if dot not in taken], 3)
    moved = dice.randrange(4)
    fields = {
        "crossed": (dice.randrange(3, 11),) if dice.random() < 0.4 else (),
        "ap_bonus": dice.choice((-5, -2, 0, 0, 3)),
        "ap_spent": moved + dice.choice((0, 0, 1)),
        "movement_spent": moved,
        "jet_pack": dice.choice(("none", "carried", "worn", "worn")),
        "has_flown": dice.random() < 0.15,
        "weapon": dice.choice(WEAPONS),
        "wore_pack": dice.choice((None, False, True)),
    }
    kind = dice.choice(("scout", "assault"))
    rides, first = dice.random() < 0.5, {"motion": dice.choice(("moving", "stopped")), "on": dice.random() < 0.9}
    first |= {"class": kind, "crossed": (dice.randrange(1, 13),) if dice.random() < 0.4 else ()}
    if rides:
        fields |= {"jet_pack": "none"}
        units = bike(BIKE, "red", front, way, "A1", {"posture": "mounted", "seat": "driver", **fields}, **first)
    else:
        fields |= {"posture": dice.choice(("standing", "standing", "prone", "under_vehicle"))}
        units = bike(BIKE, "red", front, way, None, **(first | {"motion": "stopped"}))
        units.append(trooper("A1", "red", start, **fields))
    units.append(trooper("A2", "red", friend, jet_pack=dice.choice(("none", "worn")), posture=dice.choice(ON_FOOT)))
    units.append(trooper("B1", "blue", foe))
    side, posture = dice.choice(("red", "blue")), dice.choice(("prone", "upright", "prone"))
    units += bike(OTHER, side, heap, lies, None, motion="stopped", posture=posture, former_riders=("A1",))
    table = at_the_moment(game(units, board, options=options, tables=tables), fields)
    return table, rides, dice


def _walk(dice, start, count):
    dots, dot = [], start
    for _ in range(count):
        dot = step(dot, dice.randrange(6)) if dice.random() > 0.03 else (dot[0] + 2, dot[1])
        dots.append(dot)
    return dots


def line(start, way, count):
    """A straight flight, as it is said."""
    (q, r), (across, down) = start, DIRECTIONS[way]
    return _say([(q + number * across, r + number * down) for number in range(1, count + 1)])


def _say(dots):
    return " ".join(f"{q},{r}" for q, r in dots)


def orders(table, rides, dice):
    """What the trooper might be told: some of everything."""
    unit = table.state.unit("A1")
    others = ("A2", "B1", OTHER, BIKE)
    for _ in range(3):
        steps = [f"step {q},{r}" for q, r in _walk(dice, unit.place, dice.choice((1, 2, 4, 10)))]
        if dice.random() < 0.3:
            steps[-1] += f" level {dice.randrange(3)}"
        steps += dice.choice(([], ["lie_down"], ["lie_down", "stand_up"]))
        goal = f" level {dice.randrange(3)}" if dice.random() < 0.2 else ""
        yield f"A1 foot_move{goal}: {', '.join(steps)}"
        path = _walk(dice, unit.place, dice.choice((1, 5, 6, 9, 16, 17, 20)))
        drops = dice.choice(("", "", ", drop", ", drop, drop"))
        yield f"A1 activate_jet_pack: fly {_say(path[:-1] or path)}{drops}, fly {_say(path[-1:])}"
        for _ in range(4 * rides):
            motion = dice.choice(("", "", " ending stopped", " ending moving"))
            yield f"A1 drive {dice.choice(MODES)}{motion}: {_drive(dice)}"
    yield "A1 activate_jet_pack: drop"
    yield f"A1 drive: {_drive(dice)}"
    yield f"A1 crash {dice.choice(MODES)}"
    for action in ("remove_jet_pack", "equip_jet_pack", "turn_on", "crawl_out", "give_arcs"):
        yield f"A1 {action}"
    for other in others:
        yield from (f"A1 {action} {other}" for action in ("mount", "lift_vehicle", "standard_fire"))
    yield "A1 exchange_jet_pack A2 paid A2"
    yield "A1 exchange_jet_pack A2"
    yield f"A1 dismount {_say([dice.choice(list(table.board.places()))])}"


def _drive(dice):
    said = []
    for _ in range(dice.choice((1, 2, 3, 6, 9))):
        dots = dice.choice(("", "", "", " 1", " 4"))
        said.append(dice.choice((f"move{dots}",) * 5 + (f"start{dots}", f"stop{dots}", "on 1", "on")))
        if dice.random() < 0.4:
            said.append(f"{dice.choice(('left', 'right'))} {dice.choice((60, 60, 60, 60, 120, 120, 180, 180, 75))}")
        if dice.random() < 0.25:
            said.append(dice.choice(("fire B1", "fire B1, fire B1", "strike B1", "ram B1")))
    return ", ".join(said)


def cases(seed):
    """Orders and questions of a generated position, each with why they are refused."""
    table, rides, dice = position(seed)
    for text in orders(table, rides, dice):
        yield refused_order(table, text)
    yield refused_order(table, "A1 done")
    yield refused_order(table, "A2 done")
    places = dice.sample(list(table.board.places()), 8)
    if rides:
        for mode in ("", dice.choice(MODES)):
            wanted = {"heading": dice.choice((60 * dice.randrange(6), 45))} if dice.random() < 0.4 else {}
            yield from _reach(table, "drive", places, wanted, **({"mode": mode} if mode else {}))
            yield from _reach(table, "drive", places[:1], {"level": 5})
    else:
        for action in ("foot_move", "activate_jet_pack", "turn"):
            wanted = {"level": dice.randrange(3)} if dice.random() < 0.3 else {}
            yield from _reach(table, action, places, wanted)
    fire = _in_the_fire_phase(table)
    if fire is not None:
        for text in ("standard_fire B1", f"standard_fire {OTHER}", "foot_move: lie_down"):
            yield refused_order(fire, f"A1 {text}")
    yield from _directed(seed)


def _reach(table, action, places, wanted, **question):
    for case, breaches in refused_reach(table, "A1", action, places, wanted, **question):
        case.question = {**case.question, "wanted": wanted}
        yield case, breaches


def _in_the_fire_phase(table):
    there = table.branch()
    with suppress(Exception):
        for _ in range(9):
            if there.state.clock.phase.name == "standard_fire":
                return there
            there.do("all done")
    return None


def _directed(seed):
    """What generated positions seldom come to."""
    dice = random.Random(-1 - seed)
    units = bike(BIKE, "red", (0, 0), 0, "A1", {"weapon": "rifle"}, **{"class": "assault"})
    passenger = trooper("A3", "red", (-1, 0), aboard=BIKE, seat="passenger", posture="mounted", weapon="rifle")
    foe = trooper("B1", "blue", (dice.randrange(1, 9), 1))
    table = game([*units, passenger, foe, trooper("A2", "red", (-2, 0))], centred(12))
    for order in (
        "fire B1",
        "fire B1 by A3",
        "fire B1 by A3, fire B1 by A3, fire B1 by A3, fire B1 by A3, fire B1 by A3",
    ):
        yield refused_order(table, f"A1 drive cruise: move, {order}, move")
    yield refused_order(table, "A1 drive cruise: fire B1, move, move")
    yield refused_order(table, "A2 mount bike")
    yield refused_order(table, f"A1 dismount {dice.randrange(-3, 0)},0")
    yield refused_order(table, "A2 done")
    yield refused_order(table, "all done")
    armed = bike(BIKE, "red", (0, 0), 0, "A1", {"weapon": dice.choice(WEAPONS), "ap_bonus": dice.randrange(-6, 3)})
    options = {"cap_counts": dice.choice(("movement_only", "all_activities"))}
    table = game([*armed, trooper("B1", "blue", (1, 1))], centred(9), options=options)
    for text in (
        "move, fire B1, fire B1, fire B1, move",
        "move, strike B1, move, move, strike B1",
        "move, fire B1 with smg",
    ):
        yield refused_order(table, f"A1 drive {dice.choice(MODES)}: {text}")
    worn = {"jet_pack": "worn", "weapon": "grenade", "ap_bonus": dice.randrange(-4, 2)}
    options = {"grenade_drop_ap": "fire_ap", "grenade_drops_per_flight": dice.choice(("1", "unlimited"))}
    table = game([trooper("A1", **worn)], centred(20), options=options)
    path = [(number, 0) for number in range(1, dice.choice((6, 9, 18)))]
    yield refused_order(table, f"A1 activate_jet_pack: fly {_say(path[:3])}, drop, drop, fly {_say(path[3:])}")
    house = [((3, 0), {"storeys": dice.randrange(1, 9)}), ((5, 0), {"storeys": dice.randrange(1, 9)})]
    options = {"flight_length": dice.choice(("path", "displacement")), "flight_path": dice.choice(("any", "straight"))}
    table = game([trooper("A1", jet_pack="worn")], centred(20, special=house), options=options)
    for length in (2, 3, 5, 9, 18):
        yield refused_order(table, f"A1 activate_jet_pack: fly {_say([(one, 0) for one in range(1, length + 1)])}")
    loop = [(1 + one % 2, 0) for one in range(18)] + [(number, 0) for number in range(1, 8)]
    yield refused_order(table, f"A1 activate_jet_pack: fly {_say(loop)}")
    yield from _reach(table, "activate_jet_pack", [(18, 0), (3, 0), (5, 0), (2, 0), (0, 0)], {})
    yield from _reach(table, "activate_jet_pack", [(3, 0), (5, 0)], {"level": 0})
    hurt = bike(BIKE, "red", (0, 0), 0, "A1", {"crossed": (dice.randrange(2, 6),)}, crossed=(dice.randrange(4, 9),))
    table = game(hurt, centred(8))
    for pose in (((3, 0), 180), ((3, 0), 120), ((2, 0), 0), ((6, 0), 180)):
        yield from _reach(table, "drive", [pose[0]], {"heading": pose[1]}, mode="cruise")
    table = game(bike(BIKE, "red", (-9, 0), 0, "A1", {"ap_bonus": dice.randrange(-5, 1)}), centred(12))
    for text in ("cruise ending stopped: move, move", "max: move, left 60, left 60", "max: move", "max: move 1, move"):
        yield refused_order(table, f"A1 drive {text}")
    for mode in ({}, {"mode": "max"}, {"mode": "cruise"}):
        yield from _reach(table, "drive", [(-8, 0), (-6, 0), (-3, 0), (3, 0), (11, 0)], {}, **mode)
    tired = {"movement_spent": dice.randrange(3, 8), "ap_spent": 7, "ap_bonus": dice.randrange(0, 9)}
    yield from _reach(at_the_moment(table, tired), "drive", [(-3, 0), (3, 0), (9, 0)], {})
    burst = {"weapon": "smg", "ap_bonus": dice.randrange(-3, 1)}
    for counts in ("movement_only", "all_activities"):
        armed = [*bike(BIKE, "red", (0, 0), 0, "A1", burst), trooper("B1", "blue", (4, 2))]
        table = game(armed, centred(12), options={"cap_counts": counts}, tables={"movement.cap": 7})
        yield refused_order(table, "A1 drive cruise: move, fire B1, fire B1, fire B1, move")
    down = game(bike(BIKE, "red", (0, 0), 0, "A1", motion="stopped", posture="prone"), centred(5))
    yield refused_order(down, "A1 drive cruise: start")
    yield from _reach(down, "drive", [(3, 0)], {})
    stairs = [Edge("stairs", (1, 0), (2, 0), (0, 1))]
    table = game([trooper("A1")], centred(5, special=[((2, 0), {"storeys": 2})], edges=stairs))
    for steps in ("step 1,0, step 2,0 level 2", "step 2,0", "step 0,0"):
        yield refused_order(table, f"A1 foot_move: {steps}")
    yield refused_order(table, "A1 foot_move level 2: step 1,0, step 2,0 level 1")
    yield from _faults()


def _faults():
    """Positions that are wrong to begin with."""
    two = [*bike(BIKE, "red", (0, 0), 0, "A1"), trooper("A2", "red", (-1, 0), aboard=BIKE, seat="driver")]
    far = [*bike(BIKE, "red", (0, 0), 0, None), trooper("A1", "red", (3, 0), aboard=BIKE, seat="driver")]
    armed = [trooper("A1", "red", (0, 0), weapon="spoon")]
    mounts = bike(BIKE, "red", (0, 0), 0, "A1", weapons=[{"weapon": "spoon", "direction": 0}])
    arcs = bike(BIKE, "red", (0, 0), 0, "A1", arcs=[[(1, 0)]], **{"class": "assault"})
    for units in (two, far, armed, mounts, arcs):
        there = Game.new(RULES, centred(6), units, begin=False)
        yield Case(there, "A1"), list(there.faults)
    there = game([*armed, trooper("B1", "blue", (2, 0))], centred(6))
    if (fire := _in_the_fire_phase(there)) is not None:
        yield refused_order(fire, "A1 standard_fire B1")
    spoon = [*bike(BIKE, "red", (0, 0), 0, "A1", {"weapon": "spoon"}), trooper("B1", "blue", (1, 1))]
    for attack in ("fire B1", "strike B1", "throw 1,1"):
        yield refused_order(game(spoon, centred(6)), f"A1 drive cruise: move, {attack}, move")
    flyer = game([trooper("A1", weapon="spoon", jet_pack="worn")], centred(9), options={"grenade_drop_ap": "fire_ap"})
    yield refused_order(flyer, "A1 activate_jet_pack: fly 1,0 2,0, drop, fly 3,0 4,0 5,0 6,0")


def wrong(seed):
    """Name what is wrong with the figures of a generated position, and count the sites that were seen."""
    return wrong_among(cases(seed), RECOUNTS)
