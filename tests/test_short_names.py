"""What a terminal or a notebook shows of an answer is one short line; `str` and the pictures tell the whole of it."""

from simulator import SquareGrid, load_scenario, plain_space, reach
from simulator.formats.examples import examples


def test_everything_that_is_answered_shows_itself_in_one_line():
    scenario = load_scenario(examples("scenarios") / "grid_runner" / "market_chase.yaml")
    game = scenario.start()
    answer = game.reach("kit")
    walk = reach(SquareGrid.open(3, 2), plain_space(SquareGrid.open(3, 2), starts=[(0, 0)], budget=2))
    account = scenario.run()
    compared = game.compare("kit", {"scale": "m1"})
    assert repr(scenario) == "<Scenario 'Market chase' of grid_runner: 4 units, 18 orders>"
    assert repr(answer.route_to((8, 9))) == "<Route 6,8 7,9 8,9: 2 squares>"
    assert repr(walk.route_to((1, 1))) == "<Route 0,0 1,1: 1 step>"
    assert repr(game.foresee("kit move: e")) == "<Foreseen kit: e: 1 square>"
    assert repr(compared) == "<Comparison of kit by move: GR-1, GR-2  scale: m2 -> m1>"
    assert repr(game.threats("hunters")).startswith("<ThreatMap of hunters: 2 units on <SquareGrid 'Market square'")
    assert repr(game.state) == f"<State {game.state.hash} with kit, lou, hunter, watcher: {game.state.clock}>"
    assert repr(game.table).startswith("<Table of grid_runner on <SquareGrid 'Market square'")
    assert repr(account).startswith(f"<Account of 'Market chase': {len(account.checks)} of {len(account.checks)} as ")
    assert repr(game.do("kit move: e")) == "<Happened kit move: 4 events, 0 answers, 1 square>"
