"""The best plan over decision places: the value of each place with the AP and the Threshold that are left."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from threading import RLock
from typing import NamedTuple

import numpy as np
import shapely

from simulator.cores import on_every_core
from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import PreparedTable
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.odds.apart import ALMOST, Kept, RankedValues, Values, best_where
from simulator.rulesets.skirmish.odds.decision_places import Links, Nodes
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.spends import Lot

#: A base this near to another touches it, in inches.
_TOUCH = 1e-5
#: How many places where lines are cut short are processed together, times goals.
_STOPS_AT_ONCE = 1 << 20
#: The spacing of the places from which and to which such lines are tried for many goals at once, in inches.
_SPREAD = 0.5
#: The values of so many goals fit into the processor's cache: more at once take up to twice as long.
_GOALS_AT_ONCE = 300


class Flags(NamedTuple):
    """The past that decides what may follow: the stance, the Running token, whether it traversed, or ran."""

    token: bool
    crossed: bool
    ran: bool
    stance: str


class After(NamedTuple):
    """What may follow a spend: the value of each decision place, goal by goal, that of an end there, and flags."""

    places: Values
    end_value: float
    flags: Flags


class ContactPlace(NamedTuple):
    """A place in contact with a base, the middle of that base, and what may lead on from there and come there."""

    stop: int
    middle: FloatArray
    others: IntArray
    straight: FloatArray
    starts: IntArray
    ways: FloatArray


class BestPlan:
    """The best plan for some goals at once: a value for each decision place, number of AP and amount of Threshold."""

    def __init__(self, links: Links, nodes: Nodes, goals: FloatArray, slack: float) -> None:
        self.links, self.nodes, self.goals = links, nodes, goals
        self.fronts, self.spending = links.fronts, links.spending
        self.slack = slack + TOLERANCE
        self.chance = float(self.spending.terrain_chance)
        self._known: dict[tuple[int, int, Flags], Values] = {}
        #: While a value is computed a lower bound of it is among the known ones, for its own thread alone.
        self._working = RLock()
        self._measure_goals()

    def with_slack(self, slack: float) -> BestPlan:
        """Return the plan for the same goals with `slack` more inches for each lot: nothing is measured again."""
        return self._other(slack=slack + TOLERANCE)

    def only(self, some: BoolArray | IntArray) -> BestPlan:
        """Return the plan for some of the goals: nothing is measured again."""
        ways = {name: getattr(self, name)[:, some] for name in ("open", "clean", "straight", "straight_clean")}
        return self._other(goals=self.goals[some], **ways)

    def _other(self, **changed: object) -> BestPlan:
        other = copy(self)
        other.__dict__.pop("value", None)
        other.__dict__.update(changed, _known={}, _working=RLock())
        return other

    def _measure_goals(self) -> None:
        """Measure how far the goals are from all decision places."""
        places = self.nodes.places
        self.open, self.straight = self._apart(self._grounds.open, places)
        self.clean, self.straight_clean = self.open, self.straight
        if self._grounds.clean is not self._grounds.open:
            self.clean, self.straight_clean = self._apart(self._grounds.clean, places)
        legal = may_end(self._grounds.table, self._grounds.unit, self.goals)
        for ways in (self.open, self.clean, self.straight, self.straight_clean):
            ways[:, ~legal] = np.inf

    def _apart(self, ground: PreparedTable, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how far some places are from the goals: searched from the fewer, as ways are as long backwards."""
        if len(places) <= len(self.goals):
            return self.links.apart(ground, places, self.goals)
        ways, straight = self.links.apart(ground, self.goals, places)
        return ways.T, straight.T

    @property
    def _grounds(self) -> Grounds:
        return self.fronts.grounds

    @cached_property
    def value(self) -> Values:
        """The chance from the start, for each goal."""
        count = len(self.goals)
        if count <= _GOALS_AT_ONCE or self.spending.is_straight:
            return self._value
        lots = np.array_split(np.arange(count), -(-count // _GOALS_AT_ONCE))
        return np.concatenate(on_every_core(lambda some: self.only(some)._value, lots))

    @property
    def _value(self) -> Values:
        unit = self._grounds.unit
        flags = Flags(bool(unit["running"]), bool(unit["has_traversed"]), bool(unit["has_run"]), self.spending.stance)
        return np.asarray(self.after(self.spending.ap, self.fronts.threshold, flags)[0])

    def after(self, ap: int, threshold: int, flags: Flags) -> Values:
        """Return the chances from all places with these AP left and this Threshold to suffer: places by goals."""
        flags = self._in_short(flags, ap)
        with self._working:
            return self._after(ap, threshold, flags)

    def _after(self, ap: int, threshold: int, flags: Flags) -> Values:
        key = (ap, threshold, flags)
        if key not in self._known:
            self._known[key] = self._stay(flags)
            best = self._known[key]
            for stance in self._next_stances(ap, flags):
                later = self.after(ap - self.spending.stance_ap, threshold, flags._replace(stance=stance))
                best = np.maximum(best, later)
            for lot in self.spending.moves_in(flags.stance):
                if lot.ap <= ap:
                    best = np.maximum(best, self._lot(lot, ap - lot.ap, threshold, flags))
            run = self.spending.run_in(flags.stance)
            if run is not None and run.ap <= ap and not (self.spending.is_exclusive and flags.crossed):
                best = np.maximum(best, self._run(run, ap - run.ap, threshold, flags))
            if len(self.nodes.jumps) and not (self.spending.is_exclusive and flags.ran):
                best = self._over(best, ap, threshold, flags)
            self._known[key] = best
        return self._known[key]

    @clause("SK-64")
    def _next_stances(self, ap: int, flags: Flags) -> list[str]:
        """Return the stances worth taking up next."""
        if self.spending.stance_ap > ap:
            return []
        return [stance for stance in self.spending.stances if flags.stance in self.spending.may_become(stance)]

    @clause("SK-33")
    def _in_short(self, flags: Flags, ap: int) -> Flags:
        """Return the flags that still matter with these AP left: the others count as not set."""
        run = self.spending.run
        may_run = self.spending.is_exclusive and run is not None and run.ap <= ap
        may_cross = self.spending.is_exclusive and len(self.nodes.jumps) > 0 and self.spending.traverse_ap <= ap
        return Flags(
            flags.token and self.fronts.token is not None,
            flags.crossed and may_run,
            flags.ran and may_cross,
            flags.stance,
        )

    def _end_value(self, flags: Flags) -> float:
        """Return the value of an end: 1, or 0 if the Running token is not as required."""
        return float(self.fronts.token in (None, flags.token))

    def _stay(self, flags: Flags) -> Values:
        at_goal = self.open <= TOLERANCE
        return np.where(at_goal, self._end_value(flags), 0.0)

    # --- lots ---

    @clause("SK-5", "SK-11", "SK-12", "SK-13")
    def _lot(self, lot: Lot, ap: int, threshold: int, flags: Flags) -> Values:
        """Return the best values that a lot leads to."""
        ways, inches, failed = self.nodes.ways, lot.inches + self.slack, lot.failed + self.slack
        after, end_value = self.after(ap, threshold, flags), self._end_value(flags)
        ranked = RankedValues.of(after)
        best: Values = np.maximum(
            ways.best(lambda _, clean: clean <= inches, ranked), end_value * (self.clean <= inches)
        )
        if not self._grounds.has_rough:
            return best
        best = np.maximum(best, ways.best(lambda length, _: length <= failed, ranked))
        best = np.maximum(best, end_value * (self.open <= failed))
        paid = self.after(ap, threshold - 1, flags) if threshold else np.zeros_like(after)
        saved = self.chance * after + (1 - self.chance) * paid
        best = np.maximum(best, ways.best(lambda length, _: length <= inches, saved))
        at_goal = end_value * (self.chance + (1 - self.chance) * bool(threshold))
        best = np.maximum(best, at_goal * (self.open <= inches))
        if self.spending.is_straight:
            next_ = After(after, end_value, flags)
            return self._cut_short(lot, (ap, threshold), next_, next_, best) if ap else best
        # Gambles: the stop after a failure, and as far again as the roll would take away. A line may bend, so that it
        # measures just as much where it is cut short.
        lost = lot.inches - lot.failed + self.slack
        ahead = np.maximum(ways.best(lambda length, _: length <= lost, ranked), end_value * (self.open <= lost))
        gamble = self.chance * ahead + (1 - self.chance) * after
        gambled = ways.best(lambda length, _: length <= failed, np.where(ahead > after, gamble, 0.0))
        return np.asarray(np.maximum.reduce([best, gambled, self._before_friends(lot, after, end_value)]))

    @cached_property
    def _rims(self) -> list[ContactPlace]:
        """The places in contact with a base that may be passed."""
        nodes, stops, middles = self.nodes, [np.zeros(0, np.intp)], [np.zeros((0, 2))]
        for x, y, radius in self._grounds.rims.tolist():
            touching = np.flatnonzero(np.abs(np.hypot(*(nodes.places - (x, y)).T) - radius) <= _TOUCH)
            stops.append(touching)
            middles.append(np.tile((x, y), (len(touching), 1)))
        numbers = np.concatenate(stops)
        stops_once = np.unique(numbers)
        straight, ways = nodes.straight.from_places(stops_once), nodes.ways.to_places(stops_once)
        found = []
        for stop, middle in zip(numbers.tolist(), np.concatenate(middles), strict=True):
            at = int(np.searchsorted(stops_once, stop))
            on, to = np.flatnonzero(straight.row == at), np.flatnonzero(ways.other == at)
            found.append(
                ContactPlace(stop, middle, straight.other[on], straight.length[on], ways.row[to], ways.length[to])
            )
        return found

    @clause("SK-13", "SK-14", "SK-55")
    def _before_friends(self, lot: Lot, after: Values, end_value: float) -> Values:
        """Return the best gambles on lines over a friend: cut short on its base, they stop an inch back or more."""
        places, found = self.nodes.places, np.zeros_like(after)
        for stop, middle, others, straight, starts, ways in self._rims:
            ends = np.concatenate([others, len(places) + np.arange(len(self.goals))])
            ends = ends[np.concatenate([straight, self.straight[stop]]) <= lot.inches + self.slack]
            onward = np.concatenate([places, self.goals])[ends] - places[stop]
            far = np.hypot(*onward.T)
            # How far the line leads over the base, from where it enters it.
            over = 2.0 * (onward @ (middle - places[stop])) / np.where(far, far, 1.0)
            # The line reaches the base after this many inches at most, and is cut short before it has left it.
            most = np.minimum(lot.failed, lot.inches - far) + self.slack
            fits = most > np.maximum(lot.failed - np.minimum(over, far), 0.0)
            near = ways <= lot.failed + self.slack
            begins = starts[near]
            worth = np.zeros((int(fits.sum()), after.shape[1]))
            ends, most = ends[fits], most[fits]
            is_goal = ends >= len(places)
            worth[~is_goal] = after[ends[~is_goal]]
            worth[is_goal, ends[is_goal] - len(places)] = end_value
            ahead = best_where(ways[near][:, None] <= most, worth)
            gain = np.where(ahead > after[stop], self.chance * ahead + (1 - self.chance) * after[stop], 0.0)
            found[begins] = np.maximum(found[begins], gain)
        return found

    @clause("SK-29", "SK-30", "SK-34", "SK-35", "SK-36")
    def _run(self, run: Lot, ap: int, threshold: int, flags: Flags) -> Values:
        """Return the best values that a run leads to."""
        nodes = self.nodes
        inches, failed, least = run.inches + self.slack, run.failed + self.slack, run.least - self.slack
        with_token, without = flags._replace(token=True, ran=True), flags._replace(ran=True)
        saves = threshold and self._grounds.table.options.run_threshold
        # On clean ground no roll takes the token away, even if the player would rather lose it.
        kinds: tuple[Kept, Kept, Kept] = (
            lambda _, clean: (clean <= inches) & (clean >= least),
            lambda length, clean: (clean > inches) & (length <= failed) & (length >= least),
            lambda length, clean: (clean > inches) & (length <= inches) & (length >= least),
        )
        worth = []
        for best_of, value in (
            (nodes.straight.best, lambda one, left: self.after(ap, left, one)),
            (self._straight_to_goals, lambda one, _left: np.asarray(self._end_value(one))),
        ):
            made, missed = value(with_token, threshold), value(without, threshold)
            after_failure = np.maximum(missed, value(with_token, threshold - 1)) if saves else missed
            saved = value(with_token, threshold - 1) if saves else np.zeros_like(made)
            gains = (made, *(self.chance * made + (1 - self.chance) * other for other in (after_failure, saved)))
            worth += [best_of(kept, gain) for kept, gain in zip(kinds, gains, strict=True)]
        best: Values = np.maximum.reduce(worth)
        if ap and self._grounds.has_rough:
            made_it, missed_it = (
                After(self.after(ap, threshold, one), self._end_value(one), one) for one in (with_token, without)
            )
            best = self._cut_short(run, (ap, threshold), made_it, missed_it, best)
        return best

    def _straight_to_goals(self, kept: Kept, gain: Values) -> Values:
        """Return the gain of straight lines to the goals."""
        return kept(self.straight, self.straight_clean) * gain

    # --- straight lines that are cut short ---

    @clause("SK-4", "SK-13", "SK-35")
    def _cut_short(self, lot: Lot, left: tuple[int, int], made: After, missed: After, best: Values) -> Values:
        """Return the best values with straight lines that a failure cuts short, continued with what is left.

        `made` and `missed` are what follows success and failure, `best` the best without such lines.
        """
        nodes, slack = self.nodes, self.slack
        begins, is_end = self._begins(lot, left[0])
        ends = np.concatenate([nodes.places, self.goals])
        row, end, straight, clean = nodes.straight.from_places(begins)
        at, goal = np.nonzero(np.isfinite(self.straight[begins]))
        row, end = np.concatenate([row, at]), np.concatenate([end, len(nodes.places) + goal])
        straight = np.concatenate([straight, self.straight[begins[at], goal]])
        clean = np.concatenate([clean, self.straight_clean[begins[at], goal]])
        onward = ends[end] - nodes.places[begins[row]]
        far = np.hypot(*onward.T)
        fits = (straight <= lot.inches + slack) & (straight >= lot.least - slack) & (far > lot.failed + slack)
        kept = np.flatnonzero(fits & is_end[end] & (clean > lot.inches + slack))
        kept = kept[np.lexsort((end[kept], row[kept]))]
        row, end, ahead = row[kept], end[kept], onward[kept] / far[kept, None]
        worth = np.concatenate([made.places, np.eye(len(self.goals)) * made.end_value])
        found = best.copy()
        for some in np.array_split(np.arange(len(row)), len(row) * len(self.goals) // _STOPS_AT_ONCE + 1):
            begin = begins[row[some]]
            gain = self.chance * worth[end[some]]
            hopeful = np.any(gain + (1 - self.chance) > found[begin] + ALMOST, axis=1)
            some, begin, gain = some[hopeful], begin[hopeful], gain[hopeful]
            after = self._from_stops(nodes.places[begin] + lot.failed * ahead[some], left, missed)
            np.maximum.at(found, begin, np.where(after > 0.0, gain + (1 - self.chance) * after, 0.0))
        return found

    def _begins(self, lot: Lot, ap: int) -> tuple[IntArray, BoolArray]:
        """Return from which places such lines are tried, and to which.

        From the start all are; elsewhere fewer for many goals at once or if two more lots may follow. Where lines may
        bend, runs are tried from the start alone.
        """
        count, goals = len(self.nodes.places), len(self.goals)
        every = np.ones(count + goals, np.bool_)
        if ap + lot.ap == self.spending.ap or not self.spending.is_straight:
            return np.zeros(1, np.intp), every
        if goals == 1 and ap < 2 * lot.ap:
            return np.arange(count), every
        _, some = np.unique(np.floor(self.nodes.places / _SPREAD), axis=0, return_index=True)
        every[:count] = np.isin(np.arange(count), some)
        return some, every

    def _from_stops(self, stops: FloatArray, left: tuple[int, int], missed: After) -> Values:
        """Return the values of places that are no decision places: as an end, or by what a lot leads to."""
        (ap, threshold), found = left, np.zeros((len(stops), len(self.goals)))
        legal = np.flatnonzero(may_end(self._grounds.table, self._grounds.unit, stops))
        if not len(legal):
            return found
        spots, near = np.asarray(shapely.points(stops[legal])), max(self.slack, _TOUCH)
        stop, place = shapely.STRtree(np.asarray(shapely.points(self.nodes.places))).query(
            spots, predicate="dwithin", distance=near
        )
        np.maximum.at(found, legal[stop], missed.places[place])
        ways = self._apart(self._grounds.open, stops[legal])[0]
        clean = ways
        if self._grounds.clean is not self._grounds.open:
            clean = self._apart(self._grounds.clean, stops[legal])[0]
        rolled = 1.0 if threshold else self.chance
        end_value = missed.end_value * may_end(self._grounds.table, self._grounds.unit, self.goals)
        for lot in self.spending.moves_in(missed.flags.stance):
            if lot.ap <= ap:
                inches, failed = lot.inches + self.slack, lot.failed + self.slack
                sure = (clean <= inches) | (ways <= failed)
                found[legal] = np.maximum(found[legal], end_value * np.where(sure, 1.0, rolled * (ways <= inches)))
            if lot.ap < ap:
                found[legal] = np.maximum(found[legal], self._onward(stops[legal], lot, ap - lot.ap, threshold, missed))
        return found

    def _onward(self, stops: FloatArray, lot: Lot, ap: int, threshold: int, missed: After) -> Values:
        """Return the values of places with a lot from them to decision places, and AP left there."""
        inches, failed = lot.inches + self.slack, lot.failed + self.slack
        after = self.after(ap, threshold, missed.flags)
        paid = self.after(ap, threshold - 1, missed.flags) if threshold else np.zeros_like(after)
        ways = self.links.ways(stops, self.nodes.places)
        sure = ways.best(lambda length, clean: (clean <= inches) | (length <= failed), after)
        return np.maximum(
            sure, ways.best(lambda length, _: length <= inches, self.chance * after + (1 - self.chance) * paid)
        )

    # --- traverses ---

    @clause("SK-21", "SK-22", "SK-26")
    def _over(self, best: Values, ap: int, threshold: int, flags: Flags) -> Values:
        """Return the best values with traverses; free ones are tried until they succeed."""
        nodes, cost = self.nodes, self.spending.traverse_ap
        after = self._in_short(flags._replace(crossed=True), ap)
        chance = np.array([float(jump.chance) for jump in nodes.jumps])[:, None]
        if not cost:
            if after != flags:
                self._known[ap, threshold, flags] = best
                return np.maximum(best, self._spread(self.after(ap, threshold, after), chance))
            while True:
                better = np.maximum(best, self._spread(best, chance))
                if np.array_equal(better, best):
                    return best
                best = better
        if cost > ap:
            return best
        value = self.after(ap - cost, threshold, after)
        stayed = np.where((nodes.near >= 0)[:, None], value[np.maximum(nodes.near, 0)], 0.0)
        if threshold:
            stayed = np.maximum(stayed, self.after(ap - cost, threshold - 1, after)[nodes.far])
        gain = chance * value[nodes.far] + (1 - chance) * stayed
        found = best.copy()
        np.maximum.at(found, nodes.begin, gain)
        return found

    def _spread(self, value: Values, chance: FloatArray) -> Values:
        found = np.zeros_like(value)
        np.maximum.at(found, self.nodes.begin, np.where(chance > 0.0, value[self.nodes.far], 0.0))
        return found
