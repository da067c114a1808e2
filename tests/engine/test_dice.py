"""Dice: exact chances, and the same faces on every machine."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.dice import Dice, SeededDice


class TestExpressions:
    @pytest.mark.parametrize("text", ["D10", "2D6", "3D6+2", "3D6-1", "6D6>=5", "0D6", "D6>=7"])
    def test_they_are_read_and_written_back(self, text):
        assert str(Dice.of(text)) == text

    def test_spaces_and_small_letters_are_taken(self):
        assert Dice.of("2d6 + 1") == Dice(2, 6, 1)

    @pytest.mark.parametrize("text", ["", "D", "2D", "D0", "6", "2X6", "2D6+", "-1D6", "2D6>5", "99D99", "2D6>=5+1"])
    def test_nonsense_is_refused(self, text):
        with pytest.raises(ValueError, match="dice"):
            Dice.of(text)

    def test_a_pool_adds_nothing(self):
        with pytest.raises(ValueError, match="adds nothing"):
            Dice(2, 6, 1, hits_on=5)


class TestChances:
    @settings(deadline=None, max_examples=60)
    @given(st.integers(0, 4), st.integers(1, 8), st.integers(-3, 3), st.none() | st.integers(0, 9))
    def test_they_are_those_of_counting_every_throw(self, count, sides, plus, hits_on):
        dice = Dice(count, sides, 0 if hits_on is not None else plus, hits_on)
        throws = Counter(dice.result(faces) for faces in product(range(1, sides + 1), repeat=count))
        every = sides**count
        assert dict(dice.chances) == {result: Fraction(many, every) for result, many in throws.items()}
        assert list(dice.chances) == sorted(dice.chances)

    def test_two_dice_reach_the_printed_chances(self):
        """DT-160: 2: 36/36, 3: 35/36, ... 12: 1/36."""
        chances = Dice.of("2D6").chances
        at_least = [sum(chance for result, chance in chances.items() if result >= least) for least in range(2, 13)]
        assert at_least == [Fraction(ways, 36) for ways in (36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1)]

    def test_many_dice_are_exact(self):
        assert sum(Dice.of("100D20").chances.values()) == 1


class TestSeededDice:
    def test_looking_costs_no_dice(self):
        dice = SeededDice(7)
        later = dice.faces(5, Dice.of("3D6"))
        assert [dice.faces(number, Dice.of("2D6")) for number in range(5)]
        assert dice.faces(5, Dice.of("3D6")) == later

    def test_other_seeds_and_rolls_give_other_dice(self):
        many = Dice.of("40D6")
        rolls = {SeededDice(seed).faces(roll, many) for seed in (1, 2, "1") for roll in range(3)}
        assert len(rolls) == 9

    @pytest.mark.parametrize("sides", [2, 3, 6, 7, 10, 20, 100])
    def test_every_face_comes_up_about_as_often(self, sides):
        throws = 300 * sides
        seen = Counter(SeededDice("fair").below(sides, roll) for roll in range(throws))
        squares = sum((seen[face] - 300) ** 2 / 300 for face in range(sides))
        # Chi square with sides - 1 degrees of freedom: mean sides - 1, deviation sqrt(2 (sides - 1)).
        assert set(seen) == set(range(sides))
        assert squares < sides - 1 + 5 * (2 * (sides - 1)) ** 0.5

    def test_a_number_beyond_the_last_whole_multiple_is_thrown_again(self, monkeypatch):
        """Of 2**64 numbers the last 4 would favour the low faces of a die with 6 sides."""
        numbers = [2**64 - 1, 2**64 - 4, 2**64 - 5]
        told = []

        class Blake:
            def __init__(self, text, digest_size):
                assert digest_size == 8
                told.append(text.decode())

            def digest(self):
                return numbers[len(told) - 1].to_bytes(8, "big")

        monkeypatch.setattr("simulator.engine.dice.hashlib.blake2b", Blake)
        assert SeededDice(7).below(6, roll=3, die=1) == (2**64 - 5) % 6
        assert told == ["int:7:3:1:0", "int:7:3:1:1", "int:7:3:1:2"]

    def test_limits_wider_than_a_machine_word_are_fair_too(self):
        limit = 3 * 2**80
        seen = Counter(SeededDice(3).below(limit, roll) // 2**80 for roll in range(300))
        assert set(seen) == {0, 1, 2}
        assert min(seen.values()) > 60
