"""Clauses: read from the register, tied to rules, options, figures and tests."""

from pathlib import Path

import pytest

from simulator.engine import clauses
from simulator.engine.clauses import Coverage, NoSuchClause, Register, by_role, clause, implementations, mark, mentions
from simulator.engine.options import Options, option
from simulator.engine.tables import Tables
from simulator.errors import FileError

PAGE = """# A rulebook

Some words about it, and QX-99 in passing.

## Movement

- **QX-1** A piece moves one square.
  - *Open:* which way. *Chosen:* any. *Option:* `way` = `any` | `forward`.
- **QX-2** A figure for each terrain:

  | terrain | rate |
  |---|---|
  | mud | 2 |
  - *Open:* sand. *Chosen (assumed):* as mud:

  | terrain | rate |
  |---|---|
  | sand | 2 |

  *Option:* `rates` (data).
- **QX-3** Play fair. (advice)
- **QX-10** Whoever is stuck, loses.
  - *Note (derived):* rarely.
  - *Option:* `stuck` = 3; `stuck_how` = `loses` | `skips`.

## Worked examples

- **E1** (QX-1) From (0, 0) to (1, 0).
"""


class HouseRules(Options):
    way: str = option("QX-1", "any", "forward")


@pytest.fixture
def register():
    return Register.parse(PAGE, "page.md")


@pytest.fixture
def rules(monkeypatch):
    """Ties and marks that are forgotten after the test."""
    monkeypatch.setattr(clauses, "_implemented", {})
    monkeypatch.setattr(clauses, "_marked", {})


class TestRegister:
    def test_clauses_stand_in_order_with_section_text_and_parts(self, register):
        assert list(register) == ["QX-1", "QX-2", "QX-3", "QX-10"]
        first = register["QX-1"]
        assert (first.section, first.text, first.line) == ("Movement", "A piece moves one square.", 7)
        assert [(part.kind, part.text) for part in first.parts] == [
            ("Open", "which way."),
            ("Chosen", "any."),
            ("Option", "`way` = `any` | `forward`."),
        ]
        assert first.options == ("way",)
        assert register["QX-10"].options == ("stuck", "stuck_how")

    def test_tables_belong_to_their_clause(self, register):
        assert register["QX-2"].text.count("|---|---|") == 2
        assert register["QX-2"].options == ("rates",)

    def test_a_clause_that_is_not_there_is_told_so(self, register):
        with pytest.raises(NoSuchClause, match=r"^there is no clause 'QX-11'; did you mean 'QX-1'\? \(known: QX-1, "):
            register["QX-11"]
        assert "QX-11" not in register
        assert 3 not in register

    def test_a_clause_stands_there_once(self):
        with pytest.raises(FileError, match=r"page.md:9:3: QX-1: appears twice"):
            Register.parse(PAGE.replace("QX-2", "QX-1"), "page.md")

    @pytest.mark.parametrize(
        ("name", "count"),
        [("combined_arms", 155), ("dot_trooper", 173), ("grid_runner", 95), ("mecha", 108), ("skirmish", 67)],
    )
    def test_every_rulebook_can_be_read(self, name, count):
        path = Path(__file__).parents[3] / "shared" / "rules" / f"{name}.md"
        if not path.exists():
            pytest.skip("the registers are not beside the project")
        register = Register.read(path)
        assert len(register) == count
        assert all(clause.text and clause.section for clause in register.clauses)
        numbers = [int(id.partition("-")[2]) for id in register]
        assert numbers == list(range(1, count + 1))


class TestTies:
    @pytest.mark.usefixtures("rules")
    def test_a_rule_is_tied_to_its_clauses(self):
        @clause("QX-1", "QX-2")
        def step():
            return 7

        assert step() == 7
        found = implementations("QX-1")
        assert found == implementations("QX-2")
        assert found[0].name.endswith("step")
        assert found[0].file == __file__
        assert "QX-1" in Path(__file__).read_text().splitlines()[found[0].line - 1]
        assert str(found[0]).endswith(f"(test_clauses.py:{found[0].line})")

    @pytest.mark.usefixtures("rules")
    def test_a_class_can_be_tied_too(self):
        @clause("QX-3")
        class Odd:
            pass

        assert implementations("QX-3")[0].name.endswith("Odd")

    @pytest.mark.usefixtures("rules")
    def test_a_role_is_said_or_told_by_the_module(self):
        def judged(): ...

        clause("QX-4", role="judge")(judged)
        assert implementations("QX-4")[0].role == "judge"
        judged.__module__ = "my_games.courier.reach.answer"
        clause("QX-5")(judged)
        assert implementations("QX-5")[0].role == "search"
        assert list(by_role("QX-4")) == ["judge"]
        with pytest.raises(ValueError, match="'judges' is not a role; did you mean 'judge'"):
            clause("QX-6", role="judges")

    @pytest.mark.parametrize("id", ["", "QX", "7", "qx-1", "QX-1a"])
    def test_an_id_looks_like_one(self, id):
        with pytest.raises(ValueError, match="not a clause id"):
            clause(id)
        with pytest.raises(ValueError, match="not a clause id"):
            mark(id, "advice", "so")

    def test_a_mark_has_a_kind_and_a_reason(self):
        for kind, reason in (("tedious", "it is"), ("advice", " ")):
            with pytest.raises(ValueError, match="definition or advice with a reason"):
                mark("QX-1", kind, reason)


TESTS = '''
"""QX-2 in the docstring of a module names no test."""
import pytest

# QX-3 in a comment neither.


class TestSteps:
    """QX-1: one square."""

    @pytest.mark.parametrize("id", ["QX-10"])
    def test_one(self, id):
        """QX-2, and QX-21 is another."""

    def helper(self):
        """QX-77"""


def test_two():
    assert "QX-2" in f"(QX-4) {1}"
'''


class TestMentions:
    def test_tests_and_cases_that_name_a_clause_are_found(self, tmp_path):
        (tmp_path / "test_steps.py").write_text(TESTS)
        (tmp_path / "helpers.py").write_text("'QX-5'")
        (tmp_path / "cases").mkdir()
        (tmp_path / "cases" / "mud.toml").write_text('name = "x"\nclauses = ["QX-2", "QX-6"]\n')
        (tmp_path / "cases" / "board.png").write_bytes(b"QX-7")
        found = {
            id: [(Path(one.file).name, one.line, one.name) for one in all_] for id, all_ in mentions([tmp_path]).items()
        }
        cases, steps = "mud.toml", "test_steps.py"
        assert found == {
            "QX-1": [(steps, 8, "TestSteps")],
            "QX-2": [(cases, 2, ""), (steps, 12, "TestSteps.test_one"), (steps, 19, "test_two")],
            "QX-4": [(steps, 19, "test_two")],
            "QX-6": [(cases, 2, "")],
            "QX-10": [(steps, 12, "TestSteps.test_one")],
            "QX-21": [(steps, 12, "TestSteps.test_one")],
        }
        assert list(found)[-1] == "QX-21"


class TestCoverage:
    @pytest.fixture
    def coverage(self, register, rules, tmp_path):
        @clause("QX-10", "QX-12")
        def stuck():
            pass

        mark("QX-3", "advice", "nothing to do")
        (tmp_path / "test_x.py").write_text("def test_x():\n    'QX-1, QX-10'\n")
        tables = Tables.from_toml("[rates]\nclause = 'QX-2, QX-14'\nmud = 2\n")
        return Coverage.of(register, HouseRules, tables, [tmp_path])

    def test_what_no_test_names_and_no_mark_excuses_is_uncovered(self, coverage):
        assert coverage.uncovered() == ("QX-2",)

    def test_options_and_figures_implement_too(self, coverage):
        assert coverage.unimplemented() == ()
        assert Coverage.of(coverage.register).unimplemented() == ("QX-1", "QX-2")

    def test_ids_that_the_register_does_not_have_are_found(self, coverage):
        assert coverage.unknown() == ("QX-12", "QX-14")

    def test_all_there_is_to_know_of_a_clause(self, coverage):
        told = coverage.about("QX-1").splitlines()
        assert told[:3] == ["QX-1  (Movement)", "A piece moves one square.", "  Open: which way."]
        assert "  option       way, default 'any'" in told
        assert told[-1].startswith("  tested by ")
        assert told[-1].endswith("test_x.py:1 test_x")
        assert coverage.about("QX-2").splitlines()[-2:] == ["  figures      rates", "  no test names it"]
        assert coverage.about("QX-3").splitlines()[-1] == "  advice: nothing to do"
        assert "  rule         test_clauses." in coverage.about("QX-10")
