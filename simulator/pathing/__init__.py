"""MoveSpace, the searches, Reach and Route. No rules.

Read `move_space.py` first: what a unit can do is a lattice of states and a short table of steps. Then
`search.py`, the one switch between the two engines, `reference.py` (networkx, slow and obvious) and
`kernel.py` (numpy, fast).

How the kernel works: `plan.py` compiles the table into two formulas over sets of cells, `ground.py` holds
the board as bits. `wide.py` runs the plan on wide integers (one query), `words.py` on machine words (many),
`relax.py` does without levels. `choice.py` picks. The answer is `costs.Costs`; `routes.py` finds the way
back through it.

What is built on searches: `queries.py` (waypoints, turns, threats, cheapest ends), `reverse.py` (from where
can a place be reached) and `odds.py` (reach under dice). `step_tables.py` writes lines of a table that
repeat.
"""
