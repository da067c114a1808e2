"""Space: boards, cells, lines, bases, headings. No rules, no units.

Read `board.py` first (what all boards share), then the board you need: `squares.py`, `dots.py`, `table.py`.
"""
