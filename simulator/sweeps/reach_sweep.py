"""A sweep of reach maps in a folder: every map of a plan, until its results are written.

    out/sweep.json            what the results follow from; a sweep is resumed only with the same plan
    out/maps/3.npz            the arrays of map 3, as `simulator reach-map` writes them; 3.svg its heat map
    out/maps/3.npz.parts/     what is known of it while it is computed
    out/chunks/000003.json    its row, when it is finished or has failed
    out/maps.parquet, out/report.html

The parts of all maps are one list of work, so that small maps keep as many workers busy as large ones. A part is a
fixed range of places, whoever answers for it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.raster import Raster
from simulator.sweeps.columns import parquet
from simulator.sweeps.errors import SweepRefused
from simulator.sweeps.map_rows import computed_row, failed_row, map_columns
from simulator.sweeps.parts import KeptParts, Players, begin, json_text, played_here, read_json, resume
from simulator.sweeps.reach_map import FAILED, MapPart, MapWork, answer_part, folder_of, packed
from simulator.sweeps.reach_map_file import ReachMap
from simulator.sweeps.reach_map_picture import draw_map
from simulator.sweeps.reach_plan import MapAt, ReachPlan
from simulator.sweeps.reach_report import reach_report_page
from simulator.writing import make_folder, write_whole

_MANIFEST = "sweep.json"


def tried_part(part: MapPart) -> dict[str, NDArray[Any]]:
    """Answer for a part, or return why it failed: the other maps of a sweep go on."""
    try:
        return answer_part(part)
    except SweepRefused:
        raise
    except Exception as failure:  # a rulebook of anybody's
        return {FAILED: np.array(_said(failure))}


def _said(failure: Exception) -> str:
    return f"{type(failure).__name__}: {failure}"


class ReachSweep:
    """A sweep of reach maps in its folder; `begun` or `resumed` make one."""

    def __init__(self, plan: ReachPlan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        self._rows = KeptParts(folder / "chunks", [range(number, number + 1) for number in range(len(plan))], "json")

    @classmethod
    def begun(cls, plan: ReachPlan, folder: Path) -> ReachSweep:
        """Begin a sweep in a folder of its own."""
        begin(folder / _MANIFEST, plan.described, "sweep")
        return cls._in_its_folders(plan, folder)

    @classmethod
    def resumed(cls, plan: ReachPlan, folder: Path) -> ReachSweep:
        """Continue the sweep in a folder; raise SweepRefused if there is none, or one of another plan."""
        resume(folder / _MANIFEST, plan.described, "sweep")
        return cls._in_its_folders(plan, folder)

    @classmethod
    def _in_its_folders(cls, plan: ReachPlan, folder: Path) -> ReachSweep:
        make_folder(folder / "chunks")
        make_folder(folder / "maps")
        return cls(plan, folder)

    # --- how much it is ---

    def __len__(self) -> int:
        return sum(self._places)

    @cached_property
    def _places(self) -> list[int]:
        """The number of places of each map."""
        of_board = {
            staging.label: Raster.of(staging.scenario.setting.board, self.plan.spacing).present.size
            for staging in self.plan.stagings
        }
        return [of_board[at.staging.label] for at in self.plan]

    @property
    def done(self) -> int:
        """The number of places of the maps that are finished or have failed."""
        missing = set(self._rows.missing)
        return sum(places for number, places in enumerate(self._places) if number not in missing)

    # --- work ---

    def work(self, players: Players = played_here) -> Iterator[int]:
        """Make every map that is missing, and yield for how many places there are answers, those kept included."""
        done = self.done
        yield done
        parts: list[MapPart] = []
        #: For each of them its map, and its number there.
        places: list[tuple[KeptParts, int, int]] = []
        left: dict[int, int] = {}
        for number in self._rows.missing:
            work = self._opened(self.plan.at(number))
            done += self._places[number] if work is None else work.done
            if work is not None:
                missing = work.kept.missing
                parts += map(work.part, missing)
                places += [(work.kept, number, part) for part in missing]
                left[number] = len(missing)
                if not missing:
                    self._close(number)
            yield done
        for index, found in players(tried_part, parts) if parts else ():
            kept, number, part = places[index]
            kept.keep(part, packed(found))
            done += len(parts[index].cells)
            left[number] -= 1
            if not left[number]:
                self._close(number)
            yield done

    def _opened(self, at: MapAt) -> MapWork | None:
        """Begin or continue a map; None if its question is refused, which is then its row."""
        file = self._file(at.number)
        try:
            question = self.plan.question(at)
            work = MapWork(question, file)
            work.check_size()
        except Exception as failure:  # its position, its question, or a rulebook of anybody's
            self._keep(failed_row(self.plan, at, _said(failure)))
            return None
        work.begin_or_resume()
        return work

    def _close(self, number: int) -> None:
        """Write a map of which all parts are known, its picture and its row."""
        at, file = self.plan.at(number), self._file(number)
        work = MapWork(self.plan.question(at), file)
        failure = work.failure()
        if failure:
            self._keep(failed_row(self.plan, at, failure))
        else:
            work.write()
            found = ReachMap.read(file)
            write_whole(file.with_suffix(".svg"), draw_map(found, "reached-from").encode())
            self._keep(computed_row(self.plan, at, found, f"maps/{file.name}"))
        # Only now: a stop in between loses nothing.
        work.drop()

    def _file(self, number: int) -> Path:
        return self.folder / "maps" / f"{number}.npz"

    def _keep(self, row: dict[str, Any]) -> None:
        self._rows.keep(row["map"], json_text(row).encode())

    # --- results ---

    def rows(self) -> list[dict[str, Any]]:
        """Return the row of each map, in the order of the plan."""
        return [read_json(self._rows.read(number), self._rows.path(number)) for number in range(len(self.plan))]

    def finish(self) -> list[dict[str, Any]]:
        """Write `maps.parquet` and the report, and return the rows."""
        rows = self.rows()
        for number in range(len(self.plan)):
            # Of a map that was finished right before a stop.
            shutil.rmtree(folder_of(self._file(number)), ignore_errors=True)
        about = {"sweep": self.plan.name, "plan": json_text(self.plan.described)}
        write_whole(self.folder / "maps.parquet", parquet(map_columns(self.plan), rows, about))
        write_whole(self.folder / "report.html", reach_report_page(self.plan, rows, self.folder).encode())
        return rows
