"""Where a soldier can end: `answer` says what can be asked and answers it.

From `spends` it builds `fronts`, which hang together by `legs` (ways of several lots, `cuts` apart), with `touches`
where obstacles just come within reach, `waypoints` at the edges of rough ground, `full_runs` that have to go all their
inches; the folder `front_point` beside this one has what that option adds (SK-3). `orders` reads the orders to a
place out of them. `nearby` is the part of the table it looks at, `answer_cache` says how long it holds.
"""
