"""What would help: the smallest changes after which a soldier could end at a place, each of them verified."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.pieces import XY
from simulator.pathing.free import FreeReach, plan
from simulator.rulesets.skirmish.movement import inches_of
from simulator.rulesets.skirmish.obstruction import features_of, standing_breaches
from simulator.rulesets.skirmish.planner_tables import prepared
from simulator.rulesets.skirmish.reach.cuts import cut
from simulator.rulesets.skirmish.reach.ends import SkirmishEnds
from simulator.rulesets.skirmish.reach.least_ap import least_ap
from simulator.rulesets.skirmish.reach.spends import Spending
from simulator.rulesets.skirmish.shortfalls import inches_text
from simulator.rulesets.skirmish.units import SkirmishTable
from simulator.wording import measure

#: How many more AP are tried: each takes longer than the one before.
_MORE = 3
#: How many more AP are tried together with other changes.
_MORE_TOGETHER = 1
#: A variation is answered for so many places one by one: an answer for all of them takes as long, and serves more.
_FEW = 8
#: How much more Threshold is tried: no activation has many more rolls.
_MORE_THRESHOLD = 9


class More(NamedTuple):
    """How many more AP suffice, 0 if no number is known; whether that is an upper bound; and the answer with them."""

    ap: int = 0
    at_most: bool = False
    reach: Explained | None = None


class Variation(NamedTuple):
    """A change of the question: more AP or Threshold, any token at the end, the stance free to change."""

    ap: int = 0
    threshold: int = 0
    any_token: bool = False
    any_stance: bool = False

    def __str__(self) -> str:
        parts = []
        if self.ap:
            parts.append(f"{measure(self.ap, 'AP')} more")
        if self.threshold:
            parts.append(f"{measure(self.threshold, 'Threshold')} more to suffer")
        if self.any_stance:
            parts.append("a change of stance")
        return " and ".join(parts)


def any_distance(reach: Explained, place: XY) -> FreeReach:
    """Return the ways from the start, however long."""
    straight = math.dist(place, reach.start)
    inches = reach.ap * inches_of(reach.table, reach.mover)
    return plan(prepared(reach.table, reach.mover), reach.start, max(4.0 * straight, inches) + 10.0)


class Variations:
    """The answers to variations of a question, each computed once."""

    def __init__(self, reach: Explained) -> None:
        self._reach = reach
        self._answers: dict[tuple[Variation, Unit | None], Explained] = {}
        #: The same for the one place that was asked about last, and how many were asked about.
        self._about: dict[tuple[XY, Variation, Unit | None], Explained] = {}
        self._places: Counter[tuple[Variation, Unit | None]] = Counter()

    def answer(self, change: Variation, mover: Unit | None = None) -> Explained:
        """Return the answer to a variation, optionally of another soldier."""
        if (change, mover) not in self._answers:
            self._answers[change, mover] = varied(self._reach, mover=mover, change=change)
        return self._answers[change, mover]

    def about(self, place: XY, change: Variation, mover: Unit | None = None) -> Explained:
        """Return the answer to a variation as far as one place is concerned."""
        asked = place, change, mover
        found = self._about.get(asked)
        if found is None:
            self._places[change, mover] += 1
            if self._places[change, mover] > _FEW:
                return self.answer(change, mover)
            found = varied(self._reach, mover=mover, change=change, aim=place)
            # Replaced as a whole: another thread may be asking about another place.
            kept = {known: answer for known, answer in self._about.items() if known[0] == place}
            self._about = kept | {asked: found}
        return found

    def helps(self, place: XY, change: Variation, mover: Unit | None = None) -> bool:
        """Whether a soldier can end at a place with a change, optionally another soldier."""
        return self.may_help(place, change) and place in self.about(place, change, mover)

    def may_help(self, place: XY, change: Variation) -> bool:
        """Whether it might, as far as that is known without computing the answer."""
        spending = spent_with(self._reach.spending, change)
        return least_ap(spending, place) <= spending.ap


class Explained(SkirmishEnds):
    """The ends of a question that can be varied, to determine what would help."""

    @cached_property
    def variations(self) -> Variations:
        """The same question with changes that may help: answers for one place serve the next."""
        return Variations(self)


def more_ap(reach: Explained, place: XY) -> More:
    """Return with how many more AP a soldier could end at a place, over or round what is in the way."""
    if reach.action != "turn" or any(standing_breaches(reach.table, reach.mover, place)):
        return More()
    walk = _ap_to_walk(reach, place)
    # That the walk leads there is known.
    tried = _MORE if walk is None else min(_MORE, walk - reach.ap - 1)
    for ap in range(1, tried + 1):
        if reach.variations.helps(place, Variation(ap)):
            return More(ap, False, reach.variations.about(place, Variation(ap)))
    if walk is None:
        return More()
    fewer = walk - reach.ap - 1
    return More(walk - reach.ap, tried < fewer and reach.variations.may_help(place, Variation(ap=fewer)))


def _ap_to_walk(reach: Explained, place: XY) -> int | None:
    """Return the AP of the shortest way on foot in its stance, each lot with a legal end.

    None if there is none, or if they are there and something else is in the way.
    """
    moves = reach.spending.moves
    ways = any_distance(reach, place)
    if not moves or reach.spending.is_straight or reach.spending.is_by_front:
        return None
    if reach.fronts.token not in (None, reach.fronts.has_token):  # a walk neither gives nor takes it
        return None
    if place not in ways or (reach.grounds.has_rough and reach.spending.terrain_chance == 0):
        return None
    way = ways.route_to(place)
    lots = cut(reach.grounds, way, [moves[0]] * (2 * math.ceil(way.length / moves[0].inches)))
    ap = 0 if lots is None else len(lots) * moves[0].ap
    return ap if ap > reach.ap else None


def remedy(reach: Explained, place: XY, reasons: list[Breach], more: More) -> str:
    """Return the smallest changes that would make a place reachable, each of them enough; "" if none is known.

    More AP or inches, a unit standing elsewhere, Threshold, a change of stance, another token at the end; and if none
    of those suffices by itself, the smallest set of them that does.
    """
    if any(standing_breaches(reach.table, reach.mover, place)):
        return _without_blocker(reach, place, reasons)
    found = []
    if more.ap:
        found.append(f"{'at most ' * more.at_most}{measure(more.ap, 'AP')} more")
    elif inches := _more_inches(reach, reasons):
        found.append(f"{inches_text(inches)} inches more")
    found += filter(None, [_without_blocker(reach, place, reasons)])
    single = [
        Variation(threshold=_threshold(reach)),
        Variation(any_token=True),
        Variation(any_stance=True),
    ]
    helping = [change for change in single if _is_change(reach, change) and reach.variations.helps(place, change)]
    found += [_change_text(reach, _smallest(reach, place, change)) for change in helping]
    if not found and not reach.refused:
        found += filter(None, [_together(reach, place)])
    return ", or ".join(found)


def _change_text(reach: Explained, change: Variation) -> str:
    other_end = f"an end with{'out' * bool(reach.token)} the Running token" if change.any_token else ""
    return " and ".join(filter(None, [str(change), other_end]))


@clause("SK-12", "SK-22", "SK-62")
def _threshold(reach: Explained) -> int:
    """Return the unused Threshold of the question, as far as it is tried."""
    return min(int(reach.mover["threshold_left"]) - reach.threshold, _MORE_THRESHOLD)


@clause("SK-31", "SK-62", "SK-64")
def _is_change(reach: Explained, change: Variation) -> bool:
    """Whether a change makes a different question, which may have more ends."""
    return bool(
        change.ap
        or (change.threshold and reach.fronts.has_hopeless)
        or (change.any_token and reach.token is not None)
        or (change.any_stance and reach.action == "turn" and not reach.spending.changing)
    )


@clause("SK-12", "SK-22", "SK-58")
def _may_be_hopeless(reach: Explained) -> bool:
    """Whether there is a roll on the table, however far, that never succeeds."""
    never = bool(features_of(reach.table).rough) and reach.spending.terrain_chance == 0
    return never or not all(reach.fronts.jumps.chances)


def _together(reach: Explained, place: XY) -> str:
    """Return the fewest changes that help together, none of which can be left out or be smaller; "" if all do not."""
    ap = _MORE_TOGETHER if reach.action == "turn" else 0
    threshold = _threshold(reach) if _may_be_hopeless(reach) else 0
    stance = reach.action == "turn" and not reach.spending.changing
    every = Variation(ap, threshold, reach.token is not None, stance)
    if sum(map(bool, every)) < 2 or not reach.variations.helps(place, every):
        return ""
    return _change_text(reach, _smallest(reach, place, every))


def _smallest(reach: Explained, place: XY, change: Variation) -> Variation:
    """Return the least part of a change that still helps: nothing of it can be left out or be less."""
    less = next((one for one in _smaller(change) if reach.variations.helps(place, one)), None)
    return change if less is None else _smallest(reach, place, less)


def _smaller(change: Variation) -> Iterator[Variation]:
    """Yield the changes that are less than one in a single respect, the least first in each."""
    less = [change._replace(any_token=False), change._replace(any_stance=False)]
    less += [change._replace(threshold=some) for some in range(change.threshold)]
    less += [change._replace(ap=some) for some in range(change.ap)]
    yield from (one for one in less if any(one) and one != change)


def _without_blocker(reach: Explained, place: XY, reasons: Sequence[Breach]) -> str:
    names = {unit.id for unit in reach.table.state}
    blockers = dict.fromkeys(str(reason.blocker) for reason in reasons if reason.blocker in names)
    if least_ap(reach.spending, place) > reach.ap:
        return ""
    return next((f"without {name}" for name in blockers if place in _without(reach, name, place)), "")


def _more_inches(reach: Explained, reasons: list[Breach]) -> float:
    """Return how many more inches of its one spend would suffice; 0 if none would."""
    if reach.action not in ("move", "run") or reach.token is not None or reach.spending.is_by_front:
        return 0.0
    if reach.grounds.has_rough and reach.spending.terrain_chance == 0:
        return 0.0
    if reach.action == "move" and reach.spending.is_straight and len(reasons) > 1:
        return 0.0
    length = {"move": "SK-2", "run": "SK-30"}[reach.action]
    others = [reason for reason in reasons if reason.clause != length]
    if not reasons or reasons[0].clause != length or (reach.action == "run" and others):
        return 0.0
    return max(float(reasons[0].needed or 0) - float(reasons[0].available or 0), 0.0)


# --- variations of the question ---


def _without(reach: Explained, name: str, place: XY) -> Explained:
    """Return the same question about a place with a unit taken off the table."""
    return varied(reach, table=Table(reach.table.setting, reach.table.state.without_unit(name)), aim=place)


def varied(
    reach: Explained,
    *,
    table: SkirmishTable | None = None,
    mover: Unit | None = None,
    change: Variation | None = None,
    aim: XY | None = None,
) -> Explained:
    """Return the answer to the same question on another table, for another soldier or with a change.

    With an `aim` it knows about that place alone.
    """
    change = change or Variation()
    spending = spent_with(replace(reach.spending, unit=mover or reach.mover), change)
    return type(reach)(
        table or reach.table,
        spending.unit,
        spending.ap,
        action=reach.action,
        threshold=reach.threshold + change.threshold,
        token=None if change.any_token else reach.token,
        moving=spending.moving,
        running=spending.running,
        traversing=spending.traversing,
        changing=spending.changing,
        aim=aim,
    )


def spent_with(spending: Spending, change: Variation) -> Spending:
    """Return the spends that a question covers after a change."""
    unit = spending.unit.put(ap=int(spending.unit["ap"]) + change.ap)
    return replace(spending, unit=unit, ap=spending.ap + change.ap, changing=spending.changing or change.any_stance)
