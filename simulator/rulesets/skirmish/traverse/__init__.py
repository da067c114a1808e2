"""Traverses: `rules` says what can be traversed from a place, and what comes of it.

`jumps` makes links of them, for many places at once, and `ends` says from which rows of places the curves of far sides
are followed; the folder `any_direction` beside this one follows whole outlines of far sides for that option (SK-23).
"""
