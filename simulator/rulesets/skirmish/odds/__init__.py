"""The chance of getting to a place: of the best plan, revised after each roll.

`chances` answers for places and areas, by `plans` over `decision_places` and how far they lie `apart`; `front_point`
does where moves are measured from front to front (SK-3).
"""
