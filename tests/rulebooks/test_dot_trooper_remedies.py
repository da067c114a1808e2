"""The smallest change that helps, over generated worlds of what helps: nothing smaller does, nothing is missed."""

import random
from itertools import combinations

import pytest

from simulator.rulesets.dot_trooper.why.remedies import gone, more_ap, smallest_change

NAMES = ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")


class World:
    """What helps: one of some changes, each of units gone and AP more, or anything larger."""

    def __init__(self, seed):
        dice = random.Random(seed)
        self.names = NAMES[: dice.randrange(11)]
        first = dice.randrange(1, 4)
        self.ap = range(first, first + dice.randrange(5))
        most = min(len(self.names), 4)
        self.enough = [
            (frozenset(dice.sample(self.names, dice.randint(0 if dice.random() < 0.1 else min(1, most), most))), more)
            for more in dice.choices((0, 0, 2, 4, 6), k=dice.randrange(4))
        ]
        self.asked = []

    def helps(self, names, ap):
        self.asked.append((names, ap))
        return any(wanted <= set(names) and least <= ap for wanted, least in self.enough)

    def change(self):
        return smallest_change(self.names, self.ap, self.helps)


def fewest(world, ap):
    """Sets of units that help with so many AP, none of whose parts does, smallest first and nearest units first."""
    names = range(len(world.names))
    sets = [some for number in range(1, len(names) + 1) for some in combinations(names, number)]
    named = [tuple(world.names[at] for at in some) for some in sets]
    return [
        some
        for some in named
        if world.helps(some, ap) and not any(world.helps(tuple(set(some) - {name}), ap) for name in some)
    ]


@pytest.mark.parametrize("seed", range(250))
def test_it_is_the_smallest(seed):
    world = World(seed)
    most = max(world.ap, default=0)
    told = world.change()
    asked = list(world.asked)
    alone = [ap for ap in world.ap if world.helps((), ap)]
    if alone:
        assert told == more_ap(alone[0])
        return
    for ap in (0, most):
        smallest = fewest(world, ap)
        if not smallest:
            continue
        assert " gone" in told
        units = tuple(told.removeprefix("with ").partition(" gone")[0].split(", "))
        assert list(units) == sorted(units)
        assert set(units) in [set(some) for some in smallest]
        singles = [some for some in smallest if len(some) == 1 and some[0] in world.names[:8]]
        pairs = [some for some in smallest if len(some) == 2]
        if singles:
            assert units == singles[0]
        elif pairs and len(world.names) <= 4:
            assert units == pairs[0]
        if ap:
            least = next(one for one in world.ap if world.helps(units, one))
            assert told == f"{gone(units)}, {more_ap(least)}"
        else:
            assert told == gone(units)
        break
    else:
        assert told == ""
    # Each question is a whole search.
    assert len(asked) <= 4 * (1 + len(world.names) + 6) + len(world.ap)


def test_worlds_of_all_sorts_are_among_them():
    told = [World(seed).change() for seed in range(250)]
    for sort in ("", "AP more", "gone", "gone, "):
        assert sum(one.endswith(sort) if sort.strip() == "gone" else sort in one for one in told) > 20
    assert sum(not one for one in told) > 20
