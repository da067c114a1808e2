"""Reading and writing: boards, scenarios, and foreign maps.

Boards: read `boards.py` first. It loads, checks and saves. The way of a file: `strict_yaml.py` makes a tree of it that
knows its lines, `documents.py` checks the tree against `board_models.py`, and `squares_file.py`, `dots_file.py` or
`table_file.py` builds the board. Whatever is wrong on the way is gathered in `faults.py`, bounded by `limits.py`.
Scenarios: `scenarios.py` reads one, `scenario.py` is what was read, `play.py` plays it, `expectations.py` judges what
came of it, `accounts.py` and `account_text.py` tell it.
"""
