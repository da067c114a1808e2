"""Other dice in the tables: what is played, the chances that are told, odds, ledgers and reasons all go by them.

Each roll is followed with every face that the other dice have, and counted apart from the rulebook.
"""

import itertools
import re
from fractions import Fraction
from pathlib import Path

import pytest
from dt_games import bike
from dt_games import game as dt_game
from grid_runner_boards import RULES, character
from skirmish_tables import game_with, rough, wall

import simulator.rulesets
from simulator.engine.answers import DiceBag, Script
from simulator.engine.errors import OptionError
from simulator.engine.foresight import foresee
from simulator.engine.game import Game
from simulator.engine.questions import Roll
from simulator.geometry.poses import Pose
from simulator.geometry.squares import SquareGrid
from simulator.rulesets.dot_trooper.outcomes import exits

ROOM = Path(simulator.rulesets.__file__).parent


def falls(count, sides):
    """Every way in which dice can fall."""
    return list(itertools.product(range(1, sides + 1), repeat=count))


def share(count, sides, passes):
    every = falls(count, sides)
    return Fraction(sum(passes(faces) for faces in every), len(every))


def rolled(happened):
    return [
        (entry.question.what, entry.question.dice) for entry in happened.answered if isinstance(entry.question, Roll)
    ]


@pytest.mark.parametrize("path", sorted(ROOM.glob("*/**/*.py")), ids=lambda path: str(path.relative_to(ROOM)))
def test_no_code_of_a_rulebook_names_dice(path):
    """They stand in its tables.toml, with their clause."""
    text = re.sub(r'"""[\s\S]*?"""|#.*', "", path.read_text(encoding="utf-8"))
    assert not re.findall(r"\b\d*D(?:6|8|10|12|20)\b", text)


class TestSkirmish:
    """SK-58: one die, no more than the target."""

    @pytest.mark.parametrize(("dice", "count", "sides"), [("D10", 1, 10), ("D20", 1, 20), ("D8", 1, 8), ("2D6", 2, 6)])
    def test_a_terrain_roll(self, dice, count, sides):
        game = game_with(rough(1, -2, 2, 2), at=(0, 0), tables={"roll.dice": dice})
        chance = share(count, sides, lambda faces: sum(faces) <= 6)
        answer = game.reach("A1", "move")
        assert answer.chance_at((2.5, 0.0)) == chance
        foreseen = game.foresee("A1: to 2.5,0")
        assert foreseen.chance == chance
        assert [(roll.dice, roll.chance) for roll in foreseen.rolls] == [(dice, chance)]
        bands = dict(answer.chance_bands())
        assert chance in bands

    def test_a_traverse_and_what_is_played(self):
        for seed in range(12):
            game = game_with(wall((1, -4), (1, 4)), at=(0, 0), tables={"roll.dice": "D20"})
            game.answers = DiceBag.of(seed)
            chance = share(1, 20, lambda faces: sum(faces) <= 6)
            assert game.reach("A1", "traverse").chance_at((1.5, 0.0)) == chance
            happened = game.do("A1 traverse wall")
            assert rolled(happened) == [("Traverse roll", "D20")]
            over = happened.answered[0].answer.value <= 6
            assert (game.state.unit("A1").place == (1.5, 0.0)) == over
            if happened.question is not None:
                assert not over

    def test_what_is_no_dice(self):
        for figure in ("D", "none", "6D6>=5", "0D6", 10):
            with pytest.raises((OptionError, ValueError), match=r"roll\.dice"):
                game_with(tables={"roll.dice": figure})


class TestDotTrooper:
    """DT-89, DT-160: the dice of tests, TN or more; DT-115: those that place damage."""

    @staticmethod
    def road(**tables):
        return dt_game(bike(place=(20, 20), motion="moving"), tables=tables)

    @pytest.mark.parametrize(("dice", "count", "sides"), [("2D6", 2, 6), ("2D8", 2, 8), ("D20", 1, 20), ("3D4", 3, 4)])
    def test_a_control_check(self, dice, count, sides):
        game = self.road(**{"test.dice": dice})
        order = "A1 drive cruise: move 3, right 120, on 1"
        found = game.foresee("A1 drive cruise: move 3, right 120, move 3")
        (check,) = [roll for roll in found.rolls if roll.what.startswith("control check")]
        chance = share(count, sides, lambda faces: sum(faces) >= check.needed)
        assert (check.dice, check.chance, found.chance) == (dice, chance, chance)
        assert order

    @pytest.mark.sampled
    @pytest.mark.parametrize(("dice", "count", "sides"), [("2D8", 2, 8), ("D20", 1, 20)])
    def test_odds_are_those_of_the_orders(self, dice, count, sides):
        """The best chance of each pose is no less than that of its orders, and that of one found by orders alike."""
        game = self.road(**{"test.dice": dice})
        answer = game.reach("A1", "drive", mode="cruise")
        chances = set()
        for end in answer.ends[::7]:
            told = answer.chance_at(Pose(end.place, end.heading), motion="stopped")
            if told:
                (order,) = answer.orders_to(Pose(end.place, end.heading), motion="stopped", safest=True)
                assert game.foresee([order]).chance == told
                chances.add(told)
        assert len(chances) >= 2
        assert all((sides**count) ** 8 % chance.denominator == 0 for chance in chances)

    def test_what_is_played(self):
        seen = set()
        for seed in range(8):
            game = self.road(**{"test.dice": "D20"})
            game.answers = DiceBag.of(seed)
            happened = game.do("A1 drive cruise: move 3, right 120, move 3")
            checks = [dice for what, dice in rolled(happened) if what.startswith("control check")]
            assert checks == ["D20"]
            seen.add(happened.answered[0].answer.value)
        assert max(seen) > 12

    def test_a_check_that_no_roll_passes(self):
        """DT-160: the reason names the dice, what they give at most, and what would help."""
        game = self.road(**{"test.dice": "D3"})
        answer = game.reach("A1", "drive", mode="cruise")
        why = answer.why_not((22, 20), motion="stopped")
        (reason,) = why.reasons
        assert (reason.clause, reason.needed, reason.available) == ("DT-160", 4, 3)
        assert reason.message.endswith("takes a control check against 4, D3 yield at most 3")
        assert why.remedy == "a target number lower by 1"

    def test_damage_begins_at_a_cell_of_its_dice(self):
        """What a wipe-out may leave of a vehicle without armor: as often as a D12 shows the cell it begins at."""
        units = [*bike(place=(20, 20), motion="moving")]
        units[0] = units[0].put(armor=0)
        game = dt_game(units, tables={"damage_cell.dice": "D12", "mode.cruise.wipe_out_damage": 2})
        order = "A1 drive cruise: move 3, right 120, move 3"
        (failed,) = [one for one in exits(game.table, game.read(order)) if one.failed]
        assert failed.damage == 2
        assert dict(failed.hp) == {cell - 2: Fraction(1, 12) for cell in range(1, 13)}
        for seed in range(20):
            twin = game.branch(DiceBag.of(seed))
            cells = [(what, dice) for what, dice in rolled(twin.do(order)) if what == "damage cell"]
            assert all(dice == "D12" for _, dice in cells)

    @pytest.mark.parametrize(
        ("path", "dice", "told"),
        [
            ("damage_cell.dice", "2D8", "show a cell of a vehicle, 0 to 12"),
            ("damage_cell.dice", "x", "expected dice such as"),
            ("test.dice", "3D6>=5", "expected dice such as"),
        ],
    )
    def test_what_is_no_dice(self, path, dice, told):
        with pytest.raises(OptionError, match=f"{path}: expected.*{told}|{path}: {told}"):
            self.road(**{path: dice})


class TestGridRunner:
    """GR-32, GR-64: a pool of dice that counts hits; GR-95: what those caught in a blast roll."""

    @staticmethod
    def board(tables, scale="m1", **options):
        units = [
            character("A", "red", (0, 0), agility_gymnastics=3, running=2, mode="run", passes=2),
            character("B", "blue", (2, 0), passes=1, damage_chance=Fraction(1, 2)),
        ]
        board = SquareGrid.open(9, 1)
        return Game.new(RULES, board, units, options={"scale": scale, **options}, tables=tables)

    @pytest.mark.parametrize(("die", "sides"), [("D6", 6), ("D8", 8), ("D20", 20)])
    def test_a_tumble(self, die, sides):
        game = self.board({"test.die": die})
        seen = foresee(game, "A tumble: e 4")
        (test,) = [roll for roll in seen.rolls if roll.what == "agility and gymnastics"]
        chance = share(3, sides, lambda faces: sum(face >= 5 for face in faces) >= test.target)
        assert (test.dice, test.chance) == (f"3{die}>=5", chance)
        fails = (1 - chance) / 2  # the enemy's attack does damage half the time
        assert game.reach("A", "tumble").chance_at((4, 0)) == 1 - fails

    @pytest.mark.parametrize(("die", "sides"), [("D6", 6), ("D10", 10)])
    def test_a_sprint(self, die, sides):
        """The reach of a sprint is that of its hits, each with the chance that the pool gives it."""
        game = self.board({"test.die": die})
        answer = game.reach("A", "move", sprint=True)
        for hits, reach in answer.by_hits.items():
            assert reach.mover["sprint_hits"] == hits
        assert set(answer.by_hits) == {0, 1, 2}
        for hits in range(3):
            assert answer._shares[hits] == share(2, sides, lambda faces, hits=hits: sum(f >= 5 for f in faces) == hits)
        happened = game.do("A sprint", answers=[1])
        assert rolled(happened) == [("running", f"2{die}>=5")]

    def test_a_blast(self):
        game = self.board({"blast.dice": "2D4"}, scale="m5", blast_random_m5=True)
        game.answers = Script.dice([7])
        happened = game.do("A blast 2,0 power 10 loss 1")
        assert ("resists the blast", "2D4") in rolled(happened)
        assert next(event.detail["damage"] for event in happened.events if event.kind == "caught in the blast") == 3

    @pytest.mark.parametrize(
        ("tables", "told"),
        [
            ({"test.die": "2D6"}, "test.die: one die such as D6 is required, not 2D6"),
            ({"test.die": "D4"}, "test.die: a die that shows test.hit_on, 5, is required, not D4"),
            ({"test.die": "D4", "test.hit_on": 6}, "test.hit_on: a number on a D4 from 2 on is required, not 6"),
            ({"blast.dice": "none"}, "blast.dice: dice such as D10, 2D6 or 3D6+2 are required, not none"),
        ],
    )
    def test_what_is_no_dice(self, tables, told):
        with pytest.raises(OptionError, match=re.escape(told)):
            self.board(tables)
