"""How soon the live table answers, question by question.   python -m benchmarks.bench_live   (processor time)

A unit of each scenario is chosen, and the pointer moves over the board: the first question waits for the reach, what
is asked after that is timed. Questions and answers are the texts that page and server exchange. Peaks are the most that
an answer of the row held, when everything was asked once more by a table that is opened anew.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.peaks import peak_of, peak_text
from simulator.cli.terminal import bar
from simulator.formats.scenarios import load_scenario
from simulator.geometry.board import Lattice
from simulator.live.answering import Answering
from simulator.live.workers import Reply
from simulator.pathing.free.prepared import forget
from simulator.pathing.weighted.planners import KNOWN
from simulator.threads import on_one_core

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = {
    f"{rulebook}/{name}": ROOT / "scenarios" / rulebook / f"{name}.yaml"
    for rulebook, name in (
        ("grid_runner", "market_chase"),
        ("grid_runner", "battle_of_the_well"),
        ("dot_trooper", "alley_turn"),
        ("dot_trooper", "over_the_roofs"),
        ("skirmish", "the_yard"),
        ("skirmish", "mad_dash"),
        ("combined_arms", "main_street"),
        ("mecha", "over_the_bank"),
    )
}
#: Places that the pointer passes, and of them those at which it rests.
PLACES, RESTS = 40, 4
#: The most milliseconds of 95 % of the places that the pointer passes.
BARS = {"squares and dots": 100, "inch tables": 250}


def milliseconds(call: Callable[[], object]) -> float:
    """Return the processor time of a call."""
    before = time.process_time()
    call()
    return 1000 * (time.process_time() - before)


def session(title: str, measure: Callable[[Callable[[], object]], float]) -> dict[tuple[str, str], list[float]]:
    """Ask a table that is opened anew everything; return what each question measures, by board and question."""
    KNOWN.clear()
    forget()
    answering = Answering(SCENARIOS)
    chance = random.Random(1)
    taken: dict[tuple[str, str], list[float]] = defaultdict(list)

    def asked(kind: str, question: str, **fields: Any) -> dict[str, Any]:
        body, replies = json.dumps(fields).encode(), list[Reply]()
        taken[kind, question].append(measure(lambda: replies.append(answering.reply(question, body))))
        document: dict[str, Any] = json.loads(replies[0].body)
        assert replies[0].status == 200, document
        return document

    with bar(title) as update:
        for number, (name, path) in enumerate(SCENARIOS.items()):
            update(number, len(SCENARIOS))
            board = load_scenario(path).setting.board
            kind = "squares and dots" if isinstance(board, Lattice) else "inch tables"
            asked(kind, "open", scenario=name)
            moment = asked(kind, "moment", scenario=name)
            about = {"scenario": name, "unit": moment["may_go"][0]}
            if "bands" not in asked(kind, "reach", **about):
                continue
            for rest in range(PLACES):
                if isinstance(board, Lattice):
                    where: dict[str, Any] = {"cell": board.index(chance.choice(list(board.places())))}
                else:
                    bounds = board.bounds
                    point = chance.uniform(bounds.min_x, bounds.max_x), chance.uniform(bounds.min_y, bounds.max_y)
                    where = {"place": f"{point[0]:.1f},{point[1]:.1f}"}
                place = asked(kind, "place", **about, **where)
                if rest < RESTS and "reachable" in place:
                    asked(kind, "way" if place["reachable"] else "why_not", **about, **where)
    return taken


@on_one_core()
def main() -> int:
    taken, peaks = session("times", milliseconds), session("peaks", peak_of)
    print("| board | question | asked | median ms | 95 % ms | slowest ms | peak, MB | bar |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    code = 0
    for (kind, question), each in sorted(taken.items()):
        late = statistics.quantiles(each, n=20)[-1] if len(each) > 1 else each[0]
        most = BARS[kind] if question == "place" else ""
        verdict = "" if most == "" else f"{most}" if late <= most else f"{most} MISSED"
        code |= bool(most) and late > float(most)
        print(
            f"| {kind} | {question} | {len(each)} | {statistics.median(each):.0f} | {late:.0f} "
            f"| {max(each):.0f} | {peak_text(max(peaks[kind, question]))} | {verdict} |"
        )
    return code


if __name__ == "__main__":
    sys.exit(main())
