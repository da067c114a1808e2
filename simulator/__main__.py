"""The entry point of `simulator ...` and `python -m simulator ...`."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from simulator.interrupts import end_at_interrupt

if TYPE_CHECKING:
    from click import ClickException

    from simulator.errors import SimulatorError

#: Set by a shell that completes a command line; click answers it.
_COMPLETION = "_SIMULATOR_COMPLETE"
#: The thresholds of the garbage collector. A large file becomes millions of long-lived objects; with Python's default
#: thresholds, collection takes a quarter of the time. A small query ends before the first one.
_COLLECTING = (250_000, 20, 20)


def _in_short(error: ClickException) -> str:
    """Describe what is wrong with a call, and which command's help explains it."""
    from click import UsageError

    command_path = error.ctx.command_path if isinstance(error, UsageError) and error.ctx else ""
    message = f"{command_path or 'simulator'}: {error.format_message()}"
    return f"{message}\nsee {command_path} --help" if command_path else message


def _error_text(error: SimulatorError) -> str:
    """Return what an error says; of a rule that does what no rule may, whose it is and on which line, too."""
    from simulator.cli.rulebook_faults import place_in_rulebook
    from simulator.engine.errors import FaultyRule

    place = place_in_rulebook(error) if isinstance(error, FaultyRule) else ""
    return f"simulator: a fault of {place}: {error}" if place else str(error)


def main() -> None:
    """Run the command line and leave with its exit code: see `simulator --help`."""
    end_at_interrupt()
    gc.set_threshold(*_COLLECTING)
    # Plugins of pydantic watch how files are validated; looking for some reads the metadata of all installed packages.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    import click

    from simulator.cli import cli
    from simulator.cli.terminal import discard_stdout, echo, escape_unencodable
    from simulator.errors import SimulatorError

    escape_unencodable()
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
        echo(_in_short(error), err=True)
        code = 2
    except SimulatorError as error:
        echo(_error_text(error), err=True)
        code = error.exit_code
    except BrokenPipeError:
        # The reader of our output has closed it (`simulator show ... | head`), which is no error.
        code = 0
    except OSError as error:
        # A full disk, or a system out of files or processes: neither the rules nor a file are at fault.
        echo(f"simulator: {error}", err=True)
        code = 2
    except Exception as error:
        if os.environ.get("SIMULATOR_DEBUG"):
            raise
        from simulator.cli.rulebook_faults import place_in_rulebook

        what = f"{type(error).__name__}: {error}"
        if isinstance(error, NotImplementedError) and str(error):
            echo(f"simulator: a rulebook leaves out what is needed here: {error}", err=True)
        elif place := place_in_rulebook(error):
            echo(
                f"simulator: a fault of {place}: {what}\nRun it again with SIMULATOR_DEBUG=1 for the traceback.",
                err=True,
            )
        else:
            echo(
                f"simulator: this is a bug in the simulator: {what}\n"
                "Run it again with SIMULATOR_DEBUG=1 and report what it prints.",
                err=True,
            )
        code = 70
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        discard_stdout()
    # When it ends, Python collects garbage several times, which takes a good part of a small query: nothing is left to.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()
