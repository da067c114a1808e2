"""Many at once: whatever an answer says out of one search for all, the character is answered alone."""

import numpy as np
import pytest
from grid_runner_boards import generated
from grid_runner_positions import asked_at

from simulator.engine.errors import TableError, WrongQuestion
from simulator.pathing.traces import NoRoute
from simulator.rulesets.grid_runner.reach.questions import TOGETHER

OPTIONS = (
    {},
    {"diagonal_parity_reset": "never"},
    {"diagonal_corners": "only_between_two"},
    {"held_threatens": True},
    {"carry_over": True, "turn_total_cap": True},
    {"split_move": True},
)


def outcome(ask):
    """What is answered, or what is raised."""
    try:
        return ask()
    except (TableError, NoRoute) as error:
        return type(error), str(error)


def all_said(answer, one_in):
    """Everything that an answer of reach says: of itself and every state at an end, and of one square in so many."""
    places = list(answer.board.places())
    said = {
        "mover": answer.mover,
        "action": answer.action,
        "unit": answer.unit,
        "before": answer.before,
        "budget": answer.budget,
        "start": answer.start,
        "refused": answer.refused,
        "length": len(answer),
        "places": answer.places,
        "area": answer.area.wkt,
        "counts": answer.counts(),
        "bands": [(level, region.wkt) for level, region in answer.bands()],
        "chance bands": outcome(lambda: [(level, region.wkt) for level, region in answer.chance_bands()]),
        "costs": answer.costs_at([*places, (-9, -9)]).tolist(),
        "cheapest": answer.cheapest.tolist(),
        "states": answer.array.tolist(),
        "ends": answer.ends,
        "certain": outcome(lambda: answer.certain.tolist()),
        "chances": outcome(lambda: answer.known_chances),
        "geojson": outcome(lambda: str(answer.to_geojson())),
        "itself": repr(answer),
    }
    for place in places[len(answer) % one_in :: one_in]:
        said[place] = (
            place in answer,
            answer.cost_at(place),
            answer.ends_at(place),
            outcome(lambda place=place: answer.chance_at(place)),
            outcome(lambda place=place: answer.route_to(place)),
            outcome(lambda place=place: answer.orders_to(place)),
            outcome(lambda place=place: answer.orders_to(place, safest=True)),
            outcome(lambda place=place: answer.why_not(place)),
        )
    return said


def differences(game, action, one_in=5, **question):
    """The characters that are answered otherwise among many than alone, and in what."""
    found = []
    names = [unit.id for unit in game.state if unit.place is not None]
    for name, together in game.reach_many(names, action, **question):
        alone = outcome(lambda name=name: game.reach(name, action, **question))
        if isinstance(together, TableError) or isinstance(alone, tuple):
            if (type(together), str(together)) != alone:
                found.append((name, together, alone))
            continue
        one, other = all_said(together, one_in), all_said(alone, one_in)
        found += [(name, what, one[what], other[what]) for what in other if one[what] != other[what]]
    return found


class TestEveryAnswerIsTheOneGivenAlone:
    """GR-26 to GR-41, GR-48 to GR-58, GR-62 to GR-71: masks and costs of one search, states of one's own."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("action", TOGETHER)
    @pytest.mark.parametrize("scale", ["m1", "m2", "m5"])
    @pytest.mark.parametrize("seed", range(2))
    def test_on_generated_boards(self, seed, scale, action):
        for number, options in enumerate(OPTIONS[seed::2]):
            game = generated(10 * seed + number, scale, options, budget=3, crowd=6)
            assert differences(game, action) == []

    @pytest.mark.sampled("m2")
    @pytest.mark.parametrize("scale", ["m1", "m2"])
    def test_in_a_crowd(self, scale):
        game = generated(77, scale, {}, budget=3, crowd=16)
        assert differences(game, "move", one_in=9) == []

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        "question", [{"mode": "run"}, {"mode": "walk"}, {"chances": {"A1": "1/2"}}, {"pool": 9}], ids=str
    )
    def test_with_what_can_be_asked_besides(self, question):
        for seed in (5, 6):
            action = "tumble" if "pool" in question else "move"
            assert differences(generated(seed, "m2", {}, budget=4, crowd=6), action, **question) == []

    @pytest.mark.parametrize("seed", range(200, 210))
    def test_at_every_moment_of_a_turn(self, seed):
        if (position := asked_at(seed, several=False)) is not None:
            assert differences(position[0], "move") == []


class TestStatesThatComeBack:
    """GR-26: a walk that comes back to where it began with another count of diagonals is a state like any other."""

    def test_are_in_the_answer(self):
        game = generated(3, "m1", {}, budget=6, crowd=5)
        found = dict(game.reach_many(action="move"))
        own = {name: answer.ends_at(answer.mover.place) for name, answer in found.items()}
        assert any(len(ends) == 2 for ends in own.values())
        assert own == {name: game.reach(name, "move").ends_at(game.state.unit(name).place) for name in own}


class TestOneSearch:
    def test_is_all_that_costs_and_threats_take(self, monkeypatch):
        """No character's states are searched where nobody asks for them."""
        from simulator.pathing.kernel.prepared import Prepared

        game = generated(4, "m1", {}, budget=5, crowd=12)
        wanted = {name: game.reach(name, "move").cheapest for name in game.state.units}
        searches = []
        together = Prepared.search_many
        monkeypatch.setattr(Prepared, "search", lambda *_: pytest.fail("one character was searched alone"))
        monkeypatch.setattr(
            Prepared, "search_many", lambda self, asked, **more: searches.append(asked) or together(self, asked, **more)
        )
        found = dict(game.reach_many(action="move"))
        assert {name: answer.cheapest.tolist() for name, answer in found.items()} == {
            name: costs.tolist() for name, costs in wanted.items()
        }
        assert [len(asked) for asked in searches] == [len(found)]
        threats = game.threats("red", "move")
        assert np.array_equal(threats.counts, sum((wanted[name] < 2**62).astype(int) for name in threats.threats))

    def test_wrong_questions_are_refused_as_ever(self):
        game = generated(4, "m1", {}, budget=5, crowd=4)
        with pytest.raises(WrongQuestion, match="there is no 'nobody'"):
            list(game.reach_many(action="move", chances={"nobody": "1/2"}))
        assert differences(game, "move", sprint=1) == []
        assert all(isinstance(answer, TableError) for _, answer in game.reach_many(action="move", passes=9))
