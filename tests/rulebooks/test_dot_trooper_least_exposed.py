"""The surest drives to every end, and of those one with the fewest moments to fire: as found step by step in Python."""

from collections import defaultdict
from fractions import Fraction
from itertools import groupby
from math import prod
from pathlib import Path

import pytest
from dt_games import bike, centred, game, shots_offered, trooper

from simulator.formats.scenarios import load_scenario
from simulator.geometry.hex_lattice import DIRECTIONS
from simulator.rulesets.dot_trooper import odds
from simulator.rulesets.dot_trooper.drive_states import HEADINGS, gate_name
from simulator.rulesets.dot_trooper.exposure import exposed_poses
from simulator.rulesets.dot_trooper.odds import RideState
from simulator.rulesets.dot_trooper.poses import heading_after
from simulator.rulesets.dot_trooper.riding import CUT_SHORT, SEGMENTS, check_of_end

SCENARIO = Path(__file__).parents[2] / "scenarios/dot_trooper/through_the_arc.yaml"


def drives(options):
    game = load_scenario(SCENARIO).with_options(options).start(seed=1)
    found = [game.reach(unit.id, "drive") for unit in game.state if unit.carrier]
    return [reach for reach in found if len(getattr(reach, "end_states", ()))]


def ends_before(leg):
    """Whether a turn comes after the end of a segment that was cut short."""
    return leg.after.rest == CUT_SHORT != leg.before.rest


class StepByStep:
    """For each ride and pose the best chance, and the fewest moments to fire on the way there with that chance."""

    def __init__(self, reach):
        self.question, self.space = reach.question, reach.costs.space
        self.gear = self.question.gear
        row, column = reach.corner
        self.fire = exposed_poses(self.question.table, self.question.driver.side)[:, row:, column:]
        start = self.question.start
        first = self.question.rides.rides[0], (HEADINGS.index(start.heading), start.row, start.col)
        self.found = defaultdict(lambda: (Fraction(0), 0), {first: (Fraction(1), 0)})
        self.of_ride = defaultdict(set, {first[0]: {first[1]}})
        for ride, legs in groupby(self.question.rides.legs, key=lambda leg: leg.before):
            together = list(legs)
            # Free turns that lead back to the same ride: five of them reach every heading.
            turns = [leg for leg in together if leg.after == ride]
            for leg in [*turns * 5, *together]:
                for pose in list(self.of_ride[ride]):
                    self.go(leg, pose)

    def go(self, leg, pose):
        """Take a step from a pose, where it is better than what led there before."""
        heading, row, column = pose
        if not self.space.gates[gate_name(HEADINGS[heading], *((leg.name, leg.angle) if leg.angle else ()))][
            row, column
        ]:
            return
        if leg.angle:
            heading = HEADINGS.index(heading_after(HEADINGS[heading], leg.name, leg.angle))
        else:
            across, down = DIRECTIONS[HEADINGS[heading] // 60]
            row, column = row + down, column + across
            if not (0 <= row < self.space.shape[0] and 0 <= column < self.space.shape[1]):
                return
        chance, fire = self.found[leg.before, pose]
        chance = chance if leg.check is None else chance * self.question.chances[leg.check]
        if leg.angle:
            fire += self.fire[pose] * ends_before(leg)
        else:
            # Each segment can be fired at where it begins and where it ends, even if that is the same pose.
            begins = leg.name in SEGMENTS
            fire += self.fire[pose] * begins * (1 + self.is_cut_short(leg.before))
            fire += self.fire[heading, row, column] * (not self.is_cut_short(leg.after))
        there = leg.after, (heading, row, column)
        if chance and (chance, -fire) > (self.found[there][0], -self.found[there][1]):
            self.found[there] = chance, int(fire)
            self.of_ride[leg.after].add(there[1])

    def is_cut_short(self, ride):
        return bool(ride.segment) and ride.dots < self.gear.dots_of(ride.segment) and ride.rest != CUT_SHORT

    def at(self, state):
        """The chance and the exposure of an end."""
        ride, pose = self.question.rides.rides[state.ride], state[1:]
        chance, fire = self.found[ride, pose]
        due = check_of_end(self.gear, ride)
        chance *= 1 if due is None else self.question.chances[due]
        return chance, fire + (self.fire[pose] if self.is_cut_short(ride) else 0)


OPTIONS = [
    {},
    {"partial_segments": True},
    {"partial_segments": True, "forward_before_turn": "once_per_move"},
    {"forward_before_turn": "once_per_move", "stop_dots": "m_per_ap"},
    {"minimum_stop": "allowed_2ap_no_check"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "as chosen")
def test_odds_exposures_and_ways_are_those_found_step_by_step(options, monkeypatch):
    tried = []
    for number, reach in enumerate(drives(options)):
        # Chances are counted in integers of 64 bits, or where these do not suffice in larger ones.
        monkeypatch.setattr(odds, "_LARGEST", (2**63 - 1, 1)[number % 2])
        every = StepByStep(reach)
        for state in (RideState(*row) for row in reach.end_states.tolist()):
            chance, exposure = every.at(state)
            assert Fraction(int(reach.odds.array[state]), reach.odds.whole) == chance > 0
            assert reach.odds.exposure(state) == exposure
            tried.append(exposure)
        for state in (RideState(*row) for row in reach.end_states[::7].tolist()):
            legs = reach.odds.ways_to(state)
            assert walked(every, legs) == (state[1:], every.at(state)[1])
            passed = [*(leg.check for leg in legs), check_of_end(every.gear, reach.question.rides.rides[state.ride])]
            assert prod(reach.question.chances[check] for check in passed if check) == every.at(state)[0]
    assert len(tried) > 100
    assert any(tried)
    assert not all(tried)


def walked(every, legs):
    """The pose in which steps end one after the other, and the moments to fire on the way."""
    start, ride = every.question.start, every.question.rides.rides[0]
    pose, fire = (HEADINGS.index(start.heading), start.row, start.col), 0
    for leg in legs:
        assert leg.before == ride
        heading, row, column = before = pose
        ride = leg.after
        if leg.angle:
            fire += every.fire[before] * ends_before(leg)
            pose = HEADINGS.index(heading_after(HEADINGS[heading], leg.name, leg.angle)), row, column
            continue
        across, down = DIRECTIONS[HEADINGS[heading] // 60]
        pose = heading, row + down, column + across
        fire += every.fire[before] * (leg.name in SEGMENTS) * (1 + every.is_cut_short(leg.before))
        fire += every.fire[pose] * (not every.is_cut_short(leg.after))
    return pose, fire + every.fire[pose] * every.is_cut_short(ride)


@pytest.mark.parametrize("reference", ["targeted_dot", "front", "rear"])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "as chosen")
def test_moments_to_fire_are_the_shots_that_are_offered_in_play(options, reference):
    """DT-72, DT-98: with segments cut short too, which end before a turn that comes after their last dot."""
    foe = trooper("E", "blue", (3, 5), arc=[(1, 0), (2, 0), (2, -1), (4, 1), (3, -2), (6, 0), (1, 1), (2, 2)])
    units = [*bike(place=(0, 0), rider_fields={"ap_bonus": -6}), foe]
    table = game(units, centred(14), options={**options, "arc_reference": reference})
    reach, seen = table.reach("A1", "drive"), set()
    for state in (RideState(*row) for row in reach.end_states[::5].tolist()):
        twin = table.branch()
        twin.do(reach.order_for(state), answers=None)
        assert len(shots_offered(twin)) == reach.odds.exposure(state)
        seen.add(reach.odds.exposure(state))
    assert len(seen) > 2
