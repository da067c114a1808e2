"""Leaving the board in combined_arms: over its edge, at the end of a move, for good."""

from arms_games import arms_game, piece


def game(*units, **settings):
    everybody = (piece("A", "grav", (40, 0)), *units)
    return arms_game(*everybody, data={"initiative": tuple(unit.id for unit in everybody)}, **settings)


def clauses(table, order):
    return [breach.clause for breach in table.breaches(order)]


def test_a_move_ends_at_the_edge():
    """CA-138: the reference point has to get there."""
    table = game(piece("B", "on_foot"))
    happened = table.do("A move: forward 8, leave_board")
    assert happened.ledger.total("inches") == 8
    gone = table.state.unit("A")
    assert (gone.place, gone["left_board"]) == (None, True)


def test_only_from_the_edge_and_last_of_all():
    """CA-138."""
    table = game()
    (short,) = table.breaches("A move: forward 7, leave_board")
    assert (short.clause, short.needed) == ("CA-138", 1)
    assert clauses(table, "A move: forward 8, leave_board, turn_left 45") == ["CA-138"]
    assert clauses(table, "A move: forward 9") == ["CA-138"]
    assert clauses(table, "A move: turn_left 90, forward 25, leave_board") == ["CA-3", "CA-138"]


def test_who_has_left_stays_away():
    """CA-134, CA-135, CA-136: lost, not destroyed, and never back."""
    table = game(piece("B", "on_foot"))
    table.do("A move: forward 8, fire, leave_board")
    assert "A" in table.state.units
    table.do("B move: forward 1")
    assert table.state.clock.turn == 2
    assert "CA-7" in clauses(table, "A move: forward 1")
    table.do("B move: forward 1")
    assert table.state.clock.turn == 3
    back = game(piece("B", "on_foot", left_board=True))
    assert [breach.clause for breach in back.faults] == ["CA-134"]


def test_those_aboard_leave_with_it():
    """CA-134."""
    table = game(piece("B", "on_foot", None, carrier="A"))
    table.do("A move: forward 8, leave_board")
    rider = table.state.unit("B")
    assert (rider.place, rider.carrier, rider["left_board"]) == (None, "", True)


def test_from_where_it_stands():
    assert clauses(arms_game(piece("A", "grav", (48, 3))), "A move: leave_board") == []
