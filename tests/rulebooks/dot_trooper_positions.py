"""Generated positions of dot_trooper, and reach compared with every order played: any options, figures and moment.

`python -m tests.long.dot_trooper_reach` runs as many as one likes; the suite runs a few of each kind.
"""

import random
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from dt_games import RULES, bike, game, random_map, rear, trooper
from exhaustive_dot_trooper import Drives, World, flights_one_by_one, plus, turns, ways_of_turn

from simulator.engine.game import Game
from simulator.geometry.poses import Pose
from simulator.rulesets.dot_trooper.options import DotTrooperOptions

TOML = Path(__file__).parents[2] / "simulator" / "rulesets" / "dot_trooper" / "tables.toml"
FIGURES = tomllib.loads(TOML.read_text(encoding="utf-8"))
MODES = ("minimum", "cruise", "max")
#: Figures of a position unless it says otherwise: walks in the air are looked at one by one, so flights are short.
SHORT_FLIGHTS = {"flight.least": 2, "flight.most": 3, "flight.dots_per_level": 2}
#: Figures that are 1 at least, and those that may be below 0.
POSITIVE = ("least", "speed_multiplier", "drive", "dots_per_level", "standing", "prone")
SIGNED = ("handling", "signature", "modifier", "attack")
#: Weapons are data of another game, and no movement looks at them.
NO_MOVEMENT = ("weapon",)


def figure(path):
    """A figure as tables.toml has it."""
    value = FIGURES
    for part in path.split("."):
        value = value[part]
    return value


def all_figures(tables=FIGURES, before=""):
    """The path of every figure that is a whole number or a row of them, weapons left aside."""
    for name, value in tables.items():
        if before == "" and name in NO_MOVEMENT:
            continue
        if isinstance(value, dict):
            yield from all_figures(value, f"{before}{name}.")
        elif isinstance(value, int) or (isinstance(value, list) and value and isinstance(value[0], int)):
            yield before + name


def changes_of(path):
    """A smaller and a larger value of a figure, or of all figures of a row, where the rulebook has room for them."""
    value, parts = figure(path), set(path.split("."))
    if isinstance(value, list):
        return [{path: [max(0, one + change) for one in value]} for change in (-1, 1)]
    least = 1 if parts & set(POSITIVE) else -9 if parts & set(SIGNED) else 0
    if path == "check.attack.ramming":
        least = 0
    found = [{path: value + change} for change in (-1, 1) if value + change >= least]
    if path.startswith("mode.") and path.endswith((".least", ".most")):
        mode = path.split(".")[1]
        usual = {f"mode.{mode}.{end}": figure(f"mode.{mode}.{end}") for end in ("least", "most")}
        ranges = [usual | change for change in found]
        found = [change for change in ranges if change[f"mode.{mode}.least"] <= change[f"mode.{mode}.most"]]
    return found


def all_changes():
    """Every smaller and larger value of every figure."""
    return [change for path in all_figures() for change in changes_of(path)]


def all_option_values():
    """Every value of every option but the defaults."""
    declared = DotTrooperOptions.declared
    return [{name: value} for name, option in declared.items() for value in option.values[1:]]


@dataclass
class Position:
    """Options, figures, and dice for all the rest."""

    seed: int
    options: dict = field(default_factory=dict)
    figures: dict = field(default_factory=dict)

    def __post_init__(self):
        self.dice = random.Random(f"{self.seed} {sorted(self.options)} {sorted(self.figures)}")

    def read(self, path):
        value = self.figures.get(path, figure(path))
        return value - figure(path) + SHORT_FLIGHTS[path] if path in SHORT_FLIGHTS else value

    @property
    def given(self):
        """The figures as a game is given them."""
        return {path: self.read(path) for path in {**SHORT_FLIGHTS, **self.figures}}

    def option(self, name):
        return self.options.get(name, DotTrooperOptions.declared[name].values[0])

    # --- what a trooper has left, computed again ---

    def wounds(self, top, chance=0.4):
        """The cells crossed out on a card: often none."""
        lowest = self.dice.randrange(3, top + 1)
        return (lowest,) if self.dice.random() < chance else ()

    def trooper_fields(self):
        """A moment in the middle of a turn, or at its beginning."""
        fields = {"crossed": self.wounds(10), "ap_bonus": self.dice.choice((-2, 0, 0, 0, 1, 3))}
        if self.dice.random() < 0.6:
            moved = self.dice.randrange(4)
            fields |= {"ap_spent": moved + self.dice.choice((0, 0, 1, 2)), "movement_spent": moved}
        fields["jet_pack"] = self.dice.choice(("none", "carried", "worn", "worn"))
        fields["wore_pack"] = self.dice.choice((None, False, True))
        return fields

    def ap_left(self, fields):
        hp = min(fields["crossed"], default=11) - 1
        most = self.read("trooper_hp_table.ap")[10 - hp] + fields.get("ap_bonus", 0)
        worn = fields.get("jet_pack") == "worn"
        if self.option("jetpack_penalty_timing") == "next_turn" and fields.get("wore_pack") is not None:
            worn = fields["wore_pack"]
        most = max(0, most - (self.read("flight.ap_penalty") if worn else 0))
        return max(0, most - fields.get("ap_spent", 0))

    def cap_left(self, fields):
        counted = "ap_spent" if self.option("cap_counts") == "all_activities" else "movement_spent"
        return max(0, self.read("movement.cap") - fields.get(counted, 0))

    # --- drives ---

    def drive(self, radius=3):
        """A vehicle somewhere on a map, a friend and a foe in its way: the game, and what play gives for each mode."""
        board = random_map(self.seed, radius, share=0.06, levels=self.seed % 4 == 1)
        world, dots = World(board), list(board.places())
        poses = [(dot, way) for dot in dots for way in range(6)]
        front, way = self.dice.choice([pose for pose in poses if stands(world, *pose)])
        free = [dot for dot in dots if world.dot_ok(dot) and dot not in (front, rear(front, 60 * way))]
        friend, foe = self.dice.sample(free, 2)
        kind, motion = self.dice.choice(("scout", "assault")), self.dice.choice(("moving", "stopped"))
        rider, crossed = self.trooper_fields(), self.wounds(12)
        units = bike("bike", "red", front, 60 * way, "A1", rider, motion=motion, crossed=crossed, **{"class": kind})
        units += [trooper("A2", "red", friend, level=world.level(friend))]
        units += [trooper("B1", "blue", foe, level=world.level(foe))]
        table = at_the_moment(game(units, board, options=self.options, tables=self.given), rider)
        left = min(self.ap_left(rider), self.cap_left(rider))
        others = [(friend, self.option("pass_through_units") == "friends"), (foe, False)]
        return table, self.drives(World(board, others), (front, way), motion, kind, crossed, rider["crossed"], left)

    def drives(self, there, pose, motion, kind, crossed, wounds, left):
        """All drives of a vehicle, mode by mode, with so many AP of movement left: {mode: {end: {ap: best chance}}}."""
        hp = min(crossed, default=13) - 1
        highest = self.read("vehicle_hp_table.max_mode")[12 - hp]
        modifier = self.read("vehicle_hp_table.modifier")[12 - hp] + self.read(f"class.{kind}.handling")
        modifier += self.read("trooper_hp_table.modifier")[11 - min(wounds, default=11)]

        def tn(cause, angle):
            base = self.read(f"check.{cause}.{angle}")
            return base + modifier if base else None

        ap = {name: self.read(f"drive.{name}") for name in ("start", "move", "stop")}
        ap |= {angle: self.read(f"turn.{angle}") for angle in (60, 120, 180)}
        found = {}
        for mode in MODES[: MODES.index(highest) + 1] if highest in MODES else ():
            least, most = self.read(f"mode.{mode}.least"), self.read(f"mode.{mode}.most")
            if least <= left:
                m = self.read(f"class.{kind}.speed_multiplier")
                drives = Drives(there, m, least, min(most, left), self.options, tn, mode == "minimum", (), ap, left)
                found[mode] = drives.play(*pose, motion == "stopped")
        return found

    def check_drive(self, radius=3, engines=("numpy",)):
        """Compare the reach of a drive with play, mode by mode and all together; give how many ends there are."""
        table, found = self.drive(radius)
        together = united(found.values())
        for mode in MODES:
            played = found.get(mode, {})
            for engine in engines:
                same_drives(table.reach("A1", "drive", mode=mode, engine=engine), played, (self, mode, engine))
        for engine in engines:
            same_drives(table.reach("A1", "drive", engine=engine), together, (self, "all", engine))
        self.play_some(table, together)
        return len(together)

    def play_some(self, table, ends, count=2):
        """Play the orders to a few of the ends: they are legal, take the AP and have the chance that was said."""
        reach = table.reach("A1", "drive")
        for front, heading, motion in self.dice.sample(sorted(ends), min(count, len(ends))):
            for surest in (False, True):
                (order,) = reach.orders_to(Pose(front, heading), motion=motion, surest=surest)
                twin, odds, happened = played_out(table, order)
                unit, by_ap = twin.state.unit("bike"), ends[front, heading, motion]
                assert (unit.place, unit.heading, unit["motion"]) == (front, heading, motion), (self, order)
                ap = happened.ledger.total("AP")
                wanted = (ap, max(by_ap.values())) if surest else (min(by_ap), by_ap[min(by_ap)])
                assert (ap, odds) == wanted, (self, order)

    # --- from the ground into the saddle ---

    def saddle(self, radius=3):
        """A trooper on foot and a vehicle that nobody drives: the game, and all drives that a walk to it leaves open.

        Of the ways into the saddle all are looked at that are not dearer both in AP and in movement; a drive with so
        many AP takes the cheapest of those that leave as many.
        """
        board = random_map(self.seed, radius, share=0.04, levels=self.seed % 4 == 1, buildings=self.seed % 3 == 0)
        world, dots = World(board), list(board.places())
        poses = [(dot, way) for dot in dots for way in range(6)]
        front, way = self.dice.choice([pose for pose in poses if stands(world, *pose)])
        behind, level = rear(front, 60 * way), world.level(front)
        free = [dot for dot in dots if world.dot_ok(dot) and dot not in (front, behind)]
        near = [dot for dot in free if min(away(dot, front), away(dot, behind)) <= 2] or free
        start = behind if self.dice.random() < 0.15 else self.dice.choice(near)
        friend, foe = self.dice.sample([dot for dot in free if dot != start], 2)
        kind, on, crossed = self.dice.choice(("scout", "assault")), self.dice.random() < 0.7, self.wounds(12)
        fields = self.trooper_fields() | {"posture": self.dice.choice(("standing", "prone"))}
        fields |= {"jet_pack_used": self.dice.random() < 0.3, "ap_bonus": self.dice.choice((0, 2, 4, 6))}
        if self.dice.random() < 0.7:  # otherwise few have enough left for all of it
            fields |= {"crossed": (), "ap_spent": 0, "movement_spent": 0}
        units = bike("bike", "red", front, 60 * way, None, motion="stopped", level=level, on=on, crossed=crossed)
        units[0] = units[0].put({"class": kind})
        units += [trooper("A1", "red", start, level=world.level(start), **fields)]
        units += [trooper("A2", "red", friend, level=world.level(friend))]
        units += [trooper("B1", "blue", foe, level=world.level(foe))]
        table = at_the_moment(game(units, board, options=self.options, tables=self.given), fields)
        through = self.option("pass_through_units") == "friends"
        others = [(dot, world.level(dot), through) for dot in (friend, front, behind)]
        others.append((foe, world.level(foe), False))
        near_by = World(board, [(friend, through), (foe, False)])
        found = {}
        for spent, moved in self.ways_to_mount(board, world, start, fields, others, (front, way)):
            rider = fields | {"movement_spent": fields.get("movement_spent", 0) + moved}
            price = self.read("vehicle_activity.mount") + (0 if on else self.read("vehicle_activity.turn_on"))
            rider["ap_spent"] = fields.get("ap_spent", 0) + spent + price
            if spent + price > self.ap_left(fields):
                continue
            if self.option("cap_counts") == "all_activities" and spent + price > self.cap_left(fields):
                continue
            left = min(self.ap_left(rider), self.cap_left(rider))
            for mode, ends in self.drives(
                near_by, (front, way), "stopped", kind, crossed, fields["crossed"], left
            ).items():
                for end, by_ap in ends.items():
                    best = found.setdefault(mode, {}).setdefault(end, {})
                    for ap, odds in by_ap.items():
                        best.setdefault(ap, (spent + price + ap, odds))
        return table, {mode: {end: dict(by_ap.values()) for end, by_ap in ends.items()} for mode, ends in found.items()}

    def ways_to_mount(self, board, world, start, fields, others, pose):
        """What it takes to stand where a vehicle can be mounted, the cheapest first: pairs of AP and movement."""
        front, way = pose
        counts = self.option("cap_counts") == "all_activities"
        ap = {name: self.read(f"foot.{name}") for name in ("standing", "prone", "posture", "level")}
        ap["flight"] = self.read("activity.activate_jet_pack")
        grounded = fields["jet_pack"] != "worn" or fields["jet_pack_used"]
        landings = None if grounded else self.landings(board, others)
        budget = self.ap_left(fields), self.cap_left(fields)
        where = board, start, world.level(start), fields["posture"], *budget, others, landings
        own = [plus(front, way + 3)] + ([front] if self.option("mount_reach") == "either_dot" else [])
        level, pairs = world.level(front), []
        for (dot, on, how), known in ways_of_turn(*where, posture_counts=counts, ap=ap).items():
            beside = [mine for mine in own if away(dot, mine) <= 1]
            open_ = [
                mine
                for mine in beside
                if not any(
                    edge.kind in ("wall", "window")
                    and (edge.levels is None or edge.levels[0] <= level <= edge.levels[1])
                    for edge in world.edges.get(frozenset((dot, mine)), ())
                )
            ]
            if open_ and on == level and how == "standing":
                pairs += known
        return sorted(set(pairs))

    def check_saddle(self, radius=3, engines=("numpy",)):
        """Compare the reach of a walk into the saddle and a drive with play; return how many ends there are."""
        table, found = self.saddle(radius)
        together = united(found.values())
        for engine in engines:
            for mode in MODES:
                asked = {"vehicle": "bike", "mode": mode, "engine": engine}
                same_drives(table.reach("A1", "mount_and_drive", **asked), found.get(mode, {}), (self, mode, engine))
            reach = table.reach("A1", "mount_and_drive", vehicle="bike", engine=engine)
            same_drives(reach, together, (self, "all", engine))
        for front, heading, motion in self.dice.sample(sorted(together), min(2, len(together))):
            least = min(together[front, heading, motion])
            assert reach.cost_at(Pose(front, heading), motion=motion) == least, (self, front, heading, motion)
            twin, spent = table.branch(), 0
            *before, order = reach.orders_to(Pose(front, heading), motion=motion)
            for one in before:
                spent += twin.do(one).ledger.total("AP")
            twin, odds, happened = played_out(twin, order)
            unit, by_ap = twin.state.unit("bike"), together[front, heading, motion]
            assert (unit.place, unit.heading, unit["motion"]) == (front, heading, motion), (self, order)
            assert (spent + happened.ledger.total("AP"), odds) == (least, by_ap[least]), (self, order)
        return len(together)

    # --- on foot and in the air ---

    def foot(self, radius=2):
        """A trooper on a map with buildings: the game, and all ends on foot alone and with one flight."""
        board = random_map(self.seed, radius, share=0.06, levels=self.seed % 4 == 1, buildings=True)
        world, dots = World(board), list(board.places())
        free = [dot for dot in dots if world.dot_ok(dot)]
        start, friend, foe = self.dice.sample(free, 3)
        level = world.level(start)
        on = self.dice.choice((level, level + int(board.storeys[board.index(start)])))
        fields = self.trooper_fields()
        fields |= {"posture": self.dice.choice(("standing", "standing", "prone"))}
        fields |= {"jet_pack_used": self.dice.random() < 0.1, "has_flown": self.dice.random() < 0.1}
        others = [(friend, world.level(friend), self.option("pass_through_units") == "friends")]
        others += [(foe, world.level(foe), False)]
        units = [trooper("A2", "red", friend, level=world.level(friend))]
        units += [trooper("B1", "blue", foe, level=world.level(foe))]
        # What stood there before, another one who crawled out as well, shares the dot until somebody leaves it.
        if self.dice.random() < 0.3:
            units.append(trooper("A3", "red", start, level=on))
            others.append((start, on, self.option("pass_through_units") == "friends"))
        units = [trooper("A1", "red", start, level=on, **fields), *units]
        table = at_the_moment(game(units, board, options=self.options, tables=self.given), fields)
        ap = {name: self.read(f"foot.{name}") for name in ("standing", "prone", "posture", "level")}
        ap["flight"] = self.read("activity.activate_jet_pack")
        landings = self.landings(board, others)
        grounded = fields["jet_pack"] != "worn" or fields["jet_pack_used"] or fields["has_flown"]
        counts = self.option("cap_counts") == "all_activities"
        budget = self.ap_left(fields), self.cap_left(fields)
        where = board, start, on, fields["posture"], *budget, others
        on_foot = turns(*where, None, counts, ap)
        return table, on_foot, on_foot if grounded else turns(*where, landings, counts, ap)

    def landings(self, board, others):
        """Where one flight from a dot and level lands."""
        known = {}
        rules = {name: self.option(f"flight_{name}") for name in ("clearance", "path", "length")}
        limits = {"least": self.read("flight.least"), "most": self.read("flight.most")}
        limits["per_level"] = self.read("flight.dots_per_level")

        def find(dot, on):
            if (dot, on) not in known:
                taken = [other for other, height, _ in others if height == int(board.top[board.index(other)])]
                found = flights_one_by_one(board, dot, on, **rules, **limits, taken=taken)
                known[dot, on] = [(place, int(board.top[board.index(place)])) for place in found]
            return known[dot, on]

        return find

    def check_foot(self, radius=2, engines=("numpy",)):
        """Compare the reach on foot, and of a whole turn, with play; give how many ends there are."""
        table, on_foot, in_turn = self.foot(radius)
        for action, ends in (("foot_move", on_foot), ("turn", in_turn)):
            for engine in engines:
                reach = table.reach("A1", action, engine=engine)
                same_walks(table, reach, ends, (self, action, engine))
            for dot, level, how in self.dice.sample(sorted(ends), min(3, len(ends))):
                twin, spent = table.branch(), 0
                for order in reach.orders_to(Pose(dot, level=level), posture=how):
                    spent += twin.do(order).ledger.total("AP")
                unit = twin.state.unit("A1")
                assert (unit.place, unit["level"], unit["posture"]) == (dot, level, how), (self, dot)
                assert spent == ends[dot, level, how], (self, dot)
        return len(in_turn)

    def __repr__(self):
        return f"Position({self.seed}, {self.options}, {self.figures})"


def at_the_moment(table, fields):
    """The game with what a trooper has done this turn: the beginning of a turn makes all of it fresh."""
    return Game(table.setting, table.state.with_unit(table.state.unit("A1").put(fields)))


def away(dot, other):
    """How many dots one dot is from another."""
    dq, dr = other[0] - dot[0], other[1] - dot[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def united(by_mode):
    """The ends of several modes together, each total of AP with its best chance."""
    together = {}
    for played in by_mode:
        for end, by_ap in played.items():
            best = together.setdefault(end, {})
            for ap, odds in by_ap.items():
                best[ap] = max(best.get(ap, 0), odds)
    return together


def stands(world, front, way):
    behind = rear(front, 60 * way)
    return world.dot_ok(front) and world.dot_ok(behind) and world.edge_ok(front, behind)


def same_drives(reach, played, about):
    """Assert that a reach has exactly the poses, totals and best chances that play has."""
    wanted = {end: {ap: odds for ap, odds in by_ap.items() if odds} for end, by_ap in played.items()}
    shown = {(pose.front, pose.heading, pose.motion): totals for pose, totals in reach.totals.items()}
    assert shown == {end: tuple(sorted(by_ap)) for end, by_ap in wanted.items()}, about
    for (front, heading, motion), by_ap in wanted.items():
        pose = Pose(front, heading)
        assert reach.chance_at(pose, motion=motion) == max(by_ap.values()), (about, pose, motion)
    certain = {end for end, by_ap in wanted.items() if max(by_ap.values()) == 1}
    assert {(pose.front, pose.heading, pose.motion) for pose in reach.certain} == certain, about


def same_walks(table, reach, ends, about):
    """Assert that a reach has exactly the dots, levels and postures that play has, for the same AP."""
    board = table.board
    for dot in board.places():
        for level in board.surfaces_at(dot):
            for how in ("standing", "prone"):
                shown = reach.cost_at(Pose(dot, level=level), posture=how)
                assert shown == ends.get((dot, level, how)), (about, dot, level, how)


def played_out(table, order):
    """Play an order, every roll made and nobody firing: the game then, the chance of it, and what happened."""
    twin, odds = table.branch(), 1
    happened = twin.do(order, answers=None)
    while twin.question is not None:
        if twin.question.kind == "roll":
            odds *= twin.question.chance
        happened = twin.answer(12 if twin.question.kind == "roll" else None)
    return twin, odds, happened


__all__ = ["RULES", "Position", "all_changes", "all_figures", "all_option_values", "changes_of"]
