"""Ranges among the options of a question: what they allow, what stands for them, how they say it, and plain data."""

import random
import re
from fractions import Fraction
from io import StringIO

import pytest
import shapely

from simulator.engine.answers import Occasion, Person, Policy
from simulator.engine.best_case import hoped
from simulator.engine.errors import WrongAnswer
from simulator.engine.questions import Choose, React, question_from
from simulator.engine.ranges import Along, Span, SpotIn, Within, range_from
from simulator.engine.values import from_text, to_text
from simulator.formats.scenario_values import understood

SEEDS = range(30)
SQUARE = [[(0, 0), (4, 0), (4, 4), (0, 4)]]
RING = [[(0, 0), (9, 0), (9, 9), (0, 9)], [(3, 3), (6, 3), (6, 6), (3, 6)]]


def some_number(dice, low=-40, high=40):
    parts = dice.choice([1, 2, 3, 4, 12])
    exact = Fraction(dice.randrange(low * parts, high * parts), parts)
    return dice.choice([exact, exact, int(exact), dice.uniform(low, high)])


def some_within(dice):
    """Make a range by chance, and an oracle that says by other means what it allows."""
    low, high = sorted((some_number(dice), some_number(dice)))
    if low == high:
        high = low + 1
    open_low, open_high = dice.random() < 0.4, dice.random() < 0.4
    step = dice.choice([None, None, Fraction(1, 3), 0.25, 1])
    wraps = None if step else dice.choice([None, 100, 360])
    marks = [some_number(dice) for _ in range(dice.randrange(4))]
    more = {"every": dice.choice([None, None, 3]), "near": dice.choice([None, 5]), "unit": dice.choice(["", "inches"])}
    if step:
        low, high = (Fraction(repr(end)) if isinstance(end, float) else end for end in (low, high))
        open_low = False
    found = Within(low, high, open_low, open_high, step=step, wraps=wraps, marks=marks, **more)
    measured = any(isinstance(number, float) and number != int(number) for number in (low, high, *marks)) and not step

    def as_told(number):
        if measured:
            return Fraction(float(number))
        return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)

    low, high = as_told(low), as_told(high)

    def allows(number):
        turns = [0] if wraps is None else range(-5, 6)
        exact = as_told(number)
        held = [exact + turn * (wraps or 0) for turn in turns]
        on_grid = step is None or (exact - Fraction(low)) % Fraction(step) == 0
        return on_grid and any(
            (low < one < high) or (one == low and not open_low) or (one == high and not open_high) for one in held
        )

    return found, allows


def some_along(dice):
    ends = sorted({some_number(dice, 0, 30) for _ in range(6)})[: 2 * dice.randrange(1, 3)]
    spans = [
        Span(low, high, dice.random() < 0.3, dice.random() < 0.3)
        for low, high in zip(ends[::2], ends[1::2], strict=True)
    ]
    marks = [some_number(dice, 0, 30) for _ in range(dice.randrange(3))]
    form = float if any(isinstance(number, float) for number in (*marks, *ends)) else Fraction
    told = [Span(form(span.low), form(span.high), span.open_low, span.open_high) for span in spans]
    return Along(spans, marks=marks), lambda number: any(span.holds(number) for span in told)


def some_spots(dice):
    """Some boxes side by side, some of them with a hole; the oracle is plain comparisons."""
    region, boxes, holes, x = [], [], [], 0
    for _ in range(dice.randrange(1, 4)):
        x, width, height = x + dice.randrange(1, 4), dice.randrange(4, 8), dice.randrange(4, 8)
        rings = [[(x, 0), (x + width, 0), (x + width, height), (x, height)]]
        boxes.append((x, 0, x + width, height))
        if dice.random() < 0.5:
            rings.append([(x + 1, 1), (x + 1, 2), (x + 3, 2), (x + 3, 1)])
            holes.append((x + 1, 1, x + 3, 2))
        region.append(rings)
        x += width

    def allows(spot):
        inside = any(left <= spot[0] <= right and low <= spot[1] <= high for left, low, right, high in boxes)
        return inside and not any(a < spot[0] < c and b < spot[1] < d for a, b, c, d in holes)

    return SpotIn(region), allows


MAKERS = [some_within, some_along, some_spots]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", MAKERS)
class TestLaws:
    def test_every_sample_is_an_answer_as_it_is_recorded(self, make, seed):
        found, allows = make(random.Random(seed))
        assert found.samples
        assert len(set(found.samples)) == len(found.samples)
        for kind in (Choose, React):
            question = kind("odd", options=["none of it", found])
            for sample in found.samples:
                assert allows(sample)
                assert question.check(sample) == sample
                assert type(question.check(sample)) is type(sample)

    def test_it_allows_what_it_should_and_nothing_else(self, make, seed):
        dice = random.Random(seed)
        found, allows = make(dice)
        question = Choose("odd", options=[found])
        tried = [
            (some_number(dice, -1, 30), some_number(dice, -1, 10)) if make is some_spots else some_number(dice, -60, 60)
            for _ in range(80)
        ]
        for answer in tried:
            assert found.fits(answer) == allows(answer), answer
            if allows(answer):
                recorded = question.check(answer)
                assert found.plain(recorded) == recorded
                assert allows(recorded)
            else:
                with pytest.raises(WrongAnswer, match=re.escape(f"possible: {found}")):
                    question.check(answer)

    def test_it_comes_back_from_plain_data_to_the_byte(self, make, seed):
        found, _ = make(random.Random(seed))
        back = range_from(from_text(to_text(found.to_fields())))
        assert back == found
        assert to_text(back.to_fields()) == to_text(found.to_fields())
        assert (back.samples, str(back)) == (found.samples, str(found))
        question = React("odd", who="A1", options=["lie low", found], default=found.samples[0])
        again = question_from(from_text(to_text(question.to_fields())))
        assert (again, hash(again)) == (question, hash(question))
        assert to_text(again.to_fields()) == to_text(question.to_fields())

    def test_nonsense_is_none(self, make, seed):
        found, _ = make(random.Random(seed))
        nonsense = [None, True, "x", (1,), (1, 2, 3), {}, float("inf"), float("nan"), [["a", "b"]]]
        assert not any(map(found.fits, nonsense))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [some_within, some_along])
class TestPieces:
    def test_they_cover_the_range_and_meet_nowhere(self, make, seed):
        """Each answer lies in exactly one piece, unless there are steps or samples at every so many."""
        dice = random.Random(seed)
        found, _ = make(dice)
        if getattr(found, "step", None) or getattr(found, "every", None):
            return
        numbers = [found.plain(number) for number in (some_number(dice) for _ in range(40)) if found.fits(number)]
        for span, sample in found.pieces:
            assert self.held(found, span, sample)
            numbers.append(sample)
        for number in numbers:
            assert sum(self.held(found, piece.span, number) for piece in found.pieces) == 1

    def held(self, found, span, number):
        """Whether a piece holds a number, in whichever turn, but for the rounding of a turn."""
        wraps = getattr(found, "wraps", None)
        turns = [number] if wraps is None else [Fraction(number) + turn * wraps for turn in range(-5, 6)]
        if not getattr(found, "is_measured", False) or wraps is None:
            return any(map(span.holds, turns))
        inside = any(span.low + 1e-9 < number < span.high - 1e-9 for number in turns)
        return inside or (span.low == span.high and any(abs(number - span.low) <= 1e-9 for number in turns))


class TestWords:
    @pytest.mark.parametrize(
        ("found", "told"),
        [
            (Within(0, 360, unit="degrees", wraps=360, open_high=True), "a number of degrees from 0 to below 360"),
            (Within(-45, 45, True, True, unit="degrees", wraps=360), "degrees above 315, through 0, and below 45"),
            (Within(350, 380, unit="degrees", wraps=360), "a number of degrees from 350, through 0, to 20"),
            (Within(270, 360, unit="degrees", wraps=360), "a number of degrees from 270 to 360"),
            (Within(0, 3, step=0.5), "a number from 0 to 3 in steps of 0.5"),
            (Within(0, Fraction(1, 3), open_low=True), "a number above 0 up to 1/3"),
            (Within(1, 6, step=1, unit="inches"), "a whole number of inches from 1 to 6"),
            (Along([(2.4, 5.1)]), "from 2.4 to 5.1 inches along the leg"),
            (Along([(5, 6), (1, 2), (2, 3), (8, 8)]), "from 1 to 3 or from 5 to 6 or at 8 inches along the leg"),
            (SpotIn([SQUARE]), "a spot such as 2,2, in the region from 0,0 to 4,4"),
        ],
    )
    def test_what_would_be_right(self, found, told):
        assert str(found).endswith(told)

    @pytest.mark.parametrize("kind", ["choose", "react"])
    def test_a_wrong_answer_is_told_all_ways(self, kind):
        question = question_from({"ask": kind, "what": "bearing", "options": ["ahead", Within(0, 9, step=3)]})
        with pytest.raises(
            WrongAnswer, match=r"bearing: 4 is not a valid answer; possible: ahead, a number from 0 to 9 in steps of 3"
        ):
            question.check(4)

    @pytest.mark.parametrize("high", [5.0999961234, 1 / 3, 1e-4 / 3, 12.00000049])
    def test_a_measured_end_can_be_typed_as_it_is_told(self, high):
        found = Along([(0, high)])
        typed = str(found).split()[3]
        assert float(found.plain(found.read(typed))) == pytest.approx(high, abs=1e-6)
        assert not found.fits(high + 2e-6)

    def test_an_exact_end_is_exact(self):
        found = Within(0, Fraction(1, 3))
        assert found.fits(found.read("1/3"))
        assert not found.fits(Fraction(1, 3) + Fraction(1, 10**9))


class TestNumbers:
    def test_degrees_go_round(self):
        bow = Within(-30, 30, unit="degrees", wraps=360)
        assert [bow.plain(turn) for turn in (-30, 330, 390, 0, 360, -720)] == [330, 330, 30, 0, 0, 0]
        assert not any(map(bow.fits, (31, 329, 180, -31)))

    def test_both_ends_of_a_whole_turn_are_one(self):
        assert Within(0, 360, wraps=360).samples == (0, 180)
        assert Within(0, 360, wraps=360, open_low=True).fits(0)
        assert not Within(0, 360, wraps=360, open_low=True, open_high=True).fits(360)

    def test_a_hair_below_a_turn_does_not_become_a_whole_one(self):
        assert Within(0, 360, wraps=360, open_high=True).plain(-1e-20) < 360

    def test_floats_are_decimals_where_there_are_steps(self):
        assert Within(0, 1, step=0.1).plain(0.3) == Fraction(3, 10)

    def test_the_first_is_the_lowest_or_the_one_nearest_to_what_the_rule_names(self):
        assert Within(2, 8).samples == (2, 5, 8)
        assert Within(2, 8, near=8).samples == (8, 5, 2)
        assert Within(0, 360, wraps=360, open_high=True, every=90, near=0).samples == (0, 90, 270, 180)

    def test_an_open_end_is_no_sample(self):
        assert Within(2, 8, open_low=True, marks=[4]).samples == (3, 4, 6, 8)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"low": 3, "high": 2},
            {"low": 2, "high": 2, "open_low": True},
            {"low": 0, "high": 400, "wraps": 360},
            {"low": 0, "high": 9, "step": 0},
            {"low": 0, "high": 9, "wraps": -1},
            {"low": 0, "high": 9, "every": Fraction(1, 10_000)},
            {"low": 0, "high": 1, "step": 2, "open_low": True},
        ],
    )
    def test_a_range_without_numbers_makes_no_sense(self, wrong):
        with pytest.raises(ValueError, match=r"there are no|turn of|above 0|more than"):
            Within(**wrong)

    @pytest.mark.parametrize("wrong", ["1", True, None])
    def test_ends_are_numbers(self, wrong):
        with pytest.raises(TypeError, match="expected a number"):
            Within(0, wrong)

    def test_a_leg_wants_a_span(self):
        with pytest.raises(ValueError, match="at least one span"):
            Along([])

    def test_there_is_no_other_range(self):
        with pytest.raises(ValueError, match="no range 'disc': within, along, spot"):
            range_from({"range": "disc"})


class TestSpots:
    def test_holes_do_not_belong_to_it_and_outlines_do(self):
        found = SpotIn([RING])
        assert all(map(found.fits, [(0, 0), (3, 3), (4.5, 3), (1, Fraction(1, 3))]))
        assert not any(map(found.fits, [(4, 4), (9.1, 1), (1,), (1, 2, 3), "1,1", (True, 1)]))
        assert found.fits((9.0000005, 4))

    def test_the_first_spot_is_a_marked_one_or_the_middle(self):
        assert SpotIn([SQUARE], marks=[(1, 1)]).samples[:2] == ((1, 1), (2, 2))
        assert SpotIn([RING]).samples[0] != (Fraction(9, 2), Fraction(9, 2))
        assert SpotIn([SQUARE]).samples == ((2, 2), (0, 0), (4, 0), (4, 4), (0, 4))

    def test_an_area_of_shapely_is_one(self):
        area = shapely.union_all([shapely.box(0, 0, 1, 2), shapely.box(4, 0, 5, 2)])
        found = SpotIn(area)
        assert len(found.region) == 2
        assert found.area.equals(area)
        assert question_from(Choose("spot", options=[found]).to_fields()) == Choose("spot", options=[found])

    @pytest.mark.parametrize("wrong", [[], [[[(0, 0), (1, 1)]]], [[[(0, 0), (2, 2), (2, 0), (0, 2)]]]])
    def test_a_region_is_made_of_polygons(self, wrong):
        with pytest.raises(ValueError, match=r"region"):
            SpotIn(wrong)

    def test_lines_and_points_are_no_region(self):
        with pytest.raises(ValueError, match="made of polygons"):
            SpotIn(shapely.LineString([(0, 0), (1, 1)]))

    def test_a_marked_spot_lies_in_it(self):
        with pytest.raises(ValueError, match="9,9 is not a spot"):
            SpotIn([SQUARE], marks=[(9, 9)])


TURN = Choose("bearing", options=["ahead", Within(0, 360, open_high=True, unit="degrees", wraps=360)], default="ahead")
FIRE = React("fire", who="G1", options=[Along([(2, 5)])])
DROP = Choose("where it drops", options=[SpotIn([SQUARE])])


class TestAnswerers:
    def ask(self, question, typed):
        told = StringIO()
        return Person(StringIO(typed), told).answer(question, Occasion(None)).value, told.getvalue()

    def test_a_person_types_a_number_or_a_spot(self):
        assert self.ask(TURN, "2\n")[0] == 2  # the number itself, not the second option
        assert self.ask(TURN, "-22.5°\n")[0] == Fraction(675, 2)
        assert self.ask(TURN, "Ahead\n")[0] == "ahead"
        assert self.ask(TURN, "\n")[0] == "ahead"
        assert self.ask(FIRE, "5/2\n")[0] == Fraction(5, 2)
        assert self.ask(FIRE, '3"\n')[0] == 3
        assert self.ask(DROP, "1.5, 2\n")[0] == (1.5, 2)

    def test_a_person_is_told_what_would_be_right(self):
        answer, told = self.ask(FIRE, "6\nsoon\n4\n")
        assert answer == 4
        assert told.startswith("G1: fire\n     from 2 to 5 inches along the leg\n  an empty line: lets pass\n> ")
        assert (
            "G1: fire: 6 is not a valid answer; possible: from 2 to 5 inches along the leg, or to let it pass\n" in told
        )
        assert "soon is not a valid answer" in told
        assert "3,9 is not a valid answer; possible: a spot such as 2,2" in self.ask(DROP, "3,9\n1,1\n")[1]

    def test_a_policy_takes_the_first_sample(self):
        assert Policy(reactions="always").answer(FIRE, None).value == 2
        assert Policy(choices="first").answer(DROP, None).value == (2, 2)
        assert Policy(choices="first").answer(TURN, None).value == "ahead"
        assert hoped(DROP) == (2, 2)
        assert Policy().answer(DROP, None) is None

    @pytest.mark.parametrize(
        ("question", "said", "meant"),
        [
            (TURN, 90, 90),
            (TURN, "90", 90),
            (TURN, "ahead", "ahead"),
            (FIRE, Fraction(5, 2), Fraction(5, 2)),
            (FIRE, "2.5 inches", Fraction(5, 2)),
            (FIRE, "pass", None),
            (FIRE, "9", 9),
            (DROP, "1,2", (1, 2)),
            (DROP, "here", "here"),
        ],
    )
    def test_what_a_scenario_means(self, question, said, meant):
        assert understood(question, said) == meant

    def test_a_default_is_one_of_the_answers(self):
        assert Choose("turn", options=[Within(0, 360, wraps=360)], default=-90).default == 270
        with pytest.raises(ValueError, match="default 7 is not among"):
            Choose("turn", options=[Within(0, 6)], default=7)
