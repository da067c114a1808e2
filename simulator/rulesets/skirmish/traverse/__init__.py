"""Traverses: `rules` says what can be traversed from a place, and what comes of it.

`jumps` asks for many places at once. `ends` are the lines of far sides, `traced` along the `faces` of obstacles;
`any_direction` follows the whole shore of an obstacle for that option (SK-23).
"""
