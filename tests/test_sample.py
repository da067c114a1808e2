"""What `make test` leaves out: most cases of the laws that take longest, and only those."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


FILES = ("tests/pathing_free/test_between.py", "tests/pathing_posed/test_after_pieces.py")
#: A file of its own under the same rules, with a mark of each kind.
MARKED = """
import pytest

@pytest.mark.sampled("b", "c")
@pytest.mark.parametrize("case", "abcd")
def test_named(case): pass

@pytest.mark.sampled(dear=["b"])
@pytest.mark.parametrize("case", "abc")
def test_dear(case): pass

@pytest.mark.sampled
@pytest.mark.parametrize("case", range(40))
def test_some(case): pass

@pytest.mark.long
def test_long(): pass

def test_short(): pass
"""


def listing(folder, *arguments):
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *arguments]
    # Of the plugins there is only the one that the configuration speaks of.
    command += ["-p", "pytest_timeout"]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=alone)


def collected(folder, *arguments):
    answer = listing(folder, *arguments)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return [line for line in answer.stdout.splitlines() if "::" in line]


@pytest.fixture(scope="module")
def listed():
    """What is tried of the files, all of it and the sample."""
    return [collected(ROOT, *FILES, *options) for options in ([], ["--sample"])]


def names_of(mark, source):
    """The tests with a mark, and the text of the mark's brackets."""
    found = re.findall(rf"mark\.{mark}(\([^)]*\))?\n(?:    )?(?:@.*\n\s*)*def (\w+)", source)
    return {name: inner for inner, name in found}


@pytest.mark.parametrize("file", FILES)
def test_a_sample_leaves_out_what_is_marked(file, listed):
    source = (ROOT / file).read_text(encoding="utf-8")
    sampled, long = names_of("sampled", source), names_of("long", source)
    every, sample = ([case for case in cases if case.startswith(f"{file}::")] for cases in listed)
    assert sampled or long
    names = [re.split(r"::|\[", case) for case in every]
    for name in {case[-2] if case[-1].endswith("]") else case[-1] for case in names}:
        of_it, tried = ([case for case in cases if re.search(rf"::{name}(\[|$)", case)] for cases in (every, sample))
        if name in sampled:
            assert 1 <= len(tried) < len(of_it)
            assert sampled[name] or len(tried) <= -(-len(of_it) // 16)
        else:
            assert tried == ([] if name in long else of_it)


@pytest.fixture
def folder(tmp_path):
    for file in ("tests/conftest.py", "pyproject.toml"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text((ROOT / file).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "tests" / "test_marked.py").write_text(MARKED, encoding="utf-8")
    return tmp_path


class TestMarksOfTheSample:
    def test_cases_are_named_or_dear_or_one_in_sixteen_and_the_same_each_time(self, folder):
        every, sample = ([case.partition("::")[2] for case in collected(folder, *more)] for more in ((), ("--sample",)))
        assert len(every) == 4 + 3 + 40 + 1 + 1
        assert sample == [case.partition("::")[2] for case in collected(folder, "--sample")]
        some = [case for case in sample if case.startswith("test_some")]
        assert 2 <= len(some) <= 3
        assert [case for case in sample if case not in some] == [
            *("test_named[b]", "test_named[c]", "test_dear[a]", "test_dear[c]", "test_short")
        ]

    def test_of_a_single_test_that_is_asked_for_there_is_a_case(self, folder):
        case = "tests/test_marked.py::test_named[a]"
        assert collected(folder, case, "--sample") == [case]

    @pytest.mark.parametrize(("mark", "wrong"), [('"b", "c"', '"b", "e"'), ('dear=["b"]', 'dear=["z"]')])
    def test_a_case_that_is_not_there_is_refused(self, folder, mark, wrong):
        file = folder / "tests" / "test_marked.py"
        file.write_text(MARKED.replace(mark, wrong), encoding="utf-8")
        answer = listing(folder, "--sample")
        assert answer.returncode == 4
        assert f"is `sampled` with cases that it does not have: ['{wrong[-2] if ']' not in wrong else 'z'}']" in (
            answer.stdout + answer.stderr
        )
