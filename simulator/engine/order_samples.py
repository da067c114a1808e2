"""Legal orders at random where they are infinitely many, with a stated distribution.

A sample is drawn in four steps:

1. *The action*: `done` with a chance of 1/10, else each action of the rulebook equally likely; orders out of turn, by
   the game master, are left out. An action for which no draft is legal is set aside and another one is drawn,
   `done` last of all.
2. *The aim*: any direction, an opponent, a place of the objective, or the nearest edge of the board; each kind that
   there is equally likely, and each thing of a kind.
3. *The way*: a turn to the aim and a leg towards it, as far as the aim; in any direction, up to half the diagonal of
   the board. With a chance of 1/4 it is another element instead, and with 1/4 one more follows.
4. *How far*: the draft goes to the judge. One that is too dear is shortened to what can be spent, any other one that is
   refused to a half, at most three times; so drafts end at their aim, at the limit of what can be spent, or short of
   what is in the way. With a chance of 1/3 the whole draft is shortened at random beforehand.

Arguments are drawn evenly from what there is: units of the side wanted, the pieces of terrain nearest to the unit,
listed words, headings, places near the unit. Optional arguments are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach, TableError, UnreadableOrder
from simulator.engine.orders import ActionForm, Arg, Element, Form, Kind, Order
from simulator.engine.playthrough import Playthrough
from simulator.engine.posed_orders import TURN_NAMES
from simulator.engine.reading import checked, named_by
from simulator.engine.table import Table
from simulator.geometry.angles import turn_between
from simulator.geometry.pieces import XY

#: The chance of `done`.
_DONE = 0.1
#: How often a draft of an action is drawn before the action is put aside, and how often one is shortened.
_MOST_DRAFTS, _MOST_CUTS = 2, 3
#: The chance of an element that is not the usual leg, and of one more element.
_OTHER, _ONE_MORE = 0.25, 0.25
#: The chance that a draft is shortened before it is judged.
_SHORTER = 1 / 3
#: What is left of an allowance after a draft was shortened to it: some prices are rounded up.
_WITHIN = 0.98
#: The number of pieces of terrain that an order may name, the nearest ones, and how far places are drawn from the unit.
_PIECES, _NEAR = 5, 4.0
#: The argument of a leg with its length.
_INCHES = "inches"
#: The usual legs, the first one that an action has.
_USUAL = ("to", "forward")


class _Aim(NamedTuple):
    """Where a draft leads: its direction in degrees, and how far away the aim is."""

    heading: float
    far: float


class OrderSampler:
    """Draws legal orders of one unit at one moment."""

    def __init__(self, game: Playthrough[Any], unit: str, done: Order | None) -> None:
        self._game, self._done = game, done
        self._ready = game.ready_table(unit)
        self._unit = self._ready.unit(unit)
        self._clock: dict[str, Sequence[Breach]] = {}

    def sample(self, rng: Random) -> Order | None:
        """Return a legal order; None if none was found."""
        if self._done is not None and rng.random() < _DONE:
            return self._done
        actions = [one for one in self._game.ruleset.vocabulary.actions if not one.aside]
        while actions:
            form = actions.pop(rng.randrange(len(actions)))
            try:
                drafts = (self._legal_draft(form, rng) for _ in range(_MOST_DRAFTS))
                order = next((order for order in drafts if order is not None), None)
            except _PutAside:
                continue
            if order is not None:
                return order
        return self._done

    def _legal_draft(self, form: ActionForm, rng: Random) -> Order | None:
        """Draw a draft and shorten it until it is legal; None if it never is, or `_PutAside` if no other can be."""
        args = self._arguments(form, rng)
        spelt = list(self._elements(form, self._aim(rng), rng)) if form.elements else []
        share = rng.random() if rng.random() < _SHORTER else 1.0
        try:
            order = checked(
                self._order(form, spelt, share, args), self._game.setting.vocabulary, self._game.state.units
            )
            for cuts in range(_MOST_CUTS + 1):
                # Whatever shortens a draft is read as it is made.
                order = self._order(form, spelt, share, order.args) if cuts else order
                against = self._against(order)
                if not against.reasons:
                    return order
                if not against.depends_on_the_way:
                    if not args:
                        raise _PutAside
                    return None
                if against.stays or not any(map(_is_leg, spelt)):
                    return None
                share *= (0.5 / _WITHIN if against.share is None else against.share) * _WITHIN
        except (UnreadableOrder, TableError):
            pass
        return None

    def _order(self, form: ActionForm, spelt: Sequence[Element], share: float, args: Mapping[str, Any]) -> Order:
        return Order(self._unit.id, form.name, [self._shortened(one, share) for one in spelt], args)

    def _against(self, draft: Order) -> AgainstDraft:
        """Return what the rules have against a draft, as far as it matters here."""
        if clock := self._clock_against(draft.action):
            found = AgainstDraft(clock)
            if not found.depends_on_the_way:
                return found
        if not self._game.state.clock.turn:
            return AgainstDraft(clock)
        against = self._game.ruleset.against_draft(self._ready, draft)
        return against._replace(reasons=[*clock, *against.reasons])

    def _clock_against(self, action: str) -> Sequence[Breach]:
        """What the clock has against an action of the unit."""
        if action not in self._clock:
            table = Table(self._game.setting, self._game.state)
            self._clock[action] = list(self._game.ruleset.clock.breaches(table, self._unit.id, action))
        return self._clock[action]

    # --- where to ---

    @cached_property
    def _here(self) -> XY | None:
        """Where the unit stands, or its carrier."""
        state, place = self._game.state, self._unit.place
        if place is None:
            carriers = [unit.place for unit in state.carriers_of(self._unit.id) if unit.place is not None]
            place = carriers[0] if carriers else None
        return None if place is None else (float(place[0]), float(place[1]))

    def _aim(self, rng: Random) -> _Aim:
        if self._here is None:
            raise _PutAside
        kinds = [places for places in self._places_of_interest if places]
        chosen = rng.randrange(len(kinds) + 1)
        x0, y0, x1, y1 = self._game.board.bounds
        if chosen == len(kinds):
            return _Aim(rng.uniform(0, 360), rng.uniform(0, math.hypot(x1 - x0, y1 - y0) / 2))
        x, y = rng.choice(kinds[chosen])
        across, up = x - self._here[0], y - self._here[1]
        return _Aim(math.degrees(math.atan2(up, across)) % 360, math.hypot(across, up))

    @cached_property
    def _places_of_interest(self) -> tuple[Sequence[XY], ...]:
        """Opponents, places of the objective, and the nearest place of an edge of the board."""
        state, board = self._game.state, self._game.board
        assert self._here is not None
        x, y = self._here
        opponents = [(unit.place[0], unit.place[1]) for unit in state.standing if unit.side != self._unit.side]
        held = [place.place for place in self._game.setting.objective.hold]
        x0, y0, x1, y1 = board.bounds
        edges = [(x0, y), (x1, y), (x, y0), (x, y1)]
        nearest = min(edges, key=lambda edge: math.dist(edge, (x, y)))
        return opponents, [(place[0], place[1]) for place in held if place[:2] != (x, y)], [nearest]

    # --- elements ---

    def _elements(self, form: ActionForm, aim: _Aim, rng: Random) -> Iterator[Element]:
        forms = [self._game.ruleset.vocabulary.element(name) for name in form.elements]
        usual = next((one for name in _USUAL for one in forms if one.name == name), None)
        others = [one for one in forms if one is not usual] if usual is not None else forms
        if usual is not None and not (others and rng.random() < _OTHER):
            yield from self._leg(usual, form, aim)
        else:
            yield self._element(rng.choice(others), rng)
        while rng.random() < _ONE_MORE:
            yield self._element(rng.choice(forms), rng)

    def _leg(self, usual: Form, form: ActionForm, aim: _Aim) -> Iterator[Element]:
        """Yield a leg towards the aim, after a turn to it where legs follow the heading."""
        (arg,) = (arg for arg in usual.args if not arg.optional)
        if arg.kind.is_place:
            assert self._here is not None
            yield Element(usual.name, {arg.name: _read(arg.kind, _place_text(_beside(self._here, aim)))})
            return
        turn = turn_between(float(self._unit.heading or 0), aim.heading)
        for name, degrees in zip(TURN_NAMES, (turn, -turn), strict=True):
            if name in form.elements and degrees > 0:
                kind = self._game.ruleset.vocabulary.element(name).args[0].kind
                yield Element(name, {"angle": _read(kind, f"{degrees:.2f}")})
        yield Element(usual.name, {arg.name: _read(arg.kind, f"{max(aim.far, 0.01):.3f}")})

    def _element(self, form: Form, rng: Random) -> Element:
        return Element(form.name, self._arguments(form, rng))

    def _shortened(self, element: Element, share: float) -> Element:
        """Return an element with its way shortened to a share."""
        if share == 1.0 or not _is_leg(element):
            return element
        form = self._game.ruleset.vocabulary.element(element.name)
        kinds = {arg.name: arg.kind for arg in form.args}
        if _INCHES in element.args:
            inches = _read(kinds[_INCHES], f"{max(float(element[_INCHES]) * share, 0.01):.3f}")
            return Element(element.name, {**element.args, _INCHES: inches})
        assert self._here is not None
        (x, y), there = self._here, element["place"]
        place = x + (there[0] - x) * share, y + (there[1] - y) * share
        return Element(element.name, {"place": _read(kinds["place"], _place_text(place))})

    # --- arguments ---

    def _arguments(self, form: Form, rng: Random) -> dict[str, Any]:
        found = {}
        for arg in form.args:
            if not arg.optional:
                value = self._argument(arg, rng)
                found[arg.name] = (value,) if arg.many else value
        return found

    def _argument(self, arg: Arg, rng: Random) -> Any:
        kind = arg.kind
        if kind.is_unit:
            return _one_of(named_by(kind, self._unit.id, self._game.state.units), rng)
        if kind.is_place:
            if self._here is None:
                raise _PutAside
            near = _Aim(rng.uniform(0, 360), rng.uniform(0, _NEAR))
            return _read(kind, _place_text(_beside(self._here, near)))
        if kind.example == "wall":  # a piece of terrain, see `orders.piece_id`
            return _one_of(self._pieces, rng)
        if arg.name == "heading":
            return _read(kind, f"{rng.uniform(0, 360):.2f}")
        if kind.words:
            return _read(kind, rng.choice(kind.words))
        text = f"{rng.uniform(0, _NEAR):.2f}" if arg.name == _INCHES else f"{rng.uniform(0, 180):.1f}"
        return _read(kind, text if kind.pattern.fullmatch(text) else kind.example)

    @cached_property
    def _pieces(self) -> Sequence[str]:
        """The pieces of terrain nearest to the unit."""
        from shapely.geometry import Point

        if self._here is None:
            return ()
        here, pieces = Point(self._here), getattr(self._game.board, "pieces", ())
        return [piece.id for piece in sorted(pieces, key=lambda piece: piece.shape.polygon.distance(here))[:_PIECES]]


class _PutAside(Exception):
    """An action of which no draft can be legal: it needs a unit or a piece that is not there, or is not allowed now."""


def _one_of(things: Sequence[str], rng: Random) -> str:
    if not things:
        raise _PutAside
    return rng.choice(things)


def _read(kind: Kind, text: str) -> Any:
    try:
        return kind.read(text)
    except ValueError:
        return kind.read(kind.example)


def _is_leg(element: Element) -> bool:
    return _INCHES in element.args or element.name == "to"


def _beside(here: XY, aim: _Aim) -> XY:
    angle = math.radians(aim.heading)
    return here[0] + aim.far * math.cos(angle), here[1] + aim.far * math.sin(angle)


def _place_text(place: XY) -> str:
    return f"{place[0]:.4f},{place[1]:.4f}"
