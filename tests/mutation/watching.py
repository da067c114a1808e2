"""Tests put to mutants, in one process that has collected them all: each mutant in a child of it.

First each file of tests is run by the sound program, in a child of its own, which notes how long each test takes and
which lines of the mutated modules it runs. That record is kept until the program or the file of tests changes. A mutant
meets only the tests that run the statement it changes. First come those that noticed others in its function, then
the quickest, the later cases of one test as if they took longer, until one fails or their time is up. A mutant whose
time is up has survived.

A test counts as failing only if it holds in the sound program, run alone in a child. So no mutant is noticed by a test
that merely cannot stand alone.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import resource
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType

import coverage
import pytest
from changes import Mutant, functions_in, module_of
from parts import ROOT

#: What a child says by how it ends: the number of the test that failed is in its file.
_HELD, _NOTICED, _TIME_UP, _BROKEN = 0, 1, 2, 3
#: A test that takes so many times its usual CPU time, and so many seconds more, hangs.
_TIMES, _MORE = 10, 20
#: A child that has come this far, by the clock, hangs without using the CPU.
_WALL = 900
#: A mutant may take so many bytes of memory.
_BYTES = 6 << 30


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant, and by which test or after how many."""

    word: str
    by: str = ""

    @property
    def noticed(self) -> bool:
        """Whether a test noticed the mutant; one that hangs or breaks the interpreter is noticed too."""
        return self.word in ("killed", "timeout", "crash")


@dataclass
class Known:
    """What the sound program does in a test."""

    seconds: float
    lines: dict[str, frozenset[int]]  #: by file, those that it runs


#: The functions of each file, by the line where each begins.
Functions = dict[str, dict[int, list[FunctionType]]]


@dataclass
class Watch:
    """A plugin of pytest: it has the tests collected, and then puts them to mutants instead of running them."""

    mutants: Sequence[Mutant]
    measured: Sequence[str]  #: the files whose lines are recorded
    seconds: float  #: of CPU time for the tests of a mutant
    workers: int
    kept_in: Path  #: the folder of records
    told: Callable[[Mutant, Verdict], None]
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    _known: dict[str, Known] = field(default_factory=dict)
    _items: dict[str, pytest.Item] = field(default_factory=dict)
    _noticers: dict[str, Counter[str]] = field(default_factory=dict)
    _alone: dict[str, bool] = field(default_factory=dict)
    _in_child: bool = False

    def run(self, tests: Iterable[str]) -> None:
        """Put tests to the mutants."""
        quiet = ["-qqq", "--no-header", "--no-summary", "-s", "--tb=no", "-m", "not hypothesis"]
        plugins = [f"no:{name}" for name in ("cacheprovider", "xdist", "cov", "randomly", "benchmark")]
        given = [*quiet, *(word for name in plugins for word in ("-p", name)), *tests]
        status = pytest.main(given, plugins=[self])
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) or not self.verdicts:
            raise SystemExit(f"the tests could not be put to mutants: pytest ended with {status!r}")

    # --- the hooks ---

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Record what the tests do, and put them to the mutants."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        self._items = {item.nodeid: item for item in session.items}
        gc.unfreeze()  # what is frozen since the tests were collected is not among the objects otherwise
        functions = {file: functions_in(file, gc.get_objects()) for file in {one.file for one in self.mutants}}
        lost = sorted({one.of for one in self.mutants if one.line not in functions[one.file]})
        if lost:
            raise session.Interrupted(f"no such functions in the running program: {', '.join(lost)}")
        gc.collect()
        gc.freeze()
        self._record(session.items)
        self._put_to_all(functions)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """End a child at the first failure."""
        if self._in_child and report.failed:
            os._exit(_NOTICED)

    # --- the record ---

    def _record(self, items: Sequence[pytest.Item]) -> None:
        by_file: dict[Path, list[pytest.Item]] = {}
        for item in items:
            by_file.setdefault(item.path, []).append(item)
        common = self._common_part()
        for number, (path, own) in enumerate(sorted(by_file.items()), 1):
            kept = self.kept_in / f"{hashlib.sha256(common + path.read_bytes()).hexdigest()[:24]}.pickle"
            found = pickle.loads(kept.read_bytes()) if kept.exists() else {}
            if not found.keys() >= {item.nodeid for item in own}:
                print(f"[{number}/{len(by_file)}] recording {path.relative_to(ROOT)}", flush=True)
                found = self._recorded(own)
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(pickle.dumps(found))
            self._known |= {item.nodeid: found[item.nodeid] for item in own}

    def _common_part(self) -> bytes:
        """What a record depends on besides its file of tests: the program, and what tests share."""
        files = [*ROOT.glob("simulator/**/*.py"), *ROOT.glob("tests/**/*.py"), ROOT / "conftest.py"]
        shared = sorted(file for file in files if not file.name.startswith("test_") and file.parent.name != "mutation")
        known = [repr(self.measured).encode(), *(file.read_bytes() for file in shared)]
        return hashlib.sha256(b"\0".join(known)).digest()

    def _recorded(self, items: Sequence[pytest.Item]) -> dict[str, Known]:
        """Run tests by the sound program, and return what is known of each."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "known"
            pid = os.fork()
            if not pid:
                with _ends_with(_BROKEN, file.with_suffix(".why")):
                    _be_quiet()
                    file.write_bytes(pickle.dumps(_observed(items, self.measured)))
                    os._exit(_HELD)
            os.waitpid(pid, 0)
            if not file.exists():
                why = file.with_suffix(".why")
                raise SystemExit(f"{items[0].path} breaks off\n{why.read_text() if why.exists() else ''}")
            found: dict[str, Known] = pickle.loads(file.read_bytes())
        failing = [item.nodeid for item in items if item.nodeid not in found]
        if failing:
            raise SystemExit("\n  ".join(["these tests fail without any mutant:", *failing]))
        return found

    # --- the mutants ---

    def _put_to_all(self, functions: Functions) -> None:
        waiting = deque(self.mutants)
        running: dict[int, tuple[Mutant, Sequence[str], Path, float]] = {}
        with tempfile.TemporaryDirectory() as folder:
            while waiting or running:
                if waiting and len(running) < self.workers:
                    mutant = waiting.popleft()
                    tests = self._tests_for(mutant)
                    if tests:
                        file = Path(folder) / mutant.name.replace("/", ".")
                        pid = self._begun(mutant, functions[mutant.file][mutant.line], tests, file)
                        running[pid] = mutant, tests, file, time.monotonic() + _WALL
                    else:
                        self._settle(mutant, Verdict("unreached"))
                    continue
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid in running:
                    mutant, met, file, _ = running.pop(pid)
                    verdict = self._verdict(status, met, file)
                    if verdict is None:
                        waiting.appendleft(mutant)
                    else:
                        self._settle(mutant, verdict)
                elif not pid:
                    time.sleep(0.005)
                    for late in [pid for pid, (*_, end) in running.items() if time.monotonic() > end]:
                        os.kill(late, signal.SIGXCPU)

    def _tests_for(self, mutant: Mutant) -> list[str]:
        """Return the tests that run what is changed, those first that are likeliest to notice it soon."""
        reached = [
            nodeid
            for nodeid, known in self._known.items()
            if not mutant.reached_by.isdisjoint(known.lines.get(mutant.file, ())) and self._alone.get(nodeid, True)
        ]
        before = self._noticers.get(mutant.of, Counter())
        weights, cases = {}, Counter[str]()
        for nodeid in sorted(reached, key=lambda nodeid: (self._known[nodeid].seconds, nodeid)):
            test = nodeid.partition("[")[0]
            cases[test] += 1
            weights[nodeid] = self._known[nodeid].seconds * cases[test]
        return sorted(weights, key=lambda nodeid: (-before[nodeid], weights[nodeid]))

    def _begun(self, mutant: Mutant, functions: list[FunctionType], tests: Sequence[str], file: Path) -> int:
        """Put tests to a mutant in a child."""
        pid = os.fork()
        if not pid:
            with _ends_with(_BROKEN):
                _be_quiet()
                for function in functions:
                    mutant.put_into(module_of(Path(mutant.file), ROOT), function)
                self._tried(tests, file)
        return pid

    def _tried(self, tests: Sequence[str], file: Path) -> None:
        """Run tests until one fails or time is up, and end this child."""
        self._in_child = True
        begun = time.process_time()
        for number, nodeid in enumerate(tests):
            if time.process_time() - begun > self.seconds:
                file.write_text(str(number))
                os._exit(_TIME_UP)
            file.write_text(str(number))
            following = self._items[tests[number + 1]] if number + 1 < len(tests) else None
            _limit(self._known[nodeid].seconds)
            item = self._items[nodeid]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        os._exit(_HELD)

    def _verdict(self, status: int, tests: Sequence[str], file: Path) -> Verdict | None:
        """Read what a child said; None, if a test failed that cannot stand alone."""
        ended = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        number = int(file.read_text()) if file.exists() else 0
        if ended == _HELD:
            return Verdict("survived", f"{len(tests)} tests")
        if ended == _TIME_UP:
            return Verdict("survived", f"time was up after {number} of {len(tests)} tests")
        if ended == _BROKEN:
            return Verdict("broken")
        if not self._holds_alone(tests[number]):
            return None
        if ended is not None:
            return Verdict("killed", tests[number])
        hangs = os.WTERMSIG(status) in (signal.SIGVTALRM, signal.SIGXCPU)
        return Verdict("timeout" if hangs else "crash", tests[number])

    def _holds_alone(self, nodeid: str) -> bool:
        if nodeid not in self._alone:
            with tempfile.TemporaryDirectory() as folder:
                pid = os.fork()
                if not pid:
                    with _ends_with(_BROKEN):
                        _be_quiet()
                        self._tried([nodeid], Path(folder) / "number")
                self._alone[nodeid] = os.waitpid(pid, 0)[1] == _HELD
            if not self._alone[nodeid]:
                print(f"left out, as it does not hold alone: {nodeid}", flush=True)
        return self._alone[nodeid]

    def _settle(self, mutant: Mutant, verdict: Verdict) -> None:
        if verdict.word == "killed":
            self._noticers.setdefault(mutant.of, Counter())[verdict.by] += 1
        self.verdicts[mutant.name] = verdict
        self.told(mutant, verdict)


def _observed(items: Sequence[pytest.Item], measured: Sequence[str]) -> dict[str, Known]:
    """Run tests, and return what is known of those that hold."""
    seconds: dict[str, float] = {}
    failed: set[str] = set()

    class Listener:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                failed.add(report.nodeid)

    items[0].config.pluginmanager.register(Listener())
    seen = coverage.Coverage(data_file=None, config_file=False, include=list(measured))
    seen.start()
    for item, following in zip(items, [*items[1:], None], strict=True):
        seen.switch_context(item.nodeid)
        begun = time.process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        seconds[item.nodeid] = time.process_time() - begun
    with warnings.catch_warnings(action="ignore"):  # that these tests run none of it
        seen.stop()
        data = seen.get_data()
    lines: dict[str, dict[str, set[int]]] = {item.nodeid: {} for item in items}
    for file in data.measured_files():
        for line, contexts in data.contexts_by_lineno(file).items():
            for context in contexts:
                if context in lines:
                    lines[context].setdefault(file, set()).add(line)
    return {
        nodeid: Known(seconds[nodeid], {file: frozenset(own) for file, own in lines[nodeid].items()})
        for nodeid in seconds
        if nodeid not in failed
    }


@contextmanager
def _ends_with(status: int, why: Path | None = None) -> Iterator[None]:
    """End this child by a status if anything is raised in it, and say why in a file."""
    try:
        yield
    except BaseException:
        if why is not None:
            why.write_text(traceback.format_exc(), encoding="utf-8")
    os._exit(status)


def _be_quiet() -> None:
    """Let a child print nothing, and take no more memory than there is."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))


def _limit(usual: float) -> None:
    """Let this child be ended when a test takes far longer than usual."""
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_VIRTUAL, _TIMES * usual + _MORE)
