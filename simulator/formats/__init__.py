"""Reading and writing: boards, scenarios, and foreign maps.

Boards: read `boards.py` first. It loads, checks and saves. `strict_yaml.py` parses a file into a tree with line
numbers, `documents.py` checks the tree against `board_models.py`, and `squares_file.py`, `dots_file.py` or
`table_file.py` builds the board. Faults are collected in `faults.py`, bounded by `limits.py`.
Scenarios: `scenarios.py` reads one into a `scenario.py`, `play.py` plays it, `expectations.py` checks the outcome,
`accounts.py` and `account_text.py` report it.
"""
