"""Reach with a deadline: what is known by then, more for who asks again, and no more memory than stated."""

import pytest
import shapely
from asked_engine import ROOT, Refusal

from simulator import load_scenario
from simulator.protocol import areas

CROSSING = "scenarios/mecha/at_the_crossing.yaml"


@pytest.fixture
def crossing(asked):
    return asked("new", scenario=CROSSING)["game"]


@pytest.fixture(scope="module")
def lance():
    return load_scenario(ROOT / CROSSING).start().reach("lance")


def shape_of(found):
    return shapely.geometry.shape(found["geometry"])


def refused(asked, method, **params):
    with pytest.raises(Refusal) as caught:
        asked(method, **params)
    return caught.value


class TestGoingOn:
    def test_each_answer_is_right_and_the_last_one_is_all(self, asked, crossing, lance):
        sizes, gaps = [], []
        for _ in range(500):
            found = asked("reach", game=crossing, unit="lance", within=0)
            inner, outer = shape_of(found["inner"]), shape_of(found["outer"])
            assert lance.area.buffer(1e-6).covers(inner)
            assert outer.buffer(1e-6).covers(lance.area)
            assert found["gap"] == pytest.approx(outer.area - inner.area)
            sizes.append(inner.area)
            gaps.append(found["gap"])
            if found["is_whole"]:
                break
        assert found["is_whole"]
        assert len(sizes) > 2
        assert sizes == sorted(sizes)
        assert gaps == sorted(gaps, reverse=True)
        assert found["inner"]["extent"] == lance.area.area

    # Long: whole areas without a deadline; parts of them are asked for beside it.
    @pytest.mark.long
    def test_what_was_begun_with_is_gone_on_with_without_a_deadline(self, asked, crossing, monkeypatch):
        asked("reach", game=crossing, unit="lance", within=0)

        def reach(*words, **values):
            raise AssertionError("it was asked before")

        game = asked.engine.sessions[crossing].game
        with monkeypatch.context() as patched:
            patched.setattr(game, "reach", reach)
            after = asked("reach", game=crossing, unit="lance", to="12,24")
        another = asked("new", scenario=CROSSING)["game"]
        assert after == asked("reach", game=another, unit="lance", to="12,24")

    def test_enough_time_is_enough(self, asked, market):
        found = asked("reach", game=market, unit="kit", within=600)
        whole = asked("reach", game=market, unit="kit")
        assert (found["is_whole"], found["gap"], found["within"]) == (True, 0, 600)
        assert found["inner"]["extent"] == whole["extent"] == shape_of(found["inner"]).area

    def test_of_a_place_it_is_known_or_not(self, asked, crossing):
        places = {"12,24": True, "40,40": False, "6.6,24": None, "12,24 facing 90": None}
        for place, reachable in places.items():
            found = asked("reach", game=crossing, unit="lance", within=0, to=place)
            assert found["to"]["reachable"] is reachable
            asked.engine.areas.forget(crossing)


class TestTheTable:
    def test_another_question_begins_anew(self, asked, crossing):
        kept = asked.engine.areas
        asked("reach", game=crossing, unit="lance", within=0)
        first = kept.known(crossing, asked.engine.sessions[crossing].game, "lance", "", {})
        asked("reach", game=crossing, unit="lance", within=0, action="standard")
        asked("reach", game=crossing, unit="pony", within=0)
        assert first is kept.known(crossing, asked.engine.sessions[crossing].game, "lance", "", {})
        assert len(kept._kept) == 3

    def test_true_is_another_value_than_one(self, asked, market):
        game = asked.engine.sessions[market].game
        assert areas._question(market, "kit", "", {"ap": 1}) != areas._question(market, "kit", "", {"ap": True})
        assert asked.engine.areas.known(market, game, "kit", "", {"ap": True}) is None

    def test_after_an_order_it_begins_anew(self, asked, market):
        before = asked("reach", game=market, unit="kit", within=600)
        asked("do", game=market, order="kit: n 3")
        after = asked("reach", game=market, unit="kit", within=600)
        assert after["inner"] != before["inner"]
        asked("undo", game=market)
        assert asked("reach", game=market, unit="kit", within=600) == before

    def test_a_closed_game_is_forgotten(self, asked, market):
        asked("reach", game=market, unit="kit", within=600)
        asked("close", game=market)
        assert not asked.engine.areas._kept

    def test_no_more_areas_are_kept_than_stated(self, asked):
        games = [asked("new", scenario="scenarios/grid_runner/market_chase.yaml")["game"] for _ in range(10)]
        for game in games:
            asked("reach", game=game, unit="kit", within=600)
        assert [question[0] for question in asked.engine.areas._kept] == games[-areas.MOST_AREAS :]


class TestNonsense:
    @pytest.mark.parametrize("within", [-1, -0.001, 600.5, "0.1", "100ms", True, [1], {}])
    def test_is_refused(self, asked, market, within):
        found = refused(asked, "reach", game=market, unit="kit", within=within)
        assert found.code == -32602
        assert "within" in str(found)

    @pytest.mark.parametrize("method", ["path", "why_not"])
    def test_only_areas_have_deadlines(self, asked, market, method):
        assert refused(asked, method, game=market, unit="kit", to="9,8", within=1).code == -32602

    def test_a_refused_question_is_not_kept(self, asked, market):
        refused(asked, "reach", game=market, unit="nobody", within=1)
        assert not asked.engine.areas._kept
