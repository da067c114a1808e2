"""Every figure of the tables makes a difference: what an order comes to by the printed one, and by another."""

from pathlib import Path

import pytest
from mecha_carriers import price
from mecha_games import mecha_game, unit
from mecha_house_rules import position

from simulator.engine.errors import OptionError
from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.figures import TABLES
from simulator.rulesets.mecha.options import MOBILITIES

KINDS = {"walker": "mecha", "four_legged_walker": "mecha", "infantry": "infantry", "static": "emplacement"}
#: The names under which boards have the rows of the table of rates.
TERRAINS = {"on_shallow_water": "shallow_water", "on_deep_water": "deep_water", "in_deep_water": "deep_water"}
#: A legal order of each Move Action in the position of all of them, with an element that its budget pays.
ORDERS = {
    "standard": "A standard: forward 0.5",
    "run": "A run: sideways_right 1.1",
    "climb": "K climb keep",
    "break_away": "B break_away: backward 0.5",
    "jump": "J jump: backward 0.5, forward 0.5, jump_off",
    "manoeuvre": "B manoeuvre: turn_left 100 free 90",
    "enter_unit": "W enter_unit C: forward 0.7",
    "unload": "C unload: forward 0.5, set_down V at 6,20 facing 0",
    "exit_unit": "V exit_unit at 5.5,20 facing 180: forward 0.5",
    "charge": "A charge E: turn_left 19.653824058059766 free 19.653824058059766, forward 1.9732137",
    "straighten_up": "L straighten_up",
}


def leaves(tree, path=""):
    """The paths of all figures below one, without clauses."""
    for name, value in tree.items():
        if hasattr(value, "items"):
            yield from leaves(value, f"{path}{name}.")
        elif name not in ("clause", "open"):
            yield f"{path}{name}"


def outcome(game, order, *after):
    """The clauses that forbid the last of some orders, or what it costs."""
    for one in (order, *after)[:-1]:
        game.do(one)
    last = (order, *after)[-1]
    return sorted({breach.clause for breach in game.breaches(last)}) or price(game.do(last))


def everything(**tables):
    """The position of all actions, and one more who has fallen."""
    game = position(tables=tables)
    fallen = RULESET.make_unit("L", "mecha", "red", (3, 3), 0, size_class=2, move=3, fallen=True)
    return Game.new(RULESET, game.board, [*game.state, fallen], tables=tables)


@pytest.mark.parametrize("action", ORDERS)
def test_action_points(action):
    """ME-6, ME-7."""
    assert not everything().breaches(ORDERS[action])
    assert "ME-7" in outcome(everything(**{f"action.{action}.ap": 5}), ORDERS[action])


@pytest.mark.parametrize("action", sorted(set(ORDERS) - {"climb", "straighten_up"}))
def test_budgets(action):
    """ME-6, ME-10; placements have none."""
    assert "ME-10" in outcome(everything(**{f"action.{action}.moves": 0}), ORDERS[action])


def in_terrain(mobility, terrain, tables):
    """What half an inch in a terrain comes to."""
    unit = RULESET.make_unit(
        "A", KINDS.get(mobility, "vehicle"), "red", (9, 9), 0, mobility=mobility, size_class=2, move=9
    )
    ground = Piece("all", TERRAINS.get(terrain, terrain), rectangle((9, 9), (17, 17)))
    board = InchTable("All", 18, 18, pieces=[ground], ground="flat_ground")
    if terrain.endswith("deep_water"):
        tables = {"deep_water.others": terrain, "deep_water.hover": terrain, **tables}
    return outcome(Game.new(RULESET, board, [unit], tables=tables), "A standard: forward 0.5")


@pytest.mark.parametrize("terrain", sorted(set(TABLES["move_table.walker"]) - {"clause", "open"}))
@pytest.mark.parametrize("mobility", MOBILITIES)
def test_rates(mobility, terrain):
    """ME-11, ME-12, ME-15, ME-16: each rate, one that closes the ground, and one of nought."""
    path = f"move_table.{mobility}.{terrain}"
    printed = TABLES[path]
    usual = in_terrain(mobility, terrain, {})
    held = ["ME-26"] if mobility == "static" else ["ME-16"]
    assert usual == {"cant": ["ME-19"], 0: held}.get(printed, float(printed) / 2 if printed != "cant" else None)
    assert in_terrain(mobility, terrain, {path: 3}) == 1.5
    assert in_terrain(mobility, terrain, {path: "cant"}) == ["ME-19"]
    assert in_terrain(mobility, terrain, {path: 0}) == held


@pytest.mark.parametrize("band", range(3))
@pytest.mark.parametrize("feature", sorted(set(TABLES["feature_table"]) - {"clause", "open"}))
def test_features(feature, band):
    """ME-99, ME-101: each cell."""
    size_class, path = (0, 2, 4)[band], f"feature_table.{feature}"
    printed = list(TABLES[path])
    other = [*printed[:band], "rough" if printed[band] != "flat_ground" else "difficult", *printed[band + 1 :]]
    rates = TABLES["move_table.wheel"]

    def found(tables):
        unit = RULESET.make_unit("A", "vehicle", "red", (9, 9), 0, mobility="wheel", size_class=size_class, move=9)
        board = InchTable("All", 18, 18, pieces=[Piece("all", feature, rectangle((9, 9), (17, 17)))], ground="rough")
        return outcome(Game.new(RULESET, board, [unit], tables=tables), "A standard: forward 0.5")

    def said(terrain):
        rate = rates["in_deep_water" if terrain == "deep_water" else terrain]
        return ["ME-19"] if rate == "cant" else float(rate) / 2

    assert (found({}), found({path: other})) == (said(printed[band]), said(other[band]))


def alone(kind, tables, pieces=(), **fields):
    """A unit on an empty table, and an enemy far away."""
    known = {"size_class": 2, "move": 6, **fields}
    unit = RULESET.make_unit("A", kind, "red", known.pop("at", (10, 10)), 0, **known)
    foe = RULESET.make_unit("Z", "mecha", "blue", (27, 27), 180, size_class=2, move=6)
    board = InchTable("Small", 30, 30, pieces=list(pieces), ground="flat_ground")
    return Game.new(RULESET, board, [unit, foe], tables=tables)


TRACK = {"mobility": "track", "kind": "vehicle"}


@pytest.mark.parametrize(
    ("path", "value", "fields", "order", "usual", "then"),
    [
        ("travel.backward", 3, {}, "backward 1", 2, 3),
        ("travel.sideways", 3, {}, "sideways_left 1", 2, 3),
        ("piece.inches", 1, {}, "forward 0.5", 0.5, 1),
        ("turn.usual.step", 45, TRACK, "turn_left 90", 2, 1),
        ("turn.usual.inches", 1, TRACK, "turn_left 90", 2, 4),
        ("turn.infantry.step", 90, {"kind": "infantry"}, "turn_left 90", 1, 0.5),
        ("turn.infantry.inches", 1, {"kind": "infantry"}, "turn_left 90", 1, 2),
        ("free_turn.walker", 45, {}, "turn_left 90 free 90", 0, ["ME-35"]),
        ("free_turn.four_legged_walker", 90, {"mobility": "four_legged_walker"}, "turn_left 90 free 90", ["ME-35"], 0),
    ],
)
def test_figures_of_moves(path, value, fields, order, usual, then):
    """ME-17, ME-20, ME-21, ME-28, ME-31, ME-34, ME-38."""
    known = {"kind": "mecha", **fields}
    kind = known.pop("kind")
    found = [outcome(alone(kind, tables, **known), f"A standard: {order}") for tables in ({}, {path: value})]
    assert found == [usual, then]


def past_a_friend(tables, size_class=5, mobility="walker"):
    friend = RULESET.make_unit("F", "mecha", "red", (13, 10), 0, mobility=mobility, size_class=size_class, move=6)
    game = alone("mecha", tables)
    return outcome(Game.new(RULESET, game.board, [*game.state, friend], tables=tables), "A standard: forward 6")


def test_whom_a_unit_passes():
    """ME-42."""
    assert (past_a_friend({}), past_a_friend({"pass.size_classes": 4})) == (6, ["ME-41"])
    assert past_a_friend({"pass.types": ["hover"]}) == ["ME-41"]


def test_what_a_run_exceeds():
    """ME-50."""
    for tables, usual in (({}, ["ME-50"]), ({"run.more_than_moves": 0}, 4)):
        assert outcome(alone("mecha", tables), "A run: forward 4") == usual


KEEP = Piece("keep", "building", rectangle((20, 10), (6, 6)), "elevated", height=4)
AT_FOOT = {"at": (16.5, 10), "pieces": [KEEP], "free_hands": 2}


def test_who_climbs_what():
    """ME-52, ME-54, ME-107: the keep of 4 inches is of class 2."""
    for tables, found in (
        ({}, 0),
        ({"climb.free_hands": 3}, ["ME-52"]),
        ({"climb.size_classes_above": 1}, ["ME-54"]),
        ({"height_table.up_to": [1, 2, 3]}, ["ME-54"]),
    ):
        assert outcome(alone("mecha", tables, size_class=0, **AT_FOOT), "A climb keep") == found


def test_heights_beyond_the_table():
    """ME-107: the tower of 9 inches is of class 6, and would be of class 8."""
    tower = Piece("tower", "building", rectangle((20, 10), (6, 6)), "elevated", height=9)
    for tables, found in (({}, 0), ({"height_table.further": 0.25}, ["ME-54"])):
        game = alone("mecha", tables, at=(16.5, 10), pieces=[tower], size_class=4)
        assert outcome(game, "A climb tower") == found


@pytest.mark.parametrize(
    ("mobility", "kind"),
    [
        ("walker", "mecha"),
        ("four_legged_walker", "mecha"),
        ("infantry", "infantry"),
        ("track", "vehicle"),
        ("wheel", "vehicle"),
        ("hover", "vehicle"),
        ("static", "emplacement"),
    ],
)
def test_who_jumps_from_where(mobility, kind):
    """ME-65: from a keep of class 2; by another figure it would be a fall, or no fall."""
    usual = TABLES[f"jump.{mobility}"]

    def falls(value, size_class):
        fields = {"mobility": mobility, "size_class": size_class, "at": (22.5, 10), "level": "keep", "pieces": [KEEP]}
        game = alone(kind, {} if value is None else {f"jump.{mobility}": value}, **fields)
        reach = game.reach("A", "jump")
        return reach.cost_at((23.5, 10)) is None

    if usual == "never":
        assert falls(None, 9)
        return
    able = 2 - int(usual)
    assert not falls(None, able)
    assert falls(usual - 1, able)
    assert falls("never", able)


def duel(tables, *others, **fields):
    foe = RULESET.make_unit("B", "mecha", "blue", (11, 10), 180, size_class=2, move=6, **fields)
    game = alone("mecha", tables)
    options = {"pinning_effect": "half_move"}
    return Game.new(RULESET, game.board, [*game.state, foe, *others], tables=tables, options=options)


def test_opportunity_and_pinning():
    """ME-59, ME-61."""
    for tables, spent, x in (({}, 1, 8.5), ({"attack_of_opportunity.ap_less": 0}, 2, 8.5), ({"pinned.share": 1}, 1, 8)):
        game = duel(tables, melee_ap_cost=2)
        game.do("A break_away: backward 2")
        for answer in ("attack", "hits", "moves"):
            game.answer(answer)
        assert game.state.unit("B")["ap_spent"] == spent
        assert game.state.unit("A").place[0] == pytest.approx(x)


def loaded(tables, slots=2):
    truck = RULESET.make_unit("C", "vehicle", "red", (10, 10), 0, size_class=4, move=8, base=1, slots=slots)
    aboard = [
        RULESET.make_unit(f"I{number}", "infantry", "red", None, 0, size_class=0, move=4, carrier="C")
        for number in range(3)
    ]
    board = InchTable("Small", 30, 30, ground="flat_ground")
    return Game.new(RULESET, board, [truck, *aboard], tables=tables)


def test_what_carriers_hold_and_unload():
    """ME-74, ME-78."""
    both = "set_down I0 at 8.5,10 facing 0, set_down I1 at 8.9393,8.9393 facing 0"
    assert outcome(loaded({}), f"C unload: {both}") == 0
    assert outcome(loaded({"carrier.unloads_still": 0.5}), f"C unload: {both}") == ["ME-78"]
    moved = "C unload: forward 1, set_down I0 at 9.5,10 facing 0"
    assert outcome(loaded({}), moved) == 1
    assert outcome(loaded({"carrier.unloads_moved": 0.25}), moved) == ["ME-78"]
    for tables, faults in (({}, []), ({"carrier.slots_infantry": 1}, ["ME-74"])):
        assert [fault.clause for fault in RULESET.faults(loaded(tables).table)] == faults


def test_a_slot_of_others():
    """ME-74."""
    truck = RULESET.make_unit("C", "vehicle", "red", (10, 10), 0, size_class=4, move=8, base=1, slots=1)
    car = RULESET.make_unit("V", "vehicle", "red", (8.5, 10), 0, size_class=1, move=4)
    board = InchTable("Small", 30, 30, ground="flat_ground")
    for tables, found in (({}, 0), ({"carrier.slots": 2}, ["ME-74"])):
        assert outcome(Game.new(RULESET, board, [truck, car], tables=tables), "V enter_unit C") == found


def test_modifiers_of_a_charge():
    """ME-89, ME-90."""
    charge = ORDERS["charge"]
    for tables, melee, other in (({}, 2, -2), ({"charge.bonus": 3, "charge.penalty": -4}, 3, -4)):
        for how, wanted in (("melee", melee), ("shooting", other)):
            game = everything(**tables)
            game.do(charge)
            (event,) = [one for one in game.do(f"A attack E with {how}").events if one.kind == "attacks"]
            assert wanted in [value for _, value in event.detail.items() if isinstance(value, int)], event.detail


def test_low_tops():
    """ME-105: class 0 is less than a quarter of size class 2, and not less than none of it: then it bars the way."""
    slab = Piece("slab", "building", rectangle((13, 10), (1, 6)), "elevated", height=1)
    for tables, found in (({}, 8), ({"low_top.share": 0}, ["ME-106"])):
        assert outcome(alone("mecha", tables, pieces=[slab], move=9), "A standard: forward 3.5") == found


def test_bands_of_size_classes():
    """ME-101: up to which size class a wood is what for whom."""
    wood = Piece("wood", "woodland", rectangle((10, 10), (9, 9)))
    for up_to, found in (([0, 3], 2), ([1, 3], 1)):
        game = alone("mecha", {"feature_bands.up_to": up_to}, pieces=[wood], size_class=1)
        assert outcome(game, "A standard: forward 0.5") == found


def test_a_row_that_a_scenario_adds():
    """ME-12, ME-101: a feature may be ground that the tables do not have."""
    ice = {"move_table.walker.ice": 3, "feature_table.pond": ["ice", "ice", "ice"]}
    game = alone("mecha", ice, pieces=[Piece("pool", "pond", rectangle((10, 10), (9, 9)))])
    assert outcome(game, "A standard: forward 0.5") == 1.5


#: A mobility type that the tables do not have.
HEXAPOD = {f"move_table.hexapod.{terrain}": 1 for terrain in TABLES["move_table.walker"]}


class TestAColumnThatAScenarioAdds:
    """ME-12: it is another mobility type."""

    MUD = Piece("mud", "difficult", rectangle((13, 10), (1, 3)))

    def test_units_move_by_it(self):
        game = alone("mecha", HEXAPOD | {"move_table.hexapod.difficult": 3}, pieces=[self.MUD], mobility="hexapod")
        assert game.reach("A", "standard").cost_at((13, 10)) == 5
        assert outcome(game.branch(), "A standard: forward 3") == 5
        assert outcome(game, "A standard: sideways_left 1") == ["ME-23"]
        assert outcome(game, "A free_turn: turn_left 1") == ["ME-34"]

    @pytest.mark.parametrize(
        "given", [HEXAPOD, {"move_table": {"hexapod": dict.fromkeys(TABLES["move_table.walker"], 1)}}]
    )
    def test_it_may_be_given_as_a_whole(self, given):
        hexapod = unit("A", "hexapod")
        assert mecha_game(hexapod, tables=given).reach("A", "standard").cost_at((6, 0)) == 6

    def test_what_other_tables_and_options_say_of_it(self):
        """ME-14, ME-22, ME-34, ME-42, ME-65."""
        more = {"free_turn.hexapod": 60, "jump.hexapod": 0, "deep_water.hexapod": "on_deep_water"}
        more |= {"move_table.hexapod.on_deep_water": 2, "pass.types": ["hexapod"]}
        hexapod = unit("A", "hexapod", level="keep")
        friend = unit("B", "hexapod", (2, 0), level="keep", size_class=9)
        keep = Piece("keep", "building", rectangle((0, 0), (10, 4)), "elevated", 4)
        lake = Piece("lake", "deep_water", rectangle((20, 0), (10, 9)))
        boat = unit("C", "hexapod", (20, 0))
        options = {"sideways_types": ["hexapod"]}
        game = mecha_game(hexapod, friend, boat, terrain=(keep, lake), tables=HEXAPOD | more, options=options)
        for order, cost in (
            ("A free_turn: turn_left 60", 0),
            ("A standard: sideways_left 1", 2),
            ("A standard: forward 4", 4),
            ("A jump: sideways_left 1.5, jump_off", 3),
            ("C standard: forward 1", 2),
        ):
            assert outcome(game.branch(), order) == cost
        assert game.reach("A", "jump").cost_at((0, 2.5)) == 2.5  # 60 degrees free, 30 more for 1, and 1.5 inches

    def test_it_never_jumps_unless_that_is_said(self):
        """ME-65."""
        keep = Piece("keep", "building", rectangle((0, 0), (10, 4)), "elevated", 4)
        game = mecha_game(unit("A", "hexapod", level="keep"), terrain=(keep,), tables=HEXAPOD)
        assert outcome(game, "A jump: forward 4.5, jump_off") == ["ME-65"]
        assert game.reach("A", "jump").area.is_empty

    @pytest.mark.parametrize(
        ("tables", "options", "message"),
        [
            ({"move_table.hexapod.rough": 1}, {}, "a column has figures for all movement terrains, also for difficult"),
            ({"move_table.wakler.rough": 1}, {}, "did you mean 'walker'"),
            (HEXAPOD | {"jump.hexapo": 1}, {}, "did you mean 'hexapod'"),
            (HEXAPOD | {"free_turn.trak": 1}, {}, "did you mean 'track'"),
            ({"deep_water.track": "on_deap_water"}, {}, "did you mean 'on_deep_water'"),
            ({"feature_table.pond": ["ice", "ice", "ice"]}, {}, "no movement terrain 'ice'"),
            ({}, {"sideways_types": ["hexapod"]}, "'hexapod' is not one of its values"),
        ],
    )
    def test_what_does_not_fit(self, tables, options, message):
        """A readable error says what would be right."""
        with pytest.raises(OptionError, match=message):
            mecha_game(unit("A", "walker"), tables=tables, options=options)

    def test_units_of_which_the_tables_know_nothing(self):
        with pytest.raises(OptionError, match=r"units.A.mobility: no such value; known: walker"):
            mecha_game(unit("A", "hexapod"))
        ice = {"move_table.walker.ice": 3, "feature_table.pond": ["ice", "ice", "ice"]}
        pool = Piece("pool", "pond", rectangle((10, 10), (9, 9)))
        with pytest.raises(
            OptionError, match=r"units.A: there is no figure move_table.track.ice, the ground that pond is"
        ):
            mecha_game(unit("A", "track"), terrain=(pool,), tables=ice)


def test_who_has_no_free_turn():
    """ME-34: none but walkers, by any figure."""
    for mobility in ("track", "wheel", "hover"):
        assert outcome(alone("vehicle", {}, mobility=mobility), "A standard: turn_left 1 free 1") == ["ME-34"]
    assert outcome(alone("mecha", {}, free_turned=90), "A free_turn: turn_left 1") == ["ME-35"]


#: Figures that other tests of these rules change, and two that no rule uses: placements have no budget.
ELSEWHERE = {"fall.dice", "deep_water.hover", "deep_water.others"}
WITHOUT_EFFECT = {"action.climb.moves", "action.straighten_up.moves"}


def test_no_figure_is_left_out():
    tested = {f"action.{name}.{what}" for name in ORDERS for what in ("ap", "moves")} - WITHOUT_EFFECT
    text = Path(__file__).read_text(encoding="utf-8")
    left = [
        path
        for path in leaves(TABLES)
        if path not in tested | ELSEWHERE | WITHOUT_EFFECT
        and not path.startswith(("move_table.", "feature_table.", "jump."))
        and f'"{path}"' not in text
    ]
    assert left == []


def test_a_figure_of_an_action_is_none_of_the_free_turn():
    """A free turn spends nothing, whatever getting up would have to spend (ME-34)."""
    play = mecha_game(unit("A", "walker"), tables={"action.straighten_up.moves": 1})
    reach = play.reach("A", "free_turn")
    assert reach.most == 0
    assert reach.cost_at((0.0, 0.0)) == 0
    assert reach.cost_at((1.0, 0.0)) is None
    turned_only = next(plan for plan in play.reach("A", "phase").plans if plan.price == 0)
    assert turned_only.answer.cost_at((1.0, 0.0)) is None
