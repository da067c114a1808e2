"""The door: `simulator ...` and `python -m simulator ...` both come in here."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from simulator.interrupts import end_at_interrupt

if TYPE_CHECKING:
    from click import ClickException

    from simulator.errors import SimulatorError

#: The question of a shell that completes what is typed; click answers it.
_COMPLETION = "_SIMULATOR_COMPLETE"
#: How many objects are made before the garbage collector looks for cycles, and how often it looks at older ones. A
#: large file becomes millions of objects that all live on; with Python's own figures it spends a quarter of the time.
_COLLECTING = (50_000, 20, 20)


def _in_short(error: ClickException) -> str:
    """Describe what is wrong with a call, and of which command to ask for help."""
    from click import UsageError

    command_path = error.ctx.command_path if isinstance(error, UsageError) and error.ctx else ""
    message = f"{command_path or 'simulator'}: {error.format_message()}"
    return f"{message}\nsee {command_path} --help" if command_path else message


def _told(error: SimulatorError) -> str:
    """Return what an error says; of a rule that does what no rule may, whose it is and on which line, too."""
    from simulator.cli.rulebook_faults import place_in_rulebook
    from simulator.engine.errors import FaultyRule

    place = place_in_rulebook(error) if isinstance(error, FaultyRule) else ""
    return f"simulator: a fault of {place}: {error}" if place else str(error)


def main() -> None:
    """Run the command line and leave with its exit code: see `simulator --help`."""
    end_at_interrupt()
    gc.set_threshold(*_COLLECTING)
    import click

    from simulator.cli import cli
    from simulator.cli.terminal import give_up_stdout, let_odd_characters_through, say
    from simulator.errors import SimulatorError

    let_odd_characters_through()
    try:
        if _COMPLETION in os.environ:
            cli.main(prog_name="simulator")
        with cli.make_context("simulator", sys.argv[1:]) as context:
            code = cli.invoke(context) or 0
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.exceptions.Abort:
        code = 130
    except click.ClickException as error:
        say(_in_short(error), err=True)
        code = 2
    except SimulatorError as error:
        say(_told(error), err=True)
        code = error.exit_code
    except BrokenPipeError:
        # Whoever read our output has left (`simulator show ... | head`): that is their right.
        code = 0
    except OSError as error:
        # A disk that is full, a system that has no more files or processes: not what the rules or a file say.
        say(f"simulator: {error}", err=True)
        code = 2
    except Exception as error:
        if os.environ.get("SIMULATOR_DEBUG"):
            raise
        from simulator.cli.rulebook_faults import place_in_rulebook

        what = f"{type(error).__name__}: {error}"
        if place := place_in_rulebook(error):
            say(
                f"simulator: a fault of {place}: {what}\nRun it again with SIMULATOR_DEBUG=1 to see all of it.",
                err=True,
            )
        else:
            say(
                f"simulator: this is our bug, not your fault: {what}\n"
                "Run it again with SIMULATOR_DEBUG=1 and report what it prints.",
                err=True,
            )
        code = 70
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        give_up_stdout()
    sys.exit(code)


if __name__ == "__main__":
    main()
