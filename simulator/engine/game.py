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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simulator import pictures
from simulator.engine.chain import Chain, chain_reach
from simulator.engine.errors import Breach, IllegalOrder, MissingAnswer, TableError, UnreadableOrder, WrongQuestion
from simulator.engine.legal_orders import LegalNow, LegalOrders
from simulator.engine.objectives import Score, scored
from simulator.engine.options import OptionsT
from simulator.engine.orders import Order
from simulator.engine.playthrough import Playthrough
from simulator.engine.reach import ReachAnswer
from simulator.engine.reach_questions import read_question
from simulator.engine.reading import read_order
from simulator.engine.ruleset import reasons_against, register_order
from simulator.engine.state import require_side
from simulator.engine.table import Table
from simulator.engine.values import NO_FIELDS
from simulator.errors import NoPlace, text_given
from simulator.geometry.poses import known_pose

if TYPE_CHECKING:
    from simulator.engine.area_so_far import AreaSoFar
    from simulator.engine.bulk_reach import BulkReach
    from simulator.engine.comparison import Comparison
    from simulator.engine.foresight import Foreseen
    from simulator.engine.reverse_reach import ReverseReach
    from simulator.engine.steps import Step
    from simulator.engine.threats import ThreatMap


class Game(Playthrough[OptionsT]):
    """A game in progress, and all queries about it; each kind of query is loaded when it is first asked."""

    #: The legal orders at this moment, as far as they were asked for.
    _legal: LegalNow | None = None

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

    # --- for programs that play ---

    def to_move(self) -> tuple[str, ...]:
        """Return the units that may be ordered now: the one whose go has begun first, the others as in the scenario."""
        return self._legal_now().to_move

    @property
    def side_to_move(self) -> str:
        """The side of the first unit that may be ordered now; "" if there is none."""
        return next((self.state.units[name].side for name in self.to_move()), "")

    def legal(self, unit: str | None = None) -> LegalOrders:
        """Return the legal orders of a unit; without one those of all who may be ordered now, each with its `done`.

        See `legal_orders`: they can be looped over and counted where their number is finite, and sampled anywhere.
        """
        return self._legal_now().of(unit)

    def legal_of_side(self, side: str) -> LegalOrders:
        """Return the legal orders of the units of one side, each with its `done`: a part of `legal()`.

        Raise TableError for a side that no unit has had.
        """
        wanted: Any = side
        if not isinstance(wanted, str) or not any(unit.side == wanted for unit in self.state):
            require_side(side, (*self.opening, *self.state))
        return self._legal_now().of_side(side)

    def _legal_now(self) -> LegalNow:
        if self._legal is None or self._legal.state is not self.state:
            self._legal = LegalNow(self.branch())
        return self._legal

    def step(self, order: str | Order) -> Step:
        """Play an order to its end: its events, whether the game is over, and how it stands.

        The game's answerers answer all questions; if none of them has an answer, the game stays as it was, and
        MissingAnswer names the question. An order that `legal` returned at this moment is not judged again.
        """
        from simulator.engine.steps import Step

        known = isinstance(order, Order) and self._legal is not None and self._legal.proved(order, self.state)
        happened = self._played(order) if isinstance(order, Order) and known else self.do(order)
        if happened.question is not None:
            self.undo()
            raise MissingAnswer(f"nobody answers {happened.question}; give the game an answerer for it")
        score = self.score
        return Step(happened.events, score.is_over or not self.to_move(), score)

    @property
    def score(self) -> Score:
        """How the game stands by the objective of its scenario: the points of each side, and who has won."""
        return scored(self.setting.objective, self.board, self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game is over: by its objective, or because no unit can be ordered any more."""
        return self.score.is_over or not (self.state.pending or self.to_move())

    def legal_example(self, unit: str, action: str) -> str | None:
        """Return a legal order of a unit with an action, in its own go; None if none is found among a few."""
        from simulator.engine.order_examples import legal_example

        known = {form.name: form for form in self.setting.vocabulary.actions}
        form = known.get(text_given("an action", action))
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

    def reach_within(self, seconds: float, unit: str, action: str | Chain = "", **question: Any) -> AreaSoFar:
        """Ask the same with a deadline: what is known of the area after some seconds, which can be refined.

        On inch tables an area may take seconds; elsewhere all of it is known at once.
        """
        from simulator.engine.area_so_far import AreaSoFar

        return AreaSoFar(self.reach(unit, action, **question)).refine(seconds)

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
        goal = replace(goal, place=self.board.own_place(goal.place))
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

    def bulk_reach(
        self,
        unit: str,
        action: str = "",
        *,
        spacing: float = 1.0,
        headings: Sequence[Any] = (),
        measured: bool = False,
        **question: Any,
    ) -> BulkReach:
        """Ask where a unit can end from every place where it may stand, everything else as it is now.

        Starts and ends are the places of a lattice, and on a table places `spacing` inches apart. It sets out with
        `headings`: by default with each of a lattice, on a table with the one it has. `measured`: each answer also has
        the area of its ends as polygons. Without an action it is the first with an answer where the unit stands now.
        """
        from simulator.engine.bulk_reach import bulk_reach

        here = self.reach(unit, action, **question)
        _, values = read_question(self.ruleset, here.action, question, self.state.units)
        table = self.ready_table(unit)
        return bulk_reach(
            self.ruleset, table, here, unit, values, spacing=spacing, headings=headings, measured=measured
        )

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
