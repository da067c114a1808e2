"""`simulator engine`: JSON-RPC on standard input and output."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("engine")
@click.option(
    "--root",
    default=".",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder whose files may be read, and written by the method save; by default the current one.",
)
def command(root: Path) -> None:
    """Play games and answer questions about them by JSON-RPC 2.0, one message a line, for bots in any language.

    Requests come on standard input, answers go to standard output; it ends with its input. The methods are described in
    docs/engine_protocol.md.

    \b
    echo '{"jsonrpc": "2.0", "id": 1, "method": "version"}' | simulator engine
    simulator engine --root games < requests.jsonl

    Exit status: 0 the input has ended, 2 there is no such folder.
    """
    from simulator.protocol.server import serve

    serve(root, sys.stdin.buffer, sys.stdout.buffer)
