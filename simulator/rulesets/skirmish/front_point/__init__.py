"""The option `measure: front_point` (SK-3): moves are measured from front to front, and turning costs inches.

Few choose it, and the default rule is read without it. `lengths` measures a line, `reach` finds where lines end that
turn on the way, with which facing, `odds` plans anew after each roll.
"""
