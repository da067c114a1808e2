"""Where a character can end: `questions` declares the queries, `answer` is the result for one pass.

Several passes are `chains` of movements; `charge_lanes` end at a target; `waypoints` pass through chosen squares.
"""
