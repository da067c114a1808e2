"""Answers kept and compared: equal ones are found equal, and another one is named."""

import json

import pytest
import same_answers

from simulator.rulesets import OURS


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Run the script on a file, and return its exit status."""
    monkeypatch.setattr(same_answers, "questions", lambda _: [])

    def run(*words):
        monkeypatch.setattr("sys.argv", ["same_answers.py", words[0], str(tmp_path / "kept.json"), *words[1:]])
        return same_answers.main()

    return run


def test_games_made_up_are_compared(asked, tmp_path, capsys):
    assert asked("keep", "grid_runner", "dot_trooper", "--made-up", "5") == 0
    assert asked("compare") == 0
    assert "10 questions, 0 too long, 0 answered otherwise" in capsys.readouterr().out
    kept = json.loads((tmp_path / "kept.json").read_text())
    name = next(name for name in kept if name.startswith("dot_trooper/made up 2:"))
    (tmp_path / "kept.json").write_text(json.dumps(kept | {name: "0" * 64}))
    assert asked("compare") == 1
    assert f"another answer: {name}\n10 questions" in capsys.readouterr().out


@pytest.mark.parametrize("rulebook", OURS)
def test_games_made_up_are_sound(rulebook):
    """Nobody stands where it may not, and A can be asked about; two games differ."""
    games = [same_answers.game_of(rulebook, number) for number in range(14)]
    assert [fault for game in games for fault in game.ruleset.faults(game.table)] == []
    assert len({str(game.state.hash) for game in games}) == len(games)
    assert same_answers.game_of(rulebook, 3).state.hash == games[3].state.hash
    action = next(iter(games[0].ruleset.reaches))
    answers = [game.reach("A", action) for game in games[:3]]
    assert all(answer.cost_at(answer.mover.place) is not None for answer in answers)
