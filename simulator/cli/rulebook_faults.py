"""The origin of an error: a rulebook of another package, or this one."""

from __future__ import annotations

import traceback
from pathlib import Path


def place_in_rulebook(error: BaseException) -> str:
    """Return where in a rulebook of another package an error arose: `the rulebook rover, rovers.py:277 in reach`.

    This is the innermost frame of the traceback that lies in such a package; "" if there is none.
    """
    from simulator.rulesets import OURS, shelf

    packages = {
        type(ruleset).__module__.partition(".")[0]: name for name, ruleset in shelf().loaded.items() if name not in OURS
    }
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package in packages:
            code = frame.f_code
            found = f"the rulebook {packages[package]}, {Path(code.co_filename).name}:{line} in {code.co_name}"
    return found
