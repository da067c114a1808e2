"""Broken scenarios, one for each mistake, and the exact words that each is answered with.

`broken_scenarios/expected.txt` holds the faults of every file there, in the order of the file. After a change on
purpose, `python tests/formats/test_broken_scenarios.py` rewrites it: read the difference before you commit it.
"""

from pathlib import Path

import pytest
from scenario_samples import RULESETS
from told_faults import check_place, expected_in

from simulator.errors import FileError
from simulator.formats.scenarios import check_scenario, load_scenario

BROKEN = Path(__file__).parent / "broken_scenarios"
EXPECTED = BROKEN / "expected.txt"
FILES = sorted(BROKEN.glob("*.yaml"))


def said(path):
    """The faults of a file as they are shown, with bare names."""
    return [str(fault).replace(f"{BROKEN}/", "") for fault in check_scenario(path, RULESETS)]


def expected():
    return expected_in(EXPECTED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_broken_scenario_is_answered_with_all_its_faults(path):
    assert said(path) == expected()[path.name]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_fault_has_a_place_within_its_file(path):
    for fault in check_scenario(path, RULESETS):
        check_place(fault, Path(fault.file))


def test_no_expectation_is_left_over():
    assert sorted(expected()) == [path.name for path in FILES]
    assert len(FILES) >= 60


def test_what_is_no_file(tmp_path):
    for path, reason in ((tmp_path / "none.yaml", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(FileError, match=f"{path}: cannot be read: {reason}"):
            load_scenario(path, RULESETS)
    with pytest.raises(FileError, match="cannot be read"):
        load_scenario("a\0b", RULESETS)


if __name__ == "__main__":
    EXPECTED.write_text("\n\n".join("\n".join([path.name, *said(path)]) for path in FILES) + "\n", encoding="utf-8")
