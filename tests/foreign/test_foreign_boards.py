"""Each sample as a board, place by place, what its report counts, and what can be asked of it."""

import json
import math

import pytest
import shapely

from simulator import load_scenario, plain_space, reach, save_board
from simulator.formats.foreign import read_map
from simulator.formats.new_scenario import new_scenario_text
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.pathing.free import plan, prepare
from simulator.pathing.free.solids import obstacles_on
from simulator.rulesets import shelf


def lost(made):
    return {what: loss.count for what, loss in made.report.lost.items()}


class TestMegaMek:
    def at(self, board, column, row):
        dot = OffsetLayout.ODD_COLUMNS.dot(column, row)
        index = board.index(dot)
        return board.terrain_at(dot), int(board.level[index]), int(board.storeys[index]), bool(board.impassable[index])

    def test_every_hex(self, sample):
        board = sample("ridge.board").board
        assert board.layout is OffsetLayout.ODD_COLUMNS
        assert (board.scale, board.description) == ((30.0, "metre"), "Hills")
        assert [[self.at(board, column, row) for column in range(5)] for row in range(4)] == [
            [
                ("clear", 0, 0, False),
                ("light_woods", 0, 0, False),
                ("heavy_woods", 1, 0, False),
                ("rough", 2, 0, False),
                ("clear", 2, 0, False),
            ],
            [
                ("road", 0, 0, False),
                ("road", 0, 0, False),
                ("clear", 1, 0, False),
                ("impassable", 2, 0, True),
                ("light_jungle", 1, 0, False),
            ],
            [
                ("water_1", 0, 0, False),
                ("bridge", 0, 0, False),
                ("building_2", 0, 3, False),
                ("building_2", 0, 3, False),
                ("building_3", 0, 1, False),
            ],
            [
                ("swamp", -1, 0, False),
                ("planted_fields", 0, 0, False),
                ("clear", 0, 0, False),
                ("clear", 0, 0, False),
                ("lava_tube", 0, 0, False),
            ],
        ]

    def test_walls_stand_below_cliffs_and_between_buildings_that_are_not_joined(self, sample):
        board = sample("ridge.board").board
        offset = board.layout.offset
        walls = {(offset(edge.a), offset(edge.b)) for edge in board.edges}
        assert walls == {((2, 1), (2, 2)), ((3, 2), (4, 2))}
        assert {edge.kind for edge in board.edges} == {"wall"}

    def test_what_is_lost_is_counted(self, sample):
        made = sample("ridge.board")
        assert lost(made) == {
            "option exit_roads_to_pavement false": 1,
            "theme 'snow'": 1,
            "foliage_elev": 2,
            "exits of road": 2,
            "exits of bridge": 1,
            "bridge_cf": 1,
            "bridge_elev": 1,
            "water under another terrain of its hex": 1,
            "bldg_cf": 3,
            "fire": 1,
        }
        assert made.report.lost["foliage_elev"].places == ["line 5", "line 6"]
        assert made.report.notes == ["no meaning is known for 'lava_tube': it is its own word"]

    def test_the_number_of_a_hex_says_nothing(self, sample):
        plain = sample("ridge.board").board
        assert sample("ridge.board", ("hex 0504", "hex 0101")).board == plain

    def test_spelling_of_the_words_and_line_ends_do_not_matter(self, sample, tmp_path):
        plain = sample("ridge.board").board
        text = (tmp_path / "ridge.board").read_text().replace("hex ", "HEX ")
        (tmp_path / "ridge.board").write_text(f"# drawn by hand\n{text}", newline="\r\n")
        assert read_map(tmp_path / "ridge.board").board == plain

    def test_a_walker_keeps_off_walls_and_closed_ground(self, sample):
        board = sample("ridge.board").board
        dot = board.layout.dot
        answer = reach(board, plain_space(board, starts=[dot(2, 1)], budget=1))
        found = {board.layout.offset(end.place) for end in answer.ends}
        assert found == {(2, 1), (2, 0), (1, 0), (1, 1), (3, 0)}

    def test_water_can_sink_and_buildings_be_walled_in(self, sample, tmp_path):
        (tmp_path / "own.toml").write_text(
            'format = 1\n[megamek]\nwater = {word = "lake", sinks = true}\n'
            'building = {word = "house", walls = "around"}\n'
        )
        board = sample("ridge.board", mapping=tmp_path / "own.toml").board
        assert self.at(board, 0, 2) == ("lake", -1, 0, False)
        assert self.at(board, 1, 2)[:2] == ("lake", -2), "words of one's own name the terrain before others"
        house = board.layout.dot(2, 2)
        assert board.neighbours(house) == [board.layout.dot(3, 2)]


class TestTiledSquares:
    ROWS = ("#gggWW", "gwpgWW", "gwpggo", "gggg?g")

    def test_every_square(self, sample):
        board = sample("keep.tmx").board
        words = {
            "#": ("grass", True, False, 0),
            "g": ("grass", False, False, 0),
            "W": ("water", False, True, -1),
            "w": ("wall", True, False, 0),
            "p": ("planks", False, False, 2),
            "o": ("outside", True, False, 0),
            "?": ("grass", False, False, 2),
        }
        for row, glyphs in enumerate(self.ROWS):
            for column, glyph in enumerate(glyphs):
                found = (
                    board.terrain_at((column, row)),
                    bool(board.walls[row, column]),
                    bool(board.impeded[row, column]),
                    int(board.level[row, column]),
                )
                assert found == words[glyph], (column, row)

    def test_objects_are_walls_areas_and_labels(self, sample):
        board = sample("keep.tmx").board
        assert (3, 2) not in board.neighbours((4, 2))
        assert (3, 3) not in board.neighbours((4, 3))
        assert (3, 1) in board.neighbours((4, 1))
        assert [(area.name, area.side, area.places) for area in board.areas] == [
            ("gate", "red", ((0, 2), (0, 3), (1, 2), (1, 3)))
        ]
        assert [(label.x, label.y, label.text) for label in board.labels] == [(0.5, 3.5, "sign"), (3.0, 0.5, "Yard")]
        assert board.description == "A keep by a moat."

    def test_what_is_lost_is_counted(self, sample):
        assert lost(sample("keep.tmx")) == {
            "turn or mirror of a tile (only drawn)": 1,
            "grass under another tile": 1,
            "wall under another tile": 1,
        }

    def test_a_walker_goes_round_the_wall(self, sample):
        board = sample("keep.tmx").board
        answer = reach(board, plain_space(board, starts=[(3, 3)], budget=6))
        assert (4, 3) in answer
        assert answer.cost_at((4, 3)) > 1
        assert (1, 1) not in answer

    def test_words_and_scale_are_the_users(self, sample):
        board = sample("keep.tmx", terrain={"grass": "meadow", "water": "moat"}, scale=2.0).board
        assert board.scale == (2.0, "metre")
        assert board.terrain_at((4, 0)) == "moat"
        assert int(board.level[0, 4]) == -1


class TestTiledDots:
    def test_every_dot(self, sample):
        board = sample("isles.tmj").board
        dot = board.layout.dot
        assert board.layout is OffsetLayout.EVEN_COLUMNS
        words = [
            [board.terrain_at(dot(column, row)) if dot(column, row) in board else None for column in range(4)]
            for row in range(3)
        ]
        assert words == [
            ["meadow", "forest", "meadow", None],
            ["meadow", "rock", "meadow", "meadow"],
            [None, "meadow", "forest", "meadow"],
        ]
        assert board.surfaces_at(dot(1, 0)) == (0, 1)
        assert bool(board.impassable[board.index(dot(1, 1))])

    def test_areas_are_drawn_by_layers_and_objects(self, sample):
        board = sample("isles.tmj").board
        found = {area.name: (area.side, {board.layout.offset(place) for place in area.places}) for area in board.areas}
        assert found == {"harbour": ("blue", {(0, 0), (0, 1)}), "cove": ("", {(2, 1), (3, 1)})}
        (label,) = board.labels
        assert (label.x, label.y) == board.centre(board.layout.dot(1, 0))

    def test_areas_of_one_name_are_numbered(self, sample):
        made = sample("isles.tmj", ('"cove"', '"harbour"'))
        assert [area.name for area in made.board.areas] == ["harbour", "harbour-2"]
        assert made.report.notes == ["names that occur more than once are numbered"]

    @pytest.mark.parametrize(
        ("axis", "index", "layout"),
        [
            ("x", "odd", "odd_columns"),
            ("x", "even", "even_columns"),
            ("y", "odd", "odd_rows"),
            ("y", "even", "even_rows"),
        ],
    )
    def test_what_is_staggered_is_what_is_shifted(self, sample, axis, index, layout):
        changes = [('"staggeraxis": "x"', f'"staggeraxis": "{axis}"'), ('"even"', f'"{index}"')]
        assert sample("isles.tmj", *changes).board.layout.value == layout

    def test_a_walker_goes_round_the_rock(self, sample):
        board = sample("isles.tmj").board
        dot = board.layout.dot
        answer = reach(board, plain_space(board, starts=[dot(0, 0)], budget=9))
        assert dot(1, 1) not in answer
        assert len(answer) == 9


class TestTiledTables:
    def test_every_piece(self, sample):
        table = sample("yard.tmj", kind="table").board
        pieces = {piece.id: piece for piece in table.pieces}
        assert (table.width, table.height) == (12, 8)
        assert set(pieces["shed"].shape.shell) == {(2, 6), (2, 3), (0, 3), (0, 6)}, "turned clockwise about its corner"
        assert (pieces["shed"].height, pieces["shed"].layer) == (2.5, "obstacle")
        assert (pieces["well"].shape.x, pieces["well"].shape.y, pieces["well"].shape.radius) == (8.5, 5.5, 0.5)
        assert pieces["pond"].shape.polygon.area == pytest.approx(math.pi * 1.5, rel=0.01)
        assert pieces["pond"].layer == "ground"
        assert (pieces["fence"].shape.points, pieces["fence"].shape.width) == (((10, 7), (10, 4), (11, 4)), 0.25)
        assert pieces["heap"].shape.polygon.bounds == (10, 1, 12, 3), "cut at the edge of the table"
        (area,) = table.entry_areas
        assert (area.name, area.side, area.shape.polygon.area) == ("west edge", "red", 8)
        assert [(label.x, label.y, label.text) for label in table.labels] == [(6.0, 7.5, "The yard")]

    def test_the_size_of_a_tile_is_the_users(self, sample):
        table = sample("yard.tmj", kind="table", scale=2.0).board
        assert (table.width, table.height) == (24, 16)
        assert table.by_id["well"].shape.radius == 1.0


class TestUniversalVtt:
    def test_every_piece(self, sample):
        table = sample("cellar.dd2vtt").board
        assert (table.width, table.height, table.origin) == (8, 6, (0, 0))
        shapes = {piece.id: piece.shape for piece in table.pieces}
        assert shapes["wall_1"].points == ((2, 5), (2, 2), (4, 2))
        assert shapes["wall_2"].points == ((5, 2), (6, 2), (6, 5), (2, 5))
        assert shapes["door_1"].points == ((4, 2), (5, 2))
        assert set(shapes["object_1"].shell) == {(6.9, 5.9), (7.9, 5.9), (7.9, 4.9), (6.9, 4.9)}
        assert {piece.layer for piece in table.pieces} == {"obstacle"}

    def test_what_is_lost_is_counted(self, sample):
        made = sample("cellar.dd2vtt")
        assert lost(made) == {"environment": 1, "light": 1, "picture": 1, "id of a portal": 1}
        assert made.report.notes == ["open portals are gaps in the walls"]

    def test_a_room_with_a_closed_door_is_closed(self, sample):
        closed = sample("cellar.dd2vtt").board
        opened = sample("cellar.dd2vtt", ('"closed": true', '"closed": false')).board
        inside, outside = (4.0, 3.5), (4.5, 1.0)
        for table, expected in ((closed, False), (opened, True)):
            found = plan(prepare(obstacles_on(table), 0.2), inside, 8)
            assert found.area().covers(shapely.Point(*outside)) is expected

    def test_walls_on_grid_lines_become_edges_of_squares(self, sample):
        made = sample("cellar.dd2vtt", kind="squares")
        board = made.board
        assert (board.width, board.height) == (8, 6)
        room = reach(board, plain_space(board, starts=[(3, 2)], budget=20))
        assert {end.place for end in room.ends} == {(column, row) for column in range(2, 6) for row in range(1, 4)}
        assert bool(board.walls[0, 7]), "the crate covers its centre"
        assert made.report.lost["stretch of a wall off the grid lines"].places == ["wall 2, line 7"]

    def test_a_wall_and_a_door_may_share_an_edge(self, sample):
        half = [
            ('{ "x": 6, "y": 5 } ],', '{ "x": 6.5, "y": 5 } ],'),
            ('{ "x": 7, "y": 5 }, { "x": 8', '{ "x": 7.5, "y": 5 }, { "x": 8'),
        ]
        doors = (
            '"bounds": [ { "x": 6, "y": 5 }, { "x": 7, "y": 5 } ]',
            '"bounds": [ { "x": 6.5, "y": 5 }, { "x": 7.5, "y": 5 } ]',
        )
        plain = sample("cellar.dd2vtt", kind="squares").board
        assert sample("cellar.dd2vtt", *half, doors, kind="squares").board == plain
        opened = sample("cellar.dd2vtt", *half, doors, ('"closed": true', '"closed": false'), kind="squares")
        assert opened.report.lost["edge that is walled in part, and left open"].count == 2
        assert (4, 4) in opened.board.neighbours((4, 3))

    def test_a_square_is_as_long_as_the_user_says(self, sample):
        table = sample("cellar.dd2vtt", scale=1.5).board
        assert (table.width, table.height) == (12, 9)
        assert table.by_id["door_1"].shape.points == ((6, 3), (7.5, 3))


class TestGeoJson:
    def test_every_piece(self, sample):
        table = sample("hamlet.geojson").board
        pieces = table.by_id
        assert (table.width, table.height) == (48, 36)
        assert (pieces["mill"].kind, pieces["mill"].layer, pieces["mill"].height) == ("building", "obstacle", 3)
        assert pieces["mill"].shape.polygon.area == 84
        assert pieces["brook"].kind == "river"
        assert pieces["brook"].shape.polygon.area == pytest.approx(2 * 2 * math.hypot(18, 2), rel=0.01)
        oaks = [(pieces[name].shape.x, pieces[name].shape.radius) for name in ("oak", "oak-2")]
        assert oaks == [(5.0, 1.5), (8.0, 1.5)]
        assert pieces["vegetation-2"].shape.polygon.bounds == (40, 4, 48, 12)
        assert [(area.name, area.side) for area in table.entry_areas] == [("west", "red")]
        assert [label.text for label in table.labels] == ["Hamlet"]

    def test_what_is_lost_is_counted(self, sample):
        assert lost(sample("hamlet.geojson")) == {
            "third coordinate (heights are a property)": 1,
            "feature without a geometry": 1,
            "property 'source'": 1,
            "part that reaches over the edge of the table": 2,
        }

    def test_without_a_box_the_table_is_as_large_as_what_is_on_it(self, sample):
        made = sample("hamlet.geojson", ('"bbox": [0, 0, 48, 36],', ""))
        assert (made.board.origin, made.board.width, made.board.height) == ((0, -1), 52, 38)
        assert "the table is as large as what is on it: 52 × 38" in made.report.notes

    def test_a_base_goes_round_the_mill(self, sample):
        table = sample("hamlet.geojson").board
        found = plan(prepare(obstacles_on(table), 0.5), (8, 15), 30)
        assert found.route_to((22, 15)).length == pytest.approx(2 * math.hypot(2, 5.5) + 10, rel=0.05)

    def test_the_answer_of_a_reach_query_is_areas_and_labels(self, tmp_path):
        game = load_scenario("scenarios/skirmish/the_yard.yaml").start()
        answer = game.reach("ash", action="run")
        (tmp_path / "ash.geojson").write_text(json.dumps(answer.to_geojson()))
        table = read_map(tmp_path / "ash.geojson").board
        assert not table.pieces
        assert "area" in {area.name for area in table.entry_areas}


class TestBenchmarks:
    def test_a_moving_ai_map(self, sample):
        board = sample("pond.map", scale=3.0).board
        assert board.scale == (3.0, "metre")
        assert [board.terrain_at((column, 0)) for column in range(5)] == [
            "ground",
            "ground",
            "outside",
            "water",
            "water",
        ]
        assert (3, 1) not in board.neighbours((4, 1)), "no step from water to land"

    def test_its_letters_are_words(self, sample, tmp_path):
        own = tmp_path / "own.toml"
        own.write_text(
            'format = 1\n[movingai]\nT = "wood"\nS = { skip = true }\nG = { skip = true }\n"@" = "outside"\n'
        )
        found = sample("pond.map", mapping=own, terrain={"W": "lake"})
        rows = [[found.board.terrain_at((column, row)) for column in range(5)] for row in range(2)]
        assert rows == [
            ["ground", "ground", "outside", "lake", "lake"],
            ["ground", "wood", "ground", "open", "lake"],
        ]
        assert (1, 1) in found.board.neighbours((0, 1)), "a wood that the mapping does not close"
        assert (2, 0) in found.board.neighbours((2, 1)), "ground that keeps its name"
        assert (3, 1) not in found.board.neighbours((4, 1)), "a shore is a wall, whatever the water is called"
        assert list(found.report.lines()) == ["not carried over: 1 × S (left out by the mapping)"]

    @pytest.mark.parametrize("ruleset", ["skirmish", "combined_arms", "mecha"])
    def test_a_mesh_is_played_on(self, sample, tmp_path, ruleset):
        save_board(sample("court.mesh", scale=12.0).board, tmp_path / "court.yaml")
        text = new_scenario_text(shelf()[ruleset], tmp_path / "court.yaml", tmp_path)
        (tmp_path / "play.yaml").write_text(text)
        assert load_scenario(tmp_path / "play.yaml").run().ok

    def test_its_closed_ground_is_a_word(self, sample, tmp_path):
        own = tmp_path / "own.toml"
        own.write_text('format = 1\n[polyanya]\nclosed = { word = "pond", layer = "replacing", height = 0.5 }\n')
        (piece,) = sample("court.mesh", mapping=own).board.pieces
        assert (piece.kind, piece.layer, piece.height) == ("pond", "replacing", 0.5)
        (piece,) = sample("court.mesh", terrain={"closed": "high_wall"}).board.pieces
        assert (piece.kind, piece.layer) == ("high_wall", "obstacle")
        own.write_text("format = 1\n[polyanya]\nclosed = { skip = true }\n")
        found = sample("court.mesh", mapping=own)
        assert not found.board.pieces
        assert list(found.report.lines()) == ["not carried over: 1 × closed ground (left out by the mapping)"]

    def test_a_mesh_of_version_3(self, sample):
        table = sample("court.mesh").board
        assert (table.width, table.height) == (4, 3)
        assert [piece.shape.polygon.bounds for piece in table.pieces] == [(2, 1, 4, 2)]

    def test_a_mesh_is_scaled(self, sample):
        table = sample("court.mesh", scale=2.5).board
        assert (table.width, table.height) == (10, 7.5)
        assert [piece.shape.polygon.bounds for piece in table.pieces] == [(5, 2.5, 10, 5)]


class TestPlay:
    """A converted board is a board: a rulebook plays on it."""

    def play(self, board, tmp_path, ruleset, units, scenery="[]"):
        save_board(board, tmp_path / "board.yaml")
        text = f"format: 1\nruleset: {ruleset}\nboard: board.yaml\nscenery: {scenery}\nunits:\n  ann: {units}\n"
        (tmp_path / "play.yaml").write_text(text)
        return load_scenario(tmp_path / "play.yaml").start()

    def test_a_soldier_runs_through_the_yard(self, sample, tmp_path):
        board = sample("yard.tmj", kind="table").board
        game = self.play(board, tmp_path, "skirmish", "{type: soldier, side: red, at: [4, 4]}", "[entry_areas]")
        found = game.reach("ann", action="run")
        assert (6, 4) in found
        assert (1, 4.5) not in found, "the shed"

    def test_a_soldier_stays_in_the_cellar(self, sample, tmp_path):
        board = sample("cellar.dd2vtt").board
        game = self.play(board, tmp_path, "skirmish", "{type: soldier, side: red, at: [4, 3.5]}")
        found = game.reach("ann", action="run")
        assert (3.5, 3.5) in found
        assert (4.5, 1.0) not in found

    def test_a_runner_moves_in_the_keep(self, sample, tmp_path):
        board = sample("keep.tmx").board
        unit = "{type: character, side: runners, at: [3, 3], passes: 2, running: 6}"
        game = self.play(board, tmp_path, "grid_runner", unit, "[terrain, level, areas]")
        found = game.reach("ann", action="move")
        assert (3, 0) in found
        assert (1, 1) not in found

    def test_a_trooper_moves_on_the_ridge(self, sample, tmp_path):
        board = sample("ridge.board").board
        q, r = board.layout.dot(2, 1)
        unit = f"{{type: trooper, side: red, at: [{q}, {r}], level: 1}}"
        game = self.play(board, tmp_path, "dot_trooper", unit, "[terrain]")
        found = game.reach("ann", action="foot_move")
        assert board.layout.dot(2, 0) in found
        assert board.layout.dot(3, 1) not in found
