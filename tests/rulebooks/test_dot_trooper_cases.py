"""The worked examples of the rulebook, case by case, through orders and questions of reach."""

from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from dt_games import RULES, bike, centred, game, trooper

from simulator.engine.answers import Answer
from simulator.engine.questions import Roll
from simulator.geometry.dots import Edge
from simulator.geometry.poses import Pose
from simulator.rulesets.dot_trooper.units import trooper_hp, vehicle_hp

FOLDER = Path(__file__).parents[1] / "cases" / "dot_trooper"
CASES = [case for file in sorted(FOLDER.glob("*.yaml")) for case in yaml.safe_load(file.read_text())]


def dot(text):
    q, r = text.split(",")
    return int(q), int(r)


def board_of(given):
    special = [(dot(text), {"impassable": True}) for text in given.get("impassable", ())]
    special += [(dot(text), {"storeys": count}) for text, count in given.get("storeys", {}).items()]
    special += [(dot(text), {"level": level}) for text, level in given.get("levels", {}).items()]
    special += [(dot(text), {"openings": True}) for text in given.get("openings", ())]
    edges = [
        Edge(kind, *map(dot, between.split()))
        for kind, all_of_them in given.get("edges", {}).items()
        for between in all_of_them
    ]
    return centred(given.get("radius", 24), special=special, edges=edges)


def units_of(given, board):
    units = []
    for name, fields in given.items():
        fields = dict(fields)
        place = tuple(fields.pop("at"))
        side = fields.pop("side", "red")
        heading = fields.pop("heading", 0)
        if fields.get("arc") == "all":
            fields["arc"] = tuple(board.places())
        if fields.pop("type", "") == "vehicle":
            units += bike(name, side, place, heading, rider=None, motion="stopped", **fields)
        elif name == "bike":
            rider = fields.pop("rider", {})
            named, given_rider = (None, {}) if rider == "none" else ("A1", rider)
            units += bike(name, side, place, heading, named, given_rider, **fields)
        else:
            units.append(trooper(name, side, place, **fields))
    return units


class Always:
    """Answers every shot with one target and every roll with one result."""

    def __init__(self, target, result):
        self.target, self.result = target, result

    def answer(self, question, moment):
        if isinstance(question, Roll):
            return None if self.result is None else Answer(self.result)
        return Answer(self.target if self.target in question.options else None)


def seen(unit, name):
    if name == "at":
        return unit.place and list(unit.place)
    if name == "heading":
        return unit.heading
    if name == "hp":
        return (vehicle_hp if unit.type == "vehicle" else trooper_hp)(unit)
    if name == "armor":
        return "none" if unit["armor"] is None else unit["armor"]
    return list(unit[name]) if isinstance(unit[name], tuple) else unit[name]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.get('example', ' '.join(case['clauses']))}: {case['says']}"
)
def test_example(case):
    board = board_of(case.get("map", {}))
    always = Always(case.get("always"), case.get("results")) if "always" in case or "results" in case else None
    table = game(units_of(case["units"], board), board, always, case.get("options"), case.get("tables"))
    assert list(RULES.faults(table.table)) == []
    check_orders(table, case.get("legal", ()), case.get("refused", {}))
    if "reach" in case:
        check_reach(table, case["reach"])
    orders = case.get("do", [])
    asked = []
    spent = 0
    for number, order in enumerate(orders):
        happened = table.do(order)
        last = number == len(orders) - 1
        answers = [*case.get("answers", ()), *case.get("answers_last", ())] if last else []
        for answer in answers:
            happened = table.answer(answer)
        if "asked" in case or not last:
            asked += [happened.question] if happened.question is not None else []
            while table.question is not None:
                happened = table.answer(None)
        asked += [entry.question for entry in happened.answered]
        spent += happened.ledger.total("AP")
    if "asks" in case:
        assert table.question.needed == case["asks"]["needed"]
        assert table.question.chance == Fraction(case["asks"]["chance"])
    elif orders:
        assert table.question is None
    if "asked" in case:
        assert len({id(question) for question in asked}) >= case["asked"]
        assert bool(asked) == bool(case["asked"])
    for who, times in case.get("asked_of", {}).items():
        assert sum(question.who == who and not isinstance(question, Roll) for question in asked) == times
    if "price" in case:
        assert spent == case["price"]
    for name, fields in case.get("after", {}).items():
        unit = table.state.unit(name)
        assert {field: seen(unit, field) for field in fields} == fields
    check_orders(table, case.get("legal_after", ()), case.get("refused_after", {}))


def check_orders(table, legal, refused):
    for order in legal:
        assert table.breaches(order) == []
    for order, clauses in refused.items():
        assert set(clauses) <= {breach.clause for breach in table.breaches(order)}


def check_reach(table, wanted):
    reach = table.reach(wanted["unit"], wanted["action"], **wanted.get("asking", {}))
    if "places" in wanted:
        assert len(reach) == wanted["places"]
    if "poses" in wanted:
        assert len(reach.poses) == wanted["poses"]
    if "certain" in wanted:
        assert len(reach.certain) == wanted["certain"]
    if "fronts" in wanted:
        found = {}
        for pose in reach.poses:
            found.setdefault(pose.front, []).append(pose.heading)
        assert {front: sorted(headings) for front, headings in found.items()} == {
            dot(text): headings for text, headings in wanted["fronts"].items()
        }
    assert all(dot(text) in reach for text in wanted.get("includes", ()))
    assert not any(dot(text) in reach for text in wanted.get("excludes", ()))
    for place, heading, motion, odds in wanted.get("odds", ()):
        assert reach.probability(Pose(dot(place), heading), motion) == Fraction(odds)
