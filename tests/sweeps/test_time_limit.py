"""A limit of seconds: code that knows nothing of it is stopped, and nothing is raised behind it."""

import threading
import time

import pytest
from sweep_plans import plan_in

from simulator.sweeps.games import play_game
from simulator.sweeps.time_limit import TimeIsUp, within


def busy(seconds):
    until, count = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        count += 1
    return count


def test_code_that_never_ends_is_stopped():
    begun = time.monotonic()
    with pytest.raises(TimeIsUp):
        within(0.05, lambda: busy(60))
    assert time.monotonic() - begun < 30


def test_what_ends_in_time_goes_on_undisturbed():
    for _ in range(50):
        assert within(60.0, lambda: busy(0.0001)) >= 0
    assert busy(0.05)


def test_nothing_is_raised_behind_the_work():
    """However close the end of the work and that of its time."""
    stopped = 0
    for number in range(80):
        try:
            within(0.002, lambda number=number: busy(0.002 + (number % 5 - 2) * 2e-4))
        except TimeIsUp:
            stopped += 1
        assert busy(0.003)
    assert stopped <= 80
    watching = [thread for thread in threading.enumerate() if type(thread).__name__ == "_Watch"]
    for thread in watching:
        thread.join(timeout=10)
        assert not thread.is_alive()


def test_code_that_swallows_it_is_stopped_again(monkeypatch):
    monkeypatch.setattr("simulator.sweeps.time_limit._AGAIN", 0.02)
    swallowed = 0

    def stubborn():
        nonlocal swallowed
        while swallowed < 3:
            try:
                busy(60)
            except BaseException:
                swallowed += 1
        busy(60)

    with pytest.raises(TimeIsUp):
        within(0.02, stubborn)
    assert swallowed == 3


def test_it_holds_in_any_thread():
    found = []

    def work():
        try:
            within(0.05, lambda: busy(60))
        except TimeIsUp:
            found.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(timeout=30)
    assert found == ["stopped"]


def test_errors_pass_through():
    with pytest.raises(ZeroDivisionError):
        within(60, lambda: 1 / 0)


def test_a_game_is_stopped_within_an_order(tmp_path):
    plan = plan_in(tmp_path, "limits: {seconds: 0.2}\n", agents="['sweep_plans:thinks_for_ever']", seeds=1)
    begun = time.monotonic()
    found = play_game(plan, plan.at(0))
    assert found["game"]["outcome"] == "time limit"
    assert found["game"]["orders"] is None
    assert found["game"]["error"] == ""
    assert time.monotonic() - begun < 30
