"""The option `measure: front_point` (SK-3): moves are measured from front to front, and turning costs inches.

It is rarely chosen, and the default rule can be read without it. `lengths` measures a line, `reach` computes where
lines end that turn on the way, with which facing, `odds` replans after each roll.
"""
