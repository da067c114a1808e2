"""Where a soldier can end: `answer` declares the questions and answers them.

From `spends` it builds `fronts`, each a `front`, connected by `legs` (ways of several lots, `cuts` apart), with
`touches` where obstacles just come within reach, `waypoints` at the edges of rough ground, `full_runs` that have to go
all their inches; the package `front_point` beside this one has what that option adds (SK-3). `orders` traces the orders
to a place through them. `nearby` is the part of the table that is searched, `answer_cache` decides how long an answer
holds.
"""
