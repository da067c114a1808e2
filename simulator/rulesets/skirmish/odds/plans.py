"""The best plan over decision places: the value of each place with the AP and the Threshold that are left."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from threading import RLock
from typing import NamedTuple

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import PreparedTable
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.odds.apart import Kept, best_where
from simulator.rulesets.skirmish.odds.decision_places import Links, Nodes
from simulator.rulesets.skirmish.odds.ranked import ALMOST, Ranked, Values
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.spends import Lot

#: A base this near to another touches it, in inches.
_TOUCH = 1e-5
#: How many places where lines are cut short are processed together, times goals.
_STOPS_AT_ONCE = 1 << 20
#: The spacing of the places from which and to which such lines are tried for many goals at once, in inches.
_SPREAD = 0.5
#: A mask that leaves no value.
_NOTHING = np.zeros((1, 1), np.bool_)


class Flags(NamedTuple):
    """The past that decides what may follow: the stance, the Running token, whether it traversed, or ran."""

    token: bool
    crossed: bool
    ran: bool
    stance: str


class After(NamedTuple):
    """What may follow a spend: the value of each decision place, goal by goal, that of an end there, and flags."""

    places: Ranked
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
        self._known: dict[tuple[int, int, Flags], Ranked] = {}
        #: While a value is computed a lower bound of it is among the known ones, for its own thread alone.
        self._working = RLock()
        self._measure_goals()

    def with_slack(self, slack: float) -> BestPlan:
        """Return the plan for the same goals with `slack` more inches for each lot: nothing is measured again."""
        other = copy(self)
        other.__dict__.update(slack=slack + TOLERANCE, _known={}, _working=RLock())
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

    @property
    def value(self) -> Values:
        """The chance from the start, for each goal."""
        unit = self._grounds.unit
        flags = Flags(bool(unit["running"]), bool(unit["has_traversed"]), bool(unit["has_run"]), self.spending.stance)
        found: Values = self.after(self.spending.ap, self.fronts.threshold, flags).values[0]
        return found

    def after(self, ap: int, threshold: int, flags: Flags) -> Ranked:
        """Return the chances from all places with these AP left and this Threshold to suffer: places by goals."""
        flags = self._in_short(flags, ap)
        with self._working:
            return self._after(ap, threshold, flags)

    def _after(self, ap: int, threshold: int, flags: Flags) -> Ranked:
        key = (ap, threshold, flags)
        if key not in self._known:
            self._known[key] = self._stay(flags)
            best = self._known[key]
            for stance in self._next_stances(ap, flags):
                later = self.after(ap - self.spending.stance_ap, threshold, flags._replace(stance=stance))
                best = Ranked.highest([best, later])
            for lot in self.spending.moves_in(flags.stance):
                if lot.ap <= ap:
                    best = Ranked.highest([best, self._lot(lot, ap - lot.ap, threshold, flags)])
            run = self.spending.run_in(flags.stance)
            if run is not None and run.ap <= ap and not (self.spending.is_exclusive and flags.crossed):
                best = Ranked.highest([best, self._run(run, ap - run.ap, threshold, flags)])
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

    def _stay(self, flags: Flags) -> Ranked:
        return Ranked.where(self.open <= TOLERANCE, self._end_value(flags))

    def _saved(self, after: Ranked, ap: int, threshold: int, flags: Flags) -> Ranked:
        """Return what a spend is worth whose failure is paid for with Threshold; nothing follows without."""
        return self._mixed(after, self.after(ap, threshold - 1, flags) if threshold else after.only(_NOTHING))

    def _mixed(self, made: Ranked, missed: Ranked, chance: float | None = None) -> Ranked:
        """Return what a roll is worth with these values after success and after failure."""
        likely = self.chance if chance is None else chance
        return made.mixed(missed, lambda one, other: likely * one + (1 - likely) * other)

    def _at(self, ends: IntArray, after: Ranked, end_value: float) -> Values:
        """Return the values of places, and of goals, which are numbered behind them."""
        is_goal = ends >= len(self.nodes.places)
        found = np.zeros((len(ends), len(self.goals)))
        found[~is_goal] = after.rows(ends[~is_goal]).values
        found[is_goal, ends[is_goal] - len(self.nodes.places)] = end_value
        return found

    # --- lots ---

    @clause("SK-5", "SK-11", "SK-12", "SK-13")
    def _lot(self, lot: Lot, ap: int, threshold: int, flags: Flags) -> Ranked:
        """Return the best values that a lot leads to."""
        ways, inches, failed = self.nodes.ways, lot.inches + self.slack, lot.failed + self.slack
        after, end_value = self.after(ap, threshold, flags), self._end_value(flags)
        found = [
            ways.best(lambda _, clean: clean <= inches, after),
            Ranked.where(self.clean <= inches, end_value),
        ]
        if not self._grounds.has_rough:
            return Ranked.highest(found)
        at_goal = end_value * (self.chance + (1 - self.chance) * bool(threshold))
        found += [
            ways.best(lambda length, _: length <= failed, after),
            Ranked.where(self.open <= failed, end_value),
            ways.best(lambda length, _: length <= inches, self._saved(after, ap, threshold, flags)),
            Ranked.where(self.open <= inches, at_goal),
        ]
        if self.spending.is_straight:
            next_ = After(after, end_value, flags)
            best = Ranked.highest(found)
            return self._cut_short(lot, (ap, threshold), next_, next_, best) if ap else best
        # Gambles: the stop after a failure, and as far again as the roll would take away. A line may bend, so that it
        # measures just as much where it is cut short.
        lost = lot.inches - lot.failed + self.slack
        ahead = Ranked.highest(
            [ways.best(lambda length, _: length <= lost, after), Ranked.where(self.open <= lost, end_value)]
        )
        found += [
            ways.best(lambda length, _: length <= failed, self._gamble(ahead, after)),
            self._before_friends(lot, after, end_value),
        ]
        return Ranked.highest(found)

    def _gamble(self, ahead: Ranked, after: Ranked) -> Ranked:
        """Return what a roll is worth that leads ahead, or to what follows its failure; nothing unless it is better."""
        return ahead.mixed(
            after,
            lambda made, missed: np.where(made > missed, self.chance * made + (1 - self.chance) * missed, 0.0),
        )

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
    def _before_friends(self, lot: Lot, after: Ranked, end_value: float) -> Ranked:
        """Return the best gambles on lines over a friend: cut short on its base, they stop an inch back or more."""
        places, found = self.nodes.places, after.only(_NOTHING)
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
            worth = Ranked.of(self._at(ends[fits], after, end_value))
            ahead = best_where(ways[near][:, None] <= most[fits], worth)
            found = found.raised(starts[near], self._gamble(ahead, after.rows(np.array([stop]))))
        return found

    @clause("SK-29", "SK-30", "SK-34", "SK-35", "SK-36")
    def _run(self, run: Lot, ap: int, threshold: int, flags: Flags) -> Ranked:
        """Return the best values that a run leads to."""
        inches, failed, least = run.inches + self.slack, run.failed + self.slack, run.least - self.slack
        with_token, without = flags._replace(token=True, ran=True), flags._replace(token=False, ran=True)
        saves = threshold and self._grounds.table.options.run_threshold
        # On clean ground no roll takes the token away, even if the player would rather lose it.
        kinds: tuple[Kept, Kept, Kept] = (
            lambda _, clean: (clean <= inches) & (clean >= least),
            lambda length, clean: (clean > inches) & (length <= failed) & (length >= least),
            lambda length, clean: (clean > inches) & (length <= inches) & (length >= least),
        )

        def on_to(one: Flags, left: int) -> Ranked:
            return self.after(ap, left, one)

        def end(one: Flags, _left: int) -> Ranked:
            return Ranked.of(np.array([[self._end_value(one)]]))

        worth: list[Ranked] = []
        for best_of, value in ((self.nodes.straight.best, on_to), (self._straight_to_goals, end)):
            made, missed = value(with_token, threshold), value(without, threshold)
            saved = value(with_token, threshold - 1) if saves else made.only(_NOTHING)
            after_failure = Ranked.highest([missed, saved]) if saves else missed
            gains = (made, self._mixed(made, after_failure), self._mixed(made, saved))
            worth += [best_of(kept, gain) for kept, gain in zip(kinds, gains, strict=True)]
        best = Ranked.highest(worth)
        if run.is_shorter_failed and self._grounds.has_rough:
            best = Ranked.highest([best, self._cut_short_at_goals(run, self._end_value(without))])
        if ap and self._grounds.has_rough:
            made_it, missed_it = (
                After(self.after(ap, threshold, one), self._end_value(one), one) for one in (with_token, without)
            )
            best = self._cut_short(run, (ap, threshold), made_it, missed_it, best)
        return best

    def _straight_to_goals(self, kept: Kept, gain: Ranked) -> Ranked:
        """Return the gain of straight lines to the goals, which is the same for each."""
        return Ranked.where(kept(self.straight, self.straight_clean), float(gain.values[0, 0]))

    # --- straight lines that are cut short ---

    @clause("SK-13", "SK-30", "SK-35")
    def _cut_short_at_goals(self, run: Lot, end_value: float) -> Ranked:
        """Return what runs are worth that have to go beyond a goal, and end there if they fail."""
        begin, goal = np.nonzero(np.abs(self.straight - run.failed) <= self.slack)
        begins, goals, found = self.nodes.places[begin], self.goals[goal], np.zeros(self.straight.shape)
        ends = begins + run.least / self.straight[begin, goal][:, None] * (goals - begins)
        fits = may_end(self._grounds.table, self._grounds.unit, ends) & self._grounds.cross_rough(begins, ends)
        fits &= ~np.asarray(self._grounds.open.barred(np.hstack([begins, ends]), from_contact=True))
        found[begin[fits], goal[fits]] = (1 - self.chance) * end_value
        return Ranked.of(found)

    @clause("SK-4", "SK-13", "SK-35")
    def _cut_short(self, lot: Lot, left: tuple[int, int], made: After, missed: After, best: Ranked) -> Ranked:
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
        found = best.rows(begins).values
        for some in np.array_split(np.arange(len(row)), len(row) * len(self.goals) // _STOPS_AT_ONCE + 1):
            gain = self.chance * self._at(end[some], made.places, made.end_value)
            hopeful = np.any(gain + (1 - self.chance) > found[row[some]] + ALMOST, axis=1)
            some, gain = some[hopeful], gain[hopeful]
            stops = nodes.places[begins[row[some]]] + lot.failed * ahead[some]
            after = self._from_stops(stops, left, missed)
            np.maximum.at(found, row[some], np.where(after > 0.0, gain + (1 - self.chance) * after, 0.0))
        return best.raised(begins, Ranked.of(found))

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
        np.maximum.at(found, legal[stop], missed.places.rows(place).values)
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
        saved = self._saved(after, ap, threshold, missed.flags)
        ways = self.links.ways(stops, self.nodes.places)
        sure = ways.best(lambda length, clean: (clean <= inches) | (length <= failed), after)
        return Ranked.highest([sure, ways.best(lambda length, _: length <= inches, saved)]).values

    # --- traverses ---

    @clause("SK-21", "SK-22", "SK-26")
    def _over(self, best: Ranked, ap: int, threshold: int, flags: Flags) -> Ranked:
        """Return the best values with traverses; free ones are tried until they succeed."""
        nodes, cost = self.nodes, self.spending.traverse_ap
        after = self._in_short(flags._replace(crossed=True), ap)
        chance = np.array([float(jump.chance) for jump in nodes.jumps])
        if not cost:
            if after != flags:
                self._known[ap, threshold, flags] = best
                return self._spread(best, self.after(ap, threshold, after), chance)
            while True:
                better = self._spread(best, best, chance)
                if np.array_equal(better.ranks, best.ranks):
                    return best
                best = better
        if cost > ap:
            return best
        value = self.after(ap - cost, threshold, after)
        for likely in np.unique(chance).tolist():
            some = np.flatnonzero(chance == likely)
            over, back = nodes.far[some], nodes.near[some]
            stayed = value.rows(np.maximum(back, 0)).only((back >= 0)[:, None])
            if threshold:
                stayed = Ranked.highest([stayed, self.after(ap - cost, threshold - 1, after).rows(over)])
            best = best.raised(nodes.begin[some], self._mixed(value.rows(over), stayed, likely))
        return best

    def _spread(self, best: Ranked, value: Ranked, chance: FloatArray) -> Ranked:
        """Return the best values raised by those of the far sides of traverses that may succeed."""
        some = np.flatnonzero(chance > 0.0)
        return best.raised(self.nodes.begin[some], value.rows(self.nodes.far[some]))
