"""A reaction on a spot of a region: on which part of the region which course of play follows."""

import random

import pytest
import shapely
from every_play import assert_foreseen_is_played
from gun_couriers import RULESET, GunRuleset

from simulator.engine.game import Game
from simulator.engine.questions import Choose, question_from
from simulator.engine.ranges import SpotIn
from simulator.geometry.table import InchTable
from simulator.rulebook import Event, React, Roll, change_unit, passes

YARD = shapely.box(0, 0, 12, 8)
#: Shells that fall in the mud do nothing; within the blast, which lies partly in it, they hit on 4 or more.
MUD = shapely.box(8, 0, 12, 8)
BLAST = shapely.box(2, 1, 9, 5)


def shelled(spots):
    """The rulebook with mortars: whoever drives is shelled first, on a spot of some region."""

    def drive(table, order):
        for gun in [unit for unit in table.state if unit.type == "gun"]:
            spot = yield React("shell", who=gun.id, options=[spots], clause="FC-2")
            if spot is None:
                continue
            yield Event("fires", gun.id, [change_unit(gun.id, loaded=0)], "FC-2", spot, detail={"at": order.unit})
            if shapely.intersects_xy(MUD.buffer(-1e-9), *spot):
                yield Event("sinks", gun.id, [], "FC-3", spot)
            elif shapely.intersects_xy(BLAST, *spot) and (
                yield from passes(Roll("hit", who=gun.id, dice="D6", target=4, clause="FC-3"))
            ):
                yield Event("is hit", order.unit, [change_unit(order.unit, allowance=2)], "FC-4", detail={"by": gun.id})
        yield Event("moves", order.unit, [change_unit(order.unit, place=order["end"])], "FC-1", order["end"])

    class Shelled(GunRuleset):
        actions = GunRuleset.actions | {"drive": drive}

        def breaches(self, table, order):
            return ()

    return Shelled()


def yard(spots):
    units = [
        RULESET.make_unit("A1", "courier", "red", (0.0, 2.0)),
        RULESET.make_unit("G1", "gun", "blue", (10.0, 5.0)),
    ]
    return Game.new(shelled(spots), InchTable("Yard", 40, 20), units)


def outcomes(spots):
    (found,) = yard(spots).foresee("A1 drive 4,2").interruptions
    return found.outcomes


def kinds(outcome):
    return {event.kind for ending in outcome.endings for event in ending.events} & {"sinks", "is hit"}


class TestZones:
    spots = SpotIn(YARD, zones=[MUD, BLAST])

    def test_each_course_of_play_has_its_part_of_the_region(self):
        areas = {frozenset(kinds(outcome)): outcome.area for outcome in outcomes(self.spots)}
        hit = BLAST - MUD
        assert areas.keys() == {frozenset(), frozenset({"sinks"}), frozenset({"is hit"})}
        assert areas[frozenset({"sinks"})].equals(MUD)
        assert areas[frozenset({"is hit"})].equals(hit)
        assert areas[frozenset()].equals(YARD - MUD - hit)

    def test_the_parts_are_what_playing_anywhere_in_them_comes_to(self):
        dice = random.Random(16)
        found = outcomes(self.spots)
        for outcome in found:
            left, bottom, right, top = outcome.area.bounds
            spots = [(dice.uniform(left, right), dice.uniform(bottom, top)) for _ in range(40)]
            inside = [spot for spot in spots if shapely.contains_xy(outcome.area, *spot)]
            assert len(inside) > 5
            for spot in inside:
                game = yard(self.spots)
                game.do("A1 drive 4,2", [spot, *([6] if "is hit" in kinds(outcome) else [])])
                assert {event.kind for event in game.happened.events} & {"sinks", "is hit"} == kinds(outcome)

    @pytest.mark.parametrize("seed", range(12))
    def test_pieces_cover_the_region_once_whatever_the_zones(self, seed):
        dice = random.Random(seed)
        zones = [
            shapely.Point(dice.uniform(-2, 14), dice.uniform(-2, 10)).buffer(dice.uniform(0.3, 5))
            for _ in range(dice.randrange(1, 5))
        ]
        region = YARD - shapely.box(3, 3, 5, 4) if seed % 2 else shapely.union(YARD, shapely.box(20, 0, 22, 3))
        spots = SpotIn(region, zones=zones, every=dice.choice([None, 2]))
        assert shapely.union_all([piece.area for piece in spots.pieces]).area == pytest.approx(region.area)
        assert sum(piece.area.area for piece in spots.pieces) == pytest.approx(region.area)
        for piece in spots.pieces:
            assert piece.sample in spots.samples
            assert shapely.contains_xy(piece.area, *piece.sample)
            for zone in zones:  # all of a piece lies on one side of each outline
                inside = shapely.intersection(piece.area, zone).area
                assert min(inside, piece.area.area - inside) < 1e-9

    def test_every_sample_is_played(self):
        assert assert_foreseen_is_played(yard(self.spots), ["A1 drive 4,2"]) is not None

    def test_it_is_told_and_written(self):
        found = {str(outcome): outcome for outcome in outcomes(self.spots)}
        (mud,) = [text for text in found if text.startswith("on 32 square inches from 8,0 to 12,8, such as at ")]
        assert kinds(found[mud]) == {"sinks"}
        for outcome in found.values():
            fields = outcome.to_fields()
            assert fields["spans"] == []
            area = shapely.MultiPolygon([shapely.Polygon(outer, holes) for outer, *holes in fields["region"]])
            assert area.equals(outcome.area)


class TestWithoutZones:
    def test_each_sample_stands_for_what_is_nearest_to_it(self):
        """No more than a sketch: five spots are played, and where they differ, borders lie half way between."""
        spots = SpotIn(YARD)
        assert len(spots.pieces) == len(spots.samples) == 5
        found = outcomes(spots)
        assert sum(outcome.area.area for outcome in found) == pytest.approx(YARD.area)
        for piece in spots.pieces:
            near = [shapely.distance(piece.area, shapely.Point(sample)) for sample in spots.samples]
            assert near[spots.samples.index(piece.sample)] == 0

    @pytest.mark.parametrize("every", [1, 0.5])
    def test_squares_are_true_to_their_width(self, every):
        for outcome in outcomes(SpotIn(YARD, every=every)):
            exact = {
                frozenset(): YARD - MUD - BLAST,
                frozenset({"sinks"}): MUD,
                frozenset({"is hit"}): BLAST - MUD,
            }[frozenset(kinds(outcome))]
            assert outcome.area.buffer(every).covers(exact)
            assert exact.buffer(every).covers(outcome.area)

    def test_where_all_samples_agree_it_is_the_whole_region(self):
        (found,) = outcomes(SpotIn(shapely.box(9, 1, 11, 2)))
        assert found.area.equals(shapely.box(9, 1, 11, 2))


class TestData:
    def test_zones_and_squares_are_written_and_read(self):
        question = Choose("spot", options=[SpotIn(YARD, zones=[BLAST, MUD.buffer(1) - BLAST], every=0.5)])
        assert question_from(question.to_fields()) == question
        assert "zones" not in SpotIn(YARD).to_fields()

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"zones": [[]]}, "a zone of spots is made of polygons"),
            ({"zones": [shapely.LineString([(0, 0), (1, 1)])]}, "made of polygons"),
            ({"every": 0}, "every: a number above 0"),
            ({"every": 0.001}, "more than 10000 samples"),
        ],
    )
    def test_what_is_wrong_is_reported(self, more, message):
        with pytest.raises(ValueError, match=message):
            SpotIn(YARD, **more)
