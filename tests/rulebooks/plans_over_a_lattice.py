"""The best chances of crouching soldiers, slowly and plainly: every plan over all places of a lattice.

Once so that none of its plans breaks a rule (the chance is at least that), and once so that each plan there is has one
like it on the lattice, whose places are no farther from its own than half a square's diagonal (it is at most that).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

INCHES, SHORTENED, LOST, RADIUS, STEP = 2.0, 1.0, 1.0, 0.5, 0.25
#: How far a place is from the nearest one of the lattice.
OFF = STEP / np.sqrt(2) + 1e-6
TERRAIN = 0.6


@dataclass(frozen=True)
class Layout:
    """What stands on the table: boxes of rough ground, blocks too high to climb, friends, walls from side to side."""

    rough: tuple = ()
    blocks: tuple = ()
    friends: tuple = ()
    #: low y, high y, and the chance to get over
    walls: tuple = ()
    #: whether each lot is one straight line
    straight: bool = False


def crosses(begin, end, boxes, inset):
    """Whether straight ways meet the inside of boxes, each smaller by an inset: by where they enter and leave."""
    step = end - begin
    met = np.zeros(step.shape[:-1], np.bool_)
    for x1, y1, x2, y2 in boxes:
        first, last = np.zeros(met.shape), np.ones(met.shape)
        for axis, low, high in ((0, x1 + inset, x2 - inset), (1, y1 + inset, y2 - inset)):
            flat = np.abs(step[..., axis]) < 1e-12
            slope = np.where(flat, 1.0, step[..., axis])
            one, other = (low - begin[..., axis]) / slope, (high - begin[..., axis]) / slope
            between = (begin[..., axis] > low) & (begin[..., axis] < high)
            first = np.maximum(first, np.where(flat, np.where(between, 0.0, 2.0), np.minimum(one, other)))
            last = np.minimum(last, np.where(flat, 1.0, np.maximum(one, other)))
        met |= last - first > 1e-9
    return met


def best(mask, values):
    """For each place the best value among those that its mask allows, goal by goal."""
    found = np.zeros((len(mask), values.shape[1]))
    links = mask.astype(np.float32)
    for level in np.unique(np.round(values[values > 0], 9)):
        found[(links @ (values >= level - 1e-9).astype(np.float32)) > 0.5] = level
    return found


def saved(made, missed):
    """What a roll is worth."""
    return TERRAIN * made + (1 - TERRAIN) * missed


class Plans:
    """All plans for a layout: `generous` ones may do a little more than the rules allow, the others never more."""

    def __init__(self, layout, ap, generous):
        self.layout, self.generous = layout, generous
        self.more = 2 * OFF if generous else 1e-6
        off = OFF if generous else 0.0
        reach = round((ap * INCHES + (2.5 if layout.walls else 0.0)) / STEP)
        axis = np.arange(-reach, reach + 1) * STEP
        places = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        places = places[np.hypot(*places.T) <= reach * STEP + 1e-9]
        room = RADIUS - off if generous else RADIUS
        solid = []
        for x1, y1, x2, y2 in layout.blocks:
            if generous:
                solid += [(x1 - room, y1 + off, x2 + room, y2 - off), (x1 + off, y1 - room, x2 - off, y2 + room)]
            else:
                solid.append((x1 - room, y1 - room, x2 + room, y2 + room))
        solid += [(-99, low - room, 99, high + room) for low, high, _ in layout.walls]
        for friend in layout.friends:
            places = places[np.hypot(*(places - friend).T) >= 1.0 - 1e-6 - off]
        for x1, y1, x2, y2 in solid:
            places = places[~((places > (x1 + 1e-9, y1 + 1e-9)) & (places < (x2 - 1e-9, y2 - 1e-9))).all(axis=1)]
        self.places = places
        self.open = self.ways(solid)
        rough = [(x1 + off, y1 + off, x2 - off, y2 - off) for x1, y1, x2, y2 in layout.rough]
        rough = [box for box in rough if box[0] < box[2] and box[1] < box[3]]
        self.clean = self.ways([*solid, *rough])

    def ways(self, boxes):
        """How far the places lie apart: straight, or past the corners of boxes; inf where it is more than a lot."""
        corners = np.array([(x, y) for x1, y1, x2, y2 in boxes for x in (x1, x2) for y in (y1, y2)]).reshape(-1, 2)
        corners = corners[np.abs(corners).max(axis=1) < 50] if len(corners) else corners
        corners = corners[: 0 if self.layout.straight else None]

        def apart(a, b):
            begin, end = np.broadcast_arrays(a[:, None], b[None])
            far = np.hypot(*(end - begin).transpose(2, 0, 1))
            near = far <= INCHES + 1
            far[~near] = np.inf
            seen = np.zeros(far.shape, bool)
            seen[near] = ~crosses(begin[near], end[near], boxes, 1e-7)
            return np.where(seen, far, np.inf)

        found = apart(self.places, self.places)
        if len(corners):
            among = apart(corners, corners)
            for k in range(len(corners)):
                among = np.minimum(among, among[:, k : k + 1] + among[k : k + 1])
            to = apart(self.places, corners)
            via = np.min(to[:, :, None] + among[None], axis=1)
            for k in range(len(corners)):
                found = np.minimum(found, via[:, k][:, None] + to[:, k][None])
        return found

    def chances(self, goals, ap, threshold):
        """The best chance to come from the origin to each of some places of the lattice."""
        apart = np.hypot(*(self.places[:, None] - goals[None]).transpose(2, 0, 1))
        here = int(np.argmin(np.hypot(*self.places.T)))
        self.goal = (apart < 1e-6).astype(float)
        self.known = {}
        return self.value(ap, threshold)[here]

    def value(self, ap, threshold):
        """What each place is worth with so much left, goal by goal."""
        if (ap, threshold) in self.known:
            return self.known[ap, threshold]
        if not ap:
            return self.goal
        after = self.value(ap - 1, threshold)
        paid = self.value(ap - 1, threshold - 1) if threshold else np.zeros_like(after)
        more = self.more
        whole, short = self.open <= INCHES + more, self.open <= SHORTENED + more
        ahead = self.open <= LOST + more
        safe = short | (self.clean <= INCHES + more)
        found = np.maximum(after, best(safe, after))
        if self.layout.rough:
            if self.layout.straight:
                found = np.maximum(found, self.gambled_straight(after))
            else:
                onward = best(ahead, after)
                found = np.maximum(found, best(short, np.where(onward > after, saved(onward, after), 0)))
            found = np.maximum(found, best(whole, saved(after, paid)))
            if self.layout.friends and not self.layout.straight:
                found = np.maximum(found, self.past_friends(after))
        for wall in self.layout.walls:
            found = np.maximum(found, self.over(wall, after, paid))
        self.known[ap, threshold] = found
        return found

    def gambled_straight(self, after):
        """A straight line that is cut short on its way: where that is no place of the lattice, it counts for nothing,
        or for generous plans as the best of the four around it."""
        found = np.zeros_like(after)
        low = self.places.min(axis=0)
        side = round((self.places.max() - low.min()) / STEP) + 3
        number = np.full((side, side), len(self.places))
        column, row = np.round((self.places - low) / STEP).astype(int).T + 1
        number[row, column] = np.arange(len(self.places))
        worth = np.vstack([after, np.zeros(after.shape[1])])
        for x in range(len(self.places)):
            ends = np.flatnonzero((self.open[x] <= INCHES + self.more) & (self.open[x] > SHORTENED))
            step = self.places[ends] - self.places[x]
            stop = (self.places[x] + SHORTENED * step / np.hypot(*step.T)[:, None] - low) / STEP + 1
            off = 0.0 if self.generous else 1e-6
            at = [np.floor(stop + off), np.ceil(stop - off)]
            exact = (at[0] == at[1]).all(axis=1) | self.generous
            around = [number[b[:, 1].astype(int), a[:, 0].astype(int)] for a in at for b in at]
            missed = np.max([worth[some] for some in around], axis=0)
            gain = np.where((after[ends] > missed) & exact[:, None], saved(after[ends], missed), 0)
            found[x] = gain.max(axis=0, initial=0)
        return found

    def past_friends(self, after):
        """A line whose shortened end would lie on a friend: it stops before that."""
        found = np.zeros_like(after)
        touch = np.zeros(len(self.places), bool)
        for friend in self.layout.friends:
            touch |= np.abs(np.hypot(*(self.places - friend).T) - 1.0) <= (OFF if self.generous else 1e-6)
        if not self.generous:
            return found
        for s in np.flatnonzero(touch).tolist():
            come = np.flatnonzero(self.open[:, s] <= SHORTENED + self.more)
            for x in come.tolist():
                there = self.open[s] <= INCHES - self.open[x, s] + 2 * self.more
                if there.any():
                    good = after[there].max(axis=0)
                    found[x] = np.maximum(
                        found[x], np.where(good > after[s], TERRAIN * good + (1 - TERRAIN) * after[s], 0)
                    )
        return found

    def near_to(self, x, y, close):
        """Which places of the lattice are close to some places in a row."""
        spots = np.column_stack([x, np.full(len(x), y)])
        return np.hypot(*(spots[:, None] - self.places[None]).transpose(2, 0, 1)) <= close

    def over(self, wall, after, paid):
        """What a traverse of a wall is worth, from where it may begin."""
        low, high, chance = wall
        found = np.zeros_like(after)
        x, y = self.places.T
        off = OFF if self.generous else 0.0
        for face, back, side in ((low, high, 1), (high, low, -1)):
            away = side * (face - y) - RADIUS
            begin = np.flatnonzero((away <= 1 + 1e-6 + off) & (away >= -1e-6 - off))
            close = 2 * off + 1e-6

            far, near = (self.near_to(x[begin], level, close) for level in (back + side * RADIUS, face - side * RADIUS))
            legal = far.any(axis=1)
            good, bad = best(far, after), np.maximum(best(near, after), best(far, paid))
            found[begin] = np.where(legal[:, None], chance * good + (1 - chance) * bad, 0)
        return found
