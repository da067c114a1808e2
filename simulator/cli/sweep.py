"""`simulator sweep`: play many games under other options and figures, by other agents, with other seeds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from simulator.cli.computing import Computing, computing_options
from simulator.cli.terminal import bar, cannot_write, echo, named

if TYPE_CHECKING:
    from simulator.sweeps.sweep import Sweep

#: The most failures listed; all are in the report.
_MOST_SHOWN = 5


@click.command("sweep")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the results.")
@computing_options
@click.option("--resume", is_flag=True, help="Continue an interrupted sweep of the same plan.")
@click.option("--dry-run", is_flag=True, help="Check the plan and count its games; play none.")
def command(plan: Path, out: Path | None, computing: Computing, resume: bool, dry_run: bool) -> int:
    """Play the games of a PLAN and write what happened as tables and as a report.

    A plan names scenarios, values of options and figures, agents and seeds; each combination is one game. The results
    are games.parquet, units.parquet and report.html in --out, by default a folder named like the plan beside you.
    They are the same, byte for byte, for any number of workers and on a cluster.

    \b
    simulator sweep corners.yaml --dry-run
    simulator sweep corners.yaml --out out/corners --workers 4
    simulator sweep corners.yaml --out out/corners --resume
    simulator sweep corners.yaml --scheduler tcp://10.0.0.5:8786

    Exit status: 0 all games were played, 1 a game failed, 2 wrong usage, 3 a faulty file, 4 a limit reached.
    """
    from simulator.sweeps.errors import PackageMissing
    from simulator.sweeps.plan_file import load_plan
    from simulator.sweeps.sweep import Sweep

    loaded = load_plan(plan)
    echo(f"{named(loaded.name)}: {loaded.size_text}", err=not dry_run)
    if dry_run:
        return 0
    _require_parquet(PackageMissing)
    folder = Path(plan.stem) if out is None else out
    try:
        sweep = Sweep.resumed(loaded, folder) if resume else Sweep.begun(loaded, folder)
        _play(sweep, computing)
        return _finish(sweep, folder)
    except (BrokenPipeError, ChildProcessError, ConnectionError):
        raise
    except OSError as error:
        raise cannot_write(f"to {folder}", error) from None


def _require_parquet(missing: type[Exception]) -> None:
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise missing("the results of a sweep need the extra 'data': pip install 'simulator[data]'")


def _play(sweep: Sweep, computing: Computing) -> None:
    with bar("games", len(sweep.plan)) as update:
        for done in sweep.work(computing.players(len(sweep.plan))):
            update(done, None)


def _finish(sweep: Sweep, folder: Path) -> int:
    from simulator.sweeps.games import ERROR, ORDER_LIMIT, TIME_LIMIT
    from simulator.wording import measure

    games = sweep.finish()
    for name in ("games.parquet", "units.parquet", "report.html"):
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
