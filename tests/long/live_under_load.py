"""The live table under load: any request, and many pages at once.

    python tests/long/live_under_load.py odd 100000       only documented answers, and memory stays flat
    python tests/long/live_under_load.py pages 20 600     so many pages for so many seconds, answers as the library's

`odd` asks one server process as the page does, without a network. `pages` starts `simulator serve` and asks it over
loopback; every answer is compared with that of the same question asked here.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
from rich.progress import Progress

from simulator.formats.scenarios import load_scenario
from simulator.live.answering import Answering
from simulator.live.moments import script_of
from tests.live.odd_requests import odd_requests

ROOT = Path(__file__).resolve().parents[2]
SCENARIOS = {file.stem: file for file in sorted((ROOT / "scenarios").rglob("*.yaml"))}
#: What the pages look at: small scenarios of three boards.
LOOKED_AT = {"market_chase": "kit", "alley_turn": "ann", "the_yard": "ash"}


def odd(count: int) -> None:
    """Ask anything; print what was answered and how much memory it took, by tenths."""
    answering, statuses, chance = Answering(SCENARIOS), Counter[int](), random.Random(1)
    with Progress(transient=True) as progress:
        task = progress.add_task("requests", total=count)
        for number, (question, text) in enumerate(odd_requests(chance, count), 1):
            reply = answering.reply(question, text)
            json.loads(reply.body)
            statuses[reply.status] += 1
            assert reply.status in (200, 404, 422), (question, text[:2000], reply)
            progress.advance(task)
            if number % max(1, count // 10) == 0:
                kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                print(f"{number:>8} requests  {kilobytes / 1024:6.0f} MB  {dict(statuses)}", flush=True)


def pages(count: int, seconds: float) -> None:
    """Ask as so many pages at once; print how many questions were answered, and how soon."""
    server = subprocess.Popen(
        [sys.executable, "-m", "simulator", "serve", str(ROOT / "scenarios"), "--port", "0"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    try:
        address, _, token = server.stdout.readline().strip().partition("?token=")
        took = asyncio.run(_all_pages(address, token, count, seconds))
    finally:
        server.terminate()
        server.wait()
    took.sort()
    median, slowest = took[len(took) // 2], took[-1]
    print(f"{len(took)} answers, all as the library has them; median {median:.3f} s, slowest {slowest:.3f} s")


async def _all_pages(address: str, token: str, count: int, seconds: float) -> list[float]:
    expected = Expected()
    async with httpx.AsyncClient(base_url=address, headers={"X-Token": token}, timeout=300) as client:
        until = time.monotonic() + seconds
        took = await asyncio.gather(*(_page(client, number, until, expected) for number in range(count)))
        return list(chain.from_iterable(took))


async def _page(client: httpx.AsyncClient, number: int, until: float, expected: Expected) -> list[float]:
    chance, took = random.Random(number), []
    while time.monotonic() < until:
        question, fields = expected.question(chance)
        began = time.perf_counter()
        answer = await client.post(f"ask/{question}", json=fields, headers={"X-Page": str(number)})
        took.append(time.perf_counter() - began)
        assert answer.status_code == 200, answer.text
        assert answer.content == expected.answer(question, fields), (question, fields)
    return took


class Expected:
    """Questions of pages, and what the library answers."""

    def __init__(self) -> None:
        self.answering = Answering(SCENARIOS)
        self.scripts = {name: script_of(load_scenario(SCENARIOS[name])) for name in LOOKED_AT}
        self.known: dict[str, bytes] = {}

    def question(self, chance: random.Random) -> tuple[str, dict[str, Any]]:
        """Return any question that a page asks."""
        name = chance.choice(list(LOOKED_AT))
        steps = self.scripts[name][: chance.randint(0, 6)]
        kind = chance.choice(["open", "moment", "moment", "reach", "place", "place", "draft"])
        fields: dict[str, Any] = {"scenario": name, "steps": steps}
        if kind in ("reach", "place"):
            fields = {"scenario": name, "steps": [], "unit": LOOKED_AT[name]}
        if kind == "place":
            fields |= {"cell": [chance.randint(0, 8), chance.randint(0, 8)]} if name != "the_yard" else {"place": "6,9"}
        return kind, fields

    def answer(self, question: str, fields: dict[str, Any]) -> bytes:
        """Return the answer of the library, computed once."""
        body = json.dumps(fields)
        key = f"{question} {body}"
        if key not in self.known:
            self.known[key] = self.answering.reply(question, body.encode()).body
        return self.known[key]


def main() -> None:
    """Run what the command line asks for."""
    tasks: dict[str, Callable[..., None]] = {"odd": odd, "pages": pages}
    if len(sys.argv) < 2 or sys.argv[1] not in tasks or not all(re.fullmatch(r"\d+", arg) for arg in sys.argv[2:]):
        raise SystemExit(__doc__)
    tasks[sys.argv[1]](*map(int, sys.argv[2:]))


if __name__ == "__main__":
    main()
