"""Every case and scenario of skirmish comes out as it says, and no worked example is without a case."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from simulator.cli.record import command as record
from simulator.formats.scenarios import load_scenario
from simulator.rulesets.skirmish.obstruction import narrow_gaps

HERE = Path(__file__).parents[2]
CASES = sorted((HERE / "tests" / "cases" / "skirmish").glob("*.yaml"))
STORIES = sorted((HERE / "scenarios" / "skirmish").glob("*.yaml"))


@pytest.mark.parametrize("path", [*CASES, *STORIES], ids=lambda path: path.stem)
def test_comes_out_as_it_says(path):
    assert [str(check) for check in load_scenario(path).run().failures] == []


def test_every_worked_example_is_a_case():
    text = (HERE / "docs" / "rules" / "skirmish.md").read_text(encoding="utf-8")
    examples = set(re.findall(r"\*\*(E\d+)\*\*", text))
    told = {found for path in CASES for found in re.findall(r"\bE\d+\b", path.read_text(encoding="utf-8"))}
    assert examples - told == set()


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_the_account_is_as_on_record(path, tmp_path):
    """`simulator record scenarios/skirmish --out tests/records/skirmish` renews the records."""
    result = CliRunner().invoke(record, [str(path), "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    kept = HERE / "tests" / "records" / "skirmish" / f"{path.stem}.txt"
    assert (tmp_path / kept.name).read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")


def test_together_the_stories_use_everything():
    """Every action, every event of movement, dodges at every level: and boards in files of their own."""
    stories = [load_scenario(path) for path in STORIES]
    accounts = "\n".join(str(story.run()) for story in stories)
    texts = "\n".join(path.read_text(encoding="utf-8") for path in STORIES)
    for order in (
        " run",
        "left_around",
        " traverse ",
        " and ",
        " change_stance ",
        " attack ",
        " done",
        " move to|: to ",
    ):
        assert any(part in texts for part in order.split("|")), order
    for told in (
        *("moves", "runs", "is Running", "gets over", "stays before", "suffers Threshold", "standing", "prone"),
        *("crouching", "dodges", "fails to dodge", "shifts", "is hit", "is missed"),
        *("Terrain roll", "Traverse roll", "dodge roll", "attack roll"),
    ):
        assert f" {told} " in accounts, told
    assert len({path.parent / line for path in STORIES for line in _boards_of(path)}) >= 4


def _boards_of(path):
    return re.findall(r"^board: (\S+\.yaml)$", path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    ("radius", "shut"),
    [(0.5, ""), (1.0, ""), (1.01, "B"), (1.25, "B"), (1.26, "BC"), (1.5, "BC"), (1.51, "BCD"), (2.01, "ABCD")],
)
def test_which_of_the_four_gaps_are_shut_to_which_base(radius, shut):
    """SK-48 to SK-52, E3: A is 4 inches wide, B 2, C 2.5, D 3; an exact fit passes."""
    game = load_scenario(HERE / "scenarios" / "skirmish" / "four_gaps.yaml").start()
    scout = game.table.unit("scout").put(radius=radius)
    gaps = {
        "A": {"court west", "court west 2"},
        "B": {"court north", "court north 2"},
        "C": {"court east", "court east 2"},
        "D": {"court south", "court south 2"},
    }
    narrow = [set(gap.over) for gap in narrow_gaps(game.table, scout)]
    assert "".join(name for name, sides in gaps.items() if sides in narrow) == shut
