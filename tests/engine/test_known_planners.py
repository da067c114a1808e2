"""What was found for a space is found no second time, whoever asks, and answers are those found anew."""

import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from test_posed_reach import WALL, WOOD, plain

from simulator import load_scenario
from simulator.engine.errors import TableError
from simulator.engine.posed_reach import PosedReach
from simulator.geometry.footprints import Round
from simulator.pathing.posed import EarlierPhase, Mode, PoseSpace, PoseStart, TurnPrices, drawn_reach, even_ground
from simulator.pathing.posed import reach as posed_reach
from simulator.pathing.weighted.planners import KNOWN, planner_for

STORIES = sorted(path for name in ("combined_arms", "mecha") for path in (Path("scenarios") / name).glob("*.yaml"))
#: Questions that change what can be done in some positions and not in others.
VARIANTS = [{}, {"target": "slow"}, {"climbing": False}, {"leaving": False}, {"overrunning": False}, {}]


@pytest.fixture(autouse=True)
def known(_planners_are_not_known, monkeypatch):
    monkeypatch.setattr(KNOWN, "most_bytes", 64 * 2**20)
    KNOWN.clear()
    yield KNOWN
    KNOWN.clear()


@pytest.fixture
def searches(monkeypatch):
    """The spaces that were searched for, one after the other."""
    found, search = [], posed_reach.search

    def counted(space, *args, **named):
        found.append(space)
        return search(space, *args, **named)

    monkeypatch.setattr(posed_reach, "search", counted)
    return found


@pytest.fixture
def drawings(monkeypatch):
    """What was drawn, one after the other."""
    found, draw = [], drawn_reach.draw

    def counted(some, *args):
        found.append(some)
        yield from draw(some, *args)

    monkeypatch.setattr(drawn_reach, "draw", counted)
    return found


def game(*, other=(8.0, 13.0), inches=8):
    return plain(WOOD, WALL, at=(8, 8), heading=90.0, other=other, **{"drive.inches": inches})


def test_the_same_question_is_answered_by_what_was_found(searches, drawings):
    playing = game()
    first = playing.reach("A1")
    area, costs = first.area, first.costs_at([(8.0, 9.5)])
    again = playing.reach("A1")
    assert again is not first
    assert again.area.equals_exact(area)
    assert again.costs_at([(8.0, 9.5)]) == costs
    assert (len(searches), len(drawings)) == (1, 1)


def test_all_of_a_side_is_known_of_those_who_were_asked(searches, drawings):
    playing = game()
    area = playing.reach("A1").area
    threats = playing.threats("red")
    assert threats.threats["A1"].area.equals_exact(area)
    assert (len(searches), len(drawings)) == (1, 1)


def test_an_area_in_parts_is_drawn_once(drawings):
    playing = game()
    *_, last = playing.reach("A1").area_in_parts()
    area = last()
    assert playing.reach("A1").area.equals_exact(area)
    *_, last = playing.reach("A1").area_in_parts()
    assert last().equals_exact(area)
    assert len(drawings) == 1


def test_bands_are_drawn_once(drawings):
    playing = game()
    first, again = playing.reach("A1").bands(), playing.reach("A1").bands()
    assert [level for level, _ in first] == [level for level, _ in again]
    assert all(one.equals(other) for (_, one), (_, other) in zip(first, again, strict=True))
    assert len(drawings) == 2  # all bands but the last one together, and that


def test_what_has_changed_is_found_anew(searches):
    playing, elsewhere = game(), game(other=(8.0, 15.0))
    assert np.isinf(playing.reach("A1").costs_at([(8.0, 10.5)])).all()
    assert elsewhere.reach("A1").costs_at([(8.0, 10.5)]).tolist() == [2.5]
    playing.do("A1: forward 1")
    assert playing.reach("A1").costs_at([(8.0, 10.0)]).tolist() == [1.0]
    assert len(searches) == 3


def test_nothing_is_kept_beyond_the_limit(known, monkeypatch):
    monkeypatch.setattr(known, "most_bytes", 1000)
    playing = game()
    playing.reach("A1").costs_at([(8.0, 9.5)])
    assert (len(known), known.byte_count) == (0, 0)


def test_planners_grow_and_are_weighed_again(known):
    playing = game()
    playing.reach("A1")
    playing.reach("A1").costs_at([(8.0, 9.5)])
    playing.reach("A1").costs_at([(8.0, 9.0)])
    before = known.byte_count
    known.get("another", object)
    searched = known.byte_count
    assert searched > max(10_000, before)
    assert playing.reach("A1").area.area > 0
    known.get("another", object)
    assert known.byte_count > searched


def answers(playing, places):
    """What units say about places, by unit and question."""
    found = {}
    for unit in [unit.id for unit in playing.state][:4]:
        for number, question in enumerate(VARIANTS):
            try:
                answer = playing.reach(unit, "", **question)
            except TableError as error:
                found[unit, number] = str(error)
                continue
            if isinstance(answer, PosedReach):
                found[unit, number] = answer.costs_at(places).tolist()
    return found


@pytest.mark.sampled("up_to_the_bank", "two_guards")
@pytest.mark.parametrize("path", STORIES, ids=[path.stem for path in STORIES])
def test_what_was_found_for_others_changes_no_answer(path, known, monkeypatch):
    dice = np.random.default_rng(len(path.stem))
    playing = load_scenario(path).start()
    left, bottom, right, top = playing.board.bounds
    places = dice.uniform((left, bottom), (right, top), (25, 2))
    found = answers(playing, places)
    assert len(known) < len(found)
    monkeypatch.setattr(known, "most_bytes", 0)
    known.clear()
    assert answers(playing, places) == found


def test_threads_share_what_was_found():
    playing = game()
    places = np.random.default_rng(4).uniform((2, 2), (16, 16), (40, 2))
    alone = {unit: game().reach(unit).costs_at(places).tolist() for unit in ("A1", "B1")}
    KNOWN.clear()
    found, failed = [], []

    def ask(first):
        try:
            for number in range(12):
                unit = ("A1", "B1")[(first + number) % 2]
                found.append((unit, playing.reach(unit).costs_at(places).tolist()))
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(found) == 48
    assert all(costs == alone[unit] for unit, costs in found)


def phased(**more):
    """A mover of two phases, 4 inches each."""
    start, even = PoseStart((0, 0), Fraction(0)), even_ground(Fraction(1))
    phases = {"earlier": (EarlierPhase(Fraction(4)),), **more}
    columns = {"budget": Fraction(4), "modes": (Mode("forward"),), "turns": TurnPrices.flat(1), **phases}
    return PoseSpace(base=Round(0.5), starts=(start,), ground=even, **columns)


def test_the_phase_before_is_that_of_whoever_moves_in_it_alone(searches):
    alone, both = planner_for(phased(earlier=())), planner_for(phased())
    assert both.before is alone
    assert both.costs_at([(6.0, 0.0)]) == pytest.approx([2.0])
    assert alone.costs_at([(3.0, 0.0)]).tolist() == [3.0]
    assert len(searches) == 1


def test_ways_that_cost_too_little_are_those_of_whoever_may_spend_as_little(searches):
    directions = Mode("forward"), Mode("reverse", 180.0)
    less = planner_for(phased(earlier=(), modes=directions))
    enough = planner_for(phased(earlier=(), modes=directions, budget=Fraction(9), more_than=Fraction(4)))
    assert enough.costs_at([(3.0, 0.0)])[0] > 4.0
    assert less.costs_at([(3.0, 0.0)]).tolist() == [3.0]
    assert len(searches) == 2


def test_who_travels_freely_in_the_phase_before_is_asked_over_poses_there():
    free = TurnPrices.flat(0)
    reach = planner_for(phased(turns=free))
    assert type(planner_for(reach.space.before_last)).__name__ == "WeightedReach"
    assert type(reach.before).__name__ == "PoseReach"
    assert reach.costs_at([(6.0, 0.0)]) == pytest.approx([2.0])


def test_who_moves_far_off_changes_nothing(searches, drawings):
    playing, elsewhere = (game(other=other, inches=4) for other in [(15.0, 3.0), (15.0, 4.0)])
    area, costs = playing.reach("A1").area, playing.reach("A1").costs_at([(8.0, 9.5)])
    assert elsewhere.reach("A1").area.equals_exact(area)
    assert elsewhere.reach("A1").costs_at([(8.0, 9.5)]) == costs
    assert (len(searches), len(drawings)) == (1, 1)


def test_the_phase_before_is_shared_by_what_is_near_in_it(searches):
    """What stands between where the first phase leads and where both do is near to the whole move alone."""
    posts = [Round(0.5).at(6, 0)]
    alone, both = planner_for(phased(earlier=(), bars=posts)), planner_for(phased(bars=posts))
    assert both.before is alone
    assert (len(alone.space.bars), len(both.space.bars)) == (0, 1)
    assert both.costs_at([(4.5, 0.0), (6.0, 0.0)]) == pytest.approx([0.5, np.inf])


@pytest.mark.long
@pytest.mark.parametrize("path", STORIES, ids=[path.stem for path in STORIES])
def test_answers_are_those_of_the_whole_table(path, monkeypatch):
    """All that is too far off to matter left out, and nothing."""
    dice = np.random.default_rng(len(path.stem))
    playing = load_scenario(path).start()
    left, bottom, right, top = playing.board.bounds
    places = dice.uniform((left, bottom), (right, top), (40, 2))
    found = answers(playing, places)
    KNOWN.clear()
    monkeypatch.setattr(PoseSpace, "near", property(lambda space: space))
    whole = answers(playing, places)
    assert found.keys() == whole.keys()
    for asked, costs in found.items():
        assert costs == (whole[asked] if isinstance(costs, str) else pytest.approx(whole[asked], abs=0.02))
