"""What each action of the first movement phase leaves a unit to do in the second, action by action."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from mecha_duels import clauses, enemy, game, unit

from simulator.engine.errors import TableError
from simulator.geometry.pieces import Piece, rectangle

#: The actions that are asked about in the second phase, each as an order that is legal by itself where they begin.
SECOND = {
    "standard": "A standard: backward 0.5",
    "run": "A run: backward 3.5",
    "break_away": "A break_away: backward 0.5",
    "manoeuvre": "A manoeuvre: backward 0.5",
    "charge": "A charge B1",
    "free_turn": "A free_turn: turn_left 30",
}
ALL = dict.fromkeys(SECOND, "")
#: What bars everything but the free turn, and what bars runs and charges alone.
NOTHING_AFTER_RUN = {**dict.fromkeys(SECOND, "ME-48"), "free_turn": ""}
NOTHING_AFTER_CHARGE = {**dict.fromkeys(SECOND, "ME-88"), "free_turn": ""}
NO_RUNS = {**ALL, "run": "ME-49", "charge": "ME-88"}


@dataclass(frozen=True)
class Row:
    """An action of the first phase, the answers of others, and which clause bars what in the second one."""

    name: str
    order: str
    barred: dict[str, str]
    answers: tuple[object, ...] = ()
    options: dict[str, object] = field(default_factory=dict)
    fields: dict[str, object] = field(default_factory=dict)
    at: Any = (24, 24)
    foe: Any = (34, 24)
    others: tuple[Any, ...] = ()
    pieces: tuple[Piece, ...] = ()

    def game(self) -> Any:
        """The game in the first movement phase."""
        fields = {"skills": ["combat_manoeuvres"], **self.fields}
        units = (unit("A", at=self.at, **fields), enemy("B1", at=self.foe), *self.others)
        return game(*units, pieces=self.pieces, **{"ap_per_turn": None, **self.options})

    def begun(self) -> Any:
        """The game once the first action is made."""
        here = self.game()
        happened = here.do(self.order) if self.order else None
        for answer in self.answers:
            assert happened.question is not None
            happened = here.answer(answer)
        assert happened is None or happened.question is None
        return here


BESIDE = (25, 24)
KEEP = Piece("keep", "building", rectangle((30, 24), (8, 8)), "elevated", height=4)
TOWER = Piece("tower", "building", rectangle((30, 24), (8, 8)), "elevated", height=9)
CARRIER = {"kind": "vehicle", "mobility": "track", "slots": 4, "base": 1, "size_class": 4}
TRUCK = unit("C1", "track", (24, 24), size_class=4, base=1, slots=4)
ABOARD = {"kind": "vehicle", "mobility": "track", "carrier": "C1", "size_class": 1}
NOTHING_ABOARD = {**dict.fromkeys(SECOND, "ME-86"), "free_turn": "ME-35"}

ROWS = [
    Row("nothing", "", ALL),
    Row("a free turn alone", "A free_turn: turn_left 90", ALL),
    Row("run", "A run: forward 7", NOTHING_AFTER_RUN),
    Row("charge", "A charge B1: forward 9", NOTHING_AFTER_CHARGE),
    Row("standard", "A standard: forward 1", NO_RUNS),
    Row("a nil standard", "A standard", NO_RUNS),
    Row("manoeuvre", "A manoeuvre: forward 1", NO_RUNS),
    Row("break_away", "A break_away: backward 1", NO_RUNS, (None,), foe=BESIDE),
    Row(
        "a failed break_away",
        "A break_away: backward 1",
        {**NO_RUNS, "standard": "ME-8"},
        (None, "fails"),
        {"action_test": "asked"},
        foe=BESIDE,
    ),
    Row(
        "break_away, pinned for good",
        "A break_away: backward 1",
        {**dict.fromkeys(SECOND, "ME-61"), "free_turn": ""},
        ("attack", "hits", "moves"),
        {"pinning_effect": "no_more_moves"},
        foe=BESIDE,
    ),
    Row(
        "break_away, pinned and no more",
        "A break_away: backward 1",
        NO_RUNS,
        ("attack", "hits", "moves"),
        foe=BESIDE,
    ),
    Row("straighten_up", "A straighten_up", NO_RUNS, fields={"fallen": True}),
    Row("climb", "A climb keep", NO_RUNS, at=(25.5, 24), foe=(44, 40), pieces=(KEEP,)),
    Row(
        "jump",
        "A jump: backward 1.5, jump_off",
        NO_RUNS,
        at=(28, 24),
        foe=(44, 40),
        fields={"level": "keep"},
        pieces=(KEEP,),
    ),
    Row(
        "a jump that is a fall",
        "A jump: backward 1.5, jump_off",
        dict.fromkeys(SECOND, "ME-94"),
        (20,),
        at=(28, 24),
        foe=(44, 40),
        fields={"level": "tower"},
        pieces=(TOWER,),
    ),
    Row(
        "unload",
        "A unload: set_down R at 22.5,24 facing 0",
        {**NO_RUNS, "manoeuvre": ""},
        foe=(44, 40),
        fields=CARRIER,
        others=(unit("R", "track", None, size_class=1, carrier="A"),),
    ),
    Row(
        "being unloaded",
        "C1 unload: set_down A at 22.5,24 facing 0",
        {**ALL, "run": "ME-80", "charge": "ME-80"},
        at=None,
        foe=(44, 40),
        fields=ABOARD,
        others=(TRUCK,),
    ),
    Row(
        "exit_unit",
        "A exit_unit at 22.5,24 facing 0",
        NO_RUNS,
        at=None,
        foe=(44, 40),
        fields=ABOARD,
        others=(TRUCK,),
    ),
    Row(
        "enter_unit",
        "A enter_unit C1: forward 1",
        NOTHING_ABOARD,
        at=(21.5, 24),
        foe=(44, 40),
        fields={**ABOARD, "carrier": ""},
        others=(TRUCK,),
    ),
    Row(
        "being entered",
        "R enter_unit A: forward 1",
        ALL,
        foe=(44, 40),
        fields=CARRIER,
        others=(unit("R", "track", (21.5, 24), size_class=1),),
    ),
    Row("nothing, fallen", "", dict.fromkeys(SECOND, "ME-95") | {"free_turn": "ME-35"}, fields={"fallen": True}),
]


def second_phase(row):
    """The game in the second movement phase, once a unit has done what a row says."""
    here = row.begun()
    here.do("all done")
    assert here.state.clock.phase.name == "movement_2"
    return here


#: The clauses by which what was done before bars something.
OF_PHASES = {f"ME-{number}" for number in (2, 48, 49, 61, 76, 80, 84, 85, 86, 88, 94, 95)}


class TestWhatTheFirstPhaseLeaves:
    """ME-2, ME-48, ME-49, ME-61, ME-88, ME-95, E17: one row for each action of the first phase."""

    @pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
    def test_row(self, row):
        here = second_phase(row)
        for name, order in SECOND.items():
            found = clauses(here.breaches(order))
            if row.barred[name]:
                assert row.barred[name] in found, (name, found)
            else:
                # The orders may lack what they need besides: contact, or a charge that gets to its target.
                assert not (OF_PHASES - {"ME-88"}) & set(found), (name, found)

    @pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
    def test_reach_says_the_same(self, row):
        here = second_phase(row)
        for name in ("standard", "run", "break_away", "manoeuvre", "charge"):
            question = {"target": "B1"} if name == "charge" else {}
            if here.state.unit("A").place is None:
                with pytest.raises(TableError):
                    here.reach("A", name, **question)
                continue
            reach = here.reach("A", name, **question)
            barred = clauses(reach.barred)
            if row.barred[name]:
                assert row.barred[name] in barred, (name, barred)
            else:
                assert not OF_PHASES & set(barred), (name, barred)

    @pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
    def test_one_move_action_in_a_phase(self, row):
        """ME-2: a second one in the first phase is refused."""
        if not row.order.startswith("A ") or row.order.startswith("A free_turn"):
            return
        here = row.begun()
        for name, order in SECOND.items():
            if name != "free_turn":
                assert "ME-2" in clauses(here.breaches(order)), name


class TestFreeTurns:
    def test_in_both_phases_even_without_an_action(self):
        """ME-34, ME-35, E17."""
        here = game(unit("A"), enemy("B1", at=(34, 24)))
        here.do("A free_turn: turn_left 90")
        assert clauses(here.breaches("A free_turn: turn_left 10")) == ["ME-35"]
        here.do("all done")
        here.do("A free_turn: turn_left 90")
        assert float(here.state.unit("A").heading) == 180

    def test_after_a_run(self):
        here = game(unit("A"))
        here.do("A run: forward 7")
        assert list(here.breaches("A free_turn: turn_left 90")) == []
        here.do("A done")
        assert here.state.clock.phase.name == "movement_2"
        here.do("A free_turn: turn_right 90")
        assert float(here.state.unit("A").heading) == 270

    @pytest.mark.parametrize(("per", "found"), [("phase", []), ("turn", ["ME-35"])])
    def test_free_turn_per(self, per, found):
        here = game(unit("A"), enemy("B1", at=(34, 24)), free_turn_per=per)
        here.do("A free_turn: turn_left 40")
        here.do("all done")
        assert clauses(here.breaches("A free_turn: turn_left 90")) == found
        assert clauses(here.breaches("A standard: turn_left 90 free 90")) == found
        here.do("all done")
        assert here.state.clock.turn == 2
        assert clauses(here.breaches("A free_turn: turn_left 90")) == []

    @pytest.mark.parametrize(("split", "found"), [(False, ["ME-35"]), (True, [])])
    def test_free_turn_split(self, split, found):
        here = game(unit("A"), enemy("B1", at=(34, 24)), free_turn_split=split)
        here.do("A standard: turn_left 40 free 40, forward 1")
        # Who has nothing left to do has had its go, too.
        assert [one for one in clauses(here.breaches("A free_turn: turn_left 50")) if one != "ME-1"] == found
        assert "ME-35" in clauses(here.breaches("A free_turn: turn_left 51"))

    def test_four_legs_turn_half_as_far(self):
        """ME-38."""
        here = game(unit("A", "four_legged_walker"))
        assert clauses(here.breaches("A free_turn: turn_left 45")) == []
        assert clauses(here.breaches("A free_turn: turn_left 46")) == ["ME-35"]
        assert clauses(game(unit("A", "track")).breaches("A free_turn: turn_left 10")) == ["ME-34"]


class TestOptions:
    def test_phase_list(self):
        """ME-1: other phases between; only the order of the two matters."""
        names = ("movement_1", "shooting", "movement_2")
        here = game(unit("A"), phase_list=names)
        assert [phase.name for phase in here.state.clock.phases] == list(names)
        here.do("A run: forward 7")
        here.do("A done")
        assert here.state.clock.phase.name == "movement_2"
        assert clauses(here.breaches("A standard: forward 1")) == ["ME-48"]

    @pytest.mark.parametrize(("ap", "found"), [(4, []), (1, ["ME-7"]), (None, [])])
    def test_ap_per_turn(self, ap, found):
        """ME-7: a standard move in each phase costs 2 AP in all."""
        here = game(unit("A"), ap_per_turn=ap)
        here.do("A standard: forward 1")
        here.do("A done")
        assert clauses(here.breaches("A standard: forward 1")) == found
        assert clauses(here.reach("A", "standard").why_not((30, 24)).reasons)[: len(found)] == found

    def test_ap_that_are_not_tracked_are_no_price(self):
        """ME-7: nothing is taken, and reach over a turn says so."""
        here = game(unit("A"), ap_per_turn=None)
        happened = here.branch().do("A run: forward 7")
        assert not [line for event in happened.events for line in event.price if line.currency == "ap"]
        assert (here.reach("A", "phase").cost_at((31, 24)), here.reach("A", "turn").cost_at((31, 24))) == (0, 0)
        assert game(unit("A")).reach("A", "phase").cost_at((31, 24)) == 2

    def test_ap_come_back_with_the_turn(self):
        here = game(unit("A", ap=1))
        here.do("A standard: forward 1")
        here.do("A done")
        here.do("A done")
        assert here.state.clock.turn == 2
        assert clauses(here.breaches("A standard: forward 1")) == []

    def test_a_run_takes_two(self):
        here = game(unit("A", ap=1))
        (found,) = here.breaches("A run: forward 7")
        assert (found.clause, found.needed, found.available) == ("ME-7", 2, 1)
        assert Fraction(1) == found.available
