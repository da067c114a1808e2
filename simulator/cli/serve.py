"""`simulator serve`: the live table, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from simulator.cli.example_names import FileOrExample
from simulator.cli.rulebook_files import rulebook_option
from simulator.cli.terminal import echo

if TYPE_CHECKING:
    import socket

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command("serve")
@click.argument("scenario", type=FileOrExample("scenario", Path), required=False)
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 for any.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address; if it is not local, other machines can connect.",
)
@click.option(
    "--seconds",
    default=120.0,
    show_default=True,
    type=click.FloatRange(1),
    help="Maximum number of seconds for each question.",
)
@click.option(
    "--ahead/--no-ahead",
    default=True,
    show_default=True,
    help="Work out where units can end before anybody asks, while nobody asks.",
)
@click.option("--browser", is_flag=True, help="Open the page in the browser.")
@rulebook_option
def command(scenario: Path | None, port: int, host: str, seconds: float, ahead: bool, browser: bool) -> None:
    """Serve the live table of a SCENARIO, or of all scenarios in a folder, as a page for the browser.

    Click a unit to see where it can end; point at a place for its price, or for what is in the way; click it to go
    there; answer the questions; take back, and try something else. Without SCENARIO it serves the folder scenarios/, or
    the scenarios included. The address contains a token, and requests without it are rejected. Ctrl-C stops it.

    \b
    simulator serve
    simulator serve scenarios/skirmish/the_yard.yaml --browser
    simulator serve my_scenarios --port 9000

    Exit status: 130 ended by Ctrl-C, 2 the address is taken or not one of this machine, 3 no scenario to serve.
    """
    try:
        import uvicorn
    except ImportError:
        raise click.UsageError("the live table needs the extra 'web': pip install 'simulator[web]'") from None
    from secrets import token_urlsafe

    from simulator.live.app import live_app
    from simulator.live.workers import Workers
    from simulator.threads import cores

    scenarios = _scenarios(scenario)
    listening = _listen(host, port)
    number = listening.getsockname()[1]
    hosts = frozenset(f"{_in_address(name)}:{number}" for name in (host, *(_LOOPBACK if host in _LOOPBACK else ())))
    token = token_urlsafe(16)
    workers = Workers(scenarios, max(2, cores()), seconds, ahead)
    server = uvicorn.Server(
        uvicorn.Config(
            live_app(scenarios, workers, token, hosts),
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
    )
    address = f"http://{_in_address(host)}:{number}/?token={token}"
    echo(address)
    if host not in _LOOPBACK:
        echo("others can open this address as well, if they know all of it", err=True)
    if browser:
        import webbrowser

        webbrowser.open(address)
    try:
        server.run(sockets=[listening])
    finally:
        workers.stop()


def _scenarios(path: Path | None) -> dict[str, Path]:
    """Return the scenarios of a file or folder by name: by their path in the folder where two have one name."""
    from simulator.errors import Fault, FileError
    from simulator.formats.examples import examples
    from simulator.formats.peek import kind_of_file

    if path is None:
        path = Path("scenarios") if Path("scenarios").is_dir() else examples("scenarios")
    if not path.exists():
        raise FileError([Fault(str(path), 0, 0, "", "there is no such file or folder")])
    files = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
    files = [file for file in files if file.is_file() and kind_of_file(file) == "scenario"]
    if not files:
        raise FileError([Fault(str(path), 0, 0, "", "there is no scenario here (see docs/scenarios.md)")])
    stems = [file.stem for file in files]
    return {
        file.stem if stems.count(file.stem) == 1 else file.relative_to(path).with_suffix("").as_posix(): file.resolve()
        for file in files
    }


def _listen(host: str, port: int) -> socket.socket:
    import socket

    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise click.UsageError(f"cannot listen at {host}, port {port}: {reason}; --port 0 takes any port") from None


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host
