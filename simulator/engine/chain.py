"""Chains of questions: walk, mount, drive; pass after pass; one movement phase after another.

A chain is a row of links: questions of reach (`ask`) and orders. Each link begins at every end of the link before it,
with the price paid so far and the chance of getting there:

    game.reach("ann", Chain([ask("foot_move"), "ann mount bike", "ann turn_on", ask("drive", mode="max")]))
    game.reach("A", Chain([ask("move"), "all done", ask("move", mode="run")]))

The answer is a `ReachAnswer` like any other: prices are added, chances multiplied, orders concatenated, and
`why_not` names the link that fails. A rulebook with chains of its own follows its orders as a row of `Moment`s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator import pictures
from simulator.engine import geojson
from simulator.engine.areas import ground, with_ground, without
from simulator.engine.errors import Breach, IllegalOrder, TableError, WrongQuestion
from simulator.engine.given import chances_given
from simulator.engine.orders import Order
from simulator.engine.playthrough import Playthrough
from simulator.engine.reach import Place, ReachAnswer, WhyNot
from simulator.engine.ruleset import ActionRule
from simulator.engine.state import State, Unit
from simulator.engine.table import Table
from simulator.errors import TooMuchAsked
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.snapping import union
from simulator.pathing.costs_given import costs_given
from simulator.pathing.ends import End, HeadingRange, cheapest_ranges
from simulator.pathing.reach import Reach, spread
from simulator.pathing.traces import NoRoute

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from simulator.engine.foresight import Foreseen

#: The largest number of moments at which a link may begin.
MOST_MOMENTS = 5000


# --- questions ---


@dataclass(frozen=True)
class ChainLink:
    """One link of a chain: a question of reach, or an order. See `ask`."""

    #: The action of the question; "" for the usual one.
    action: str = ""
    #: The order, in place of a question.
    order: str | Order = ""
    #: The unit of the question, if it is not that of the chain.
    unit: str = ""
    #: The places where the next link may begin; without any, all ends.
    to: tuple[Place | Pose, ...] = ()
    question: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return str(self.order) if self.order else self.action or "reach"


def ask(action: str = "", *, unit: str = "", to: Iterable[Place | Pose] = (), **question: Any) -> ChainLink:
    """Return a link that asks where a unit can end, as `Game.reach` does; the next link begins at all ends or some.

    On a table the ends cannot be counted: there `to` lists those at which the next link begins, places or poses.
    """
    ends = tuple(one if isinstance(one, Pose) else tuple(one) for one in to)
    return ChainLink(action, unit=unit, to=ends, question=question)


@dataclass(frozen=True)
class Chain:
    """A row of questions and orders: links, or orders as texts, each with its unit: `Chain([ask("move"), "all done"])`.

    The last is a question: its ends are the ends of the chain.
    """

    links: tuple[ChainLink, ...]

    def __init__(self, links: Iterable[ChainLink | Order | str]) -> None:
        converted = tuple(link if isinstance(link, ChainLink) else ChainLink(order=link) for link in links)
        if not converted or converted[-1].order:
            raise WrongQuestion("a chain ends with a question of reach, since its ends are those of its last link")
        object.__setattr__(self, "links", converted)

    def __str__(self) -> str:
        return ", then ".join(map(str, self.links))


class WayOn(NamedTuple):
    """A way to an end from which a chain continues: the end, its cost, a lower bound of its chance, and its orders."""

    place: Place | Pose
    cost: Any
    chance: Fraction
    orders: Sequence[Order]

    def is_at(self, end: Place | Pose) -> bool:
        """Whether it ends at a place or in a pose."""
        here, there = Pose.of(self.place), Pose.of(end)
        same = there.heading in (None, here.heading) and there.level in (None, here.level)
        return bool(same and here.place == there.place)


@runtime_checkable
class GoesOn(Protocol):
    """An answer in which one place can have several ends, from which a unit can continue differently."""

    def ways_on(self) -> Iterable[WayOn]:
        """Yield a way to every distinct end; if chances differ, the surest as well as the cheapest."""


# --- chains made by rulebooks ---


@dataclass(frozen=True)
class Moment:
    """A moment on the way of a unit: the table at that moment, and the orders before it or why one is forbidden."""

    table: Table[Any]
    orders: tuple[Order, ...] = ()
    refused: tuple[Breach, ...] = ()

    def then(self, order: Order, against: Iterable[Breach], rule: ActionRule) -> Moment:
        """Play an order by a rule that asks no questions; an order with breaches is not played.

        Orders after a forbidden order are forbidden, too.
        """
        if self.refused:
            return self
        if refused := tuple(against):
            return replace(self, refused=refused)
        after = Table(self.table.setting, self.table.state)
        after.play(rule(after, order), f"in '{order.action}'")
        return Moment(after, (*self.orders, order))

    def put(self, *units: Unit, orders: Iterable[Order] = ()) -> Moment:
        """Return the same moment with some units changed, and the orders that changed them."""
        state = self.table.state
        for unit in units:
            state = state.with_unit(unit)
        return replace(self, table=Table(self.table.setting, state), orders=(*self.orders, *orders))


# --- answers ---


@dataclass(frozen=True)
class LinkStart:
    """The start of a link: the table, the orders before it, their cost in each currency, and their chance."""

    state: State
    orders: tuple[Order, ...] = ()
    paid: Mapping[str, Fraction] = field(default_factory=dict)
    chance: Fraction = Fraction(1)

    def after(self, foreseen: Foreseen, price: Mapping[str, Any], chance: Fraction) -> LinkStart:
        """Return the start of the next link, after some successful orders."""
        paid = {
            name: Fraction(price.get(name, 0)) + self.paid.get(name, Fraction(0)) for name in {**self.paid, **price}
        }
        orders = (*self.orders, *(happened.given or happened.order for happened in foreseen.happened))
        return LinkStart(foreseen.state, orders, paid, self.chance * chance)

    def in_units(self, unit: str) -> Fraction:
        """Return the amount paid in the currency of an answer."""
        return sum((paid for name, paid in self.paid.items() if name in (unit, f"{unit}s")), Fraction(0))


class ChainReach:
    """Where a unit can end after a chain: at the ends of all answers of the last link."""

    def __init__(
        self,
        table: Table[Any],
        mover: Unit,
        chain: Chain,
        answers: Sequence[tuple[LinkStart, ReachAnswer]],
        failed: WhyNot | None = None,
    ) -> None:
        self.table, self.board, self.chain = table, table.board, chain
        #: The last link's answers, each with its start.
        self.answers = tuple(answers)
        self.mover = self.answers[0][1].mover if self.answers else mover
        self.action = str(chain)
        self.unit = self.answers[0][1].unit if self.answers else ""
        #: Why the last link is never reached, if it is not.
        self._failed = failed

    def _offers(self, place: Any) -> list[tuple[Fraction, Fraction, int]]:
        """List the ways to a place: price, negated chance, and the number of the answer that has it."""
        found = []
        for number, (begun, answer) in enumerate(self.answers):
            cost = answer.cost_at(place)
            if cost is not None:
                found.append(
                    (begun.in_units(self.unit) + Fraction(cost), -begun.chance * answer.chance_at(place), number)
                )
        return sorted(found)

    def __contains__(self, place: object) -> bool:
        return any(place in answer for _, answer in self.answers)

    def cost_at(self, place: Any) -> Fraction | None:
        """Return the least price of the whole chain to a place; None if it cannot end there."""
        offers = self._offers(place)
        return offers[0][0] if offers else None

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> NDArray[np.float64]:
        """For numpy: return the same for many places, an array of pairs, or poses; inf where it cannot end."""
        least = np.full(len(cast(Sequence[Any], places)), np.inf)
        for begun, answer in self.answers:
            least = np.minimum(least, answer.costs_at(places) + float(begun.in_units(self.unit)))
        return least

    def ends_at(self, place: Any) -> tuple[End, ...]:
        """Return the ends at a place, or those that match a pose, each at its least price, cheapest first.

        The middle of a range of headings represents it.
        """
        found: dict[tuple[Pose, str], End] = {}
        for begun, answer in self.answers:
            for end in answer.ends_at(place):
                priced = replace(end, cost=begun.in_units(self.unit) + Fraction(end.cost))
                known = found.setdefault((end.pose, end.phase), priced)
                if priced.cost < known.cost:
                    found[end.pose, end.phase] = priced
        # The middle of one answer's range may lie in a cheaper range of another; phases are states of their own.
        least = (one if one.phase else replace(one, cost=self.cost_at(one.pose)) for one in found.values())
        return tuple(sorted(least, key=attrgetter("cost")))

    def headings_at(self, place: Any) -> tuple[HeadingRange, ...]:
        """Return the headings in which it can end at a place, as ranges of equal least price."""
        return cheapest_ranges(
            replace(one, cost=begun.in_units(self.unit) + Fraction(one.cost))
            for begun, answer in self.answers
            for one in answer.headings_at(place)
        )

    def chance_at(self, place: Any) -> Fraction:
        """Return the best known chance of ending at a place; 0 if it cannot.

        It is the best of all if the answers of the links know the chance of each way (`WayOn`).
        """
        return max((-chance for _, chance, _ in self._offers(place)), default=Fraction(0))

    def orders_to(self, place: Any, safest: bool = False) -> list[Order]:
        """Return the orders of all links that end at a place for the least price, or with `safest` most surely."""
        offers = self._offers(place)
        if not offers:
            raise NoRoute("; ".join(reason.message for reason in self.why_not(place).reasons))
        _, _, number = min(offers, key=lambda offer: (offer[1], offer[0])) if safest else offers[0]
        begun, answer = self.answers[number]
        return [*begun.orders, *answer.orders_to(place)]

    def why_not(self, place: Any) -> WhyNot:
        """Explain why it cannot end at a place: the link that fails, with its reasons."""
        pose = Pose.of(place)
        named = None if pose.is_place else pose
        if (cost := self.cost_at(place)) is not None:
            return WhyNot(pose.place, (), pose.place, cost, self.unit, pose=named, nearest_pose=named)
        if self._failed is not None:
            return replace(self._failed, place=pose.place, pose=named)
        whys = [(begun, answer.why_not(place)) for begun, answer in self.answers]
        begun, why = min(whys, key=lambda found: (len(found[1].reasons), found[0].in_units(self.unit)))
        paid = begun.in_units(self.unit)
        price, alike = (None if one is None else paid + Fraction(one) for one in (why.nearest_cost, why.alike_cost))
        last = len(self.chain.links)
        return replace(why, reasons=_of_link(last, self.chain, why.reasons), nearest_cost=price, alike_cost=alike)

    # --- areas ---

    @cached_property
    def area(self) -> BaseGeometry:
        """All places of `mover` at an end, in the plane."""
        return self.area_of()

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """Return the places of the ends with a heading or on a level; without either it equals `area`."""
        return union([answer.area_of(heading=heading, level=level) for _, answer in self.answers])

    def _within(self, cost: Fraction) -> BaseGeometry:
        """Return the ground that a chain reaches for at most a price."""
        parts = []
        for begun, answer in self.answers:
            left = cost - begun.in_units(self.unit)
            if left >= 0:
                parts += [region for _, region in answer.bands([left])]
        return union(parts)

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """Return the area by price, disjoint, the cheapest first; without levels, at six prices at most."""
        known = sorted(
            {
                begun.in_units(self.unit) + Fraction(level)
                for begun, answer in self.answers
                for level, _ in answer.bands()
            }
        )
        chosen = [known[number] for number in spread(len(known))] if levels is None else costs_given(levels)
        found = _disjoint([(level, self._within(Fraction(level))) for level in chosen])
        # Ground of a dearer band may be cheaper from another moment.
        return [band for band in found if levels is not None or not band[1].is_empty]

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance, disjoint, the surest first; without levels, at six chances at most."""
        by_answer = [(begun.chance, answer) for begun, answer in self.answers if begun.chance]
        known = sorted(
            {chance * level for chance, answer in by_answer for level, _ in answer.chance_bands()}, reverse=True
        )
        chosen = [known[number] for number in spread(len(known))] if levels is None else chances_given(levels)
        found = []
        for level in sorted(map(Fraction, chosen), reverse=True):
            able = [(answer, level / chance) for chance, answer in by_answer if level <= chance]
            found.append((level, union([region for answer, own in able for _, region in answer.chance_bands([own])])))
        return _disjoint(found)

    def to_geojson(self) -> dict[str, Any]:
        """Return the area and its bands by price and by chance as a feature collection in the plane."""
        features = [
            geojson.feature(self.area, "area", unit=self.unit),
            *(geojson.band(region, level, self.unit) for level, region in with_ground(self.bands())),
            *(geojson.chance_band(region, level) for level, region in with_ground(self.chance_bands())),
        ]
        return geojson.collection(self, features)

    def __repr__(self) -> str:
        return f"<Reach of {self.mover.id} by {self.action}: the last link begins at {len(self.answers)} moments>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def _disjoint(grown: Iterable[tuple[Any, BaseGeometry]]) -> list[tuple[Any, BaseGeometry]]:
    """Cut areas, each of which contains the one before, into bands."""
    found: list[tuple[Any, BaseGeometry]] = []
    before: BaseGeometry = union([])
    for level, region in grown:
        found.append((level, without(region, before) if found else region))
        before = ground(region)
    return found


def _of_link(number: int, chain: Chain, reasons: Iterable[Breach]) -> tuple[Breach, ...]:
    name = f"link {number} of {len(chain.links)} ({chain.links[number - 1]})"
    return tuple(replace(reason, message=f"{name}: {reason.message}") for reason in reasons)


# --- computation ---


def chain_reach(game: Playthrough[Any], unit: str, chain: Chain) -> ChainReach:
    """Answer a chain from the current table: link by link, from every end of the one before.

    The orders between are played by the rules, with every test passed and nobody reacting, as in foresight.
    """
    mover = game.ready_table(unit).unit(unit)
    here = [LinkStart(game.state)]
    for number, link in enumerate(chain.links[:-1], 1):
        ends: list[LinkStart] = []
        against: list[WhyNot] = []
        for begun in here:
            found, why = _after(game, unit, link, begun)
            ends += found
            against += why
        here = _cheapest(ends)
        if not here:
            return ChainReach(game.ready_table(unit), mover, chain, (), _failure(number, chain, against))
        if len(here) > MOST_MOMENTS:
            message = f"link {number} of the chain ({link}) has {len(here)} ends; at most {MOST_MOMENTS} are allowed"
            raise TooMuchAsked(f"{message}: name its ends with `to`")
    last = chain.links[-1]
    answers = [(begun, _answer_of(_at(game, begun), unit, last)) for begun in here]
    return ChainReach(game.ready_table(unit), mover, chain, answers)


def _at(game: Playthrough[Any], begun: LinkStart) -> Playthrough[Any]:
    twin = game.branch()
    twin.state = begun.state
    return twin


def _answer_of(game: Playthrough[Any], unit: str, link: ChainLink) -> ReachAnswer:
    answer: ReachAnswer = game.reach(link.unit or unit, link.action, **link.question)
    return answer


def _after(
    game: Playthrough[Any], unit: str, link: ChainLink, begun: LinkStart
) -> tuple[list[LinkStart], list[WhyNot]]:
    """Return the starts of the next link for one start of this link; if there are none, also why."""
    from simulator.engine.foresight import Foreseen, foresee

    twin = _at(game, begun)
    if link.order:
        try:
            foreseen = foresee(twin, link.order)
        except IllegalOrder as error:
            return [], [WhyNot((), error.breaches)]
        return [begun.after(foreseen, foreseen.ledger.totals, foreseen.chance)], []
    try:
        answer = _answer_of(twin, unit, link)
    except WrongQuestion:
        raise
    except TableError as error:
        return [], [WhyNot((), (Breach("", str(error)),))]
    found = []
    for way in _ways_on(answer, link):
        foreseen = foresee(twin, way.orders) if way.orders else Foreseen(game.setting, begun.state, ())
        found.append(begun.after(foreseen, {answer.unit: way.cost}, min(way.chance, foreseen.chance)))
    reasons = tuple(getattr(answer, "refused", ())) or tuple(
        reason for to in link.to for reason in answer.why_not(to).reasons
    )
    return found, [] if found else [WhyNot((), reasons)]


def _ways_on(answer: ReachAnswer, link: ChainLink) -> Iterable[WayOn]:
    if isinstance(answer, GoesOn):
        return (way for way in answer.ways_on() if not link.to or any(map(way.is_at, link.to)))
    if link.to:
        places: Iterable[Place | Pose] = [place for place in link.to if place in answer]
    elif isinstance(answer, Reach):
        places = answer
    else:
        raise WrongQuestion(f"'{link}' has more ends than can be counted: name those to continue from with `to`")
    return (WayOn(place, answer.cost_at(place), answer.chance_at(place), answer.orders_to(place)) for place in places)


def _cheapest(moments: Iterable[LinkStart]) -> list[LinkStart]:
    """Drop starts that lead to the same table as another, cost no less and have no better chance."""
    kept: dict[str, list[LinkStart]] = {}
    for one in moments:
        same = kept.setdefault(one.state.position_hash, [])
        if not any(_dominates(other, one) for other in same):
            same[:] = [other for other in same if not _dominates(one, other)] + [one]
    return [one for same in kept.values() for one in same]


def _dominates(one: LinkStart, other: LinkStart) -> bool:
    names = {**one.paid, **other.paid}
    cheap = all(one.paid.get(name, 0) <= other.paid.get(name, 0) for name in names)
    return cheap and one.chance >= other.chance


def _failure(number: int, chain: Chain, against: Sequence[WhyNot]) -> WhyNot:
    """Return why a link fails from every start: the reasons of the start with the fewest."""
    reasons = min((why.reasons for why in against if why.reasons), key=len, default=())
    if not reasons:
        reasons = (Breach("", "it has no ends"),)
    return WhyNot((), _of_link(number, chain, reasons))
