"""`simulator demo`: a short scenario of each rulebook, played, described, drawn and written as a replay page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from simulator.cli.files import write_file
from simulator.cli.terminal import echo, named, print_table

if TYPE_CHECKING:
    from simulator.formats.accounts import Account
    from simulator.formats.scenario import Scenario
    from simulator.views.replay import Shown

#: The file in the folder of scenarios that lists those to show.
_LIST = "demo.txt"


@click.command("demo")
@click.option(
    "-o", "--out", default="out/demo", show_default=True, type=click.Path(path_type=Path), help="Folder to write to."
)
@click.option("--no-reach", "no_reach", is_flag=True, help="Leave the units' reach out of the pages, which is faster.")
def command(out: Path, no_reach: bool) -> int:
    """Play one scenario of each rulebook, report what happened, and write a picture and a replay page of each.

    The pages are self-contained: open one in a browser, step through the game, point at a unit to see its reach.

    Exit status: 0 all expectations met, 1 one was not.
    """
    from simulator.formats.examples import examples

    rows: list[tuple[str, ...]] = []
    written: list[Path] = []
    code = 0
    for scenario in _shown(examples("scenarios")):
        account = _played(scenario)
        story = account.story
        orders = [chapter for chapter in story.chapters if chapter.order and not chapter.unsaid]
        questions = sum(len(chapter.happened.answered) for chapter in orders if chapter.happened is not None)
        met = sum(remark.met for remark in story.remarked)
        rows.append(
            (
                story.setting.ruleset.name,
                story.title,
                str(len(orders)),
                str(sum(not chapter.done for chapter in orders)),
                str(questions),
                f"{met} of {len(story.remarked)}",
            )
        )
        code = max(code, 0 if account.ok else 1)
        written += _written(account, out, reach="nothing" if no_reach else "chance")
    print_table(("rulebook", "scenario", "orders", "refused", "asked", "expectations met"), rows, left=2)
    echo("\nTo ask, order and take back yourself: simulator serve (in a checkout: make serve)")
    echo("\nFiles written; open the pages in a browser:")
    for file in written:
        echo(f"  {named(file)}")
    return code


def _shown(folder: Path) -> list[Scenario]:
    """Return one scenario of each rulebook that has any: the one listed, or else the first."""
    from simulator.formats.peek import kind_of_file
    from simulator.formats.scenarios import load_scenario
    from simulator.rulesets import shelf

    lines = (folder / _LIST).read_text(encoding="utf-8").splitlines() if (folder / _LIST).is_file() else []
    listed = [folder / line.strip() for line in lines if line.strip() and not line.startswith("#")]
    shown: dict[str, Scenario] = {}
    for path in (*listed, *sorted(folder.rglob("*.yaml"))):
        if len(shown) < len(shelf()) and path.is_file() and kind_of_file(path) == "scenario":
            scenario = load_scenario(path)
            shown.setdefault(scenario.setting.ruleset.name, scenario)
    return [shown[name] for name in sorted(shown)]


def _played(scenario: Scenario) -> Account:
    from simulator.formats.account_text import heading_lines, verdict
    from simulator.formats.short_account import short_account

    account = scenario.run()
    title, *more = heading_lines(account)
    echo(title, bold=True)
    for line in [*more, *scenario.description.splitlines(), ""]:
        echo(line)
    echo(short_account(account.story), nl=False)
    count = len(account.checks)
    echo(f"{verdict(count - len(account.failures), count)}\n")
    return account


def _written(account: Account, out: Path, reach: Shown) -> Iterator[Path]:
    """Write the replay page of a game and the picture of its end, with all ways travelled."""
    from simulator.cli.runs import write_page
    from simulator.engine.table import Table
    from simulator.views.state_picture import draw_state

    story, game = account.story, account.game
    name = story.setting.ruleset.name
    page, picture = out / f"{name}.html", out / f"{name}.svg"
    write_page(story, page, reach, progress=True, quiet=True)
    table = Table(story.setting, game.state)
    drawn = draw_state(table, before=story.opening, events=game.events, title=story.title)
    write_file(picture, drawn.encode(), quiet=True)
    return iter((page, picture))
