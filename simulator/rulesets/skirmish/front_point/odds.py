"""Chances where moves are measured from front to front: of the orders found, and replanned after a failure.

Every place can be left with any facing, so decision places would be too many. Instead the orders are followed: a
failure leaves the soldier somewhere, and from there reach is computed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.rulesets.skirmish.movement import facing_after, facing_of, line_of, lots_of, stop_after_failure
from simulator.rulesets.skirmish.obstruction import crosses_rough
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.fronts import Fronts
from simulator.rulesets.skirmish.reach.orders import Places


@dataclass
class Replans:
    """The chances of ending at one place."""

    fronts: Fronts
    goal: XY
    _known: dict[tuple[XY, float, int, int, bool, str], Fraction] = field(default_factory=dict)

    def best(self, orders: Sequence[Order]) -> Fraction:
        """Return the chance of orders that lead there if all rolls succeed, or of those that do if a run fails."""
        return max((self._chance(one) for one in (orders, self._orders_of_failure()) if one), default=Fraction(0))

    @clause("SK-31", "SK-35", "SK-36")
    def _orders_of_failure(self) -> Sequence[Order]:
        """Return orders that lead there without the Running token if Terrain rolls fail; none where it may have one."""
        fronts, spending = self.fronts, self.fronts.spending
        if fronts.token is not False or spending.run is None or not fronts.grounds.has_rough or spending.fails:
            return ()
        failed = Fronts(fronts.grounds, replace(spending, fails=True), fronts.threshold, token=False)
        found = Places(failed).orders(self.goal)
        return () if found is None else found[1]

    def _chance(self, orders: Sequence[Order]) -> Fraction:
        spending = self.fronts.spending
        return self._after(spending.unit, orders, spending.ap, self.fronts.threshold)

    def _after(self, here: Unit, orders: Sequence[Order], ap: int, threshold: int) -> Fraction:
        """Return the chance of the remaining orders."""
        if not orders:
            return Fraction(self.fronts.token in (None, bool(here["running"])))
        order, rest = orders[0], orders[1:]
        if order.action == "change_stance":
            return self._after(here.put(stance=order["stance"]), rest, ap - self.fronts.spending.stance_ap, threshold)
        if order.action == "traverse":
            return self._over(here, order, rest, ap, threshold)
        return self._along(here, order, rest, ap, threshold)

    @clause("SK-21", "SK-22")
    def _over(self, here: Unit, order: Order, rest: Sequence[Order], ap: int, threshold: int) -> Fraction:
        left = ap - self.fronts.spending.traverse_ap
        place = (float(here.place[0]), float(here.place[1]))
        jump = self.fronts.jumps.ordered(place, order)
        assert jump is not None  # such orders have been planned
        over, stayed = here.put(place=jump.far), here.put(place=jump.near)
        made = self._best_after(over, rest, left, threshold)
        if left == ap and jump.chance:
            return made  # a free attempt is repeated until it succeeds
        missed = self._chance_from(stayed, left, threshold)
        if threshold:
            missed = max(missed, self._after(over, rest, left, threshold - 1))
        return jump.chance * made + (1 - jump.chance) * missed

    @clause("SK-3", "SK-11", "SK-12", "SK-13", "SK-35", "SK-36")
    def _along(self, here: Unit, order: Order, rest: Sequence[Order], ap: int, threshold: int) -> Fraction:
        table, is_run = self.fronts.grounds.table, order.action == "run"
        left = ap - (int(table.tables["cost.run.ap"]) if is_run else lots_of(table, order))
        line = line_of(here, order.elements)
        facing = facing_of(order.elements)
        heading = here.heading if facing is None else facing
        there = here.put(place=line.end, heading=heading, **({"running": True, "has_run": True} if is_run else {}))
        if not crosses_rough(table, here, line.arrays):
            return self._after(there, rest, left, threshold)
        stop = stop_after_failure(table, here, order, line)
        if stop is None and not is_run:
            return self._after(there, rest, left, threshold)
        made = self._best_after(there, rest, left, threshold)
        chance = self.fronts.spending.terrain_chance
        failed = there.put(running=False) if is_run else there
        if stop is None:
            missed = self._after(failed, rest, left, threshold)
        else:
            turned = facing_after(table, here, order, line, stop)
            stopped = failed.put(place=line.at(stop), heading=here.heading if turned is None else turned)
            missed = self._chance_from(stopped, left, threshold)
        if threshold and (table.options.run_threshold or not is_run):
            missed = max(missed, self._after(there, rest, left, threshold - 1))
        return chance * made + (1 - chance) * missed

    def _best_after(self, here: Unit, rest: Sequence[Order], ap: int, threshold: int) -> Fraction:
        """Return the best chance after a success: of the remaining orders, or of others that may be safer."""
        followed = self._after(here, rest, ap, threshold)
        return followed if followed == 1 or not rest else max(followed, self._chance_from(here, ap, threshold))

    def _chance_from(self, here: Unit, ap: int, threshold: int) -> Fraction:
        """Return the chance from where a roll has left a soldier."""
        place = (float(here.place[0]), float(here.place[1]))
        key = (place, float(here.heading or 0.0), ap, threshold, bool(here["running"]), str(here["stance"]))
        if key not in self._known:
            self._known[key] = Fraction(0)  # returning with as much left gains nothing
            self._known[key] = self._replanned(here, ap, threshold)
        return self._known[key]

    def _replanned(self, here: Unit, ap: int, threshold: int) -> Fraction:
        fronts, spends = self.fronts, self.fronts.spending
        there = here.put(ap=ap, threshold_left=threshold)
        spending = replace(spends, unit=there, ap=ap)
        onward = Fronts(Grounds(fronts.grounds.table, there), spending, threshold, fronts.token)
        found = Places(onward).orders(self.goal)
        if found is not None and any(front.ends(np.array([self.goal]))[0] for front in onward.certain(ap)):
            return Fraction(1)
        return Replans(onward, self.goal, self._known).best(() if found is None else found[1])
