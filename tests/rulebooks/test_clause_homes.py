"""Each clause's condition and figure have one home: what is shared is listed here, with the reason."""

import ast
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from simulator.engine import clauses
from simulator.engine.clauses import CLAUSE_ID, ROLE_OF_MODULE, ROLES, by_role
from simulator.engine.ruleset import import_whole
from simulator.rulesets import shelf

NAMES = ("combined_arms", "dot_trooper", "grid_runner", "mecha", "skirmish")
PREFIXES = {"combined_arms": "CA-", "dot_trooper": "DT-", "grid_runner": "GR-", "mecha": "ME-", "skirmish": "SK-"}
ROOM = Path(clauses.__file__).parents[1] / "rulesets"


class Shared(NamedTuple):
    """Modules and folders of a rulebook that may serve the same clauses in one role, and why."""

    ruleset: str
    role: str
    modules: tuple[str, ...]
    reason: str


PARTS = "a search is put together of parts, each of which asks the rule that it needs"
EVENTS = "what a clause lets happen begins in one activity and ends in another"
SHARED = [
    Shared("combined_arms", "play", ("actions", "clock", "damage", "fire", "under_way"), EVENTS),
    Shared(
        "combined_arms",
        "judge",
        ("beside_doors", "fire", "judge", "leaving"),
        "a target is judged where a shot is ordered, and while it moves; doors and the edge of the board by themselves",
    ),
    Shared(
        "combined_arms",
        "rule",
        ("beside_doors", "beside_hull", "boarding", "getting_off", "transport"),
        "how near a door one place is, and which places and levels are, in one pose of a transport or in many",
    ),
    Shared(
        "combined_arms",
        "rule",
        (
            "bands",
            "entering",
            "features",
            "fire",
            "matrix",
            "movement",
            "out_of_sight",
            "overruns",
            "rates",
            "sight",
            "storeys",
            "turning",
            "units",
        ),
        "what a clause says of a piece, of the ground and of a move each stands where that is known",
    ),
    Shared(
        "mecha",
        "play",
        ("attacking", "breaking_away", "climbing", "clock", "destroying", "entering", "falling", "playing", "pushing"),
        EVENTS,
    ),
    Shared(
        "mecha",
        "judge",
        (
            *("attacking", "climbing", "declaring", "destroying", "exiting", "judge", "move_judge", "setting_down"),
            "setting_faults",
        ),
        "an action as it is declared, where it leads, where a unit is set down, and what no game begins with",
    ),
    Shared(
        "mecha",
        "rule",
        ("elevated", "falling", "features", "landing", "passing", "rates", "turning"),
        "what ground costs a unit stands in its tables, what ground there is on the board, on and under its tops",
    ),
    Shared(
        "mecha",
        "rule",
        (
            *("attacking", "breaking_away", "capacity", "charging", "climbing", "contact", "movement", "passing"),
            *("setting_down", "turning", "unloading"),
        ),
        "who is touched, passed, charged or carried is asked by each action in its own way",
    ),
    Shared(
        "mecha", "odds", ("break_away_reach", "certain_plans", "odds"), "that nobody hits, and what that makes of areas"
    ),
    Shared(
        "mecha",
        "search",
        ("height_plans", "jump_then", "jumps_in_turns", "plans"),
        "plans of a turn, with jumps in them or not",
    ),
    Shared("mecha", "search", ("carrier_reach", "setting_down", "unload_limits", "unload_reach"), PARTS),
    Shared("skirmish", "search", ("any_direction", "front_point", "planner_tables", "reach", "traverse"), PARTS),
    Shared(
        "skirmish", "odds", ("front_point", "odds"), "a plan is followed by one search, by places or by front points"
    ),
    Shared("skirmish", "why", ("why",), "a reason and what would help against it"),
    Shared(
        "skirmish",
        "judge",
        ("judge", "movement", "obstruction", "rolls", "traverse"),
        "a move and a traverse are judged apart, and a position by itself, each by the same standing room",
    ),
    Shared(
        "skirmish",
        "rule",
        ("movement", "obstruction", "rolls", "dodging", "actions", "units", "traverse", "front_point"),
        "a line, a traverse and a dodge stop at the same things and are priced by the same clause, each in its own way",
    ),
    Shared("grid_runner", "search", ("allotments", "movement", "reach"), PARTS),
    Shared("grid_runner", "play", ("actions", "clock", "interception", "tumbling"), EVENTS),
    Shared(
        "grid_runner",
        "judge",
        ("charging", "clock", "judge", "movement"),
        "an order is judged as a whole; its path, the pass and a charge each where they are known",
    ),
    Shared("grid_runner", "rule", ("clock", "interception"), "a free action is had from the clock and spent on it"),
    Shared("grid_runner", "rule", ("movement", "tumbling", "units"), "of squares, and of those who stand there"),
    Shared(
        "dot_trooper",
        "search",
        ("exposure", "flight", "foot", "landings", "movement", "planning", "reach", "surroundings", "without_effect"),
        PARTS,
    ),
    Shared(
        "dot_trooper", "odds", ("checks", "movement", "odds", "outcomes", "ride_steps"), "a check, a plan, how it ends"
    ),
    Shared("dot_trooper", "why", ("why",), "who walks and who drives are told apart"),
    Shared("dot_trooper", "play", ("clock", "damage", "drive", "fire", "flight", "foot", "other_actions"), EVENTS),
    Shared(
        "dot_trooper",
        "judge",
        ("aiming", "clock", "judge", "other_actions", "riding", "ruleset"),
        "a drive, an attack and a position are judged apart; weapons and vehicles say what they can do",
    ),
    Shared(
        "dot_trooper",
        "judge",
        ("flight", "foot", "poses", "riding", "ruleset", "surroundings"),
        "who walks, flies, drives or only stands there is kept off dots and edges in its own way, off the map in one",
    ),
    Shared(
        "dot_trooper",
        "rule",
        ("aiming", "checks", "clock", "drive", "fire", "other_actions", "units", "weapons"),
        "an attack on foot, from the saddle and on the move is one clause with a part in each",
    ),
    Shared(
        "dot_trooper",
        "rule",
        ("checks", "foot", "movement", "riding", "units", "weapons", "without_effect"),
        "AP, modes and checks are counted for one trooper, for a ride and for a whole movement",
    ),
    Shared("dot_trooper", "rule", ("damage", "drive"), "what ends a drive is known to damage and to the drive"),
    Shared(
        "dot_trooper",
        "rule",
        ("aiming", "ruleset", "skids", "standing", "surroundings", "without_effect"),
        "who takes up which dots: of one unit, of a position, of a board by itself",
    ),
]


def homes():
    """For each rulebook, role and clause the modules of its functions, without the rulebook's own name."""
    found = defaultdict(set)
    for name in NAMES:
        import_whole(shelf()[name])
    for id in clauses._implemented:
        for role, several in by_role(id).items():
            for one in several:
                if one.module.startswith("simulator.rulesets."):
                    _, _, name, *rest = one.module.split(".")
                    found[name, role, id].add(".".join(rest))
    return {key: modules for key, modules in found.items() if len(modules) > 1}


def covers(entry, key, modules):
    return key[:2] == entry[:2] and all(
        any(module == room or module.startswith(f"{room}.") for room in entry.modules) for module in modules
    )


def test_what_serves_a_clause_in_one_role_stands_in_one_module_or_is_listed():
    alone = [
        (key, sorted(modules)) for key, modules in homes().items() if not any(covers(e, key, modules) for e in SHARED)
    ]
    assert alone == []


@pytest.mark.parametrize("entry", SHARED, ids=lambda entry: f"{entry.ruleset} {entry.role} {entry.modules[0]}")
def test_the_list_holds_nothing_that_is_not_needed(entry):
    met = [modules for key, modules in homes().items() if covers(entry, key, modules)]
    assert met
    used = {module for modules in met for module in modules}
    assert all(any(module == room or module.startswith(f"{room}.") for module in used) for room in entry.modules)


# --- figures ---

#: Functions in which a number happens to be that of a figure of their clause: what it counts there.
NOT_THE_FIGURE = {
    ("combined_arms", "sees", 2): "twice so close to a wall is inside",
    ("combined_arms", "_spans_in_sight", 2): "squares of lengths",
    ("combined_arms", "brackets_of", 180): "half a turn",
    ("dot_trooper", "most_changes", 2): "changes of posture that can help: up, and down again",
    ("dot_trooper", "foot_space", 2): "half of those changes come before a flight",
    ("grid_runner", "charge_breaches", 2): "a path of one square is none",
    ("skirmish", "_inches_of_one_ap", 2): "two radii of a base",
    ("skirmish", "_moves_by_stance", 2): "the end of a range of one move",
}


def figures_by_clause(name):
    tables, found = shelf()[name].tables, defaultdict(dict)
    for path in tables:
        figure = tables[path]
        for one in figure if isinstance(figure, tuple) else (figure,):
            if isinstance(one, (int, float)) and not isinstance(one, bool):
                for id in CLAUSE_ID.findall(tables.clause(path)):
                    found[id][abs(one)] = path
    return found


def ties_of(node):
    """The clauses that a function is tied to."""
    ties = [mark for mark in node.decorator_list if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "clause"]
    return [word.value for tie in ties for word in tie.args]


def numbers_written_again(name):
    """Numbers in functions of a clause that are figures of that clause; 0 and 1 are everywhere."""
    figures = figures_by_clause(name)
    for path in sorted((ROOM / name).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                known = {figure for id in ties_of(node) for figure in figures[id]}
                numbers = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
                for number in numbers - {0, 1}:
                    if type(number) in (int, float) and number in known:
                        yield name, node.name, number


@pytest.mark.parametrize("name", NAMES)
def test_no_figure_of_a_clause_is_written_again_in_its_functions(name):
    assert set(numbers_written_again(name)) == {key for key in NOT_THE_FIGURE if key[0] == name}


# --- roles ---


def test_every_role_is_there_and_every_module_that_tells_one():
    assert set(ROLE_OF_MODULE.values()) == set(ROLES) - {"rule"}
    rooms = {part for path in ROOM.rglob("*.py") for part in path.relative_to(ROOM).with_suffix("").parts}
    assert set(ROLE_OF_MODULE) <= rooms


@pytest.mark.parametrize("name", NAMES)
def test_each_rulebook_has_functions_of_every_role(name):
    prefix = PREFIXES[name]
    import_whole(shelf()[name])
    roles = {role for id in clauses._implemented if id.startswith(prefix) for role in by_role(id)}
    # grid_runner's reasons ask the judge, and have no condition of their own.
    assert set(ROLES) - roles <= ({"why"} if name == "grid_runner" else set())
