"""MoveSpace, the searches, Reach and Route. No rules.

Read `move_space.py` first: what a unit can do is a lattice of states and a short table of steps. Then
`search.py`, the one switch between the two engines, `reference.py` (networkx, slow and obvious) and
`kernel/` (numpy, fast). The answer is `costs.Costs`; `traces.py` finds the way back through it.

Built on searches: `queries.py` (ways through waypoints) and `reverse.py` (from where a place can be reached).
`free/` plans on inch tables: any direction, one price for each inch.
"""
