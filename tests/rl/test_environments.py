"""The environments pass the tests of PettingZoo and Gymnasium as they are, and play the game that the engine plays."""

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra rl is not installed")
pytest.importorskip("pettingzoo", reason="the extra rl is not installed")

import numpy as np  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from simulator import load_scenario, parse_scenario  # noqa: E402
from simulator.rl import OneSide, TurnGame  # noqa: E402
from simulator.rl.area_actions import point_in  # noqa: E402

ROOT = Path(__file__).parents[2]
SQUARES, DOTS = "grid_runner/vault_corridor", "dot_trooper/getting_away"
TABLE, HEADINGS = "skirmish/over_the_wall", "mecha/two_guards"
#: Their checkers warn about agents that are not called player_0 and about spaces that are dictionaries.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def scenario(name):
    return load_scenario(ROOT / "scenarios" / f"{name}.yaml")


GATES = """\
format: 1
ruleset: grid_runner
board: {board: squares, legend: {".": {}}, rows: "......"}
units:
  kit: {type: character, side: red, at: [0, 0], passes: 1}
  lou: {type: character, side: blue, at: [5, 0], passes: 1}
objective:
  turns: 1
  hold: {gate: {at: [2, 0], points: 2}}
"""


class TestTheirOwnTests:
    @pytest.mark.parametrize(("name", "cycles"), [(SQUARES, 40), (DOTS, 12), (TABLE, 8)])
    def test_the_api_of_pettingzoo(self, name, cycles):
        api_test(TurnGame(scenario(name), most_actions=128), num_cycles=cycles)

    @pytest.mark.parametrize(("name", "cycles"), [(SQUARES, 12), (TABLE, 4)])
    def test_the_seeds_of_pettingzoo(self, name, cycles):
        seed_test(lambda: TurnGame(scenario(name)), num_cycles=cycles)

    @pytest.mark.parametrize(("name", "side"), [(SQUARES, "guards"), (TABLE, "red")])
    def test_the_checker_of_gymnasium(self, name, side):
        check_env(OneSide(scenario(name), side, most_orders=6))


class TestListedActions:
    def test_an_action_is_an_order_of_the_list(self):
        env = TurnGame(scenario(SQUARES))
        env.reset(seed=1)
        legal = list(env.game.legal_of_side(env.agent_selection))
        mask = env.observe(env.agent_selection)["action_mask"]
        assert mask.sum() == len(legal)
        assert mask[: len(legal)].all()
        env.step(3)
        assert env.game.history[-1].order == legal[3]

    def test_whose_go_it_is_not_has_none(self):
        env = TurnGame(scenario(SQUARES))
        env.reset(seed=1)
        (other,) = set(env.agents) - {env.agent_selection}
        assert len(env.game.legal_of_side(other)) > 0  # the characters of both sides may act in a pass
        assert env.observe(other)["action_mask"].sum() == 0

    def test_a_masked_action_is_an_error_and_changes_nothing(self):
        env = TurnGame(scenario(SQUARES))
        env.reset(seed=1)
        before = env.game.state
        with pytest.raises(ValueError, match="choose one by the action mask"):
            env.step(511)
        assert env.game.state is before

    def test_a_list_that_is_too_long_is_thinned_out_and_says_so(self):
        env = TurnGame(scenario(SQUARES), most_actions=8)
        env.reset(seed=1)
        side = env.agent_selection
        legal = list(env.game.legal_of_side(side))
        assert env.infos[side]["left_out"] == len(legal) - 8
        chosen = [env.games.order(env.game, side, number) for number in range(8)]
        assert chosen == [legal[number * len(legal) // 8] for number in range(8)]


class TestAreaActions:
    @pytest.mark.parametrize("name", [TABLE, HEADINGS])
    def test_every_point_is_a_legal_order(self, name):
        env = TurnGame(scenario(name))
        env.reset(seed=1)
        rng = np.random.default_rng(4)
        for _ in range(6):
            order = env.games.order(env.game, env.agent_selection, rng.random(5))
            assert env.game.breaches(order) == []

    def test_a_point_leads_to_its_place_in_the_area(self):
        env = TurnGame(scenario(TABLE))
        env.reset(seed=1)
        names = env.games.actions.names
        action = [0.0, (names.index("move") + 0.5) / len(names), 0.4, 0.6, 0.0]
        order = env.games.order(env.game, env.agent_selection, action)
        unit = env.game.to_move()[0]
        assert (order.unit, order.action) == (unit, "move")
        place = point_in(env.game.reach(unit, "move").area, 0.4, 0.6)
        env.step(np.array(action, np.float32))
        assert env.game.state.unit(unit).place == pytest.approx(place, abs=1e-4)

    def test_the_square_covers_the_area_evenly(self):
        import shapely

        area = shapely.union_all([shapely.box(0, 0, 4, 1), shapely.box(9, 0, 10, 4)])
        shares = [number / 20 + 0.025 for number in range(20)]
        points = [point_in(area, u, v) for u, v in itertools.product(shares, shares)]
        assert all(area.buffer(1e-9).contains(shapely.Point(point)) for point in points)
        assert sum(point[0] > 5 for point in points) == pytest.approx(len(points) / 2, rel=0.1)


class TestObservations:
    def test_planes_and_rows_are_as_documented(self):
        env = TurnGame(scenario(SQUARES))
        env.reset(seed=1)
        seen = env.observe("runners")["observation"]
        assert seen["board"].shape == (5, 4, 16)
        assert seen["board"][2].sum() == 0.5  # the runner alone: 1 / (1 + 1)
        assert seen["board"][2][1, 1] == 0.5
        assert seen["board"][3].sum() == 1.5
        assert seen["units"].shape == (4, 8 + len(env.games.observer.fields))
        assert seen["units"][:, 0].tolist() == [1, -1, -1, -1]
        assert env.observe("guards")["observation"]["units"][:, 0].tolist() == [-1, 1, 1, 1]
        x, y = seen["units"][0, 2:4]
        assert (float(x), float(y)) == pytest.approx((1.5 / 16, 2.5 / 4))

    def test_a_place_of_the_objective_is_on_its_plane(self):
        env = TurnGame(parse_scenario(GATES))
        env.reset(seed=1)
        assert np.argwhere(env.observe("red")["observation"]["board"][4]).tolist() == [[0, 2]]


class TestRewards:
    def play(self, env, texts):
        for text in texts:
            legal = env.game.legal_of_side(env.agent_selection)
            env.step(list(legal).index(env.game.read(text)))

    def test_the_winner_gets_one_and_the_other_loses_one(self):
        env = TurnGame(parse_scenario(GATES))
        env.reset(seed=1)
        self.play(env, ["kit move: e 2", "kit done", "lou done"])
        assert env.terminations == {"red": True, "blue": True}
        assert env.rewards == {"red": 1.0, "blue": -1.0}

    def test_a_game_that_takes_too_long_is_truncated(self):
        env = TurnGame(parse_scenario(GATES), most_orders=1)
        env.reset(seed=1)
        self.play(env, ["kit move: e 2"])
        assert env.truncations == {"red": True, "blue": True}
        assert env.rewards == {"red": 0.0, "blue": 0.0}


class TestOneSide:
    def test_the_opponent_plays_until_it_is_the_side_s_go(self):
        asked = []

        def opponent(game, rng):
            del rng
            asked.append(game.to_move())
            return game.read("kit done")

        env = OneSide(parse_scenario(GATES), "blue", opponent)
        observation, _ = env.reset(seed=1)
        assert asked == [("kit", "lou")]
        assert env.action_masks().sum() == observation["action_mask"].sum() > 0
        orders = list(env.game.legal_of_side("blue"))
        stay = orders.index(env.game.read("lou done"))
        _, reward, is_over, is_cut, info = env.step(stay)
        assert (reward, is_over, is_cut, info["refused"]) == (0.0, True, False, False)

    def test_an_action_without_an_order_is_refused(self):
        env = OneSide(parse_scenario(GATES), "red")
        env.reset(seed=1)
        before = env.game.state
        _, reward, is_over, _, info = env.step(511)
        assert (reward, is_over, info["refused"]) == (-0.1, False, True)
        assert env.game.state is before

    def test_a_side_that_is_not_there(self):
        with pytest.raises(ValueError, match="no side 'green'; known: red, blue"):
            OneSide(parse_scenario(GATES), "green")

    def test_on_tables_there_is_no_mask(self):
        env = OneSide(scenario(TABLE), "red")
        env.reset(seed=1)
        with pytest.raises(ValueError, match="there is no mask"):
            env.action_masks()
        assert gymnasium.spaces.Box(0, 1, (5,), np.float32) == env.action_space


def test_without_the_extra_it_says_what_to_install():
    code = "import sys; sys.modules['pettingzoo'] = None; import simulator.rl"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert answer.returncode == 1
    assert "simulator.rl needs the extra 'rl': pip install 'simulator[rl]'" in answer.stderr
