"""Positions in which reach is compared with play: each option and figure in turn, and every moment of a turn.

A variant changes one thing: an option to one of its values, or a figure of the tables to a smaller or a larger one. A
moment is a list of orders that lead into the middle of a turn; those that are forbidden are left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from exhaustive_grid_runner import NoDamage, order_of, paths
from grid_runner_boards import RULES, character

from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid
from simulator.rulesets.grid_runner.figures import ACTION_KINDS, TABLES

SCALES = ("m1", "m2", "m5")
METATYPES = ("dwarf", "human", "elf", "ork", "troll")
#: Values of options that are no choice out of a list.
OTHER_VALUES = {
    "free_actions_per_pass": (0, 1, 2),
    "charge_bonus_dice": (0, 2, 5),
    "interception_order": ((), ("B2", "B1"), ("B1",)),
}


@dataclasses.dataclass(frozen=True)
class Variant:
    """One thing that is changed, and what the mover has to be like for the change to be about it."""

    name: str
    options: tuple[tuple[str, Any], ...] = ()
    tables: tuple[tuple[str, Any], ...] = ()
    scale: str = ""
    mode: str = ""
    metatype: str = ""
    passes: int = 0


def option_variants() -> Iterator[Variant]:
    """Every value of every option, the defaults too, and the pairs that have to do with several passes."""
    for name, option in RULES.options.declared.items():
        for value in option.values or OTHER_VALUES[name]:
            told = f"{name}={value}"
            if name == "scale":
                yield Variant(told, scale=value)
            elif name == "h_above_4" and value != option.default:
                yield Variant(told, ((name, value),), passes=6)
            else:
                yield Variant(told, ((name, value),))
    several = {
        "carry_over": True,
        "turn_total_cap": True,
        "split_move": True,
        "diagonal_parity_reset": "turn",
        "sprint_action": "none",
        "run_start_without_pass": True,
        "allotment_source": "division_rule",
    }
    names = list(several)
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            yield Variant(f"{one}, {other}", ((one, several[one]), (other, several[other])))


def _other_figures(path: str, figure: Any) -> Iterator[tuple[str, Any]]:
    """A smaller and a larger value of a figure, or every other word that may stand there."""
    if path.startswith("action_kind."):
        yield from ((kind, kind) for kind in ACTION_KINDS if kind != figure)
    elif path.startswith("allotment_table."):
        yield "smaller", [max(one - 1, 0) for one in figure]
        yield "larger", [one + 1 for one in figure]
    elif path == "test.die":
        yield from (("smaller", "D5"), ("larger", "D8"))
    elif path == "blast.dice":
        yield from (("smaller", "D4"), ("larger", "2D6"))
    elif path == "test.hit_on":
        yield from (("smaller", 4), ("larger", 6))
    elif path.startswith(("weapon_range.", "rescaled_range.")):
        yield from (("smaller", ["0-1", "2", "-", "-"]), ("larger", ["0-90", "91-99", "100-200", "201-300"]))
    elif not path.startswith("weapon_group."):
        step = Fraction(1, 2) if isinstance(figure, Fraction) else 1
        if path.startswith(("in_melee", "band_modifier")) or figure >= step:
            yield "smaller", figure - step
        yield "larger", figure + step


def figure_variants() -> Iterator[Variant]:
    """A smaller and a larger value of every figure of tables.toml."""
    for path, figure in TABLES.items():
        for told, value in _other_figures(path, figure):
            parts = path.split(".")
            fields: dict[str, Any] = {}
            if parts[0] == "allotment_table":
                _, fields["scale"], fields["mode"], fields["metatype"], high = parts
                fields["passes"] = int(high[1:])
            elif parts[0] == "m1_labels":
                fields = {"scale": "m1", "mode": parts[1], "metatype": parts[2]}
            elif parts[-1] in SCALES:
                fields["scale"] = parts[-1]
            options = (("m1_totals", "labels"),) if parts[0] == "m1_labels" else ()
            yield Variant(f"{path} {told}", options, ((path, value),), **fields)


def variants() -> list[Variant]:
    """All of them."""
    return [*option_variants(), *figure_variants()]


# --- positions ---


def opening(seed: int, variant: Variant, size: tuple[int, int] = (4, 4), most: int = 0, passes: int = 0) -> Game[Any]:
    """A generated board with the mover A, enemies B1 and B2, a friend C1, and now and then a pair that grapples.

    Where `most` is given, figures of the allotment tables that are larger are cut down to it.
    """
    dice = np.random.default_rng([seed, 17])
    columns, rows = size
    ground = dice.choice(list(".,#"), size=(rows, columns), p=[0.68, 0.16, 0.16])
    east, south = (dice.random((rows, columns)) < 0.05 for _ in range(2))
    east[:, -1] = south[-1] = False
    text = "\n".join(" ".join(row) for row in ground.tolist())
    board = SquareGrid.from_text(text, walls_east=east, walls_south=south)
    free = [(int(column), int(row)) for row, column in np.argwhere(~board.walls)]
    if len(free) < 5:
        return opening(seed + 1000, variant, size, most, passes)
    scale = variant.scale or SCALES[int(dice.integers(3))]
    squares = [free[number] for number in dice.permutation(len(free))]
    # In contact, one time in three.
    beside = [place for place in squares[1:] if max(abs(place[0] - squares[0][0]), abs(place[1] - squares[0][1])) == 1]
    if beside and dice.random() < 0.33:
        squares.remove(beside[0])
        squares.insert(1, squares[0] if scale == "m5" else beside[0])
    high = variant.passes or passes or int(dice.integers(1, 5))
    own = int(dice.integers(1, high + 1))
    fields: dict[str, Any] = {
        "metatype": variant.metatype or METATYPES[int(dice.integers(5))],
        "mode": variant.mode or ("walk", "run")[int(dice.integers(2))],
        "passes": high if dice.random() < 0.6 else own,
        "running": 2,
        "agility_gymnastics": int(dice.integers(1, 3)),
        "weapon": "sword",
    }
    if dict(variant.options).get("diagonal_parity_reset") == "never":
        fields["parity"] = int(dice.integers(2))
    units = [character("A", "red", squares[0], **fields)]
    for number, (name, side) in enumerate((("B1", "blue"), ("B2", "blue"), ("C1", "red")), 1):
        if dice.random() < 0.7 or (number == 1 and high > fields["passes"]):
            lies = dice.random()
            state = {"prone": bool(lies < 0.1), "immobilised": bool(0.1 <= lies < 0.2)}
            chance = Fraction(int(dice.integers(0, 5)), 4)
            units.append(
                character(name, side, squares[number], passes=high if number == 1 else 1, damage_chance=chance, **state)
            )
    if all(unit["passes"] < high for unit in units):
        units[0] = units[0].put(passes=high)
    if dice.random() < 0.3:
        pair = (("G1", "red", "G2", True), ("G2", "blue", "G1", False))
        units += [character(name, side, squares[4], grappling=other, holds=holds) for name, side, other, holds in pair]
    options = {"scale": scale, **dict(variant.options)}
    tables = dict(variant.tables)
    if most:
        for mode in ("walk", "run"):
            path = f"allotment_table.{scale}.{mode}.{fields['metatype']}.h{min(high, 4)}"
            figure = tables.get(path, TABLES[path])
            limit = most + (mode == "run")
            tables[path] = [min(int(one), limit) for one in figure]
    return Game.new(RULES, board, units, options=options, tables=tables, answers=NoDamage())


class _Struck:
    """Everybody intercepts, and does damage where that is possible; other rolls are the best there are."""

    def answer(self, question: Any, moment: Any) -> Any:
        from simulator.engine.answers import Answer
        from simulator.engine.questions import React

        if isinstance(question, React):
            return Answer(question.options[0])
        if "damage" in getattr(question, "chances", {}):
            return Answer("damage")
        return NoDamage().answer(question, moment)


def _next_pass(game: Game[Any]) -> bool:
    here = game.state.clock.number
    if here + 1 >= len(game.state.clock.phases):
        return False
    while game.state.clock.number == here:
        game.do("all done")
    return True


def _moved(game: Game[Any], dice: Any, action: str = "move", longest: int = 2) -> None:
    ways = sorted(path for path in paths(game, action) if len(path) <= longest)
    if ways:
        game.do(order_of(action, ways[int(dice.integers(len(ways)))]))


#: The moments of a turn: what is done before reach is asked. A word with a colon is a movement at random.
MOMENTS = {
    "opening": (),
    "has taken a simple action": ("A act simple",),
    "has taken a complex action": ("A act complex",),
    "has used its free action": ("A act free",),
    "has started to run": ("A start_run",),
    "has stopped running": ("A stop_run",),
    "has sprinted": ("A start_run", "A sprint"),
    "has moved": (":move",),
    "has moved and acted": (":move", "A act simple"),
    "has sprinted and moved": ("A start_run", "A sprint", ":move"),
    "has sprinted, moved and acted": ("A start_run", "A sprint", ":move", "A act free"),
    "was stopped": ("!move",),
    "fell": ("A becomes prone",),
    "fell and got up": ("A start_run", "A becomes prone", "A becomes standing"),
    "has sprinted, fell and got up": ("A start_run", "A sprint", "A becomes prone", "A becomes standing"),
    "is held": ("A becomes immobilised",),
    "delays": ("A delay", "C1 act simple"),
    "has moved and delays": (":move", "A delay", "C1 act simple"),
    "next pass": ("next",),
    "next pass, has moved": (":move", "next"),
    "next pass, has sprinted and moved": ("A start_run", "A sprint", ":move", "next"),
    "next pass, has taken a one-square move": (":one_square_move", "next"),
    "next pass, has withdrawn": (":withdrawal", "next"),
    "next pass, was stopped": ("!move", "next"),
    "next pass, has moved in both": (":move", "next", ":move"),
    "next pass, has stopped running": (":move", "next", "A stop_run"),
    "third pass": (":move", "next", ":move", "next"),
    "third pass, started to run": (":move", "next", "A start_run", ":move", "next"),
    "last pass": (":move", "next", "next", "next"),
    "others have intercepted": ("?move",),
    "next turn": (":move", "next", ":move", "turn"),
}


def at_moment(game: Game[Any], moment: str, seed: int) -> Game[Any]:
    """Play a game into a moment; what is forbidden on the way is left out."""
    dice = np.random.default_rng([seed, 5])
    for step in MOMENTS[moment]:
        if step == "next":
            _next_pass(game)
        elif step == "turn":
            while _next_pass(game):
                pass
            turn = game.state.clock.turn
            while game.state.clock.turn == turn:
                game.do("all done")
        elif "A" in game.state.clock.done:
            continue
        elif step[0] in ":!?":
            struck = game.branch(_Struck()) if step[0] != ":" else game
            _moved(struck, dice, step[1:])
            game = struck.branch(NoDamage())
        elif step.split()[0] in game.state.units and not game.breaches(step):
            game.do(step)
    return game


#: Boards for questions about one pass, and long narrow ones for several, so that each square of a figure shows.
_ONE_PASS, _SEVERAL = ((4, 4), (5, 3)), ((9, 1), (7, 2))
_REMEMBERED = {"carry_over", "turn_total_cap"}


def asked_at(seed: int, several: bool) -> tuple[Game[Any], tuple[int, str, str] | None] | None:
    """Return the position of a seed, and for several passes what is asked: how many, the first action, the pace.

    None where A has had its go, or the turn is too short. Of the questions about several passes half are asked where
    squares are carried over or capped.
    """
    dice = np.random.default_rng([seed, 29])
    everything, options = variants(), list(option_variants())
    remembering = [one for one in options if any(name in _REMEMBERED and value for name, value in one.options)]
    among = (everything, options, remembering, remembering)[int(dice.integers(4 if several else 2))]
    variant, moment = among[int(dice.integers(len(among)))], list(MOMENTS)[int(dice.integers(len(MOMENTS)))]
    size = (_SEVERAL if several else _ONE_PASS)[int(dice.integers(2))]
    game = opening(seed, variant, size, most=2 if several else 3, passes=int(dice.integers(2, 5)) if several else 0)
    game = at_moment(game, moment, seed)
    left = len(game.state.clock.phases) - game.state.clock.number
    if "A" in game.state.clock.done or (several and left < 2):
        return None
    if not several:
        return game, None
    action = ("move", "withdrawal", "one_square_move")[int(dice.integers(3))]
    return game, (min(left, int(dice.integers(2, 5))), action, ("", "run", "walk")[int(dice.integers(3))])
