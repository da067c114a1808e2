"""`simulator sweep`: many games, or many reach maps, under other options and figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.computing import Computing, computing_options
from simulator.cli.outputs import replaced_in
from simulator.cli.terminal import bar, cannot_write, echo, named
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.sweeps.plan import SweepPlan
    from simulator.sweeps.reach_plan import ReachPlan
    from simulator.sweeps.sweep import Sweep

#: The most failures listed; all are in the report.
_MOST_SHOWN = 5
#: The results of a plan of games, and of one of reach maps.
_OF_GAMES = ("games.parquet", "units.parquet", "report.html")
_OF_MAPS = ("maps.parquet", "report.html")


@click.command("sweep")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the results.")
@computing_options
@click.option("--resume", is_flag=True, help="Continue an interrupted sweep of the same plan.")
@click.option("--dry-run", is_flag=True, help="Check the plan and count its games or maps; compute none.")
def command(plan: Path, out: Path | None, computing: Computing, resume: bool, dry_run: bool) -> int:
    """Play the games of a PLAN, or compute its reach maps, and write what happened as tables and as a report.

    A plan of games names scenarios, values of options and figures, agents and seeds; each combination is one game. The
    results are games.parquet, units.parquet and report.html in --out, by default a folder named like the plan beside
    you. A plan of reach maps names units instead of agents and seeds; each combination is one file as of `simulator
    reach-map`, with a heat map, and the results are maps.parquet and report.html. All are the same, byte for byte, for
    any number of workers and on a cluster.

    \b
    simulator sweep corners.yaml --dry-run
    simulator sweep corners.yaml --out out/corners --workers 4
    simulator sweep corners.yaml --out out/corners --resume
    simulator sweep corners.yaml --scheduler tcp://10.0.0.5:8786
    simulator sweep doors.yaml --out out/doors --workers 2

    Exit status: 0 all was played or computed, 1 a game or a map failed, 2 wrong usage, 3 a faulty file, 4 a limit
    reached, also that of a search from some start of a map.
    """
    from simulator.sweeps.errors import PackageMissing
    from simulator.sweeps.plan import SweepPlan
    from simulator.sweeps.plan_file import load_any_plan

    loaded = load_any_plan(plan)
    echo(f"{named(loaded.name)}: {loaded.size_text}", err=not dry_run)
    if dry_run:
        return 0
    _require_parquet(PackageMissing)
    folder = Path(plan.stem) if out is None else out
    replaced_in(folder, _OF_GAMES if isinstance(loaded, SweepPlan) else _OF_MAPS)
    try:
        if isinstance(loaded, SweepPlan):
            return _games(loaded, folder, computing, resume)
        return _maps(loaded, folder, computing, resume)
    except (BrokenPipeError, ChildProcessError, ConnectionError):
        raise
    except OSError as error:
        raise cannot_write(f"to {folder}", error) from None


def _require_parquet(missing: type[Exception]) -> None:
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise missing("the results of a sweep need the extra 'data': pip install 'simulator[data]'")


def _games(plan: SweepPlan, folder: Path, computing: Computing, resume: bool) -> int:
    from simulator.sweeps.sweep import Sweep

    sweep = Sweep.resumed(plan, folder) if resume else Sweep.begun(plan, folder)
    with bar("games", len(plan)) as update:
        for done in sweep.work(computing.players(len(plan))):
            update(done, None)
    return _finish(sweep, folder)


def _finish(sweep: Sweep, folder: Path) -> int:
    from simulator.sweeps.games import ERROR, ORDER_LIMIT, TIME_LIMIT
    from simulator.wording import measure

    games = sweep.finish()
    for name in _OF_GAMES:
        echo(f"wrote {named(folder / name)}", err=True)
    failed = sum(row["outcome"] == ERROR for row in games)
    stopped = sum(row["outcome"] in (ORDER_LIMIT, TIME_LIMIT) for row in games)
    echo(f"{measure(len(games), 'game')}: {failed} failed, {stopped} reached a limit")
    for row in [row for row in games if row["outcome"] == ERROR][:_MOST_SHOWN]:
        file = f" ({named(folder / row['file'])})" if row["file"] else ""
        echo(f"  {row['scenario']}, {row['agent']}, seed {row['seed']}: {row['error'].splitlines()[0]}{file}")
    if failed > _MOST_SHOWN:
        echo(f"  and {failed - _MOST_SHOWN} more: see report.html")
    return int(failed > 0)


def _maps(plan: ReachPlan, folder: Path, computing: Computing, resume: bool) -> int:
    from simulator.sweeps.reach_sweep import ReachSweep

    sweep = ReachSweep.resumed(plan, folder) if resume else ReachSweep.begun(plan, folder)
    with bar("places", len(sweep)) as update:
        # A map has at least one part, and at most as many as it has places.
        for done in sweep.work(computing.players(len(sweep))):
            update(done, None)
    with waiting("writing"):
        rows = sweep.finish()
    return _finish_maps(rows, folder)


def _finish_maps(rows: list[dict[str, Any]], folder: Path) -> int:
    from simulator.sweeps.map_rows import ERROR
    from simulator.wording import measure

    written = sum(bool(row["file"]) for row in rows)
    echo(f"wrote {measure(written, 'map')} with a picture each into {named(folder / 'maps')}", err=True)
    for name in _OF_MAPS:
        echo(f"wrote {named(folder / name)}", err=True)
    failed = [row for row in rows if row["outcome"] == ERROR]
    unanswered, limited = (sum(row[name] or 0 for row in rows) for name in ("unanswered", "limited"))
    echo(f"{measure(len(rows), 'map')}: {len(failed)} failed, {measure(unanswered, 'start')} without an answer")
    for row in failed[:_MOST_SHOWN]:
        settings = "".join(f", {name.partition('.')[2]} {value}" for name, value in row.items() if "." in name)
        echo(f"  {row['scenario']}, {row['unit']}{settings}: {row['error'].splitlines()[0]}")
    if len(failed) > _MOST_SHOWN:
        echo(f"  and {len(failed) - _MOST_SHOWN} more: see report.html")
    return 1 if failed else 4 if limited else 0
