"""Laws of the table, tried on random play: orders of every sort, answers, taking back, saving, replaying, branching.

Every step is made at three tables: the one that was played on all the time, a branch of it, and one that was loaded
from its saved state. All three have to come to the same, and a replay of the log too.
"""

import tempfile
from pathlib import Path

import duel_ruleset
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from simulator.engine.answers import DiceBag
from simulator.engine.errors import (
    AnswerError,
    IllegalOrder,
    OrderError,
    TableError,
    UnreadableOrder,
)
from simulator.engine.events import Event
from simulator.engine.game import Game
from simulator.engine.ledger import added
from simulator.engine.log import Header, LogWriter, read_log, replay
from simulator.engine.state import State
from simulator.engine.table import Setting
from simulator.engine.values import Fields
from simulator.geometry.squares import SquareGrid

UNITS = st.sampled_from(["A1", "A2", "B1", "B2"])
WALKS = st.builds(
    lambda unit, steps: f"{unit} walk: {', '.join(steps)}",
    UNITS,
    st.lists(st.sampled_from(["left", "right", "left 2", "right 2", "right 5/2"]), min_size=1, max_size=3),
)
STRIKES = st.builds(
    lambda unit, target, ap: f"{unit} strike {target}{ap}", UNITS, UNITS, st.sampled_from(["", " with 2", " with 1/2"])
)
GOALS = st.builds(lambda unit, column: f"{unit} walk to {column},0", UNITS, st.integers(-1, 8))
OTHERS = st.builds(lambda unit, what: f"{unit} {what}", UNITS, st.sampled_from(["pray", "pray to joan", "done"]))
SIDES = st.sampled_from(["red done", "blue done", "all done", "all begin", "green done"])
GARBLED = st.builds(
    lambda text, at, char: text[: at % len(text)] + char + text[at % len(text) + 1 :],
    WALKS | STRIKES,
    st.integers(0, 99),
    st.sampled_from(["", " ", ":", ",", "x", "é", "9"]),
)
ORDERS = WALKS | STRIKES | GOALS | OTHERS | SIDES | GARBLED
SENSIBLE = [
    f"{unit} {what}"
    for unit in ("A1", "A2", "B1", "B2")
    for what in ("walk: left", "walk: right", "walk: left 2, right", "strike A1 with 2", "strike B1 with 3", "done")
]
BOARD = SquareGrid.from_text(". . , . . . , .")


class Tables(RuleBasedStateMachine):
    @initialize(seed=st.integers(0, 5), dice=st.booleans(), shield=st.integers(0, 2))
    def set_up(self, seed, dice, shield):
        make = duel_ruleset.fighter
        fighters = [make("A1", "red", 1, nerve=3), make("A2", "red", 4), make("B1", "blue", 2), make("B2", "blue", 5)]
        fighters[2] = fighters[2].put(shield=shield)
        self.setting = Setting.of(duel_ruleset.RULESET, BOARD)
        start = State.of(fighters, {"dead": ()})
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "log.jsonl"
        self.writer = LogWriter.create(self.path, Header.of(self.setting, start, seed if dice else None))
        self.answers = DiceBag.of(seed) if dice else None
        self.game = Game(self.setting, start, self.answers, self.writer)
        self.game.do("all begin")

    def teardown(self):
        if hasattr(self, "writer"):
            self.writer.close()
            self.folder.cleanup()

    def at_three_tables(self, step):
        """Make a step everywhere and compare; give the error that it ends in, if any."""
        loaded = Game(self.setting, State.from_text(self.game.state.text), self.answers)
        branch = self.game.branch()
        before, size, history = self.game.state, self.path.stat().st_size, self.game.history
        outcomes = []
        for game in (loaded, branch, self.game):
            try:
                step(game)
                outcomes.append((game.state.hash, game.table.state.hash, None))
            except (OrderError, AnswerError, TableError) as error:
                outcomes.append((game.state.hash, game.table.state.hash, (type(error), str(error))))
        assert len(set(outcomes)) == 1
        error = outcomes[0][-1]
        if error is not None:
            assert self.game.state is before
            assert self.game.history == history
            assert self.path.stat().st_size == size
        return error

    @rule(order=ORDERS)
    def give_an_order(self, order):
        asked = self.game.question
        try:
            breaches = self.game.breaches(order)
        except UnreadableOrder:
            breaches = None
        error = self.at_three_tables(lambda game: game.do(order))
        if asked is not None:
            assert error[0] is TableError
        elif breaches is None:
            assert error[0] is UnreadableOrder
        elif breaches:
            assert error[0] is IllegalOrder
            assert all(breach.clause in error[1] for breach in breaches)
        else:
            assert error is None

    @precondition(lambda self: self.game.question is None)
    @rule(number=st.integers(0, 999))
    def give_a_legal_order(self, number):
        units = self.game.state.units
        legal = [order for unit in units for order in SENSIBLE if order in self.game.legal(unit)]
        if legal:
            assert self.at_three_tables(lambda game: game.do(legal[number % len(legal)])) is None

    @precondition(lambda self: self.game.question is not None)
    @rule(data=st.data())
    def answer_the_question(self, data):
        question = self.game.question
        allowed = list(question.chances) if question.kind == "roll" else list(question.samples)
        if question.kind == "react":
            allowed.append(None)
        answers = data.draw(st.lists(st.sampled_from(allowed), min_size=1, max_size=2) | st.just(["nonsense"]))
        self.at_three_tables(lambda game: game.answer(*answers))

    @precondition(lambda self: self.game.question is not None)
    @rule(number=st.integers(0, 999))
    def answer_to_the_end(self, number):
        while (question := self.game.question) is not None:
            allowed = list(question.chances) if question.kind == "roll" else list(question.samples)
            answer = allowed[number % len(allowed)]
            assert self.at_three_tables(lambda game: game.answer(answer)) is None  # noqa: B023 - used at once
            number = number * 7 + 3

    @rule(times=st.integers(1, 3))
    def take_back(self, times):
        for _ in range(times):
            if len(self.game.history) > 1:
                taken = self.game.undo()
                assert taken.state.hash != self.game.state.hash

    @rule(order=ORDERS, times=st.integers(1, 2))
    def a_branch_leaves_its_trunk_alone(self, order, times):
        before = self.game.state
        branch = self.game.branch()
        for _ in range(times):
            try:
                branch.do(order)
            except (OrderError, TableError):
                break
        assert self.game.state is before
        if branch.state != before:
            while branch.state != before:
                branch.undo()

    @rule()
    def replay_the_log(self):
        log = read_log(self.path)
        assert log.dropped == ""
        again = replay(log, self.setting, verify=True)
        assert again.state.hash == self.game.state.put(pending=None).hash
        finished = [happened for happened in self.game.history if happened.question is None]
        assert [happened.state.hash for happened in again.history] == [happened.state.hash for happened in finished]

    @invariant()
    def the_table_is_sound(self):
        if not hasattr(self, "game"):
            return
        state = self.game.state
        assert State.from_text(state.text).text == state.text
        places = [unit.place for unit in state]
        assert len(set(places)) == len(places)
        assert all(place in BOARD for place in places)
        assert all(unit["ap"] >= 0 and unit["health"] > 0 and unit["nerve"] >= 0 for unit in state)
        assert set(state.clock.done) <= {"A1", "A2", "B1", "B2"}
        assert not set(state.data["dead"]) & set(state.units)
        assert (state.clock.unit in state.units) == bool(state.clock.unit)

    @invariant()
    def the_ledger_adds_up(self):
        if not hasattr(self, "game") or self.game.happened is None:
            return
        happened = self.game.happened
        spent = Fields()
        for event in happened.events:
            spent = added(spent, event.price)
            assert event.spent == spent
            assert Event.from_fields(event.to_fields()) == event
        assert happened.ledger.totals == spent
        history, unit = self.game.history, happened.order.unit
        rested = any(event.kind == "rests" for event in happened.events)
        if happened.question is None and not rested and unit in happened.state.units and len(history) > 1:
            paid = history[-2].state.unit(unit)["ap"] - happened.state.unit(unit)["ap"]
            assert happened.order.action == "pray" or paid == happened.ledger.total("AP")


TestLaws = Tables.TestCase
TestLaws.settings = settings(
    max_examples=80, stateful_step_count=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
