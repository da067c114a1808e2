"""Processes that answer, and are stopped when their answer takes too long or nobody waits for it."""

import asyncio
import json

import pytest

from simulator.live.workers import Workers
from tests.live.conftest import SCENARIOS, run_to_end

QUICK = json.dumps({"scenario": "market_chase", "unit": "kit"}).encode()
#: A question that takes seconds: where a large base ends among walls.
SLOW = json.dumps({"scenario": "the_yard", "unit": "rex", "shade": "chance"}).encode()


@pytest.fixture
def workers():
    workers = Workers(SCENARIOS, count=2, seconds=60)
    yield workers
    workers.stop()


def alive(workers):
    return [worker.process.pid for worker in (*workers._idle, *workers._busy) if worker.process.is_alive()]


def test_a_page_is_answered_by_the_process_that_knows_its_game(workers):
    async def ask():
        replies = [await workers.answer(page, "reach", QUICK) for page in ("one", "two", "one", "two")]
        return replies, dict(workers._last)

    replies, last = run_to_end(ask())
    assert {reply.status for reply in replies} == {200}
    assert len({reply.body for reply in replies}) == 1
    assert set(last) == {"one", "two"}
    assert len(alive(workers)) == 2


def test_a_question_that_takes_too_long_is_stopped(workers):
    async def ask():
        await workers.answer("one", "moment", b'{"scenario":"market_chase"}')  # the process has started
        (first,) = alive(workers)
        workers.seconds = 0.3
        reply = await workers.answer("one", "reach", SLOW)
        workers.seconds = 60
        return first, reply, await workers.answer("one", "reach", QUICK)

    first, reply, after = run_to_end(ask())
    assert reply.status == 503
    assert "stopped after 0.3 seconds" in json.loads(reply.body)["error"]["message"]
    assert after.status == 200
    assert first not in alive(workers)


def test_a_question_that_nobody_waits_for_is_stopped(workers):
    async def ask():
        await workers.answer("one", "moment", b'{"scenario":"market_chase"}')
        (first,) = alive(workers)
        asked = asyncio.create_task(workers.answer("one", "reach", SLOW))
        await asyncio.sleep(0.3)
        asked.cancel()
        await asyncio.wait({asked})
        return first, asked.cancelled(), alive(workers)

    first, cancelled, left = run_to_end(ask())
    assert cancelled
    assert first not in left


def test_more_questions_than_processes_wait_for_their_turn(workers):
    async def ask():
        return await asyncio.gather(*(workers.answer(f"page {number}", "reach", QUICK) for number in range(6)))

    replies = run_to_end(ask())
    assert {reply.status for reply in replies} == {200}
    assert len(alive(workers)) == 2


def test_when_it_ends_no_process_is_left(workers):
    run_to_end(workers.answer("one", "reach", QUICK))
    processes = [worker.process for worker in workers._idle]
    workers.stop()
    assert processes
    assert not any(process.is_alive() for process in processes)
