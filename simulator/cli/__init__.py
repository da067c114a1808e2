"""The command line. Each command lives in a module of its own and loads what it needs when it runs."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

import click

from simulator.version import __version__

# command -> (module, one line for the list of commands)
_COMMANDS = {
    "bench": ("simulator.cli.bench", "Measure reach queries on your own board."),
    "check": ("simulator.cli.check", "Report everything that is wrong with files."),
    "completion": ("simulator.cli.completion", "Print the script that completes command lines in your shell."),
    "demo": ("simulator.cli.demo", "Show the main features end to end, on the boards included."),
    "diff": ("simulator.cli.diff", "Compare where a unit can end under other options."),
    "engine": ("simulator.cli.engine", "Play games and query them by JSON-RPC on standard input and output, for bots."),
    "examples": ("simulator.cli.examples", "List the scenarios and boards that are included, or copy them."),
    "explain": ("simulator.cli.explain", "Price an order line by line, or explain why not, clause by clause."),
    "export": ("simulator.cli.export", "Write a board as a map of another program."),
    "exposed": ("simulator.cli.exposed", "List where a move can be interrupted, by whom, under which clause."),
    "heat-map": ("simulator.cli.heat_map", "Draw a file of arrays: which places are reached, how far starts get."),
    "import": ("simulator.cli.import_map", "Convert a map of another program to a board."),
    "new-board": ("simulator.cli.new_board", "Write a commented starter board to edit."),
    "new-scenario": ("simulator.cli.new_scenario", "Write a commented scenario to play and to edit."),
    "path": ("simulator.cli.path", "Show the path to a place: orders, price, rolls, possible interruptions."),
    "reach": ("simulator.cli.reach", "Show where a unit can end, at what cost, with what chance."),
    "reach-map": ("simulator.cli.reach_map", "Compute where a unit can end from everywhere, as a file of arrays."),
    "perft": ("simulator.cli.perft", "Count the ways in which the units of a scenario can move."),
    "record": ("simulator.cli.record", "Write the account of a scenario, to compare later."),
    "replay": ("simulator.cli.replay", "Replay the log of a game, line for line."),
    "rules": ("simulator.cli.rules", "Look up a clause: its text, where it is implemented and tested."),
    "run": ("simulator.cli.run", "Play scenarios and report the outcome."),
    "schema": ("simulator.cli.schema", "Print the JSON Schema of a file or of a JSON answer."),
    "serve": ("simulator.cli.serve", "Serve the live table: ask, order and take back in the browser."),
    "show": ("simulator.cli.show", "Describe a board or a scenario, or draw it."),
    "sweep": ("simulator.cli.sweep", "Play many games, or map reach, under other rules, and compare."),
    "threats": ("simulator.cli.threats", "Show where the units of a side can end, and how many of them."),
    "walk": ("simulator.cli.walk", "Show where a plain walker can get to, without a rulebook."),
}


class _Commands(click.Group):
    """A group that imports a command only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(_COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS:
            close = get_close_matches(args[0], _COMMANDS, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"the commands are {', '.join(sorted(_COMMANDS))}"
            raise click.UsageError(f"no such command '{args[0]}'; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="simulator")
@click.pass_context
def cli(context: click.Context) -> None:
    """Movement in tabletop wargames: on inch tables, hex-dot maps and square grids.

    \b
    simulator demo                              a first look
    simulator new-scenario skirmish > my.yaml   a scenario to play and to edit
    simulator new-board squares > hall.yaml     a board to edit
    simulator check hall.yaml                   its faults
    simulator show hall.yaml --svg hall.svg     its picture
    simulator walk hall.yaml --from 0,0 --budget 6
    simulator run ford.yaml                     play a scenario
    simulator reach ford.yaml A2                where unit A2 can end
    simulator path ford.yaml A2 12,8            the path there, line by line
    simulator explain ford.yaml A2 30,8         why not there

    Exit status: 0 yes, 1 the rules forbid it, 2 wrong usage, 3 a faulty file, 4 a documented limit reached, 70 a bug.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
        return
    from simulator.cli.outputs import files_told_apart

    context.with_resource(files_told_apart(context))
