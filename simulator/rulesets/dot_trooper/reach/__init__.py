"""Where a unit can end: `questions` says what can be asked; `drive` answers for vehicles, `foot` for troopers.

What both have in common is in `answer`.
"""
