"""The rulebook grid_runner: weapon ranges, distances, blasts."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from grid_runner_boards import RULES, character, game
from test_grid_runner import broken, table_of

from simulator.engine.errors import OptionError
from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid
from simulator.rulesets.grid_runner.blasts import blast_damage
from simulator.rulesets.grid_runner.ranges import (
    ANSWERS,
    BANDS,
    bands_around,
    bands_of,
    counted_distance,
    drawn_bands,
    group_of,
    range_band,
)

WEAPONS = sorted(RULES.tables["weapon_range.m1"])


def table(scale="m1", **options):
    return game("@ .", {"scale": scale, **options}).table


def bands(weapon, scale="m1", strength=0, **options):
    """The bands as (least, most), None for one left out."""
    found = bands_of(table(scale, **options), weapon, strength)
    return [band and (band.least, band.most) for band in found]


def read(cell, strength):
    """The lower and the upper end of a printed band, in squares and parts of squares."""
    low, _, high = cell.removeprefix("to ").rpartition("-")
    ends = []
    for text in (low or ("0" if cell.startswith("to ") else high), high):
        times = Fraction(text.removesuffix("S") or 1) if text.endswith("S") else Fraction(text)
        ends.append(times * strength if text.endswith("S") else times)
    return ends


class TestBands:
    """GR-80 to GR-86: 24 weapons, three scales, four bands."""

    def test_the_modifiers(self):
        """GR-80."""
        found = [range_band(table(), "taser", distance) for distance in (5, 10, 15, 20)]
        assert [(answer.band, answer.modifier) for answer in found] == [
            ("short", 0), ("medium", -1), ("long", -2), ("extreme", -3),
        ]  # fmt: skip

    def test_the_groups_hold_all_weapons(self):
        """GR-81."""
        grouped = [weapon for weapons in RULES.tables["weapon_group"].values() for weapon in weapons]
        assert sorted(grouped) == WEAPONS
        assert group_of(table(), "bow") == "ballistic_projectiles"
        assert group_of(table(), "sword") == ""

    def test_the_first_table_of_the_two_is_m2(self):
        """GR-82."""
        assert (bands("taser", "m2")[3], bands("taser", "m5")[3]) == ((10, 12), (4, 4))

    @pytest.mark.parametrize("scale", ["m1", "m2", "m5"])
    @pytest.mark.parametrize("weapon", WEAPONS)
    def test_each_distance_has_one_answer_and_bands_follow_each_other(self, weapon, scale):
        """GR-83 to GR-86, GR-89 to GR-91."""
        found = [band for band in bands_of(table(scale), weapon, 4) if band is not None and band.least <= band.most]
        assert all(later.least == earlier.most + 1 for earlier, later in pairwise(found))
        answers = [range_band(table(scale), weapon, distance, 4).band for distance in range(found[-1].most + 2)]
        order = ["too_close", "short", "medium", "long", "extreme", "not_covered", "out_of_range"]
        assert answers == sorted(answers, key=order.index)
        assert answers[-1] == ("not_covered" if None in bands_of(table(scale), weapon, 4) else "out_of_range")

    @pytest.mark.parametrize(("clause", "scale"), [("GR-83", "m1"), ("GR-84", "m2"), ("GR-85", "m5")])
    @pytest.mark.parametrize("strength", [1, 3, 4, 7])
    def test_every_cell_of_the_page_at_every_distance(self, clause, scale, strength):
        """GR-83 to GR-86, GR-89 to GR-92: read from the page, the first band that contains the distance."""
        page, here = table_of(clause), table(scale)
        assert len(page) == len(WEAPONS)
        for weapon, *cells in page:
            printed = [(name, *read(cell, strength)) for name, cell in zip(BANDS, cells, strict=True) if cell != "-"]
            for distance in range(int(printed[-1][2]) + 3):
                expected = next((name for name, low, high in printed if low <= distance <= high), None)
                if expected is None:
                    beyond = "not_covered" if "-" in cells else "out_of_range"
                    expected = "too_close" if distance < printed[0][1] else beyond
                answer = range_band(here, weapon, distance, strength)
                assert answer.band == expected, (weapon, distance)
                assert answer.modifier == (-BANDS.index(expected) if expected in BANDS else None)

    @pytest.mark.parametrize(
        ("scale", "expected"),
        [
            ("m1", [(0, 4), (5, 40), (41, 120), (121, 240)]),
            ("m2", [(0, 2), (3, 20), (21, 60), (61, 120)]),
            ("m5", [(0, 0), (1, 8), (9, 24), (25, 48)]),
        ],
    )
    def test_a_bow_at_str_4(self, scale, expected):
        """GR-86, GR-92."""
        assert bands("bow", scale, 4) == expected

    def test_shotgun_f_as_printed_or_rescaled(self):
        """GR-87."""
        assert bands("shotgun_f") == [(0, 10), (11, 25), (26, 30), (31, 50)]
        assert bands("shotgun_f", shotgun_f_m1="rescaled") == [(0, 10), (11, 25), (26, 40), (41, 60)]
        assert bands("shotgun_f", "m5", shotgun_f_m1="rescaled") == bands("shotgun_f", "m5")

    @pytest.mark.parametrize("omitted", ["not_covered", "out_of_range"])
    def test_bands_left_out(self, omitted):
        """GR-89: not out of range, unless the option says so."""
        answer = range_band(table(omitted_band=omitted), "assault_rifle", 51)
        assert (answer.band, answer.modifier, answer.clause, answer.can_fire) == (
            omitted, None, "GR-89", omitted == "not_covered",
        )  # fmt: skip
        played = game("@" + " ." * 50 + " b", {"omitted_band": omitted}, {"A": {"weapon": "assault_rifle"}})
        assert (broken(played, "A ranged_attack B1") == []) is (omitted == "not_covered")

    def test_beyond_and_too_close(self):
        """GR-90, GR-91."""
        assert range_band(table(), "taser", 21).clause == "GR-90"
        for scale, least in (("m1", (5, 20)), ("m2", (3, 12)), ("m5", (1, 4))):
            for weapon, distance in zip(("grenade_launcher", "missile_launcher"), least, strict=True):
                assert range_band(table(scale), weapon, distance - 1).band == "too_close"
                assert range_band(table(scale), weapon, distance).band == "short"

    @pytest.mark.parametrize(("rounding", "most"), [("floor", 1), ("nearest", 2), ("up", 2)])
    def test_fractions_of_str(self, rounding, most):
        """GR-92: Str 3 x 0.5 is 1.5."""
        assert bands("bow", "m2", 3, str_range_rounding=rounding)[0] == (0, most)
        # Str 3 x 0.2 is 0.6, Str 2 x 0.2 is 0.4.
        assert bands("bow", "m5", 3, str_range_rounding=rounding)[0] == (0, {"floor": 0}.get(rounding, 1))
        assert bands("bow", "m5", 2, str_range_rounding=rounding)[0] == (0, {"up": 1}.get(rounding, 0))

    def test_what_is_no_weapon_is_told(self):
        with pytest.raises(OptionError, match="'bwo' is not in the range tables; did you mean 'bow'"):
            range_band(table(), "bwo", 3)
        played = game("@ b", fields={"A": {"weapon": "sword"}})
        assert broken(played, "A ranged_attack B1") == ["GR-82"]
        assert broken(played, "A ranged_attack B1 with bow") == []

    def test_a_figure_can_be_replaced(self):
        played = game("@ . b", tables={"weapon_range.m1.taser": ["0-1", "2-3", "-", "-"]})
        assert str(range_band(played.table, "taser", 2)) == "2 squares: medium, -1 dice (GR-86)"

    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            (["0-1", "-", "2-3", "4"], [(0, 1), None, (2, 3), (4, 4)]),
            (["-", "0-2", "-", "to 9"], [None, (0, 2), None, (3, 9)]),
            (["2", "to 3", "to 5", "6-9"], [(2, 2), (3, 3), (4, 5), (6, 9)]),
            (["0.5S-S", "S-2S", "to 2.5S", "3S"], [(1, 3), (4, 6), (7, 7), (9, 9)]),
        ],
    )
    def test_any_band_may_be_left_out_or_go_by_str(self, cells, expected):
        """GR-86, GR-89, GR-92: each band begins beyond those before; here of somebody with Str 3."""
        found = bands_of(game("@ .", tables={"weapon_range.m1.taser": cells}).table, "taser", 3)
        assert [band and (band.least, band.most) for band in found] == expected

    @pytest.mark.parametrize(("rounding", "least"), [("floor", 1), ("nearest", 2), ("up", 2)])
    def test_a_least_distance_by_str_is_rounded_alike(self, rounding, least):
        """GR-91, GR-92: Str 3 x 0.5 is 1.5."""
        tables = {"weapon_range.m1.taser": ["0.5S-3S", "-", "-", "-"]}
        here = game("@ .", {"str_range_rounding": rounding}, tables=tables).table
        assert [range_band(here, "taser", away, 3).band for away in (least - 1, least)] == ["too_close", "short"]

    def test_a_shot_tells_band_and_dice(self):
        """GR-80, GR-93."""
        played = game("@ . . . . . . . b", fields={"A": {"weapon": "light_pistol"}})
        (shot,) = [event for event in played.do("A ranged_attack B1").events if event.kind == "shoots"]
        assert (shot.detail["distance"], shot.detail["band"], shot.detail["dice"], shot.detail["group"]) == (
            8, "medium", -1, "pistols",
        )  # fmt: skip


class TestDistance:
    """GR-93: counted as movement with fresh parity."""

    @pytest.mark.parametrize(
        ("metric", "expected"), [("diagonal_121", [9, 4, 0]), ("chebyshev", [7, 3, 0]), ("euclidean_floor", [8, 4, 0])]
    )
    def test_by_metric(self, metric, expected):
        assert [counted_distance(metric, (0, 0), place) for place in ((7, -4), (-3, 3), (0, 0))] == expected

    @pytest.mark.parametrize("metric", ["diagonal_121", "chebyshev", "euclidean_floor"])
    def test_a_map_of_bands_says_what_the_query_says(self, metric):
        tables = {"weapon_range.m1.taser": ["1-1", "2", "to 3", "4"]}
        played = game("@ . . . #\n. . . . .\n. . . . .", {"range_metric": metric}, tables=tables)
        found = bands_around(played.table, (0, 0), "taser")
        for row, column in np.ndindex(found.shape):
            distance = counted_distance(metric, (0, 0), (column, row))
            assert ANSWERS[found[row, column]] == range_band(played.table, "taser", distance).band

    def test_as_a_drawing(self):
        """GR-93."""
        tables = {"weapon_range.m1.taser": ["2-2", "3", "to 4", "-"]}
        played = game("@ . . . . . #\n. . . . . . .", tables=tables)
        assert drawn_bands(played.table, (0, 0), "taser") == "@ x S M L ? #\nx x S M L ? ?"


class TestBlasts:
    """GR-94, GR-95: weaker with distance, and the D6 of bystanders at m5."""

    @pytest.mark.parametrize(("scale", "damage"), [("m1", [10, 9, 8]), ("m2", [10, 8, 6]), ("m5", [10, 5, 0])])
    def test_the_loss_counts_every_metre(self, scale, damage):
        """GR-94."""
        assert [blast_damage(table(scale), 10, 1, distance) for distance in (0, 1, 2)] == damage
        assert blast_damage(table(scale), 10, Fraction(1, 2), 3, die=2) >= 0
        assert blast_damage(table(scale), 3, 1, 9) == 0

    @pytest.mark.parametrize("random", [False, True])
    def test_bystanders_may_roll_at_m5(self, random):
        """GR-95."""
        units = [character("A", "red", (2, 0)), character("B", "blue", (0, 0)), character("C", "blue", (0, 0))]
        played = Game.new(
            RULES, SquareGrid.open(3, 1), units, options={"scale": "m5", "blast_random_m5": random}
        )  # fmt: skip
        happened = played.do("A blast 0,0 power 10 loss 1 target B", answers=[4] if random else [])
        damage = {event.unit: event.detail["damage"] for event in happened.events}
        assert damage == {"B": 10, "C": 6 if random else 10}

    def test_the_centre_lies_on_the_board(self):
        """GR-94."""
        assert broken(game("@ ."), "A blast 9,9 power 10 loss 1") == ["GR-94"]
