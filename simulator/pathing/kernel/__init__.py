"""The numpy kernel: searches of a move space, fast.

Start with `prepared`: prepare a board once, then search as often as you like. `compile` turns the table of steps
into two formulas over sets of cells, `board_bits` holds the board. `single_bigint` runs them on wide integers (one
query; `bigint_code` writes them down as Python), `batch_words` on machine words (many), `relaxation` does without
levels, `ordered` goes through spaces that never turn back. `sparse` looks at single states: in `waves`, or by the
`shortcuts` of a board whose corridors were contracted (`contraction`). `dispatch` picks.

With the extra `fast` there are two executors more, compiled by numba: `fast_levels` lays the plan out for loops over
machine words, `fast_buckets` the steps of each state for a queue of buckets. Both loops are in `fast_code`, and `fast`
loads it when that pays.
"""
