"""The search for what the tests miss: small changes to the program are put to the tests, which notice them."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_changes_to_a_module_are_noticed_by_its_tests():
    asked = ["skirmish", "--module", "odds/ranked", "--tests", "tests/rulebooks/test_skirmish_ranked.py"]
    command = [sys.executable, "tests/mutation/run.py", *asked, "--sample", "8"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    noticed, count = map(int, re.findall(r"skirmish: (\d+) of (\d+) mutants noticed", found.stdout)[0])
    assert count == 8
    assert noticed >= 6, found.stdout
