"""A game written as a scenario and played again comes to the same table."""

import random
from fractions import Fraction

import pytest
from scenario_samples import CHECKERS, DUEL, RULESETS, with_lines

from simulator.engine.answers import DiceBag, InTurn, Policy
from simulator.engine.errors import OrderError, TableError
from simulator.formats.scenarios import load_scenario, parse_scenario, save_scenario, scenario_text


def parse(text):
    return parse_scenario(text, rulesets=RULESETS)


class TestSavedGames:
    @pytest.mark.parametrize("text", [DUEL, CHECKERS], ids=["duel", "checkers"])
    def test_play_again_the_same(self, text, tmp_path):
        game = parse(text).run().game
        save_scenario(game, tmp_path / "again.yaml", name="Again: no", description="Twice\nover.")
        again = load_scenario(tmp_path / "again.yaml", RULESETS)
        account = again.run()
        assert (again.name, again.description) == ("Again: no", "Twice\nover.")
        assert account.ok
        assert account.game.state == game.state
        assert scenario_text(account.game, name="Again: no", description="Twice\nover.") == (
            tmp_path / "again.yaml"
        ).read_text(encoding="utf-8")

    @pytest.mark.parametrize("seed", range(12))
    def test_after_random_play_too(self, seed):
        chance = random.Random(seed)
        game = parse(with_lines(DUEL, ("nerve: 2", "nerve: 3/2"))).start()
        game.answers = InTurn([Policy(reactions=chance.choice(["always", "never"])), DiceBag.of(seed)])
        orders = ["A1 walk: right", "A1 walk to 2,0", "B1 strike A1", "B1 walk: left", "A1 strike B1 with 2", "A1 pray"]
        for _ in range(25):
            try:
                game.do(chance.choice([*orders, "A1 done", "B1 done", "blue done", "all done"]))
            except OrderError:
                continue
            if chance.random() < 0.1:
                game.undo()
        again = parse(scenario_text(game)).run()
        assert again.ok
        assert again.game.state.hash == game.state.hash

    def test_units_that_are_gone_or_not_there_yet(self):
        text = with_lines(CHECKERS, ("  b2: {type: man, side: black, at: [7, 0]}", "  b2: {type: man, side: black}"))
        written = scenario_text(parse(text).run().game)
        assert "    b1: gone\n" in written
        assert '    b2: {at: "off"}\n' in written

    def test_what_the_ruleset_remembers(self):
        text = with_lines(DUEL, ("dice:", "data: {dead: [C1]}\ndice:"))
        assert "data: {dead: [C1]}" in scenario_text(parse(text).start())


class TestWhatCanNotBeWritten:
    def test_an_open_question(self):
        game = parse(with_lines(DUEL, ("at: [0, 0]", "at: [2, 0]"))).start()
        game.answers = None
        game.do("A1 walk: left 1")
        with pytest.raises(TableError, match="a question is open, but a scenario holds complete orders"):
            scenario_text(game)

    def test_nothing(self):
        game = parse(DUEL).set_up()
        game.state = game.state.put_unit("A1", nerve=None)
        with pytest.raises(TableError, match="a scenario cannot express an empty value"):
            scenario_text(game)

    def test_a_measured_figure(self):
        """Decimals of a file are exact, so a float comes back as a fraction and the table is another one."""
        game = parse(DUEL).set_up()
        game.state = game.state.put_unit("A1", nerve=0.1)
        game.do("all begin")
        with pytest.raises(TableError, match="would lead to another table"):
            scenario_text(game)
        game = parse(DUEL).set_up()
        game.state = game.state.put_unit("A1", nerve=Fraction(1, 10))
        game.do("all begin")
        assert 'nerve: "1/10"' in scenario_text(game)
