"""Each method of the engine: what it answers is what the library says, and a refusal changes nothing."""

import pytest
from asked_engine import MODELS, ROOT, Asked, Refusal

from simulator import load_scenario
from simulator.engine.log import parse_log, replay
from simulator.engine.values import to_plain
from simulator.formats.schema import answer_schema
from simulator.protocol import refusals, sessions
from simulator.protocol.methods import METHODS, _setting_of

HALL = """\
format: 1
ruleset: grid_runner
name: Hall
board: {board: squares, legend: {".": {}, "#": {wall: true}}, rows: ". . # . . ."}
units:
  kit: {type: character, side: red, at: [0, 0], metatype: human}
  cy: {type: character, side: blue, at: [4, 0], metatype: human}
"""


def refused(asked, method, **params):
    with pytest.raises(Refusal) as caught:
        asked(method, **params)
    return caught.value


def test_every_method_has_a_model_of_its_result():
    assert MODELS.keys() == METHODS.keys()


class TestNew:
    def test_a_scenario_of_a_file(self, asked):
        found = asked("new", scenario="scenarios/grid_runner/market_chase.yaml", seed=7)
        game = load_scenario(ROOT / "scenarios/grid_runner/market_chase.yaml").start(seed=7)
        assert (found["hash"], found["scenario"], found["seed"]) == (game.state.hash, "Market chase", 7)

    def test_a_text(self, asked):
        assert asked("new", text=HALL)["scenario"] == "Hall"

    def test_options_and_figures(self, asked):
        found = asked("new", text=HALL, options={"diagonal_corners": "free"})
        game = asked.engine.sessions[found["game"]].game
        assert game.setting.options.fields["diagonal_corners"] == "free"
        path = next(path for path in game.setting.tables if isinstance(game.setting.tables[path], int))
        changed = asked("new", text=HALL, figures={path: 9})
        assert asked.engine.sessions[changed["game"]].game.setting.tables[path] == 9

    def test_ids_are_not_used_again(self, asked):
        first = asked("new", text=HALL)["game"]
        asked("close", game=first)
        assert asked("new", text=HALL)["game"] != first
        assert refused(asked, "state", game=first).code == refusals.NO_SUCH_GAME

    def test_faults_have_their_lines(self, asked):
        found = refused(asked, "new", text=HALL.replace("[4, 0]", "[40, 0]"))
        assert found.code == refusals.FAULTY_FILE
        assert found.data["faults"][0]["line"] == 7

    def test_files_are_named_as_seen_from_the_folder(self, asked):
        found = refused(asked, "new", scenario="scenarios/grid_runner/market_chas.yaml")
        assert found.data["faults"][0]["file"] == "scenarios/grid_runner/market_chas.yaml"
        assert "did you mean 'scenarios/grid_runner/market_chase.yaml'" in found.data["faults"][0]["message"]

    @pytest.mark.parametrize("path", ["../secret.yaml", "/etc/passwd", "a\0b", "scenarios/../../x"])
    def test_no_file_outside_the_folder(self, asked, path):
        assert refused(asked, "new", scenario=path).code == refusals.NO_ACCESS

    def test_no_board_outside_the_folder(self, tmp_path):
        asked = Asked(ROOT / "scenarios")
        assert refused(asked, "new", scenario="grid_runner/market_chase.yaml").code == refusals.NO_ACCESS

    def test_no_file_behind_a_link(self, tmp_path):
        (tmp_path / "root").mkdir()
        (tmp_path / "hall.yaml").write_text(HALL)
        (tmp_path / "root" / "link.yaml").symlink_to(tmp_path / "hall.yaml")
        assert refused(Asked(tmp_path / "root"), "new", scenario="link.yaml").code == refusals.NO_ACCESS

    def test_no_more_games_than_stated(self, asked, monkeypatch):
        monkeypatch.setattr(sessions, "MOST_GAMES", 2)
        asked("new", text=HALL)
        last = asked("new", text=HALL)["game"]
        assert refused(asked, "new", text=HALL).code == refusals.LIMIT
        asked("close", game=last)
        asked("new", text=HALL)

    @pytest.mark.parametrize(
        "params", [{}, {"text": HALL, "scenario": "a.yaml"}, {"text": 3}, {"text": HALL, "sed": 1}]
    )
    def test_wrong_parameters(self, asked, params):
        assert refused(asked, "new", **params).code == -32602


class TestQuestions:
    def test_whose_go_it_is(self, asked, market):
        found = asked("to_move", game=market)
        assert found["may_go"][0] == "kit"
        assert asked("state", game=market)["state"]["units"][0]["id"] == "kit"

    def test_legal_orders_are_those_of_the_game(self, asked, market):
        game = asked.engine.sessions[market].game
        every = [game.write(order) for order in game.legal("kit")]
        found = asked("legal", game=market, unit="kit", most=len(every))["units"]["kit"]
        assert found == {"orders": every, "listed": True, "more": False}
        fewer = asked("legal", game=market, unit="kit", most=3)["units"]["kit"]
        assert fewer == {"orders": every[:3], "listed": True, "more": True}

    def test_on_a_table_one_order_of_each_action(self, asked):
        game = asked("new", scenario="scenarios/skirmish/the_yard.yaml")["game"]
        found = asked("legal", game=game, unit="ash")["units"]["ash"]
        assert (found["listed"], len(found["orders"]) > 2) == (False, True)
        for order in found["orders"]:
            assert asked.engine.sessions[game].game.breaches(order) == []

    def test_reach_path_and_why_not(self, asked, market):
        assert asked("reach", game=market, unit="kit", to="9,8")["to"]["reachable"]
        way = asked("path", game=market, unit="kit", to="9,8")
        assert asked("do", game=market, order=way["orders"][0])["cost"] == way["cost"]
        closed = asked("why_not", game=market, unit="lou", to="20,8")
        assert closed["to"]["reasons"]
        assert asked("path", game=market, unit="lou", to="20,8")["to"] == closed["to"]

    def test_schemas(self, asked):
        assert "reach" in asked("schema")["names"]
        assert asked("schema", name="reach")["schema"] == answer_schema("reach")
        assert asked("schema", name="scenario")["schema"]["title"] == "Scenario file"
        assert "did you mean" in str(refused(asked, "schema", name="reech"))

    @pytest.mark.parametrize("place", ["up there", "99,99", "9,8 facing 90"])
    def test_a_place_that_is_none(self, asked, market, place):
        assert refused(asked, "path", game=market, unit="kit", to=place).code == refusals.REFUSED


class TestOrders:
    def test_a_refused_order_changes_nothing_and_says_what_is_legal(self, asked, market):
        before = asked("state", game=market)
        found = refused(asked, "do", game=market, order="kit move: e 30")
        assert found.code == refusals.ILLEGAL_ORDER
        assert [one["clause"] for one in found.data["reasons"]] == ["GR-26", "GR-38"]
        assert asked("state", game=market) == before
        asked("do", game=market, order=found.data["legal"])

    def test_no_order_is_said_to_be_legal_out_of_turn(self, asked, market):
        """A bot that plays what it is told must not be refused once more."""
        asked("do", game=market, order="kit: n 2")
        asked("do", game=market, order="kit done")
        for order in ["kit delay", "kit move: e 2", "kit done"]:
            assert refused(asked, "do", game=market, order=order).data["legal"] is None
        told = refused(asked, "do", game=market, order="lou move: e 30").data["legal"]
        asked("do", game=market, order=told)

    @pytest.mark.parametrize("order", ["kit fly", "kit", "", "nobody move: e", "kit move: q 3"])
    def test_what_is_no_order(self, asked, market, order):
        before = asked("state", game=market)
        assert refused(asked, "do", game=market, order=order).code == refusals.UNREADABLE_ORDER
        assert asked("state", game=market) == before

    def test_undo_and_redo(self, asked, market):
        states = [asked("state", game=market)["hash"]]
        for _ in range(3):
            unit = asked("to_move", game=market)["may_go"][0]
            order = asked("legal", game=market, unit=unit, most=1)["units"][unit]["orders"][0]
            states.append(asked("do", game=market, order=order)["hash"])
        back = [asked("undo", game=market)["hash"] for _ in range(3)]
        assert back == states[2::-1]
        assert "nothing to take back" in str(refused(asked, "undo", game=market))
        assert [asked("redo", game=market)["hash"] for _ in range(2)] == states[1:3]
        asked("undo", game=market)
        asked("do", game=market, order="kit done" if "kit" in asked("to_move", game=market)["may_go"] else "lou done")
        assert "nothing to do again" in str(refused(asked, "redo", game=market))

    def test_questions_are_asked_and_answered(self, asked):
        game = asked("new", scenario="scenarios/dot_trooper/skid_into_the_wall.yaml", ask="all")["game"]
        script = load_scenario(ROOT / "scenarios/dot_trooper/skid_into_the_wall.yaml").run().game.history[1:]
        happened = next(one for one in script if one.answered)
        for one in script[: script.index(happened)]:
            asked("do", game=game, order=asked.engine.sessions[game].game.write(one.given or one.order))
        order = asked.engine.sessions[game].game.write(happened.given or happened.order)
        found = asked("do", game=game, order=order)
        assert (found["done"], found["question"]["ask"]) == (False, "roll")
        assert refused(asked, "do", game=game, order=order).code == refusals.QUESTION_OPEN
        wrong = refused(asked, "answer", game=game, answer="a lot")
        assert wrong.code == refusals.WRONG_ANSWER
        assert wrong.data["question"] == found["question"]
        before = found["hash"]
        found = asked("answer", game=game, answer=happened.answered[0].answer.value)
        assert asked("undo", game=game)["hash"] == before
        assert asked("redo", game=game)["hash"] == found["hash"]

    def test_no_question_is_open(self, asked, market):
        assert "no question is open" in str(refused(asked, "answer", game=market, answer=3))

    def test_answers_that_nobody_asks_for(self, asked, market):
        before = asked("state", game=market)
        assert refused(asked, "do", game=market, order="kit done", answers=[3]).code == refusals.WRONG_ANSWER
        assert asked("state", game=market) == before

    def test_no_more_steps_than_stated(self, asked, market, monkeypatch):
        monkeypatch.setattr(sessions, "MOST_STEPS", 1)
        asked("do", game=market, order="kit done")
        assert refused(asked, "do", game=market, order="lou done").code == refusals.LIMIT


class TestSave:
    def test_a_log_that_can_be_loaded_and_gone_on_with(self, asked, market):
        asked("do", game=market, order="kit done")
        text = asked("save", game=market)["text"]
        again = asked("load", text=text)
        assert again["hash"] == asked("state", game=market)["hash"]
        assert again["seed"] == 7
        assert asked("save", game=again["game"])["text"] == text
        assert (
            asked("do", game=again["game"], order="lou done")["hash"]
            == asked("do", game=market, order="lou done")["hash"]
        )

    def test_files_below_the_folder_alone(self, tmp_path):
        asked = Asked(tmp_path)
        game = asked("new", text=HALL)["game"]
        found = asked("save", game=game, path="hall.jsonl")
        assert found["bytes"] == (tmp_path / "hall.jsonl").stat().st_size
        asked("save", game=game, path="again.yaml", **{"as": "scenario"})
        assert asked("new", scenario="again.yaml")["hash"] == asked("load", log="hall.jsonl")["hash"]
        for path in ("../hall.jsonl", "/tmp/hall.jsonl", "no/such/hall.jsonl"):
            assert refused(asked, "save", game=game, path=path).code == refusals.NO_ACCESS
        assert sorted(file.name for file in tmp_path.iterdir()) == ["again.yaml", "hall.jsonl"]

    def test_a_damaged_log(self, asked, market):
        text = asked("save", game=market)["text"]
        assert refused(asked, "load", text=text.replace('"n":2', '"n":3')).code == refusals.FAULTY_FILE
        assert refused(asked, "load", text="nonsense").code == refusals.FAULTY_FILE


@pytest.mark.sampled(dear=["combined_arms/town_hall", "mecha/edge_of_the_copse"])
@pytest.mark.parametrize(
    "scenario",
    [
        "combined_arms/town_hall",
        "dot_trooper/alley_turn",
        "grid_runner/mill_bridge",
        "mecha/edge_of_the_copse",
        "skirmish/over_the_wall",
    ],
)
def test_a_game_of_each_rulebook_replays_to_the_byte(asked, scenario):
    path = f"scenarios/{scenario}.yaml"
    played = load_scenario(ROOT / path).run().game
    game = asked("new", scenario=path, ask="all")["game"]
    for happened in played.history[1:]:
        found = asked("do", game=game, order=played.write(happened.given or happened.order))
        for entry in happened.answered:
            assert found["question"] is not None
            answer = entry.answer.value
            found = asked("answer", game=game, answer=to_plain(answer))
        assert found["done"]
    assert asked("state", game=game)["hash"] == played.state.hash
    text = asked("save", game=game)["text"]
    log = parse_log(text.encode())
    assert replay(log, _setting_of(log), verify=True).state == played.state
    assert asked("save", game=asked("load", text=text)["game"])["text"] == text
