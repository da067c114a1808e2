"""What `make test` leaves out: most cases of the laws that take longest, and only those."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def collected(*arguments):
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *arguments]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [line for line in answer.stdout.splitlines() if "::" in line]


@pytest.mark.parametrize("file", ["tests/pathing_free/test_between.py", "tests/pathing_posed/test_after_pieces.py"])
def test_a_sample_is_the_same_each_time_and_leaves_out_what_is_marked(file):
    source = (ROOT / file).read_text(encoding="utf-8")
    sampled = set(re.findall(r"mark\.sampled\n(?:    )?(?:@.*\n\s*)*def (\w+)", source))
    long = set(re.findall(r"mark\.long\n(?:    )?(?:@.*\n\s*)*def (\w+)", source))
    every, sample = collected(file), collected(file, "--sample")
    assert sampled or long
    assert sample == collected(file, "--sample")
    names = [re.split(r"::|\[", case) for case in every]
    for name in {case[-2] if case[-1].endswith("]") else case[-1] for case in names}:
        of_it, tried = ([case for case in cases if re.search(rf"::{name}(\[|$)", case)] for cases in (every, sample))
        if name in sampled:
            assert 1 <= len(tried) <= -(-len(of_it) // 16) < len(of_it)
        else:
            assert tried == ([] if name in long else of_it)
