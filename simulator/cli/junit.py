"""A run as a JUnit report, which CI systems show test by test. No times, no host: the same run, the same file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from simulator.cli.files import write_file
from simulator.cli.runs import RunOutcome


def junit_text(outcomes: Sequence[RunOutcome]) -> str:
    """Return one test case for each scenario: a failure if an expectation is not met, an error if the file is faulty.

    >>> wrong = ("A1 at: expected 1,2, got 1,3",)
    >>> print(junit_text([RunOutcome("ford.yaml", 1, "", ruleset="skirmish", failures=wrong)]))
    <?xml version="1.0" encoding="utf-8"?>
    <testsuites tests="1" failures="1" errors="0">
      <testsuite name="scenarios" tests="1" failures="1" errors="0">
        <testcase classname="skirmish" name="ford" file="ford.yaml">
          <failure message="1 expectation not met">A1 at: expected 1,2, got 1,3</failure>
        </testcase>
      </testsuite>
    </testsuites>
    <BLANKLINE>
    """
    from simulator.wording import visible

    failed = sum(outcome.code == 1 for outcome in outcomes)
    counts = {
        "tests": str(len(outcomes)),
        "failures": str(failed),
        "errors": str(sum(outcome.code > 1 for outcome in outcomes)),
    }
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "scenarios", **counts})
    for outcome in outcomes:
        attributes = {
            "classname": outcome.ruleset or "scenario",
            "name": visible(Path(outcome.file).stem),
            "file": visible(outcome.file),
        }
        case = ElementTree.SubElement(suite, "testcase", attributes)
        if outcome.code == 1:
            count = len(outcome.failures)
            message = f"{count} expectation{'' if count == 1 else 's'} not met"
            ElementTree.SubElement(case, "failure", {"message": message}).text = "\n".join(outcome.failures)
        elif outcome.code:
            lines = [visible(line) for line in outcome.text.splitlines()] or ["could not be played"]
            ElementTree.SubElement(case, "error", {"message": lines[0]}).text = "\n".join(lines)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def write_junit(file: Path, outcomes: Sequence[RunOutcome]) -> None:
    """Write the report to a file."""
    write_file(file, junit_text(outcomes).encode())
