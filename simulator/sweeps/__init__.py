"""Sweeps: many games of the same scenarios, under other options and figures, by other agents, with other seeds.

    plan = load_plan("which_corner.yaml")          # scenarios x settings x agents x seeds
    sweep = Sweep.begun(plan, "out")                # or Sweep.resumed
    for done in sweep.work(): ...                   # on this machine, or on a cluster
    sweep.finish()                                  # games.parquet, units.parquet, report.html

    work = MapWork.begun(question, "ann.npz")       # reach from everywhere: see `reach_map`

Every game follows from the plan and its coordinates alone, so results do not depend on who plays it, where and when.
Read `plan.py` first, then `games.py`: one game from its coordinates to its rows.
"""
