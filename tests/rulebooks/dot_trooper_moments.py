"""Moments in the middle of a turn, come about by play: what can be reached then is read off the table and compared.

Two riders on a vehicle, another trooper, a parked vehicle and enemies who fire: some orders are played at random, with
random rolls and shots, so that somebody is hit, wiped out, under a vehicle, out from under it, on foot beside it, in
the saddle again or has flown. Then every question about every trooper is answered by exhaustive play from there.
"""

from dot_trooper_positions import MODES, Position, away, same_drives, same_walks, stands, united
from dt_games import bike, game, random_map, rear, trooper
from exhaustive_dot_trooper import World, plus, turns, ways_of_turn

from simulator.engine.answers import Answer
from simulator.engine.questions import React, Roll

#: What is played first, at random; later anything.
OPENINGS = ("drive", "drive", "activate_jet_pack", "foot_move", "mount", "")


class Chance:
    """Answers at random: every result of a roll, every shot."""

    def __init__(self, dice):
        self.dice = dice

    def answer(self, question, moment):
        if isinstance(question, Roll):
            results = [result for result, share in question.chances.items() if share]
            return Answer(self.dice.choice(results))
        options = list(question.options)
        if isinstance(question, React):
            return Answer(self.dice.choice([None, *options]))
        return Answer(self.dice.choice(options))


class Moment(Position):
    """A position some orders into a turn."""

    def opening(self, radius=2):
        """The game before anybody has done anything."""
        seed = self.seed
        board = random_map(seed, radius, share=0.04, levels=seed % 4 == 1, buildings=seed % 5 == 2)
        world, dots = World(board), list(board.places())
        poses = [(dot, way) for dot in dots for way in range(6) if stands(world, dot, way)]
        front, way = self.dice.choice(poses)
        taken = {front, rear(front, 60 * way)}
        apart = [(dot, to) for dot, to in poses if not taken & {dot, rear(dot, 60 * to)}]
        parked, facing = self.dice.choice(apart)
        taken |= {parked, rear(parked, 60 * facing)}
        free = [dot for dot in dots if world.dot_ok(dot) and dot not in taken]
        near = [dot for dot in free if away(dot, rear(parked, 60 * facing)) <= 2] or free
        friend = self.dice.choice(near)
        foe, other = self.dice.sample([dot for dot in free if dot != friend], 2)
        crossed = self.wounds(12, 0.3)
        motion = self.dice.choice(("moving", "moving", "stopped"))
        level = world.level(front)
        driver = {"level": level, "weapon": "smg", "ap_bonus": self.dice.choice((0, 2, 4)), "crossed": self.wounds(10)}
        units = bike("bike", "red", front, 60 * way, "A1", driver, motion=motion, level=level, crossed=crossed)
        units[0] = units[0].put({"class": self.dice.choice(("scout", "assault")), "armor": self.dice.choice((0, 1))})
        if units[0]["class"] == "assault":
            place = rear(front, 60 * way)
            rides = {"aboard": "bike", "seat": "passenger", "posture": "mounted", "level": level}
            units.append(trooper("A3", "red", place, **rides))
        cart = {"motion": "stopped", "on": self.dice.random() < 0.5, "level": world.level(parked)}
        units += bike("cart", "red", parked, 60 * facing, None, **cart)
        pack = self.dice.choice(("none", "worn", "worn", "carried"))
        fields = {"jet_pack": pack, "level": world.level(friend), "ap_bonus": self.dice.choice((0, 2, 4))}
        units.append(trooper("A2", "red", friend, crossed=self.wounds(10), **fields))
        arc = tuple(dot for dot in dots if self.dice.random() < 0.5)
        units.append(trooper("B1", "blue", foe, level=world.level(foe), weapon="smg", arc=arc))
        units.append(trooper("B2", "blue", other, level=world.level(other)))
        return game(units, board, Chance(self.dice), self.options, self.given)

    def play(self, table, orders):
        """Play so many orders of the side whose turn it is, each at random."""
        for number in range(orders):
            acting = [unit.id for unit in table.state if unit.side == "red" and unit.type == "trooper"]
            wanted = self.dice.choice(OPENINGS) if number == 0 else ""
            found = {}
            for name in acting:
                for order in table.legal(name):
                    if wanted in ("", order.action):
                        found.setdefault((name, order.action), []).append(order)
            if found:
                table.do(self.dice.choice(found[self.dice.choice(sorted(found))]))

    def moment(self):
        """The game after some orders."""
        table = self.opening()
        self.play(table, self.dice.randrange(1, 5))
        return table

    # --- what is reached from the table as it stands ---

    def others(self, table, but):
        """The dots of all other units, each with its level and whether it lets one through."""
        through = self.option("pass_through_units") == "friends"
        found = []
        for unit in table.state:
            if unit.place is None or unit.id == but or (unit.type == "trooper" and unit["aboard"]):
                continue
            dots = [unit.place] if unit.type == "trooper" else [unit.place, rear(unit.place, unit.heading)]
            found += [(dot, unit["level"], through and unit.side == "red") for dot in dots]
        return found

    def on_foot(self, table, unit, flies):
        """What `ways_of_turn` and `turns` are asked about a trooper."""
        board = table.board
        others = self.others(table, unit.id)
        grounded = not flies or unit["jet_pack"] != "worn" or unit["jet_pack_used"] or unit["has_flown"]
        ap = {name: self.read(f"foot.{name}") for name in ("standing", "prone", "posture", "level")}
        ap["flight"] = self.read("activity.activate_jet_pack")
        fields = dict(unit.fields)
        budget = self.ap_left(fields), self.cap_left(fields)
        landings = None if grounded else self.landings(board, others)
        counts = self.option("cap_counts") == "all_activities"
        return (board, unit.place, unit["level"], unit["posture"], *budget, others, landings, counts, ap)

    def walked(self, table, unit, flies):
        """All ends on foot: none for who rides or lies under a vehicle."""
        return turns(*self.on_foot(table, unit, flies)) if unit["posture"] in ("standing", "prone") else {}

    def driven(self, table, vehicle, rider, before=0):
        """All drives of a vehicle by a trooper with the AP that are left after those before, mode by mode."""
        if vehicle["posture"] != "upright" or vehicle["driven"]:
            return {}
        world = World(table.board)
        others = [(dot, through) for dot, level, through in self.others(table, vehicle.id) if level == world.level(dot)]
        left = min(self.ap_left(rider), self.cap_left(rider))
        pose = vehicle.place, vehicle.heading // 60
        about = vehicle["motion"], vehicle["class"], vehicle["crossed"], rider["crossed"], left
        by_mode = self.drives(World(table.board, others), pose, *about)
        return {
            mode: {end: {before + ap: odds for ap, odds in by_ap.items()} for end, by_ap in ends.items()}
            for mode, ends in by_mode.items()
        }

    def saddled(self, table, vehicle, unit):
        """All drives of a vehicle after a walk to it, of the ways into the saddle the cheapest that leaves enough."""
        riders = [other for other in table.state if other.type == "trooper" and other["aboard"] == vehicle.id]
        at_rest = vehicle["motion"] == "stopped" and vehicle["posture"] == "upright"
        switch = 0 if vehicle["on"] else self.read("vehicle_activity.turn_on")
        fields = dict(unit.fields)
        if unit["aboard"] == vehicle.id and unit["seat"] == "driver":
            if unit["posture"] != "mounted" or (switch and not at_rest):
                return {}
            pairs, mount = [(0, 0)], 0
        elif unit["aboard"] or not at_rest or any(other["seat"] == "driver" for other in riders):
            return {}
        else:
            pairs, mount = self.ways_beside(table, vehicle, unit), self.read("vehicle_activity.mount")
        found = {}
        for spent, moved in pairs:
            price = spent + mount + switch
            counted = price if self.option("cap_counts") == "all_activities" else 0
            if price > self.ap_left(fields) or counted > self.cap_left(fields):
                continue
            rider = fields | {
                "ap_spent": fields["ap_spent"] + price,
                "movement_spent": fields["movement_spent"] + moved,
            }
            # Who gets on is no longer in the way.
            there = table.branch()
            there.state = there.state.with_unit(unit.put(aboard=vehicle.id))
            for mode, ends in self.driven(there, vehicle, rider, price).items():
                for end, by_ap in ends.items():
                    best = found.setdefault(mode, {}).setdefault(end, {})
                    for ap, odds in by_ap.items():
                        best.setdefault(ap - price, (ap, odds))
        return {mode: {end: dict(by_ap.values()) for end, by_ap in ends.items()} for mode, ends in found.items()}

    def ways_beside(self, table, vehicle, unit):
        """What it takes to stand where a vehicle can be mounted, the cheapest first: pairs of AP and movement."""
        if unit["posture"] not in ("standing", "prone"):
            return []
        world, level, pairs = World(table.board), vehicle["level"], []
        behind = plus(vehicle.place, vehicle.heading // 60 + 3)
        own = [behind] + ([vehicle.place] if self.option("mount_reach") == "either_dot" else [])
        for (dot, on, how), known in ways_of_turn(*self.on_foot(table, unit, flies=True)).items():
            if on == level and how == "standing" and any(reaches(world, dot, mine, level) for mine in own):
                pairs += known
        return sorted(set(pairs))

    # --- compared ---

    def check(self, engines=("numpy",)):
        """Compare all answers about all troopers of the side with play; return how many ends there are."""
        table = self.moment()
        ends = 0
        for unit in [one for one in table.state if one.type == "trooper" and one.side == "red" and one.place]:
            for engine in engines:
                ends += self.check_unit(table, unit, engine)
        return ends

    def check_unit(self, table, unit, engine):
        """Compare all answers about one trooper."""
        walked, flown = self.walked(table, unit, False), self.walked(table, unit, True)
        own = table.state.units.get(unit["aboard"])
        drives = unit["seat"] == "driver" and unit["posture"] == "mounted"
        driven = self.driven(table, own, dict(unit.fields)) if drives and own["on"] else {}
        about = (self, unit.id, engine)
        same_walks(table, table.reach(unit.id, "foot_move", engine=engine), walked, (*about, "foot_move"))
        if own is None or unit["seat"] != "driver":
            same_walks(table, table.reach(unit.id, "turn", engine=engine), flown, (*about, "turn"))
        else:
            together = united(driven.values())
            same_drives(table.reach(unit.id, "turn", engine=engine), together, (*about, "turn"))
        for mode in MODES:
            reach = table.reach(unit.id, "drive", mode=mode, engine=engine)
            same_drives(reach, driven.get(mode, {}), (*about, "drive", mode))
        ends = len(flown) + len(united(driven.values()))
        for vehicle in [one for one in table.state if one.type == "vehicle"]:
            found = united(self.saddled(table, vehicle, unit).values())
            reach = table.reach(unit.id, "mount_and_drive", vehicle=vehicle.id, engine=engine)
            same_drives(reach, found, (*about, "mount_and_drive", vehicle.id))
            ends += len(found)
        return ends


def reaches(world, dot, mine, level):
    """Whether a dot is one of a vehicle's or next to it with nothing between."""
    edges = world.edges.get(frozenset((dot, mine)), ())
    closed = [edge for edge in edges if edge.kind in ("wall", "window")]
    return away(dot, mine) <= 1 and not any(
        edge.levels is None or edge.levels[0] <= level <= edge.levels[1] for edge in closed
    )
