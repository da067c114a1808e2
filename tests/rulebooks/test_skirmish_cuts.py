"""Paths cut into lots that each end legally; lengths as refusals report them."""

import math

import numpy as np
import pytest
from skirmish_tables import game_with

from simulator.geometry.paths import Path, Straight
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.reach.cuts import cut
from simulator.rulesets.skirmish.reach.spends import Lot
from simulator.rulesets.skirmish.shortfalls import available_inches, inches_text, needed_inches


def lots_of(*inches):
    return [Lot("move", 1, length, length / 2) for length in inches]


def grounds_with(*spots):
    others = tuple((f"U{number}", "red", spot) for number, spot in enumerate(spots))
    return game_with(others=others).reach("A1").grounds


class TestCuts:
    """SK-5, SK-56."""

    @pytest.mark.parametrize(
        ("lots", "lengths"),
        [
            ((3, 3, 3), (3, 3, 2)),
            ((5, 1, 2), (5, 1, 2)),
            ((4, 4), (4, 4)),
            ((8, 1), (8,)),
            ((3, 3), None),
            ((8 - TOLERANCE / 2,), (8,)),
            ((8 - 1e-3,), None),
            ((), None),
        ],
    )
    def test_with_nobody_in_the_way_lots_are_whole_but_for_the_last(self, lots, lengths):
        path = Path((0.0, 0.0), (Straight((0.0, 0.0), (8.0, 0.0)),))
        parts = cut(grounds_with(), path, lots_of(*lots))
        if lengths is None:
            assert parts is None
            return
        assert [part.length for _, part in parts] == pytest.approx(lengths)
        assert [lot.inches for lot, _ in parts] == list(lots)[: len(parts)]

    @pytest.mark.parametrize("seed", range(12))
    def test_each_lot_ends_as_far_as_it_legally_can(self, seed):
        dice = np.random.default_rng(seed)
        spots = [(x, y) for x, y in np.round(dice.uniform((1, -1), (9, 1), (4, 2)), 2).tolist()]
        apart = [spot for n, spot in enumerate(spots) if all(math.dist(spot, other) > 1.01 for other in spots[:n])]
        grounds = grounds_with(*apart)
        path = Path((0.0, 0.0), (Straight((0.0, 0.0), (10.0, 0.0)),))
        lots = lots_of(*dice.uniform(0.6, 4, 6).tolist())
        parts, done, used = cut(grounds, path, lots), 0.0, []
        for lot in lots:
            if done >= 10.0:
                break
            most = min(done + lot.inches, 10.0)
            spread = np.arange(most, done, -0.001)
            free = may_end(grounds.table, grounds.unit, np.stack([spread, np.zeros(len(spread))], axis=1))
            end = 10.0 if most == 10.0 else float(spread[free.argmax()]) if free.any() else done
            used += [end - done] if end > done + 0.002 else []
            done = end if end > done + 0.002 else done
        if done < 10.0:
            assert parts is None
        else:
            assert [part.length for _, part in parts] == pytest.approx(used, abs=0.01)
            assert all(part.length <= lot.inches + TOLERANCE for lot, part in parts)
            assert parts[0][1].start == path.start
            assert parts[-1][1].end == pytest.approx(path.end)


class TestFiguresOfRefusals:
    """Needed is rounded up, available down, and what is written adds up."""

    @pytest.mark.parametrize("seed", range(3))
    def test_needed_is_larger_however_little_is_missing(self, seed):
        for there, missing in np.random.default_rng(seed).uniform((0, 1e-5), (40, 1e-3), (200, 2)).tolist():
            needed, available = needed_inches(there + missing), available_inches(there)
            assert needed > available
            assert there + missing <= needed + 1e-6 <= there + missing + 1.02e-4
            assert there - 1.01e-4 <= available <= there + 1e-6
            assert available + float(inches_text(needed - available)) == pytest.approx(needed, abs=1e-9)
            assert len(inches_text(needed - available).partition(".")[2]) <= 4

    @pytest.mark.parametrize("figure", [0.0, 3.0, 3.25, 0.0001, 12.3456])
    def test_a_figure_of_four_digits_stays_as_it_is(self, figure):
        for noise in (0.0, 1e-12, -1e-12):
            assert needed_inches(figure + noise) == available_inches(figure + noise) == figure

    @pytest.mark.parametrize(("length", "told"), [(-1e-9, "0"), (3.0, "3"), (0.00004, "0"), (2.50004, "2.5")])
    def test_lengths_are_written_short(self, length, told):
        assert inches_text(length) == told
