"""Where a unit can end: `questions` declares the queries; `drive` answers for vehicles, `foot` for troopers.

`answer` holds what both share.
"""
