"""Work shared with copies of this process: what comes back, what is done here after all, and what is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from simulator import copies, cores, threads
from simulator.cores import Helpers, Meanwhile, on_every_core, on_every_core_by_rows, processes_at_once, shares
from simulator.workers import shared_out

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="copies are made on Linux alone")

PATIENCE = 60


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 2)
    monkeypatch.setattr(threads._Limit, "threads", None)
    monkeypatch.setattr(cores._Copies, "allowed", True)
    before = children()
    yield
    assert children() <= before | {resource_tracker._resource_tracker._pid}
    assert not copies._at_work


def children():
    """The processes that this one has started, those that have ended and were not waited for among them."""
    return {int(one) for task in Path("/proc/self/task").iterdir() for one in (task / "children").read_text().split()}


def meets(tmp_path, name):
    """Wait until the other process has come here, too; return which process this is."""
    (tmp_path / f"{name}-{os.getpid()}").touch()
    until = time.monotonic() + PATIENCE
    while len(list(tmp_path.iterdir())) < 2:
        assert time.monotonic() < until
        time.sleep(0.01)
    return os.getpid()


class TestResults:
    def test_they_come_in_the_order_of_the_things(self):
        def slowly(number):
            time.sleep(0.02 if number % 2 else 0.0)
            return number * number

        assert on_every_core(slowly, range(9)) == [number * number for number in range(9)]
        assert on_every_core(slowly, []) == []

    def test_two_processes_work_at_the_same_time(self, tmp_path):
        assert len(set(on_every_core(lambda name: meets(tmp_path, name), "ab"))) == 2

    def test_a_copy_knows_what_is_known_here_and_nothing_it_does_is_left(self, tmp_path):
        known = {"before": 1}

        def work(name):
            known[name] = os.getpid()
            meets(tmp_path, name)
            return known["before"]

        assert on_every_core(work, "ab") == [1, 1]
        assert sorted(known.values()) == [1, os.getpid()]

    def test_rows_are_shared_out(self, tmp_path):
        def work(rows):
            meets(tmp_path, str(rows.start))
            return [2 * number for number in range(7)[rows]]

        assert on_every_core_by_rows(work, 7, 3) == [0, 2, 4, 6, 8, 10, 12]
        assert on_every_core_by_rows(lambda rows: list(range(5)[rows]), 5, 3) == [0, 1, 2, 3, 4]
        assert on_every_core_by_rows(lambda rows: list(range(0)[rows]), 0, 3) == []

    def test_no_more_shares_than_are_worth_it(self):
        assert shares(10, 5) == [slice(0, None, 2), slice(1, None, 2)]
        assert shares(9, 5) == shares(0) == [slice(0, None, 1)]


class TestMeanwhile:
    def test_both_are_done_at_the_same_time(self, tmp_path):
        with Meanwhile(lambda: meets(tmp_path, "there")) as meanwhile:
            here = meets(tmp_path, "here")
            assert processes_at_once() == 1
            assert meanwhile.result() not in (here, 0)
            assert processes_at_once() == 2

    def test_without_a_second_core_it_is_done_when_it_is_needed(self, monkeypatch):
        monkeypatch.setattr(threads._Limit, "threads", 1)
        done = []
        with Meanwhile(lambda: done.append(os.getpid())) as meanwhile:
            assert not done
            meanwhile.result()
        assert done == [os.getpid()]
        with Meanwhile(lambda: done.append(0)):
            pass
        assert done == [os.getpid()]

    def test_what_nobody_needs_is_ended(self):
        with Meanwhile(lambda: time.sleep(PATIENCE)):
            assert len(copies._at_work) == 1
        assert processes_at_once() == 2

    def test_what_fails_there_is_raised_here(self):
        def fails():
            raise ValueError(os.getpid())

        with Meanwhile(fails) as meanwhile, pytest.raises(ValueError, match=str(os.getpid())):
            meanwhile.result()

    def test_where_there_are_too_many_processes(self, monkeypatch):
        def fork():
            raise BlockingIOError(11, "Resource temporarily unavailable")

        monkeypatch.setattr(os, "fork", fork)
        with Meanwhile(os.getpid) as meanwhile:
            assert meanwhile.result() == os.getpid()


class TestWhereItIsDoneHere:
    def here(self):
        return set(on_every_core(lambda _: os.getpid(), range(4))) == {os.getpid()}

    def test_on_one_core(self, monkeypatch):
        monkeypatch.setattr(threads._Limit, "threads", 1)
        assert self.here()

    def test_where_processes_are_not_copied(self, monkeypatch):
        monkeypatch.setattr(sys, "platform", "darwin")
        assert self.here()

    def test_where_there_are_too_many_processes(self, monkeypatch):
        def fork():
            raise BlockingIOError(11, "Resource temporarily unavailable")

        monkeypatch.setattr(os, "fork", fork)
        before = len(list(Path("/proc/self/fd").iterdir()))
        assert self.here()
        assert len(list(Path("/proc/self/fd").iterdir())) == before

    def test_in_a_copy_and_beside_one(self, tmp_path):
        def work(name):
            meets(tmp_path, name)
            return processes_at_once()

        assert on_every_core(work, "ab") == [1, 1]
        assert processes_at_once() == 2

    def test_in_a_worker_process(self):
        assert list(shared_out(_processes, [0, 1], 2)) == [1, 1]

    def test_while_another_thread_is_at_work_in_this_package(self):
        begun, free = threading.Event(), threading.Event()

        def work(_):
            begun.set()
            assert free.wait(PATIENCE)

        other = threading.Thread(target=threads.side_by_side, args=(work, [0]))
        other.start()
        assert begun.wait(PATIENCE)
        assert processes_at_once() == 1
        assert self.here()
        free.set()
        other.join()
        assert processes_at_once() == 2

    def test_other_threads_do_not_matter(self):
        free = threading.Event()
        others = [threading.Thread(target=free.wait), threading.Thread(target=_looks_on, args=(free,))]
        others[1].name = copies.ONLOOKER
        for other in others:
            other.start()
        assert processes_at_once() == 2
        free.set()
        for other in others:
            other.join()


def _processes(_):
    return processes_at_once()


def _looks_on(free):
    threads.side_by_side(lambda _: free.wait(PATIENCE), [0])


class TestFailures:
    def test_an_error_is_raised_here(self, tmp_path):
        def fail(name):
            here = meets(tmp_path, name)
            raise ValueError(f"in {here}")

        with pytest.raises(ValueError, match=f"in {os.getpid()}"):
            on_every_core(fail, "ab")

    def test_what_a_copy_fails_at_is_done_here(self, tmp_path):
        here = os.getpid()

        def work(name):
            if meets(tmp_path, name) != here:
                raise ValueError
            return name

        assert on_every_core(work, "ab") == ["a", "b"]

    @pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
    def test_what_a_copy_that_is_ended_was_doing_is_done_here(self, tmp_path, number):
        here = os.getpid()

        def work(name):
            if meets(tmp_path, name) != here:
                os.kill(os.getpid(), number)
            return name

        assert on_every_core(work, "ab") == ["a", "b"]

    def test_what_cannot_be_sent_is_done_here(self, tmp_path):
        def work(name):
            meets(tmp_path, name)
            return lambda: name

        assert [found() for found in on_every_core(work, "ab")] == ["a", "b"]

    def test_a_copy_that_stands_still_is_ended_and_there_are_no_more(self, tmp_path, monkeypatch):
        monkeypatch.setattr(cores, "_STANDS_STILL", 0.3)
        here = os.getpid()

        def work(name):
            if meets(tmp_path, name) != here:
                threading.Event().wait()
            return name

        assert on_every_core(work, "ab") == ["a", "b"]
        assert processes_at_once() == 1

    def test_a_copy_that_is_slow_is_waited_for(self, tmp_path, monkeypatch):
        monkeypatch.setattr(cores, "_STANDS_STILL", 0.05)
        here, looks = os.getpid(), []

        def time_used(copy):
            looks.append(copy)
            if len(looks) == 3:
                (tmp_path / "go on").touch()
            return str(len(looks))

        monkeypatch.setattr(copies.Copy, "time_used", time_used)

        def work(name):
            if meets(tmp_path, name) != here:
                until = time.monotonic() + PATIENCE
                while not (tmp_path / "go on").exists():
                    assert time.monotonic() < until
                    time.sleep(0.01)
            return os.getpid()

        assert len(set(on_every_core(work, "ab"))) == 2
        assert len(looks) >= 3
        assert processes_at_once() == 2

    def test_the_time_that_a_copy_has_used_is_known(self):
        def work_for_a_while(pipe):
            until = time.process_time() + 0.3
            while time.process_time() < until:
                pass
            pipe.send("done")
            pipe.poll(PATIENCE)

        copy = copies.Copy(work_for_a_while)
        before = copy.time_used()
        assert copy.pipe.recv() == "done"
        used = copy.time_used()
        copy.end()
        ticks = [sum(map(int, one.split())) for one in (before, used)]
        assert ticks[1] - ticks[0] >= 0.1 * os.sysconf("SC_CLK_TCK")

    def test_a_copy_whose_results_nobody_reads_ends_without_a_word(self, capfd):
        """As after Ctrl-C: the pipe is closed with something in it."""
        copy = copies.Copy(partial(cores._do_each, str))
        copy.pipe.send(1)
        assert copy.pipe.poll(PATIENCE)
        copy.pipe.close()
        os.waitpid(copy._process, 0)
        copy.end()
        assert capfd.readouterr().err == ""

    def test_when_work_is_interrupted_here_the_copy_ends(self, tmp_path):
        here = os.getpid()

        def work(name):
            if meets(tmp_path, name) == here:
                raise KeyboardInterrupt
            time.sleep(PATIENCE)

        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            on_every_core(work, "ab")
        assert time.monotonic() - begun < PATIENCE


class TestHelpers:
    """Copies that are made once, and asked again and again."""

    def test_results_come_in_the_order_of_the_things(self):
        with Helpers(lambda number: (number * number, os.getpid())) as helpers:
            found = [helpers.each([number, number + 1]) for number in range(5)]
        assert [[square for square, _ in pair] for pair in found] == [[n * n, (n + 1) ** 2] for n in range(5)]
        assert {here for (_, here), _ in found} == {os.getpid()}
        assert len({there for _, (_, there) in found}) == 1

    def test_one_thing_is_done_here_and_more_than_there_are_processes_as_well(self):
        with Helpers(lambda number: (number, os.getpid())) as helpers:
            assert helpers.each([7]) == [(7, os.getpid())]
            assert helpers.each([]) == []
            found = helpers.each(range(5))
        assert [number for number, _ in found] == [0, 1, 2, 3, 4]
        assert [where == os.getpid() for _, where in found] == [True, True, True, True, False]

    def test_both_work_at_the_same_time_and_there_are_no_more_below(self, tmp_path):
        def work(name):
            meets(tmp_path, name)
            return processes_at_once()

        with Helpers(work) as helpers:
            assert helpers.each("ab") == [1, 1]

    def test_what_is_found_out_here_afterwards_is_not_known_there(self):
        known = [1]
        with Helpers(lambda _: known[-1]) as helpers:
            assert helpers.each("ab") == [1, 1]
            known.append(2)
            assert helpers.each("ab") == [2, 1]

    @pytest.mark.parametrize("allowed", [True, False])
    def test_errors_are_raised_here_and_the_rest_is_done_here(self, allowed, monkeypatch):
        monkeypatch.setattr(cores._Copies, "allowed", allowed)
        here = os.getpid()

        def work(name):
            if os.getpid() != here:
                raise ValueError("there")
            if name == "c":
                raise KeyError(name)
            return name

        with Helpers(work) as helpers:
            assert helpers.each("ab") == ["a", "b"]
            with pytest.raises(KeyError, match="c"):
                helpers.each("ac")
            assert helpers.each("ab") == ["a", "b"]

    def test_a_copy_that_is_gone_is_not_missed(self):
        here = os.getpid()

        def work(name):
            if os.getpid() != here:
                os._exit(0)
            return name

        with Helpers(work) as helpers:
            assert [helpers.each("ab") for _ in range(3)] == [["a", "b"]] * 3

    def test_a_copy_that_has_ended_by_itself_is_not_missed(self):
        with Helpers(lambda name: name) as helpers:
            assert helpers.each("ab") == ["a", "b"]
            os.kill(helpers._copies[0]._process, signal.SIGKILL)
            os.waitid(os.P_PID, helpers._copies[0]._process, os.WEXITED | os.WNOWAIT)
            assert helpers.each("cd") == ["c", "d"]
            assert helpers.each("ef") == ["e", "f"]

    def test_after_an_error_here_nothing_is_left_of_what_was_asked(self):
        here = os.getpid()

        def work(name):
            if name == "fails":
                raise KeyError(name)
            return name, os.getpid() == here

        with Helpers(work) as helpers:
            with pytest.raises(KeyError):
                helpers.each(["fails", "old"])
            assert [name for name, _ in helpers.each(["new", "newer"])] == ["new", "newer"]

    def test_what_cannot_be_brought_back_is_done_here(self):
        with Helpers(lambda number: lambda: number) as helpers:
            assert [make() for make in helpers.each([1, 2])] == [1, 2]

    def test_where_there_are_too_many_processes(self, monkeypatch):
        def fork():
            raise BlockingIOError(11, "Resource temporarily unavailable")

        monkeypatch.setattr(os, "fork", fork)
        with Helpers(lambda _: os.getpid()) as helpers:
            assert helpers.each("ab") == [os.getpid()] * 2

    def test_who_pauses_has_them_made_anew_when_others_needed_some(self):
        first, second = Helpers(lambda _: os.getpid()), Helpers(lambda _: os.getpid())
        with first, second:
            before, others = first.each("ab")[1], second.each("ab")[1]
            assert copies._at_work == {others}
            after = first.each("ab")[1]
            assert copies._at_work == {after}
        assert len({os.getpid(), before, others, after}) == 4

    def test_other_copies_leave_them_alone(self):
        with Helpers(lambda name: (name, os.getpid())) as helpers:
            before = helpers.each("ab")[1]

            def ask_and_end(pipe):
                with Helpers(lambda name: name) as others:
                    pipe.send(others.each("ab"))
                helpers.end()
                pipe.send("ended")

            other = copies.Copy(ask_and_end)
            assert [other.pipe.recv(), other.pipe.recv()] == [["a", "b"], "ended"]
            other.end()
            assert helpers.each("ab")[1] == before

    def test_they_end_with_whoever_asks(self):
        def asking():
            with Helpers(lambda name: name) as helpers:
                while True:
                    yield helpers.each("ab")

        asked = asking()
        assert next(asked) == next(asked) == ["a", "b"]
        assert len(copies._at_work) == 1
        asked.close()
        assert not copies._at_work


_WAITING = """
import os, sys, time
from pathlib import Path
from simulator import threads
threads.cores = lambda: 2
from simulator.cores import on_every_core
from simulator.interrupts import end_at_interrupt
end_at_interrupt()
def work(name):
    Path(sys.argv[1], f"{os.getpid()}").touch()
    time.sleep(600)
on_every_core(work, "ab")
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_when_the_program_ends_its_copies_end(tmp_path, number, code):
    program = subprocess.Popen(
        [sys.executable, "-c", _WAITING, str(tmp_path)], stderr=subprocess.PIPE, start_new_session=True
    )
    until = time.monotonic() + PATIENCE
    while len(list(tmp_path.iterdir())) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)
    if number == signal.SIGINT:
        os.killpg(program.pid, number)  # as a terminal does: to all of them
    else:
        program.send_signal(number)
    _, told = program.communicate(timeout=PATIENCE)
    assert program.returncode == code
    assert told == (b"simulator: interrupted\n" if number == signal.SIGINT else b"")
    left = [Path(f"/proc/{one.name}/stat") for one in tmp_path.iterdir()]
    while any(stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z" for stat in left):
        assert time.monotonic() < until
        time.sleep(0.05)
