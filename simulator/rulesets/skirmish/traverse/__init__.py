"""Traverses: `rules` finds and judges what can be traversed from a place, and where it leads.

`jumps` turns them into links, for many places at once, and `ends` chooses the rows of places from which the curves of
far sides are followed; `any_direction` beside this one follows whole outlines of far sides for that option (SK-23).
"""
