"""The replay of a game as one page that stands by itself: the board, its units moment by moment, the account beside.

Read `page.py` first: what a page is put together from. `timeline.py` cuts a story into moments, `figures.py` says who
stands where, `reaches.py` asks for everybody's reach, `captions.py` writes the account, `backdrop.py` draws what stays.
The page's own script (`page.js`) knows no rules: it shows what was found out here.
"""

from __future__ import annotations

from simulator.views.replay.page import replay_frame, replay_page
from simulator.views.replay.reaches import Shown

__all__ = ["Shown", "replay_frame", "replay_page"]
