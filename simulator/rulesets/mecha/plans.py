"""What a unit can do in a movement phase, or in both of a turn: which Move Actions can follow one another.

Of a plan of two actions the first one decides what the second may be; whether it is declared at all is asked of
`declaring`, on the table as it is once the first one is done.
"""

from __future__ import annotations

#: No Move Action: at most a free turn.
NOTHING = ""
