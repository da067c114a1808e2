"""The chance of getting to a place: of the best plan, revised after each roll.

`chances` answers for places and areas, by `plans` over `decision_places` and how far they lie `apart`; the folder
`front_point` beside this one does for that option (SK-3).
"""
