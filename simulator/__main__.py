"""The door: `simulator ...` and `python -m simulator ...` both come in here."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from click import ClickException


def _in_short(error: ClickException) -> str:
    """Say what is wrong with a call, and of which command to ask for help."""
    from click import UsageError

    asked = error.ctx.command_path if isinstance(error, UsageError) and error.ctx else ""
    told = f"{asked or 'simulator'}: {error.format_message()}"
    return f"{told}\nsee {asked} --help" if asked else told


def main() -> None:
    """Run the command line and leave with its exit code: see `simulator --help`."""
    import click

    from simulator.cli import cli
    from simulator.errors import SimulatorError

    try:
        sys.exit(cli.main(prog_name="simulator", standalone_mode=False) or 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        click.echo(_in_short(error), err=True)
        sys.exit(2)
    except SimulatorError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # Whoever read our output has left (`simulator show ... | head`): that is their right.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        if os.environ.get("SIMULATOR_DEBUG"):
            raise
        click.echo(
            f"simulator: this is our bug, not your fault: {type(error).__name__}: {error}\n"
            "Run it again with SIMULATOR_DEBUG=1 and report what it prints.",
            err=True,
        )
        sys.exit(70)


if __name__ == "__main__":
    main()
