"""What a run prints: the account as people want to read it, all of it for the record, or only what went wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from simulator.formats.account_text import (
    account_text,
    check_line,
    heading_lines,
    moment_line,
    order_line,
    played_lines,
    summary_lines,
    verdict,
    visible,
)
from simulator.formats.accounts import Account, Played

#: How much is printed: only what is not as expected, what happened, or all that is recorded.
Detail = Literal["quiet", "usual", "verbose"]


def run_text(account: Account, detail: Detail = "usual") -> str:
    """Return the text about a run."""
    if detail == "verbose":
        return account_text(account)
    lines = _quiet_lines(account) if detail == "quiet" else _usual_lines(account)
    return "\n".join(visible(line).rstrip() for line in lines) + "\n"


def end_lines(account: Account) -> Iterator[str]:
    """Yield the expectations of the end, the summary, and the moment at which the game ends."""
    *lines, _ = summary_lines(account)
    yield from lines
    yield f"the game ends: {account.game.state.clock}"


def _usual_lines(account: Account) -> Iterator[str]:
    """Yield the account without fingerprints, and without the beginning if nothing was looked at there."""
    yield from heading_lines(account, fingerprints=False)
    yield ""
    moment = ""
    for played in account.played:
        if _is_mere_beginning(played):
            continue
        if moment_line(played) != moment:
            moment = moment_line(played)
            yield moment
        yield from played_lines(played, account.scenario.setting.ruleset.vocabulary)
    yield ""
    yield from end_lines(account)


def _is_mere_beginning(played: Played) -> bool:
    """Return whether this only sets the clock going: no phase yet, nobody asked, nothing checked or refused."""
    if played.clock.phase is not None or played.error is not None or played.checks:
        return False
    return played.happened is None or not played.happened.answered


def _quiet_lines(account: Account) -> Iterator[str]:
    """Yield the orders that were not carried out, what is not as expected, and the count."""
    for played in account.played:
        failed = [check for check in played.checks if not check.met]
        if failed:
            yield from ([order_line(played).strip()] if played.order else [])
            yield from (f"  {check_line(check)}" for check in failed)
    yield from (check_line(check) for check in account.final if not check.met)
    yield verdict(len(account.checks) - len(account.failures), len(account.checks))
