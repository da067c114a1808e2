"""The compiled executors (extra `fast`): whether numba is there, and when it pays to load it.

To load compiled code takes as long as thousands of short searches, and to compile it, once on a machine, much longer.
So a process begins without it, adds up what compiled code would have saved, and loads it when that is more than what
loading takes. `SIMULATOR_FAST=yes` loads it for the first search, `SIMULATOR_FAST=no` never. The answers are the same.
"""

from __future__ import annotations

import importlib
import os
import warnings
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: Microseconds to load numba and the code that was kept on disk, and to compile it.
_LOADING, _COMPILING = 1.5e6, 2e7
#: The name of the variable of the environment.
VARIABLE = "SIMULATOR_FAST"


class Compiled:
    """The compiled code of this process, loaded or not."""

    def __init__(self, wish: str = "") -> None:
        #: "yes", "no", or anything else: when it pays.
        self.wish = wish
        #: The microseconds that searches so far would have saved.
        self.missed = 0.0
        #: Whether searches that name no executor use compiled code.
        self.is_used = False
        #: Why there is no compiled code; empty: nothing is known against it.
        self.why_not = ""

    @cached_property
    def is_installed(self) -> bool:
        """Whether numba is installed."""
        return find_spec("numba") is not None

    @cached_property
    def code(self) -> Any:
        """The module of the compiled code; None if it cannot be loaded, and `why_not` says why."""
        if not self.is_installed:
            self.why_not = "numba is not installed (pip install 'simulator[fast]')"
            return None
        try:
            return importlib.import_module("simulator.pathing.kernel.fast_code")
        except ImportError as error:  # numba is there, but not for this Python or numpy
            self.why_not = f"numba cannot be loaded: {error}"
            return None

    def may_pay(self) -> bool:
        """Whether searches should say what compiled code would have saved."""
        if self.wish == "yes" and not self.why_not and not self.is_used:
            self.is_used = self.code is not None
            if not self.is_used:
                warnings.warn(f"{VARIABLE}=yes has no effect: {self.why_not}", RuntimeWarning, stacklevel=2)
        return not self.is_used and not self.why_not and self.wish != "no" and self.is_installed

    def would_have_saved(self, microseconds: float) -> None:
        """Count what compiled code would have saved in a search; load it when loading pays."""
        self.missed += microseconds
        if self.missed < _LOADING or self.code is None:
            return
        if self.code.not_kept:
            self.why_not = (
                f"compiled code cannot be kept for the next time: {self.code.not_kept} "
                f"(set NUMBA_CACHE_DIR to a folder that can be written to, or {VARIABLE}=yes)"
            )
        else:
            self.is_used = self.missed >= _COMPILING or self._is_kept()

    def _is_kept(self) -> bool:
        """Whether the code was compiled before, on this machine."""
        place = Path(self.code.levels.stats.cache_path)
        return any(place.glob("fast_code.levels-*.nbi"))


compiled = Compiled(os.environ.get(VARIABLE, ""))
