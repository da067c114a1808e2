"""Reading scenarios: what is said is what is set up, boards are found where they may lie and nowhere else."""

from fractions import Fraction

import pytest
from scenario_samples import CHECKERS, DUEL, ROW, RULESETS, with_lines

from simulator.engine.errors import OptionError
from simulator.engine.state import State
from simulator.errors import FileError, LimitReached
from simulator.formats import limits
from simulator.formats.scenario_file import collection
from simulator.formats.scenarios import check_scenario, load_scenario, parse_scenario

BOARD = ROW.replace("board:\n", "format: 1\n", 1).replace("\n  ", "\n")


def parse(text, **more):
    return parse_scenario(text, rulesets=RULESETS, **more)


def faults_of(text, **more):
    with pytest.raises(FileError) as caught:
        parse(text, **more)
    return [f"{fault.path}: {fault.message}" for fault in caught.value.faults]


class TestWhatIsSaid:
    def test_units_options_figures_and_dice(self):
        scenario = parse(DUEL)
        a1, b1 = scenario.units
        assert (a1.id, a1.type, a1.side, a1.place, a1["nerve"], a1["health"]) == ("A1", "fighter", "red", (0, 0), 2, 3)
        assert (b1.place, b1["shield"]) == ((3, 0), 1)
        assert scenario.setting.options.lunges is True
        assert scenario.setting.tables["ap.each_turn"] == 4
        assert scenario.dice.seed == 7
        assert (scenario.name, scenario.setting.board.name, scenario.orders) == ("The gate", "Row", 4)

    def test_an_order_with_a_colon_is_a_pair_to_yaml_and_an_order_to_us(self):
        ways = ["A1 walk: right 1, right 1", "A1 walk: [right 1, right 1]", "'A1 walk: right 1, right 1'"]
        for way in [*ways, "{order: 'A1 walk: right 1, right 1'}"]:
            (step,) = parse(with_lines(DUEL, ("A1 walk: right 2", way))).turns[0][:1]
            assert step.order == "A1 walk: right 1, right 1"

    def test_a_turn_can_be_one_order_or_a_mapping(self):
        head = DUEL[: DUEL.index("turns:")]
        for turns in ("- A1 walk to 2,0", "- A1 walk: right 2", "- - A1 walk: right 2"):
            assert [len(turn) for turn in parse(f"{head}turns:\n  {turns}\n").turns] == [1]

    def test_decimals_and_fractions_are_taken_exactly(self):
        scenario = parse(with_lines(DUEL, ("nerve: 2", "nerve: 0.1"), ("shield: 1", "nerve: 1/3")))
        assert [unit["nerve"] for unit in scenario.units] == [Fraction(1, 10), Fraction(1, 3)]

    def test_a_unit_without_a_place_is_off_the_table(self):
        text = with_lines(DUEL, ("at: [3, 0], ", "")).split("turns:")[0]
        assert parse(text).units[1].place is None
        assert parse(f"{text}expect: {{units: {{B1: {{at: off}}}}}}\n").run().ok

    def test_a_place_can_be_a_text(self):
        assert parse(with_lines(CHECKERS, ("at: [0, 7]", "at: '0,7'"))).units[0].place == (0, 7)

    def test_the_opening_can_be_had_without_playing(self):
        scenario = parse(DUEL)
        assert scenario.opening() == State.of(scenario.units, {"dead": ()})
        assert scenario.start().state.clock.turn == 1
        assert scenario.start(seed=7).state == scenario.start().state

    def test_what_the_ruleset_remembers(self):
        scenario = parse(
            with_lines(DUEL, ("dice:", "data: {dead: [C1]}\ndice:"), ("data: {dead: []}", "data: {dead: [C1]}"))
        )
        assert scenario.start().state.data["dead"] == ("C1",)
        assert scenario.run().ok

    def test_options_and_seeds_of_another_day(self):
        scenario = parse(DUEL)
        assert scenario.with_options({"lunges": "false"}).setting.options.lunges is False
        with pytest.raises(OptionError, match="no such option"):
            scenario.with_options({"lunge": "false"})
        with pytest.raises(OptionError, match="no such option"):
            scenario.with_options({"a b": "false"})
        assert scenario.with_seed(None) is scenario
        assert scenario.with_seed(3).dice.seed == 3

    def test_a_reach_is_expected_of_an_action_that_reach_can_be_asked_about(self):
        text = DUEL.replace("  data: {dead: []}\n", "  reach: [{unit: A1, action: strike}]\n")
        assert faults_of(text) == ["expect.reach[0].action: no such action 'strike'; known: walk"]

    def test_the_ruleset_is_asked_for_faults_of_the_position(self, monkeypatch):
        from simulator.engine.errors import Breach

        def faults(table):
            yield Breach("DU-2", "A1 stands in a wall", blocker="A1")
            yield Breach("", "nobody is there")

        monkeypatch.setattr(RULESETS["duel"], "faults", faults)
        assert faults_of(DUEL) == ["units: nobody is there", "units.A1: A1 stands in a wall (DU-2)"]


class TestBoards:
    def file(self, folder, path, name="duel.yaml"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(DUEL.replace(ROW, f"board: {path}\n"))
        return file

    @pytest.fixture
    def house(self, tmp_path):
        (tmp_path / "house/boards").mkdir(parents=True)
        (tmp_path / "house/boards/row.yaml").write_text(BOARD)
        (tmp_path / "row.yaml").write_text(BOARD)
        return tmp_path / "house"

    def test_beside_the_file_or_in_a_folder_beside(self, house):
        for path, name in (
            ("../boards/row.yaml", "scenarios/duel.yaml"),
            ("../../boards/row.yaml", "scenarios/duels/duel.yaml"),
            ("../boards/row.yaml", "boards/duel.yaml"),
            ("row.yaml", "boards/duel.yaml"),
            ("./row.yaml", "boards/duel.yaml"),
        ):
            scenario = load_scenario(self.file(house, path, name), RULESETS)
            assert scenario.setting.board.name == "Row"
            assert scenario.board_path == path
            assert scenario.run().ok

    def test_nowhere_else(self, house):
        for path in ("../../row.yaml", "../../house/../row.yaml"):
            (fault,) = check_scenario(self.file(house, path, "scenarios/duel.yaml"), RULESETS)
            assert fault.message.startswith("leads out of the folder house, which holds scenarios and boards")

    def test_a_link_leads_no_further(self, house):
        (house / "boards/link.yaml").symlink_to(house.parent / "row.yaml")
        (fault,) = check_scenario(self.file(house, "../boards/link.yaml", "scenarios/duel.yaml"), RULESETS)
        assert "leads out of the folder" in fault.message

    def test_a_link_in_a_circle_is_no_file(self, house):
        (house / "boards/link.yaml").symlink_to(house / "boards/link.yaml")
        (fault,) = check_scenario(self.file(house, "../boards/link.yaml", "scenarios/duel.yaml"), RULESETS)
        assert "no such file" in fault.message or "cannot be read" in fault.message

    def test_a_text_that_is_no_file_names_no_board(self):
        assert faults_of(DUEL.replace(ROW, "board: row.yaml\n")) == [
            "board: a scenario that is not a file cannot name a board's file: write the board itself here"
        ]

    def test_the_top_of_the_file_system_is_no_collection(self, tmp_path):
        from pathlib import Path

        assert collection(Path("/")) == Path("/")
        assert collection(tmp_path) == tmp_path.resolve().parent

    def test_a_board_beyond_a_limit_makes_the_scenario_so(self, house):
        (house / "boards/row.yaml").write_text(BOARD + "labels:\n" + "  - {at: [0, 0], text: x}\n" * 10_001)
        with pytest.raises(LimitReached, match="beyond the limit"):
            load_scenario(self.file(house, "../boards/row.yaml", "scenarios/duel.yaml"), RULESETS)


class TestLimits:
    def refuses(self, text, limit):
        with pytest.raises(LimitReached) as caught:
            parse(text)
        assert any(fault.message.endswith(f"at most {limit.most} ({limit.what})") for fault in caught.value.faults)

    def test_units(self):
        head = DUEL[: DUEL.index("dice:")]
        more = "".join(f"  C{number}: {{type: fighter}}\n" for number in range(limits.UNITS.most - 2))
        assert len(parse(head + more).units) == limits.UNITS.most
        self.refuses(f"{head}{more}  D1: {{type: fighter}}\n", limits.UNITS)

    def test_orders(self):
        head = DUEL[: DUEL.index("turns:")]
        more = "turns:\n  -\n" + "    - A1 done\n" * limits.ORDERS.most
        assert parse(head + more).orders == limits.ORDERS.most
        self.refuses(f"{head}{more}    - A1 done\n", limits.ORDERS)

    def test_settings(self):
        head = DUEL[: DUEL.index("answers:")]
        more = "answers:\n" + "".join(f"  a{number}: never\n" for number in range(limits.SETTINGS.most))
        assert len(parse(head + more).answers) == limits.SETTINGS.most
        self.refuses(f"{head}{more}  b: never\n", limits.SETTINGS)
