"""A sweep on a Dask cluster: a real scheduler and workers as processes of their own, on this machine."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from map_questions import made, mapped, question, reach_plan_in
from sweep_plans import ROOT, plan_in, swept

from simulator.sweeps.cluster import players_of
from simulator.sweeps.errors import ClusterFailed
from simulator.sweeps.parts import played_here
from simulator.sweeps.sweep import Sweep
from simulator.workers import as_done

distributed = pytest.importorskip("distributed")
FILES = ("games.parquet", "units.parquet", "report.html")
PATIENCE = 120


class Cluster:
    """A scheduler and two workers; they end by themselves when nobody uses them for a while."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder / "scheduler.json"
        quiet = ("--host", "127.0.0.1", "--no-dashboard")
        self.scheduler = self._start(
            "dask_scheduler", *quiet, "--port", "0", "--scheduler-file", self.file, "--idle-timeout", "150s"
        )
        until = time.monotonic() + PATIENCE
        while not self.file.exists() or not self.file.stat().st_size:
            assert time.monotonic() < until, "the scheduler does not start"
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers = [self.started_worker() for _ in range(2)]

    def started_worker(self):
        return self._start(
            *("dask_worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard"),
            *("--death-timeout", "30", "--local-directory", self.folder),
        )

    def _start(self, program, *words):
        paths = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *map(str, words)],
            env=os.environ | {"PYTHONPATH": paths},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end(self):
        """End the scheduler; the workers follow it."""
        self.scheduler.terminate()
        codes = [process.wait(timeout=PATIENCE) for process in (self.scheduler, *self.workers)]
        assert all(code is not None for code in codes)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.end()


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


class TestOnACluster:
    # Long: three ways to compute the same; two of them are compared in test_sweep_games.
    @pytest.mark.long
    def test_the_same_bytes_from_one_core_the_pool_and_the_cluster(self, tmp_path, cluster):
        plan = plan_in(tmp_path, "options: {scale: [m2, m1]}\n", seeds=2)
        swept(plan, tmp_path / "one", players=played_here)
        swept(plan, tmp_path / "pool", players=partial(as_done, workers=2))
        swept(plan, tmp_path / "cluster", players=players_of(cluster.address))
        assert contents(tmp_path / "one") == contents(tmp_path / "cluster")
        assert contents(tmp_path / "pool") == contents(tmp_path / "cluster")

    def test_so_are_those_of_a_reach_map(self, tmp_path, cluster, monkeypatch):
        monkeypatch.setattr("simulator.sweeps.reach_map._SIDE_BY_SIDE", 3)
        here = made(question(), tmp_path / "here.npz")
        assert made(question(), tmp_path / "cluster.npz", players=players_of(cluster.address)) == here

    def test_so_are_those_of_a_sweep_of_reach_maps(self, tmp_path, cluster, monkeypatch):
        monkeypatch.setattr("simulator.sweeps.reach_map._SIDE_BY_SIDE", 3)
        plan = reach_plan_in(tmp_path, "options: {scale: [m2, m1]}\n")
        mapped(plan, tmp_path / "one", players=played_here)
        mapped(plan, tmp_path / "cluster", players=players_of(cluster.address))
        names = ["maps.parquet", "report.html", *(f"maps/{n}.{kind}" for n in range(4) for kind in ("npz", "svg"))]
        for name in names:
            assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "cluster" / name).read_bytes()

    def test_a_worker_killed_in_the_middle_loses_nothing(self, tmp_path, cluster):
        plan = plan_in(tmp_path, "limits: {turns: 3}\n", agents="[random, 'sweep_plans:slow']", seeds=20)
        swept(plan, tmp_path / "one", players=played_here)
        sweep, killed = Sweep.begun(plan, tmp_path / "cluster"), None
        for done in sweep.work(players_of(cluster.address)):
            if killed is None and done > 4:
                killed = cluster.workers[0]
                killed.send_signal(signal.SIGKILL)
        assert killed is not None
        assert killed.wait(timeout=PATIENCE) == -signal.SIGKILL
        assert sweep.done == len(plan) == 40
        sweep.finish()
        assert contents(tmp_path / "one") == contents(tmp_path / "cluster")

    def test_what_was_computed_and_lost_before_it_was_fetched_is_computed_again(self, cluster, monkeypatch):
        cluster.workers.append(cluster.started_worker())  # in place of the one that is killed
        settled, lost = distributed.as_completed, []

        def lost_once(futures, **options):
            for future in settled(futures, **options):
                if not lost:
                    lost.append(future.key)
                    lose(future)
                yield future

        def lose(future):
            until = time.monotonic() + PATIENCE
            processes = future.client.run(os.getpid)
            for holder in future.client.who_has([future])[future.key]:
                os.kill(processes[holder], signal.SIGKILL)
            while future.status == "finished":
                assert time.monotonic() < until, "the scheduler does not miss it"
                time.sleep(0.01)

        monkeypatch.setattr("distributed.as_completed", lost_once)
        chunks = [[1, 2], [3, 4], [5, 6]]
        assert sorted(players_of(cluster.address)(sum, chunks)) == [(0, 3), (1, 7), (2, 11)]
        assert len(lost) == 1

    def test_what_a_worker_raises_ends_the_sweep_and_what_is_done_is_kept(self, tmp_path, cluster):
        plan = plan_in(tmp_path, agents="[script]", seeds=2)
        sweep = Sweep.begun(plan, tmp_path / "out")

        def of_another_version(work, chunks):
            old = [type(chunk)(chunk.plan, chunk.number, chunk.runs, "0.0.1") for chunk in chunks]
            return players_of(cluster.address)(work, old)

        with pytest.raises(ClusterFailed, match=r"this worker has version .*, the sweep 0\.0\.1"):
            list(sweep.work(of_another_version))


class LostOnce:
    """A chunk whose worker is lost with what it has computed, before that is fetched."""

    key = "lost once"

    def __init__(self):
        self.states = iter(["lost", "pending", "finished"])

    @property
    def status(self):
        return next(self.states)

    def result(self):
        return "computed again"

    def release(self):
        assert not list(self.states)


def test_what_is_lost_before_it_is_fetched_is_waited_for(monkeypatch):
    chunk, waited = LostOnce(), []
    client = MagicMock()
    client.return_value.__enter__.return_value = client.return_value
    client.return_value.map.return_value = [chunk]
    monkeypatch.setattr("distributed.Client", client)
    monkeypatch.setattr("distributed.as_completed", lambda futures, **_: iter(futures))
    monkeypatch.setattr("distributed.wait", waited.append)
    assert list(players_of("tcp://anywhere:1")(len, ["chunk"])) == [(0, "computed again")]
    assert waited == [[chunk]] * 2


def test_no_scheduler_answers(tmp_path, monkeypatch):
    monkeypatch.setattr("simulator.sweeps.cluster._PATIENCE", 1)
    plan = plan_in(tmp_path, seeds=1)
    with pytest.raises(ClusterFailed, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(Sweep.begun(plan, tmp_path / "out").work(players_of("tcp://127.0.0.1:9")))
