"""How far decision places lie apart is kept for near pairs alone: what comes out is as from whole square arrays."""

import numpy as np
import pytest
from skirmish_tables import block, game_with, rough, wall

from simulator.rulesets.skirmish.odds import decision_places
from simulator.rulesets.skirmish.odds.apart import Apart, Rows, best_where
from simulator.rulesets.skirmish.odds.ranked import Ranked


def block_of(length, clean, row=0, column=0, at_once=3):
    """A block of square arrays, some rows at a time."""
    rows = Rows()
    for first in range(0, len(length), at_once):
        some = length[first : first + at_once]
        rows.add(some, some if clean is length else clean[first : first + at_once])
    return rows.block(row, column)


def generated(seed, count=14, added=5):
    """Lengths between places, some without end: whole, and as blocks, with what is added as a border."""
    dice = np.random.default_rng(seed)
    every = count + added
    length = np.where(dice.random((every, every)) < 0.4, dice.integers(1, 9, (every, every)) / 2, np.inf)
    clean = length if seed % 3 == 0 else np.where(dice.random((every, every)) < 0.6, length, np.inf)
    # A border leads back as far as it leads there.
    length[:count, count:] = length[count:, :count].T
    if clean is not length:
        clean[:count, count:] = clean[count:, :count].T
    parts = [length] if clean is length else [length, clean]

    def part(rows, columns, row=0, column=0):
        cut = [np.ascontiguousarray(one[rows, columns]) for one in parts]
        return block_of(cut[0], cut[-1], row, column)

    old, new = slice(0, count), slice(count, every)
    known = Apart(count, (part(old, old),))
    return length, clean, known.bordered(part(new, old, count), part(new, new, count, count)), dice


def best_of(mask, values):
    """The best value that each row of a mask allows, one by one."""
    return np.array([[max([0.0, *column[row]]) for column in values.T] for row in mask])


@pytest.mark.parametrize("goals", [1, 2, 7])
@pytest.mark.parametrize("seed", range(12))
def test_the_best_of_what_is_bordered_is_that_of_whole_arrays(seed, goals):
    length, clean, apart, dice = generated(seed)
    values = dice.choice([0.0, 0.0, 0.36, 0.6, 0.84, 1.0], (len(length), goals))
    for inches in (0.0, 1.0, 2.5, 4.0):
        for kept in (
            lambda far, _, inches=inches: far <= inches,
            lambda _, sure, inches=inches: sure <= inches,
            lambda far, sure, inches=inches: (sure > inches) & (far <= inches + 1) & (far >= 1.5),
        ):
            mask = kept(length, clean) & np.isfinite(length)
            assert np.array_equal(apart.best(kept, Ranked.of(values)).values, best_of(mask, values))
            assert np.array_equal(best_where(mask, Ranked.of(values)).values, best_of(mask, values))


@pytest.mark.parametrize("seed", range(12))
def test_pairs_from_and_to_places_are_rows_and_columns_of_whole_arrays(seed):
    length, clean, apart, dice = generated(seed)
    chosen = np.unique(dice.integers(0, len(length), 6))
    for pairs, (far, sure), turned in (
        (apart.from_places(chosen), (length[chosen], clean[chosen]), False),
        (apart.to_places(chosen), (length[:, chosen], clean[:, chosen]), True),
    ):
        assert len(pairs.row) == np.isfinite(far).sum() > 0, turned
        found = np.full(far.shape, np.inf), np.full(far.shape, np.inf)
        found[0][pairs.row, pairs.other], found[1][pairs.row, pairs.other] = pairs.length, pairs.clean
        assert np.array_equal(found[0], far)
        assert np.array_equal(found[1], sure)


def whole(apart):
    """The lengths between all places, as square arrays."""
    pairs = apart.from_places(np.arange(apart.count))
    found = np.full((2, apart.count, apart.count), np.inf)
    found[:, pairs.row, pairs.other] = pairs.length, pairs.clean
    return found


LAYOUTS = {
    "rough ground": ([rough(1, -1, 2, 3), rough(-2, -3, 0, -1, "other")], {}, 2),
    "blocks and a wall": ([block(1, 1, 2, 2), wall((-1, -2), (2, -2)), rough(-3, 0, -1, 2)], {}, 2),
    "straight lines": ([rough(1, -1, 2, 3), block(-2, 1, -1, 2)], {"path_shape": "straight_per_ap"}, 3),
    "runs": ([rough(2, -1, 3, 3)], {"ap_per_activation": 4}, 4),
    "clean ground": ([block(1, 1, 2, 2)], {}, 2),
}


@pytest.mark.sampled
@pytest.mark.parametrize("at_once", [1 << 22, 900])
@pytest.mark.parametrize("name", LAYOUTS)
def test_places_that_are_added_lie_as_far_apart_as_if_all_were_measured_at_once(name, at_once, monkeypatch):
    pieces, options, ap = LAYOUTS[name]
    me = {"stance": "standing" if ap == 4 else "prone"}
    chances = game_with(*pieces, me=me, options=options).reach("A1", ap=ap)._chances
    places = chances.shared[1]
    places = places[np.random.default_rng(1).permutation(len(places))[:90]]
    places[0] = chances.fronts.start
    together = chances.links.linked([], places)
    monkeypatch.setattr(decision_places, "_LENGTHS_AT_ONCE", at_once)
    known = chances.links.linked([], places[:70])
    bordered = chances.links.added(known, places[70:])
    assert np.array_equal(bordered.places[:90], places)
    assert len(bordered.ways.blocks) == 4
    for one, other in ((bordered.ways, together.ways), (bordered.straight, together.straight)):
        found = whole(one)[:, :90, :90]
        assert np.isfinite(found).sum() > 500
        assert np.allclose(found, whole(other), rtol=0.0, atol=1e-12)


def test_blocks_hold_near_pairs_alone():
    far = np.array([[np.inf, 1.0], [np.inf, np.inf]])
    kept = block_of(far, far)
    assert (kept.other.tolist(), kept.length.tolist(), kept.first.tolist()) == ([1], [1.0], [0, 1, 1])
    assert kept.clean is kept.length
    assert kept.transposed.first.tolist() == [0, 0, 1]
