"""The replay of a game as one self-contained page: the board, its units moment by moment, the account beside.

Read `page.py` first: the parts of a page. `timeline.py` cuts a story into moments, `figures.py` places the units,
`reaches.py` computes every unit's reach, `captions.py` writes the account, `backdrop.py` draws the constant parts.
The page's own script (`page.js`) knows no rules: it shows the results computed here.
"""

from __future__ import annotations

from simulator.views.replay.page import replay_frame, replay_page
from simulator.views.replay.reaches import Shown

__all__ = ["Shown", "replay_frame", "replay_page"]
