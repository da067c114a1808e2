"""The chance of reaching a place: of the best plan, revised after each roll.

`chances` computes it for places and areas, by `plans` over `decision_places` and how far they lie `apart`; the package
`front_point` beside this one does so for that option (SK-3).
"""
