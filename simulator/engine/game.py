"""The table: it takes orders and answers, returns what happened, and computes what could happen.

game = Game.new(ruleset, board, units, answers=DiceBag.of(7))
game.breaches("A2 run: forward 4")          # every reason against it; none: legal
happened = game.do("A2 run: forward 4")     # events, ledger, an open question
game.answer("attack")                       # answer it
game.undo()
twin = game.branch()
game.reach("A2").cost_at((3, 4))            # and reach_to, foresee, compare, threats
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator import pictures
from simulator.engine.chain import Chain, chain_reach
from simulator.engine.errors import Breach, IllegalOrder, TableError, UnreadableOrder, WrongQuestion
from simulator.engine.options import OptionsT
from simulator.engine.orders import Order
from simulator.engine.playthrough import Playthrough
from simulator.engine.reach import ReachAnswer
from simulator.engine.reach_questions import read_question
from simulator.engine.reading import read_order
from simulator.engine.ruleset import reasons_against, register_order
from simulator.engine.table import Table
from simulator.engine.values import NO_FIELDS
from simulator.errors import NoPlace
from simulator.geometry.poses import known_pose

if TYPE_CHECKING:
    from simulator.engine.comparison import Comparison
    from simulator.engine.foresight import Foreseen
    from simulator.engine.reverse_reach import ReverseReach
    from simulator.engine.threats import ThreatMap


@dataclass(frozen=True, slots=True)
class LegalOrders:
    """The legal orders of a unit: `order in orders`, and a loop over them if their number is finite."""

    game: Game[Any]
    unit: str

    def __contains__(self, order: object) -> bool:
        if not isinstance(order, (str, Order)):
            return False
        try:
            found = self.game.read(order)
            return found.unit == self.unit and not self.game.breaches(found)
        except UnreadableOrder:
            return False

    def __iter__(self) -> Iterator[Order]:
        table = self.game.ready_table(self.unit)
        ruleset = self.game.ruleset
        if any(ruleset.clock.breaches(Table(table.setting, self.game.state), self.unit, "")):
            return iter(())
        return iter(ruleset.orders(table, table.unit(self.unit)))


class Game(Playthrough[OptionsT]):
    """A game in progress, and all queries about it; each kind of query is loaded when it is first asked."""

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)

    def read(self, order: str | Order) -> Order:
        """Read an order, or check one that was built by hand; raise UnreadableOrder, with a legal order as advice."""
        try:
            return super().read(order)
        except UnreadableOrder as error:
            from simulator.engine.order_examples import with_legal_advice

            raise (with_legal_advice(self, error, self._against) if self._can_advise else error) from None

    @property
    def _can_advise(self) -> bool:
        return bool(self.state.clock.turn) and self.state.pending is None

    def _against(self, text: str) -> list[Breach] | None:
        """Return every reason against an order at its unit's go, even if it is not due; None if it is not an order."""
        try:
            order = self.planned(read_order(text, self.setting.vocabulary, self.state.units))
        except UnreadableOrder:
            return None
        except IllegalOrder as error:
            return list(error.breaches)
        if order.action in ("begin", "done"):
            return list(self.ruleset.clock.breaches(Table(self.setting, self.state), order.unit, order.action))
        found = reasons_against(self.ruleset, self.ready_table(order.unit), order)
        return sorted(found, key=lambda breach: register_order(breach.clause))

    def legal(self, unit: str) -> LegalOrders:
        """Return the legal orders of a unit."""
        self.state.unit(unit)
        return LegalOrders(self, unit)

    def legal_example(self, unit: str, action: str) -> str | None:
        """Return a legal order of a unit with an action, in its own go; None if none is found among a few."""
        from simulator.engine.order_examples import legal_example

        form = next((form for form in self.setting.vocabulary.actions if form.name == action), None)
        if form is None or not self._can_advise:
            return None
        return legal_example(self, self.state.unit(unit), form, self._against)

    def foresee(self, orders: str | Order | Iterable[str | Order]) -> Foreseen:
        """Forecast orders: events, price, rolls if all goes well, who could interrupt them, how else they may end."""
        from simulator.engine.foresight import foresee

        return foresee(self, orders)

    def reach(self, unit: str, action: str | Chain = "", **question: Any) -> ReachAnswer:
        """Compute where a unit can legally end with an action, see `Playthrough.reach`; or after a whole `Chain`."""
        if not isinstance(action, Chain):
            return super().reach(unit, action, **question)
        if question:
            names = ", ".join(question)
            raise WrongQuestion(f"{names}: values belong to the links of a chain, as in ask('move', mode='run')")
        return chain_reach(self, unit, action)

    def reach_to(self, unit: str, place: Any, action: str = "", **question: Any) -> ReverseReach:
        """Compute from where a unit could get to a place or pose with an action: `reach` the other way round.

        Everything but its place stays as it is now: heading, parity, what it has spent, and the places of the others;
        the answer also covers starts with other headings. Without an action it is the first of `ruleset.reaches` that
        works the other way round.
        """
        refused = self._no_reach(self.state.unit(unit))
        if refused is not None:
            raise refused
        ruleset = self.ruleset
        goal = known_pose(place, ruleset.name, headings=ruleset.reach_headings, levels=ruleset.reach_levels)
        if goal.place not in self.board:
            raise NoPlace(self.board.no_such_place(goal.place))
        actions, values = read_question(ruleset, action, question, self.state.units)
        table, first = self.ready_table(unit), None
        for one in actions:
            try:
                return ruleset.reach_to(table, table.unit(unit), goal.plain, one, **values)
            except TableError as error:
                first = first or error
        assert first is not None
        raise first

    def compare(
        self,
        unit: str,
        changes: Mapping[str, Any] = NO_FIELDS,
        action: str = "",
        *,
        figures: Mapping[str, Any] = NO_FIELDS,
        **question: Any,
    ) -> Comparison:
        """Compare a unit's reach under the current rules and under changed ones: gained, lost, dearer, cheaper.

        `changes` are options by name, `figures` those of the tables by path: `figures={"inches.standing": 4}`.
        """
        from simulator.engine.comparison import compare

        return compare(self, unit, changes, action, figures=figures, **question)

    def threats(self, side: str, action: str = "", **question: Any) -> ThreatMap:
        """Compute where the units of a side can end: how many of them and which."""
        from simulator.engine.threats import threat_map

        return threat_map(self, side, action, **question)
