"""`simulator completion`: the script with which a shell completes command lines of the simulator."""

from __future__ import annotations

import os
from pathlib import PurePath

import click
from click.shell_completion import ShellComplete, get_completion_class

from simulator.cli.terminal import echo

_SHELLS = ("bash", "zsh", "fish")
#: The variable by which the script asks for completions.
VARIABLE = "_SIMULATOR_COMPLETE"


@click.command("completion")
@click.argument("shell", required=False, type=click.Choice(_SHELLS))
def command(shell: str | None) -> None:
    """Print the script for a SHELL, by default yours, that completes commands, files, units, actions and options.

    \b
    bash:  eval "$(simulator completion bash)"       in ~/.bashrc
    zsh:   eval "$(simulator completion zsh)"        in ~/.zshrc
    fish:  simulator completion fish | source        in ~/.config/fish/config.fish

    \b
    simulator completion bash
    """
    known = shell or PurePath(os.environ.get("SHELL", "")).name
    if known not in _SHELLS:
        raise click.UsageError(f"name your shell: {', '.join(_SHELLS)}")
    echo(_script(known))


def _script(shell: str) -> str:
    from simulator.cli import cli

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"{shell} cannot be completed by this version of click")
    # That of the base class: bash's own runs bash to look up its version.
    return ShellComplete.source(kind(cli, {}, "simulator", VARIABLE))
