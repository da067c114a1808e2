"""The rest distribution of one plan: the register's section on dice."""

from fractions import Fraction

from dt_games import bike, game

from simulator.rulesets.dot_trooper.outcomes import rest_distribution


def test_a_turn_of_120_ends_where_it_leads_or_in_its_skid():
    """DT-86, DT-87, DT-123: 26 of 36 pass; the others slide three dots in cruise, rear as after 60 degrees."""
    table = game(bike(place=(20, 20)))
    rests = rest_distribution(table, "A1 drive cruise: move, left 120, move", "bike")
    assert rests == {
        ((23, 17), 120, "upright", "moving"): Fraction(26, 36),
        ((26, 20), 60, "prone", "stopped"): Fraction(10, 36),
    }


def test_two_checks_give_three_rests_and_add_up_to_one():
    """DT-91, DT-96, DT-160: what fails first ends the movement."""
    table = game(bike(place=(20, 20)))
    rests = rest_distribution(table, "A1 drive max: move, left 120, move, move, stop", "bike")
    assert sum(rests.values()) == 1
    assert len(rests) == 3
    assert rests[(20 + 3, 20 - 9), 120, "upright", "stopped"] == Fraction(26, 36) * Fraction(33, 36)
