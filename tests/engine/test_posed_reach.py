"""`PosedReach` on a small rulebook of tanks: what is answered can be played at its cost, and refusals say why."""

import math

import pytest
import shapely
import table_tanks
from played_answers import require_played

from simulator.engine.chain import Chain, ask
from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.engine.orders import Element, Goal, Order
from simulator.engine.reach import ReachAnswer
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.geometry.table import InchTable
from simulator.pathing.posed.shortfalls import PoseShortfall

WOOD = Piece("wood", "wood", rectangle((20, 10), (6, 20)), "cover")
WALL = Piece("wall", "wall", rectangle((30, 10), (1, 12)), "obstacle")
POND = Piece("pond", "pond", rectangle((20, 24), (6, 4)), "ground")


def plain(*pieces, at=(10, 10), heading=0.0, kind="tank", other=None, **tables):
    """A tank on a plain, and another if it has a place."""
    board = InchTable("Plain", 48, 30, pieces=pieces)
    units = [table_tanks.RULESET.make_unit("A1", kind, "red", at, heading=heading)]
    if other is not None:
        units.append(table_tanks.RULESET.make_unit("B1", "tank", "blue", other, heading=90.0))
    return Game.new(table_tanks.RULESET, board, units, tables=tables)


class TestATankOnAPlain:
    def test_costs(self):
        answer = plain(WOOD).reach("A1")
        assert isinstance(answer, ReachAnswer)
        assert answer.cost_at((15, 10)) == 5
        assert answer.cost_at((25, 10)) == 7 + 12 + 2
        assert answer.cost_at(Pose((15, 10), 45)) == 9
        assert answer.cost_at(Pose((15, 10), 46)) == 13
        assert answer.costs_at([(15, 10), (40, 10)]).tolist() == [5, math.inf]
        assert (40, 10) not in answer

    def test_what_is_answered_can_be_played(self):
        assert require_played(lambda: plain(WOOD, WALL, other=(16, 14)), ((2, 2), (34, 26))) > 3

    def test_goals(self):
        game = plain(WOOD)
        unit = game.do(Order("A1", "drive", goal=Goal((15, 12), 90))).state.unit("A1")
        assert unit.place == pytest.approx((15, 12), abs=1e-6)
        assert unit.heading == pytest.approx(90)

    def test_headings_at_a_place(self):
        ranges = plain().reach("A1").headings_at((30, 10))
        assert {(str(one), round(one.cost, 6)) for one in ranges} == {("0", 20), ("0 to 45", 24), ("315 to 0", 24)}

    def test_the_way_there_and_on(self):
        # A second drive begins where the first one ended, at its price and facing as it did.
        answer = plain().reach("A1", Chain([ask("drive", to=[Pose((20, 10), 90)]), "all done", ask("drive")]))
        assert answer.cost_at((20, 20)) == 10 + 8 + 10
        assert answer.cost_at((30, 10)) == 10 + 8 + 8 + 10

    def test_many_at_once(self):
        game = plain(other=(20, 20))
        together = [answer.cost_at((14, 10)) for _, answer in game.reach_many(["A1", "B1"])]
        assert together == [game.reach(unit).cost_at((14, 10)) for unit in ("A1", "B1")]


class TestAHoverTank:
    def test_over_a_wall(self):
        answer = plain(WALL, at=(22, 10), kind="hover").reach("A1")
        assert answer.cost_at(Pose((34, 10), level="ground")) == 20
        assert answer.cost_at(Pose((34, 10), level="air")) == 16
        assert answer.cost_at((34, 10)) == 16
        assert answer.cost_at(Pose((30, 10), level="ground")) is None
        (order,) = answer.orders_to(Pose((34, 10), level="ground"))
        assert {"rise", "sink"} <= {element.get("link") for element in order.elements}

    def test_the_level_is_kept(self):
        game = plain(WALL, at=(22, 10), kind="hover")
        played = game.do(game.reach("A1").orders_to(Pose((34, 10), level="air"))[0])
        assert played.state.unit("A1")["level"] == "air"

    def test_headings_at_many_places(self):
        poses = [(34, 10), Pose((34, 10), level="ground"), Pose((34, 10), 0, "air"), Pose((30, 10), level="ground")]
        alone = [plain(WALL, at=(22, 10), kind="hover").reach("A1").headings_at(pose) for pose in poses]
        assert plain(WALL, at=(22, 10), kind="hover").reach("A1").headings_at_each(poses) == alone
        assert [bool(ranges) for ranges in alone] == [True, True, True, False]

    def test_a_tank_stays_on_the_ground(self):
        with pytest.raises(IllegalOrder, match="no such link begins there"):
            plain().do(Order("A1", "drive", [Element("follow", {"link": "rise"})]))


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("A1 drive: forward 25", "the move costs 25 inches, but only 24 inches can be spent"),
            ("A1 drive: forward 19", "wall is in the way"),
            ("A1 drive: turn_right 90, forward 9", "the base would leave the table"),
        ],
    )
    def test_orders(self, text, message):
        with pytest.raises(IllegalOrder) as refused:
            plain(WALL).do(text)
        assert message in str(refused.value)

    def test_no_end_on_a_pond(self):
        with pytest.raises(IllegalOrder, match="TT-5   it cannot end on pond"):
            plain(POND, at=(8, 24)).do("A1 drive: forward 12")

    def test_too_far(self):
        why = plain().reach("A1").why_not((36, 10))
        assert [str(reason) for reason in why.reasons] == [
            "TT-3   the move costs 26 inches, but only 24 inches can be spent"
        ]
        assert why.remedy == "2 more inches"
        assert why.nearest == pytest.approx((34, 10), abs=0.15)

    # Long: it searches for headings that would do; reasons and remedies of a shorter question are those of
    # `test_too_far`.
    @pytest.mark.long
    def test_the_heading_is_the_reason(self):
        why = plain(WALL, at=(26, 10), heading=90.0).reach("A1").why_not(Pose((28.4, 10), 0))
        assert [reason.blocker for reason in why.reasons] == ["wall"]
        assert why.remedy.startswith("facing ")

    @pytest.mark.sampled("place1")
    @pytest.mark.parametrize("place", [(30, 10), Pose((20, 10), 45)])
    def test_reasons_alone_are_those_of_the_whole_answer(self, place):
        answer = plain(WALL).reach("A1")
        assert [str(reason) for reason in answer.refusals(place)] == [*map(str, answer.why_not(place).reasons)]

    @pytest.mark.long
    def test_all_ends_for_a_price_lie_in_the_box_of_it(self):
        answer = plain(at=(6, 14)).reach("A1")
        for cost in answer.levels:
            area = answer.bands([cost])[0][1]
            assert shapely.box(*answer.box_within(cost)).buffer(1e-6).covers(area)
            assert area.bounds[2] == pytest.approx(answer.box_within(cost)[2], abs=0.01)

    # Long: it searches for headings that would do; reasons and remedies of a shorter question are those of
    # `test_too_far`.
    @pytest.mark.long
    def test_somebody_stands_there(self):
        why = plain(other=(20, 10)).reach("A1").why_not((20, 10))
        assert [reason.blocker for reason in why.reasons] == ["B1"]


class TestWhatIsPassedAtAPrice:
    SAPLING = Piece("sapling", "sapling", rectangle((16, 10), (0.2, 0.2)), "cover")
    FENCE = Piece("fence", "fence", rectangle((16, 10), (1, 4)), "cover")

    def test_a_sapling_is_paid_for(self):
        answer = plain(self.SAPLING).reach("A1")
        assert answer.cost_at((20, 10)) == 11
        assert plain(self.SAPLING).do(*answer.orders_to((20, 10))).state.unit("A1").place == (20, 10)

    def test_a_fence_is_run_over_to_its_far_side_or_bars_the_way(self):
        answer = plain(self.FENCE).reach("A1")
        # On the place of the fence it can end when it is back there: 5.5 before it, 3 over it, half an inch back for 1.
        costs = answer.costs_at([(13, 10), (16, 10), (16.6, 10), (20, 10)])
        assert costs.tolist() == pytest.approx([3, 9.5, 8.6, 12])
        assert plain(self.FENCE).do(*answer.orders_to((20, 10))).state.unit("A1").place == (20, 10)
        for place, inches, word in (((10, 10), 6, "it cannot end on fence"), ((10, 7.5), 9, "fence is in the way")):
            order = Order("A1", "drive", [Element("forward", {"inches": inches})])
            with pytest.raises(IllegalOrder, match=word):
                plain(self.FENCE, at=place).do(order)

    def test_why_it_cannot_stop_on_a_fence(self):
        words = table_tanks.words_of(plain(self.SAPLING, self.FENCE), plain().state.unit("A1"))
        (breach,) = words.breaches_at([PoseShortfall("end", toll=1)], (16, 10))
        assert (breach.clause, breach.blocker) == ("TT-5", "fence")
