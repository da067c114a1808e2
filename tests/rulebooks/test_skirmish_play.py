"""skirmish, played at random: whatever is ordered, what must never happen does not, under all options."""

import math
import random

import numpy as np
import pytest
import shapely
from skirmish_tables import block, rough, wall

from simulator.engine.answers import DiceBag, Policy
from simulator.engine.errors import IllegalOrder, TableError
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.questions import LET_PASS
from simulator.errors import SimulatorError
from simulator.geometry.table import InchTable
from simulator.rulesets.skirmish import RULESET, make_soldier
from simulator.rulesets.skirmish.movement import allowance, line_of
from simulator.rulesets.skirmish.obstruction import barred_at, features_of
from simulator.rulesets.skirmish.traverse.rules import in_reach

STANCES = ("standing", "crouching", "prone")
SIZE = 14.0
#: What a place may be off: the limits are inclusive to within a millionth, at either of two bases.
SLACK = 3e-6


class Answers:
    """Dice and choices of a seed, whoever is asked."""

    def __init__(self, seed):
        self.dice, self.random = DiceBag.of(seed), random.Random(seed)
        self.policy = Policy(
            lambda question, _: self.random.choice([LET_PASS, *question.samples]),
            lambda question, _: self.random.choice(question.samples),
        )

    def answer(self, question, moment):
        return self.dice.answer(question, moment) or self.policy.answer(question, moment)


def random_board(dice):
    """A small table, crowded with walls, blocks, bent walls and rough ground."""
    pieces = []
    for k in range(dice.randint(3, 6)):
        x, y = round(dice.uniform(1, SIZE - 3), 2), round(dice.uniform(1, SIZE - 3), 2)
        height = dice.choice([0.5, 1.5, 2.5, 5])
        kind = dice.choice(["block", "wall", "bent", "rough"])
        if kind == "block":
            pieces.append(block(x, y, x + dice.uniform(0.3, 3.5), y + dice.uniform(0.3, 2), height, f"p{k}"))
        elif kind == "rough":
            pieces.append(rough(x, y, x + 3, y + 3, f"p{k}"))
        else:
            corners = [(x, y), (x + dice.uniform(-2, 3), y + dice.uniform(-2, 3))]
            if kind == "bent":
                corners.append((x + dice.uniform(0.2, 0.9), y + dice.uniform(-0.9, 0.9)))
            corners = [(min(max(u, 0), SIZE), min(max(v, 0), SIZE)) for u, v in corners]
            pieces.append(wall(*corners, height=height, name=f"p{k}"))
    return InchTable("Random", SIZE, SIZE, pieces=tuple(pieces))


def random_game(seed):
    """A game with some options other than usual, and six soldiers who stand where they may."""
    dice = random.Random(seed)
    board = random_board(dice)
    options = {name: dice.choice(option.values) for name, option in RULESET.options.declared.items()}
    units = []
    while len(units) < 6:
        fields = {
            "radius": dice.choice([0.3, 0.5, 0.75]),
            "stance": dice.choice(STANCES),
            "threshold_left": dice.randint(0, 3),
            "incoming_fire": dice.choice([0, 0, 1]),
        }
        place = dice.uniform(1, SIZE - 1), dice.uniform(1, SIZE - 1)
        unit = make_soldier(f"U{len(units)}", ("red", "blue")[len(units) % 2], place, heading=0, **fields)
        game = Game.new(RULESET, board, [*units, unit], options=options, answers=Answers(seed))
        if not list(RULESET.faults(game.table)):
            units.append(unit)
    return game, dice


def random_order(game, dice):
    """Something that one might say: much of it is forbidden."""
    everybody = [unit.id for unit in game.state]
    able = [name for name in everybody if not game.breaches(f"{name} done")]
    name = dice.choice(able if able and dice.random() < 0.9 else everybody)
    unit = game.state.unit(name)
    x, y = unit.place
    pieces = [piece.id for piece in features_of(game.table).obstacles] or ["none"]

    def spot(most):
        turn, inches = dice.uniform(0, 2 * math.pi), dice.choice([dice.uniform(0, most), most])
        return f"{x + inches * math.cos(turn):.4f},{y + inches * math.sin(turn):.4f}"

    kind = dice.choice(["line", "line", "bent", "arc", "run", "over", "over", "gap", "stance", "attack", "done"])
    if kind == "line":
        return f"{name}: to {spot(dice.choice([1, 2, 3]))}"
    if kind == "bent":
        return f"{name} move ap {dice.choice([1, 1, 2])}: to {spot(1)}, to {spot(2)}, facing {dice.randint(0, 359)}"
    if kind == "arc":
        return f"{name}: {dice.choice(['left', 'right'])}_around {spot(1.5)} by {dice.randint(1, 120)}"
    if kind == "run":
        return f"{name} run: to {spot(9)}"
    if kind in ("over", "gap"):
        table = game.ready_table(name)
        ways = in_reach(table, table.unit(name))
        if ways:
            args = dice.choice(ways).args
            return game.write(Order(name, "traverse", (), args))
    if kind == "over":
        towards = f" towards {spot(1.5)}" if dice.random() < 0.3 else ""
        return f"{name} traverse {dice.choice(pieces)}{towards}"
    if kind == "gap":
        return f"{name} traverse {dice.choice(pieces)} and {dice.choice(pieces)}"
    if kind == "stance":
        return f"{name} change_stance {dice.choice(STANCES)}"
    if kind == "attack":
        target = dice.choice(everybody)
        return f"{name} attack {target} base {dice.choice(['poor', 'normal'])} made {dice.choice(['normal', 'good'])}"
    return f"{name} done"


def check_positions(game):
    """SK-17, SK-53, SK-56, SK-63: nobody overlaps anything; SK-39, SK-61, SK-62: nothing is below zero."""
    units = list(game.state)
    solids = [piece.shape.polygon for piece in features_of(game.table).obstacles]
    for number, unit in enumerate(units):
        radius = unit["radius"]
        assert all(radius - SLACK <= value <= SIZE - radius + SLACK for value in unit.place), unit
        assert all(shapely.distance(solid, shapely.Point(unit.place)) >= radius - SLACK for solid in solids), unit
        for other in units[:number]:
            assert math.dist(unit.place, other.place) >= radius + other["radius"] - SLACK, (unit, other)
        assert min(unit["ap"], unit["ap_owed"], unit["threshold_left"]) >= 0, unit


def totals(state, currency):
    """What all together have left of a currency; AP owed are AP gone."""
    if currency == "Threshold":
        return sum(unit["threshold_left"] for unit in state)
    return sum(unit["ap"] - unit["ap_owed"] for unit in state)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(14))
def test_whatever_is_ordered(seed):
    game, dice = random_game(seed)
    played = 0
    for _ in range(120):
        order = random_order(game, dice)
        before = game.state
        breaches = game.breaches(order)
        if breaches:
            with pytest.raises(IllegalOrder):
                game.do(order)
            assert game.state is before
            assert all(breach.clause and breach.message for breach in breaches)
            continue
        mover = game.ready_table(game.read(order).unit)
        happened = game.do(order)
        played += 1
        check_positions(game)
        check_prices(game, before, mover, happened, order)
    assert played > 5


def check_prices(game, before, mover, happened, order):
    """SK-1, SK-2, SK-28: what the ledger says was paid, and no line is longer than it may be."""
    read = game.read(order)
    assert happened.ledger.total("Threshold") == totals(before, "Threshold") - totals(game.state, "Threshold")
    if game.state.clock.turn == before.clock.turn and game.state.clock.unit == read.unit:
        unit = mover.unit(read.unit)
        spent = unit["ap"] - game.state.unit(read.unit)["ap"]
        owed = sum(one["ap_owed"] for one in game.state) - sum(one["ap_owed"] for one in mover.state)
        assert happened.ledger.total("AP") == spent + owed
    if read.action in ("move", "run"):
        unit = mover.unit(read.unit)
        line = line_of(unit, read.elements)
        assert np.isinf(barred_at(mover, unit, line.arrays)).all()
        if game.table.options.measure == "translation":
            assert line.length <= allowance(mover, unit, read) + SLACK
            assert float(happened.ledger.total("inches")) <= line.length + SLACK


@pytest.mark.parametrize("seed", range(4))
def test_a_game_is_the_same_again(seed):
    ends = []
    for _ in range(2):
        game, dice = random_game(seed)
        for _ in range(40):
            order = random_order(game, dice)
            if not game.breaches(order):
                game.do(order)
        ends.append(game.state.hash)
    assert ends[0] == ends[1]


NONSENSE = [
    "",
    "U0",
    "U0:",
    "U0 :to",
    "nobody: to 1,1",
    "U0 fly: to 1,1",
    "U0: to",
    "U0: to 1",
    "U0: to nan,1",
    "U0: to inf,1",
    "U0: to 1e400,1",
    "U0: to 1e308,1e308",
    "U0: to -1e9,1",
    "U0: to 1,1,1",
    "U0: too 1,1",
    "U0: left_around 1,1",
    "U0: left_around 1,1 by -5",
    "U0: left_around 1,1 by 1e9",
    "U0: left_around {here} by 90",
    "U0: to {here}",
    "U0: facing 90",
    "U0 run: facing 90",
    "U0 run: to {here}",
    "U0 run",
    "U0 move",
    "U0 move ap 0: to 1,1",
    "U0 move ap -1: to 1,1",
    "U0 move ap 99: to 1,1",
    "U0 move to 1e9,1e9",
    "U0 move to nan,nan",
    "U0 run to 1,1",
    "U0 traverse",
    "U0 traverse {piece} and",
    "U0 traverse {piece} and {piece}",
    "U0 traverse {piece} towards {here}",
    "U0 traverse {piece} towards nan,1",
    "U0 traverse {piece} and {piece} towards 1e300,1",
    "U0 traverse U1",
    "U0 change_stance",
    "U0 change_stance flying",
    "U0 attack",
    "U0 attack U0",
    "U0 attack U1 base good made poor",
    "U0 attack U1 made brilliant",
    "U0 attack U1 from {here}",
    "U0 attack nobody",
    "U0 dodge",
    "U0 done done",
    "all done now",
    "U0: " + "to 1,1, " * 200,
    "\x00",
    "U0: to 1,1 ; drop",
    "𝔘0: to 1,1",
]


@pytest.mark.parametrize("text", NONSENSE, ids=repr)
def test_nonsense_is_told_and_changes_nothing(text):
    """Whoever types it reads what is wrong: nothing but errors of this program, and no change."""
    game, _ = random_game(3)
    x, y = game.state.unit("U0").place
    order = text.format(here=f"{x!r},{y!r}", piece=features_of(game.table).obstacles[0].id)
    before = game.state
    try:
        game.do(order)
    except SimulatorError as error:
        assert str(error)
        assert game.state is before
    check_positions(game)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_scrambled_orders_raise_nothing_else(seed):
    """Real orders with letters struck out, doubled and swapped."""
    game, dice = random_game(seed)
    for _ in range(80):
        text = list(random_order(game, dice))
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text))
            text[at] = dice.choice(["", text[at] * 2, dice.choice("0.,:-e \t'\"{}[]abz"), "-" + text[at]])
            text = [letter for part in text for letter in part] or ["U"]
        before = game.state
        try:
            game.do("".join(text))
        except SimulatorError:
            assert game.state is before
    check_positions(game)


@pytest.mark.parametrize(
    "order",
    [
        *("A2: to 1,1", "A2: left_around 1,1 by 90", "A2 run: to 1,1", "A2 move to 1,1", "A2 run to 1,1"),
        *("A2 traverse wall", "A2 change_stance prone", "A2 attack B2", "A1 attack B1", "B1 attack A1"),
    ],
)
def test_whoever_is_off_the_table_does_nothing_there(order):
    """SK-63: a soldier without a place, as attacker or target, too."""
    places = {"A1": (5, 5), "A2": None, "B1": None, "B2": (9, 9)}
    units = [make_soldier(name, "red" if name[0] == "A" else "blue", place) for name, place in places.items()]
    board = InchTable("Yard", SIZE, SIZE, pieces=(wall((3, 2), (3, 9)),))
    game = Game.new(RULESET, board, units)
    assert "SK-63" in [breach.clause for breach in game.breaches(order)]


def test_reach_of_whoever_is_off_the_table_is_an_error():
    game = Game.new(RULESET, InchTable("Yard", SIZE, SIZE), [make_soldier("A1", "red", None)])
    with pytest.raises(TableError, match="A1 is not on the table"):
        game.reach("A1", "move")
