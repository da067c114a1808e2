"""`simulator replay`: replay a log, with --verify line for line."""

from __future__ import annotations

from pathlib import Path

import click

from simulator.cli.files import is_stdout
from simulator.cli.outputs import OutputFile
from simulator.cli.rulebook_files import rulebook_option
from simulator.cli.runs import reach_shown, write_page
from simulator.cli.terminal import echo, named


@click.command("replay")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--verify", is_flag=True, help="Require every line to be the same, and the dice to be the seed's.")
@click.option(
    "--board", metavar="FILE", type=click.Path(path_type=Path), help="The board, if the log does not contain it."
)
@click.option("--html", "page", metavar="FILE", type=OutputFile(Path), help="Write a replay page.")
@click.option("--no-reach", "no_reach", is_flag=True, help="Leave the units' reach out of the page.")
@click.option("--chance", is_flag=True, help="Show the chance of getting there on the page; may take long.")
@click.option("--quiet", is_flag=True, help="Report only whether it is the same.")
@rulebook_option
def command(
    log: Path, verify: bool, board: Path | None, page: Path | None, no_reach: bool, chance: bool, quiet: bool
) -> None:
    """Replay the LOG of a game and report what happened.

    The board comes from the log itself. A line that is damaged, or that has another outcome, is reported with the
    expected and the actual value.

    \b
    simulator replay ford.jsonl
    simulator replay ford.jsonl --verify --quiet
    simulator replay ford.jsonl --html ford.html

    Exit status: 0 the same, 1 it differs or belongs to another table, 3 the log is damaged.
    """
    from simulator.engine.log import read_log, replay
    from simulator.engine.story import Story
    from simulator.formats.account_text import record_lines
    from simulator.formats.boards import load_board, parse_board
    from simulator.rulesets import shelf
    from simulator.wording import measure

    shown = reach_shown(no_reach, chance, page)
    found = read_log(log)
    if found.dropped:
        echo(f"{named(log)}: {found.dropped}", err=True)
    header = found.header
    if board is None and not header.board_file:
        raise click.UsageError(f"this log does not contain its board {header.board_name!r}: name it with --board")
    ruleset = shelf()[header.ruleset]
    on = load_board(board) if board is not None else parse_board(header.board_file, f"{log}, board_file")
    setting = found.setting(ruleset, on)
    game = replay(found, setting, verify)
    if page is not None:
        write_page(Story.of(game, log.stem), page, shown, progress=True)
        if is_stdout(page):
            return
    if not quiet:
        for happened in game.history:
            echo(game.write(happened.given or happened.order))
            for line in record_lines(happened, setting.ruleset.vocabulary):
                echo(f"  {line}")
    how = "verified line by line" if verify else "the same"
    echo(f"{measure(len(found.orders), 'order')}, {how}: {game.state.clock}, {game.state.hash}")
