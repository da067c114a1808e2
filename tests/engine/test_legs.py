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
from simulator.geometry.angles import normalise
from simulator.geometry.paths import Bend, Path, Straight, Turn
from simulator.geometry.poses import Pose

SEEDS = range(40)
ROUNDING = Fraction(1, 10**9)


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
    return Leg.straight((3, 4), (3 + length * math.cos(turn), 4 + length * math.sin(turn)), lines, grain, rounded)


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


# --- legs on paths: straight, round bends, with turns on the spot ---


def some_path(dice, turns=True):
    """A path of some pieces, each in its own heading or in that which the last one left."""
    here, heading, pieces = (dice.uniform(0, 20), dice.uniform(0, 20)), dice.uniform(0, 360), []
    for _ in range(dice.randrange(1, 7)):
        kind = dice.choice(["straight", "bend", "turn" if turns else "straight"])
        if kind == "turn":
            pieces.append(Turn(here, heading, dice.choice([90, -45, 22.5, dice.uniform(-180, 180)])))
            heading += pieces[-1].turn
        elif kind == "bend":
            radius, angle = dice.uniform(0.2, 5), dice.uniform(-3, 3)
            centre = (here[0] - radius * math.cos(angle), here[1] - radius * math.sin(angle))
            pieces.append(Bend(centre, radius, angle, dice.choice([-1, 1]) * dice.uniform(0.1, 3), heading))
        else:
            long, angle = dice.choice([1, 2.5, dice.uniform(0.1, 6)]), dice.uniform(0, 6.3)
            there = (here[0] + long * math.cos(angle), here[1] + long * math.sin(angle))
            pieces.append(Straight(here, there, heading))
        here = pieces[-1].end
    return Path(pieces[0].start, tuple(pieces))


def over(dice, long, grain=None):
    """Lines that go over a length, cut anywhere, some of them free of charge."""
    whole = Fraction(long) if grain is None else math.ceil((Fraction(long) - ROUNDING) / grain) * grain
    unit = grain or Fraction(1, 1000)
    cuts = sorted({0, *(Fraction(dice.randrange(math.ceil(whole / unit))) * unit for _ in range(3)), whole})
    return [
        LedgerLine(
            f"ground {number}", after - before, dice.choice([0, 1, 2, Fraction(1, 3)]), dice.choice(["mp", "fuel"])
        )
        for number, (before, after) in enumerate(pairwise(cuts))
    ]


def some_bent_leg(dice, grain=None, rounded=None):
    """A leg on such a path; where it turns, at a price of its own, but never where it ends."""
    while True:
        path = some_path(dice, turns=grain is None)
        if not isinstance(path.pieces[-1], Turn):
            break
    long = sum(Fraction(piece.length) for piece in path.pieces)
    prices = [
        [LedgerLine(f"turn {number}", 1, dice.randrange(0, 7), dice.choice(["mp", "fuel"]))] * dice.randrange(0, 2)
        for number, piece in enumerate(path.pieces)
        if isinstance(piece, Turn)
    ]
    return Leg(path, over(dice, long, grain), grain, rounded, prices)


def some_turn(dice, grain=None, rounded=None):
    """A turn on the spot by itself, priced by the degree or at one price, or both."""
    turn = Turn((3, 4), dice.uniform(0, 360), dice.choice([-1, 1]) * dice.choice([45, dice.uniform(1, 180)]))
    grain = grain and grain * 45
    by_degrees = over(dice, abs(turn.turn), grain)
    flat = [LedgerLine("turn", 1, dice.randrange(0, 5), "mp")]
    lines, prices = dice.choice([(by_degrees, []), (by_degrees, [flat]), ([], [flat]), ([], [])])
    return Leg(Path((3, 4), (turn,)), lines, None if not lines else grain, rounded, prices)


def owed(leg, length, currency):
    """What is due after a length, counted anew: the lines up to there, and the turns that lie before it."""
    counted = Fraction(length)
    if leg.grain:
        counted = math.ceil((counted - ROUNDING) / Fraction(leg.grain)) * Fraction(leg.grain)
    due, gone = Fraction(0), Fraction(0)
    for line in leg.lines:
        share = max(Fraction(0), min(Fraction(line.amount), counted - gone))
        due += share * Fraction(line.rate) * (line.currency == currency)
        gone += Fraction(line.amount)
    before, turns = Fraction(0), iter(leg.turns)
    only_turns = all(isinstance(piece, Turn) for piece in leg.path.pieces)
    for piece in leg.path.pieces:
        if isinstance(piece, Turn):
            prices = next(turns)
            due += sum(line.price for line in prices if length > before + ROUNDING and line.currency == currency)
            before += Fraction(abs(piece.turn)) if only_turns else 0
        else:
            before += Fraction(piece.length)
    return due


def cuts_of(dice, leg):
    """Some lengths of a leg: any, those where it turns, those where its pieces end."""
    return [dice.uniform(0, float(leg.length)) for _ in range(4)] + [*map(float, leg.turning_lengths), leg.length]


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("grain", [None, Fraction(1, 2)])
@pytest.mark.parametrize("some", [some_bent_leg, some_turn])
class TestLawsOnPaths:
    def test_the_parts_add_up_to_the_whole_exactly(self, seed, grain, some):
        dice = random.Random(seed)
        leg = some(dice, grain)
        parts = list(leg.parts(cuts_of(dice, leg)))
        told = Ledger(line for part in parts for line in part.price)
        assert list(leg.parts([0, leg.length])) == [leg.part(0, leg.length)]
        everything = [*leg.lines, *(line for lines in leg.turns for line in lines)]
        assert told.totals == Ledger(leg.part(0, leg.length).price).totals == leg.paid(leg.length)
        assert {name: total for name, total in told.totals.items() if total} == {
            name: total for name, total in Ledger(everything).totals.items() if total
        }
        by_line = {}
        for line in told:
            by_line[line.what] = by_line.get(line.what, 0) + Fraction(line.amount)
        assert by_line == {line.what: Fraction(line.amount) for line in everything}

    def test_it_is_paid_as_counted_anew(self, seed, grain, some):
        dice = random.Random(seed)
        leg = some(dice, grain)
        for part in leg.parts(cuts_of(dice, leg)):
            for currency in ("mp", "fuel"):
                assert leg.paid(part.end).get(currency, 0) == owed(leg, part.end, currency)
                paid = Ledger(part.price).total(currency)
                assert paid == owed(leg, part.end, currency) - owed(leg, part.begin, currency)

    def test_the_longest_is_the_largest_length_that_is_paid(self, seed, grain, some):
        dice = random.Random(seed)
        leg = some(dice, grain)
        total = owed(leg, leg.length, "mp")
        marks = [owed(leg, length, "mp") for length in cuts_of(dice, leg)]
        for allowance in (-1, 0, total / 3, total - Fraction(1, 100), total, total + 1, *marks):
            there = leg.longest(allowance, "mp")
            assert owed(leg, there, "mp") <= max(allowance, 0)
            if there < leg.length:
                beyond = min(Fraction(leg.length), Fraction(there) + Fraction(1, 10**8))
                assert owed(leg, beyond, "mp") > max(allowance, 0)

    def test_its_poses_are_those_of_its_path(self, seed, grain, some):
        dice = random.Random(seed)
        leg = some(dice, grain)
        first, last = leg.path.pieces[0], leg.path.pieces[-1]
        assert (leg.at(0), leg.at(leg.length)) == (leg.start, leg.end) == (leg.path.start, leg.path.end)
        assert (leg.pose_at(0), leg.pose_at(leg.length)) == (
            Pose(leg.start, first.heading),
            Pose(leg.end, last.heading + (last.turn if isinstance(last, Turn) else 0.0)),
        )
        for _ in range(6):
            length = dice.uniform(0, float(leg.length))
            begin = 0.0
            for piece in leg.path.pieces:
                extent = piece.length or (abs(piece.turn) if some is some_turn else 0.0)
                if extent and length <= begin + extent:
                    break
                begin += extent
            share = (length - begin) / extent
            part = piece.part(share, share)
            assert leg.at(length) == leg.pose_at(length).place
            assert leg.at(length) == pytest.approx(part.start, abs=1e-8)
            assert some is some_turn or leg.at(length) == pytest.approx(leg.path.at(length), abs=1e-8)
            assert leg.pose_at(length).heading == pytest.approx(normalise(part.heading), abs=1e-8)

    def test_what_is_rounded_is_rounded_once(self, seed, grain, some):
        dice = random.Random(seed)
        leg = some(dice, grain, rounded=math.ceil)
        cuts = cuts_of(dice, leg)
        for currency in ("mp", "fuel"):
            told = Ledger(line for part in leg.parts(cuts) for line in part.price)
            assert told.total(currency) == math.ceil(owed(leg, leg.length, currency))
            assert not leg.part(leg.length, leg.length).price
            stopped, end = sorted(cuts[:2])
            broken = [*leg.part(0, stopped).price, *leg.part(stopped, end, stops=True).price]
            assert Ledger(broken).total(currency) == math.ceil(owed(leg, end, currency))
            assert sum(line.what == "rounded" for line in broken if line.currency == currency) <= 1


class TestTurns:
    """A turn on the spot is made as a whole at one length; what happens at that length happens before it (CA-40)."""

    def corner(self, **more):
        """CA-37, E2: forward 5, turn 45 for 6, forward 9."""
        there = (5 + 9 * math.sqrt(0.5), 9 * math.sqrt(0.5))
        pieces = (Straight((0, 0), (5, 0)), Turn((5, 0), 0, 45), Straight((5, 0), there, 45))
        turn = [LedgerLine("turn 45", 1, 6, "inches", "CA-37")]
        return Leg(Path((0, 0), pieces), [LedgerLine("forward", 14, 1, "inches")], turns=[turn], **more)

    def test_it_is_paid_where_it_begins(self):
        leg = self.corner()
        assert (leg.length, leg.turning_lengths, leg.paid(14)["inches"]) == (14, (5,), 20)
        assert [[str(line) for line in part.price] for part in leg.parts([5])] == [
            ["5 inches  forward, 5 at 1"],
            ["6 inches  turn 45 (CA-37)", "9 inches  forward, 9 at 1"],
        ]
        assert [line.what for line in leg.part(0, 14).price] == ["forward", "turn 45", "forward"]

    @pytest.mark.parametrize(("left", "length", "heading"), [(4, 4, 0), (5, 5, 0), (10, 5, 0), (11, 5, 0), (12, 6, 45)])
    def test_it_is_not_begun_where_it_can_not_be_paid(self, left, length, heading):
        leg = self.corner()
        assert leg.longest(left) == length
        assert leg.pose_at(length).heading == heading

    def test_a_turn_where_a_line_ends_leaves_no_crumbs(self):
        """Measured, it lies at 0.30000000000000004, and the line before it goes over 3/10."""
        steps = [Straight((0, 0), (0.1, 0)), Straight((0.1, 0), (0.1, 0.2)), Turn((0.1, 0.2), 0, 90)]
        path = Path((0, 0), (*steps, Straight((0.1, 0.2), (0.1, 1.2), 90)))
        ground = [LedgerLine("firm", Fraction(3, 10)), LedgerLine("nothing", 0), LedgerLine("soft", 1, 2)]
        leg = Leg(path, ground, turns=[[LedgerLine("turn", 1, 6)]])
        assert leg.turning_lengths == (Fraction(3, 10),)
        assert [line.what for line in leg.part(0, leg.length).price] == ["firm", "turn", "soft"]
        back = Leg(path.reversed(), ground[::-1], turns=[[LedgerLine("turn", 1, 6)]])
        assert [line.what for line in back.part(0, back.length).price] == ["soft", "turn", "firm"]
        none_first = Leg.straight((0, 0), (1, 0), [LedgerLine("nothing", 0), LedgerLine("firm", 1)])
        assert [line.what for line in none_first.part(0, 1).price] == ["firm"]

    def test_whole_pieces_that_were_measured_are_paid_to_the_last_digit(self):
        """As floats 0.3 and 2.2 are not 2.5 to the last digit."""
        ground = [LedgerLine("firm", 0.3), LedgerLine("soft", 2.2, 2)]
        leg = Leg.straight((0, 0), (2.4, 0), ground, grain=Fraction(1, 2))
        assert sum(Fraction(line.amount) for line in ground) != Fraction(5, 2)
        assert leg.paid(leg.length) == Ledger(ground).totals

    @pytest.mark.parametrize("noise", [0, 1e-12, -1e-12])
    def test_what_was_measured_at_it_is_before_it(self, noise):
        leg = self.corner()
        assert [line.what for line in leg.part(0, 5 + noise).price] == ["forward"]
        assert leg.pose_at(5 + noise).heading == 0
        assert Ledger(leg.part(5 + noise, 14).price).total("inches") == 15

    def test_by_itself_it_can_be_cut_in_degrees(self):
        """ME-29, E3: 60 degrees are three pieces of 22.5 for half an inch each; of 40, two are begun."""
        rate = Fraction(1, 45)
        leg = Leg(
            Path((1, 1), (Turn((1, 1), 350, 60),)), [LedgerLine("turn", 67.5, rate, "mp", "ME-29")], Fraction(45, 2)
        )
        assert (leg.length, leg.paid(60)["mp"], leg.paid(40)["mp"], leg.longest(1)) == (60, 1.5, 1, 45)
        assert (leg.pose_at(0), leg.pose_at(40), leg.pose_at(60)) == (
            Pose((1, 1), 350),
            Pose((1, 1), 30),
            Pose((1, 1), 50),
        )

    @pytest.mark.parametrize(("angle", "price"), [(45, 6), (46, 12), (90, 12), (135, 24), (180, 30)])
    def test_brackets_are_lines_of_45_degrees_that_count_when_they_are_begun(self, angle, price):
        """CA-37: a sixth of 36, a third, two thirds, five sixths."""
        sixths = [1, 1, 2, 1][: math.ceil(angle / 45)]
        lines = [LedgerLine("turn", 45, Fraction(6 * each, 45), "inches", "CA-37") for each in sixths]
        leg = Leg(Path((0, 0), (Turn((0, 0), 0, angle),)), lines, grain=45)
        assert leg.paid(angle)["inches"] == price
        assert leg.paid(1)["inches"] == 6

    def test_a_free_turn_costs_nothing_and_may_end_a_leg(self):
        path = Path((0, 0), (Turn((0, 0), 0, 90), Straight((0, 0), (0, 3), 90), Turn((0, 3), 90, -90)))
        leg = Leg(path, [LedgerLine("forward", 3)])
        assert [str(leg.pose_at(length)) for length in (0, 1, 3)] == ["0,0 facing 0", "0,1 facing 90", "0,3 facing 0"]
        assert (leg.paid(3), leg.longest(1)) == ({"": 3}, 1)

    def test_one_with_a_price_ends_no_leg(self):
        path = Path((0, 0), (Straight((0, 0), (3, 0)), Turn((3, 0), 0, 90)))
        with pytest.raises(ValueError, match="cannot end a leg: make it a separate leg"):
            Leg(path, [LedgerLine("forward", 3)], turns=[[LedgerLine("turn", 1, 2)]])

    def test_pieces_are_counted_anew_after_it(self):
        """ME-17: so it begins another leg."""
        path = Path((0, 0), (Straight((0, 0), (1.2, 0)), Turn((1.2, 0), 0, 90), Straight((1.2, 0), (1.2, 1.2), 90)))
        with pytest.raises(ValueError, match="begin another leg after it"):
            Leg(path, [LedgerLine("forward", Fraction(5, 2))], Fraction(1, 2))

    def test_each_turn_has_its_price(self):
        path = Path((0, 0), (Turn((0, 0), 0, 90), Straight((0, 0), (0, 3), 90)))
        with pytest.raises(ValueError, match="prices of 2 turns on the spot, but the leg has 1"):
            Leg(path, [LedgerLine("forward", 3)], turns=[[], []])

    def test_a_length_that_is_beyond_the_end_by_rounding_is_the_end(self):
        """Three times 0.1 is more, as a float, than the exact sum of the pieces."""
        tenth = [Straight((number / 10, 0), ((number + 1) / 10, 0)) for number in range(3)]
        leg = Leg(Path((0, 0), tuple(tenth)), [LedgerLine("forward", Fraction(3, 10))])
        assert leg.part(0, 0.30000000000000004) == leg.part(0, Fraction(3, 10))
        assert leg.part(0.30000000000000004, leg.length).price == ()


class TestRounding:
    def test_pieces_that_are_begun_count_from_the_start_of_the_leg_on(self):
        """Half-inch pieces: 1.2 and 1.2 inches are 5 of them together, and would be 6 by themselves."""
        rough = LedgerLine("rough ground", Fraction(5, 2), 1, "mp")
        leg = Leg.straight((0, 0), (2.4, 0), [rough], grain=Fraction(1, 2))
        first, second = leg.parts([1.2])
        assert [Ledger(part.price).total("mp") for part in (first, second)] == [Fraction(3, 2), 1]
        inside = leg.part(1.2, 1.4)
        assert inside.price == ()

    @pytest.mark.parametrize("cuts", [[], [1], [Fraction(1, 3), 1, 2]])
    def test_a_price_is_rounded_once_where_the_leg_ends(self, cuts):
        leg = Leg.straight((0, 0), (2.25, 0), [LedgerLine("mud", Fraction(9, 4), 1, "AP", "XX-1")], rounded=math.ceil)
        lines = [line for part in leg.parts(cuts) for line in part.price]
        assert Ledger(lines).total("AP") == 3
        assert [str(line) for line in lines if line.what == "rounded"] == ["0.75 AP  rounded, 0.75 at 1 (XX-1)"]

    def test_and_where_it_breaks_off(self):
        leg = Leg.straight((0, 0), (9, 0), [LedgerLine("mud", 9, 1, "AP")], rounded=math.ceil)
        assert Ledger(leg.part(0, Fraction(5, 2)).price).total("AP") == Fraction(5, 2)
        stopped = [*leg.part(0, Fraction(3, 2)).price, *leg.part(Fraction(3, 2), Fraction(5, 2), stops=True).price]
        assert Ledger(stopped).total("AP") == 3

    def test_what_is_whole_is_not_rounded(self):
        leg = Leg.straight((0, 0), (2, 0), [LedgerLine("mud", 2, 1, "AP")], rounded=math.ceil)
        assert [line.what for line in leg.part(0, 2).price] == ["mud"]


class TestLegs:
    def test_a_part_says_which_it_is(self):
        leg = Leg.straight((0, 0), (9, 0), [LedgerLine("firm ground", 9)])
        assert [dict(part.detail) for part in leg.parts([4])] == [
            {"from": 0, "to": 4, "of": 9},
            {"from": 4, "to": 9, "of": 9},
        ]
        assert dict(leg.part(0, 9).detail) == {}

    @pytest.mark.parametrize(("begin", "end"), [(-1, 2), (3, 2), (2, 10)])
    def test_there_are_no_other_parts(self, begin, end):
        with pytest.raises(ValueError, match="there is no part"):
            Leg.straight((0, 0), (9, 0), [LedgerLine("firm ground", 9)]).part(begin, end)

    @pytest.mark.parametrize(("amount", "grain"), [(8, None), (9, 2), (-9, None)])
    def test_its_lines_go_over_all_of_it(self, amount, grain):
        with pytest.raises(ValueError, match="lines of a leg"):
            Leg.straight((0, 0), (9, 0), [LedgerLine("firm ground", amount)], grain)

    def test_a_climb_is_a_leg_too(self):
        """Up 4 and down 4 for 8, with something in between at the top."""
        up, down = (Leg.straight((3, 3), (3, 3), [LedgerLine(f"{way} 4", 4, 1, "inches")]) for way in ("up", "down"))
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
