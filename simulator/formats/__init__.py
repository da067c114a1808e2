"""Reading and writing: boards, scenarios, and foreign maps.

Boards: read `boards.py` first. Scenarios: `scenarios.py` reads one, `scenario.py` is what was read, `play.py` plays it,
`expectations.py` judges what came of it, `accounts.py` and `account_text.py` tell it.
"""
