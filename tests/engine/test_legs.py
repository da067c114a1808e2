"""Legs told in parts: wherever they are cut, the parts add up to the whole, and nothing is rounded twice."""

import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest

from simulator.engine.ledger import Ledger, LedgerLine
from simulator.engine.legs import Leg, reactions_along
from simulator.engine.questions import React
from simulator.engine.ranges import Along

SEEDS = range(40)


def some_leg(dice, grain=None, rounded=None):
    """A straight leg over some kinds of ground, its length measured or exact."""
    amounts = [
        dice.choice([Fraction(dice.randrange(1, 40), 8), dice.uniform(0.1, 5)]) for _ in range(dice.randrange(1, 5))
    ]
    if grain:
        pieces = sum(math.ceil(Fraction(amount) / grain) for amount in amounts)
        length = float(pieces * grain - Fraction(dice.randrange(0, 9), 10) * grain)
        amounts = [math.ceil(Fraction(amount) / grain) * grain for amount in amounts]
    else:
        length = float(sum(map(Fraction, amounts)))
    lines = [
        LedgerLine(f"ground {number}", amount, dice.choice([1, 2, Fraction(1, 3)]), dice.choice(["mp", "fuel"]))
        for number, amount in enumerate(amounts)
    ]
    turn = dice.uniform(0, 2 * math.pi)
    return Leg((3, 4), (3 + length * math.cos(turn), 4 + length * math.sin(turn)), lines, grain, rounded)


def some_cuts(dice, leg):
    return [
        dice.choice([dice.uniform(0, float(leg.length)), min(Fraction(1, 2), leg.length), leg.length]) for _ in range(5)
    ]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("grain", [None, Fraction(1, 2)])
class TestLaws:
    def test_the_parts_add_up_to_the_whole_exactly(self, seed, grain):
        dice = random.Random(seed)
        leg = some_leg(dice, grain)
        parts = list(leg.parts(some_cuts(dice, leg)))
        assert [parts[0].begin, parts[-1].end] == [0, leg.length]
        assert all(one.end == other.begin for one, other in pairwise(parts))
        told = Ledger(line for part in parts for line in part.price)
        assert told.totals == Ledger(leg.lines).totals == leg.paid(leg.length)
        by_line = {}
        for line in told:
            by_line[line.what] = by_line.get(line.what, 0) + Fraction(line.amount)
        assert by_line == {line.what: Fraction(line.amount) for line in leg.lines}

    def test_each_part_costs_what_is_paid_at_its_end_and_was_not_before(self, seed, grain):
        dice = random.Random(seed)
        leg = some_leg(dice, grain)
        for part in leg.parts(some_cuts(dice, leg)):
            for currency in ("mp", "fuel"):
                before, after = (leg.paid(end).get(currency, 0) for end in (part.begin, part.end))
                assert Ledger(part.price).total(currency) == after - before

    def test_an_allowance_leads_as_far_as_it_is_paid(self, seed, grain):
        dice = random.Random(seed)
        leg = some_leg(dice, grain)
        total = leg.paid(leg.length).get("mp", 0)
        for allowance in (0, Fraction(total) / 3, total, total + 1):
            there = leg.longest(allowance, "mp")
            assert leg.paid(there).get("mp", 0) <= allowance
            if there < leg.length:
                assert leg.paid(min(leg.length, there + Fraction(1, 1000))).get("mp", 0) > allowance

    def test_its_places_lie_on_it(self, seed, grain):
        dice = random.Random(seed)
        leg = some_leg(dice, grain)
        assert (leg.at(0), leg.at(leg.length)) == (leg.start, leg.end)
        for length in some_cuts(dice, leg):
            assert math.dist(leg.start, leg.at(length)) == pytest.approx(float(length))
            assert math.dist(leg.at(length), leg.end) == pytest.approx(float(leg.length - length), abs=1e-9)


class TestRounding:
    def test_pieces_that_are_begun_count_from_the_start_of_the_leg_on(self):
        """Half-inch pieces: 1.2 and 1.2 inches are 5 of them together, and would be 6 by themselves."""
        leg = Leg((0, 0), (2.4, 0), [LedgerLine("rough ground", Fraction(5, 2), 1, "mp")], grain=Fraction(1, 2))
        first, second = leg.parts([1.2])
        assert [Ledger(part.price).total("mp") for part in (first, second)] == [Fraction(3, 2), 1]
        inside = leg.part(1.2, 1.4)
        assert inside.price == ()

    @pytest.mark.parametrize("cuts", [[], [1], [Fraction(1, 3), 1, 2]])
    def test_a_price_is_rounded_once_where_the_leg_ends(self, cuts):
        leg = Leg((0, 0), (2.25, 0), [LedgerLine("mud", Fraction(9, 4), 1, "AP", "XX-1")], rounded=math.ceil)
        lines = [line for part in leg.parts(cuts) for line in part.price]
        assert Ledger(lines).total("AP") == 3
        assert [str(line) for line in lines if line.what == "rounded"] == ["0.75 AP  rounded, 0.75 at 1 (XX-1)"]

    def test_and_where_it_breaks_off(self):
        leg = Leg((0, 0), (9, 0), [LedgerLine("mud", 9, 1, "AP")], rounded=math.ceil)
        assert Ledger(leg.part(0, Fraction(5, 2)).price).total("AP") == Fraction(5, 2)
        stopped = [*leg.part(0, Fraction(3, 2)).price, *leg.part(Fraction(3, 2), Fraction(5, 2), stops=True).price]
        assert Ledger(stopped).total("AP") == 3

    def test_what_is_whole_is_not_rounded(self):
        leg = Leg((0, 0), (2, 0), [LedgerLine("mud", 2, 1, "AP")], rounded=math.ceil)
        assert [line.what for line in leg.part(0, 2).price] == ["mud"]


class TestLegs:
    def test_a_part_says_which_it_is(self):
        leg = Leg((0, 0), (9, 0), [LedgerLine("firm ground", 9)])
        assert [dict(part.detail) for part in leg.parts([4])] == [
            {"from": 0, "to": 4, "of": 9},
            {"from": 4, "to": 9, "of": 9},
        ]
        assert dict(leg.part(0, 9).detail) == {}

    @pytest.mark.parametrize(("begin", "end"), [(-1, 2), (3, 2), (2, 10)])
    def test_there_are_no_other_parts(self, begin, end):
        with pytest.raises(ValueError, match="there is no part"):
            Leg((0, 0), (9, 0), [LedgerLine("firm ground", 9)]).part(begin, end)

    @pytest.mark.parametrize(("amount", "grain"), [(8, None), (9, 2), (-9, None)])
    def test_its_lines_go_over_all_of_it(self, amount, grain):
        with pytest.raises(ValueError, match="lines of a leg"):
            Leg((0, 0), (9, 0), [LedgerLine("firm ground", amount)], grain)

    def test_a_climb_is_a_leg_too(self):
        """Up 4 and down 4 for 8, with something in between at the top."""
        up, down = (Leg((3, 3), (3, 3), [LedgerLine(f"{way} 4", 4, 1, "inches")]) for way in ("up", "down"))
        assert (up.length, up.at(2), up.longest(3)) == (4, (3, 3), 3)
        told = Ledger(line for part in (*up.parts([1, 3]), *down.parts([])) for line in part.price)
        assert told.total("inches") == 8

    def test_who_reacts_first_on_the_leg_comes_first(self):
        """Of two at one place the one who was asked first."""
        asked = [React("fire", who=name, options=[Along([(0, 9)])]) for name in "abcd"]
        answers = iter([5, None, 2, 5])
        asking = reactions_along(asked)
        assert next(asking) == asked[0]
        assert [asking.send(next(answers)) for _ in range(3)] == asked[1:]
        with pytest.raises(StopIteration) as done:
            asking.send(next(answers))
        assert [(at, question.who) for at, question in done.value.value] == [(2, "c"), (5, "a"), (5, "d")]
