"""The same Tiled map in every way that its tiles, tilesets and properties can be written."""

import base64
import gzip
import json
import struct
import zlib

import pytest

from simulator.formats.foreign import read_map

GIDS = (1, 2, 0x80000001, 0, 2, 0xE0000001)
WORDS = ["grass", "stone", "grass", "outside", "stone", "grass"]
HEAD = {"type": "map", "orientation": "orthogonal", "width": 3, "height": 2, "tilewidth": 8, "tileheight": 8}
TILES = [{"id": 0, "type": "grass"}, {"id": 1, "class": "stone"}]
SET = {"firstgid": 1, "name": "set", "tiles": TILES}


def packed(gids=GIDS):
    return struct.pack(f"<{len(gids)}I", *gids)


def text(data):
    return base64.b64encode(data).decode()


def words_of(board):
    return [board.terrain_at(place) for place in board.places()]


def tmj(tmp_path, layer, tileset=SET, **head):
    document = HEAD | head | {"tilesets": [tileset], "layers": [{"type": "tilelayer", "name": "ground"} | layer]}
    (tmp_path / "map.tmj").write_text(json.dumps(document))
    return read_map(tmp_path / "map.tmj")


JSON_LAYERS = {
    "numbers": {"data": list(GIDS)},
    "csv": {"encoding": "csv", "data": list(GIDS)},
    "base64": {"encoding": "base64", "data": text(packed())},
    "base64 without compression": {"encoding": "base64", "compression": "", "data": text(packed())},
    "zlib": {"encoding": "base64", "compression": "zlib", "data": text(zlib.compress(packed()))},
    "gzip": {"encoding": "base64", "compression": "gzip", "data": text(gzip.compress(packed(), mtime=0))},
}


@pytest.mark.parametrize("layer", JSON_LAYERS.values(), ids=JSON_LAYERS.keys())
def test_tiles_in_json(layer, tmp_path):
    made = tmj(tmp_path, layer)
    assert words_of(made.board) == WORDS
    assert made.report.lost["turn or mirror of a tile (only drawn)"].count == 2


XML_DATA = {
    "tiles": "<data>" + "".join(f'<tile gid="{gid}"/>' for gid in GIDS[:3]) + "<tile/>"
    + "".join(f'<tile gid="{gid}"/>' for gid in GIDS[4:]) + "</data>",
    "csv": f'<data encoding="csv">\n{",".join(map(str, GIDS))},\n</data>',
    "base64": f'<data encoding="base64">\n  {text(packed())}\n</data>',
    "zlib": f'<data encoding="base64" compression="zlib">{text(zlib.compress(packed()))}</data>',
    "gzip": f'<data encoding="base64" compression="gzip">{text(gzip.compress(packed(), mtime=0))}</data>',
}  # fmt: skip


@pytest.mark.parametrize("data", XML_DATA.values(), ids=XML_DATA.keys())
def test_tiles_in_xml(data, tmp_path):
    (tmp_path / "map.tmx").write_text(
        '<map orientation="orthogonal" width="3" height="2" tilewidth="8" tileheight="8">'
        '<tileset firstgid="1" name="set"><tile id="0" type="grass"/><tile id="1" class="stone"/></tileset>'
        f'<layer name="ground">{data}</layer></map>'
    )
    assert words_of(read_map(tmp_path / "map.tmx").board) == WORDS


class TestInfiniteMaps:
    CHUNKS = (
        {"x": -2, "y": -1, "width": 2, "height": 2, "data": [0, 1, 0, 2]},
        {"x": 0, "y": -1, "width": 2, "height": 2, "data": [2, 0, 1, 1]},
    )

    def test_chunks_are_put_together_from_the_first_tile_on(self, tmp_path):
        made = tmj(tmp_path, {"chunks": list(self.CHUNKS)}, infinite=True, width=0, height=0)
        assert (made.board.width, made.board.height) == (3, 2)
        assert words_of(made.board) == ["grass", "stone", "outside", "stone", "grass", "grass"]
        assert "the map has no edges of its own: column -1, row -1 is 0, 0" in made.report.notes

    def test_shifted_columns_stay_shifted(self, tmp_path):
        hexes = {"orientation": "hexagonal", "staggeraxis": "x", "staggerindex": "odd", "hexsidelength": 4}
        made = tmj(tmp_path, {"chunks": list(self.CHUNKS)}, infinite=True, width=0, height=0, **hexes)
        board = made.board
        assert board.layout.value == "odd_columns"
        assert {board.layout.offset(dot) for dot in board.places()} == {(1, 0), (2, 0), (1, 1), (2, 1), (3, 1)}

    def test_without_a_tile_there_is_no_board(self, tmp_path):
        empty = {"x": 0, "y": 0, "width": 1, "height": 1, "data": [0]}
        with pytest.raises(Exception, match="the map holds no tile"):
            tmj(tmp_path, {"chunks": [empty]}, infinite=True, width=0, height=0)


class TestTilesets:
    def test_beside_the_map_in_json(self, tmp_path):
        (tmp_path / "set.tsj").write_text(json.dumps({"name": "set", "tiles": TILES}))
        made = tmj(tmp_path, {"data": list(GIDS)}, {"firstgid": 1, "source": "set.tsj"})
        assert words_of(made.board) == WORDS

    def test_of_old_versions(self, tmp_path):
        old = {"firstgid": 1, "tileproperties": {"0": {"terrain": "grass"}, "1": {"terrain": "stone", "wall": True}}}
        board = tmj(tmp_path, {"data": list(GIDS)}, old).board
        assert words_of(board) == WORDS
        assert bool(board.walls[0, 1])

    def test_several_have_ranges_of_numbers(self, tmp_path):
        layer = {"type": "tilelayer", "name": "ground", "data": [1, 11, 1, 12, 11, 1]}
        more = {"firstgid": 11, "name": "more", "tiles": [{"id": 0, "type": "mud"}]}
        (tmp_path / "map.tmj").write_text(json.dumps(HEAD | {"tilesets": [SET, more], "layers": [layer]}))
        made = read_map(tmp_path / "map.tmj")
        assert words_of(made.board) == ["grass", "mud", "grass", "more_1", "mud", "grass"]
        assert made.report.notes == ["tiles without a class are named after their tileset and number"]

    def test_properties_that_boards_do_not_have_are_counted(self, tmp_path):
        said = [{"name": "colour", "type": "color", "value": "#ff00ff00"}, {"name": "cost", "type": "int", "value": 2}]
        tiles = [{"id": 0, "type": "grass", "properties": said}, {"id": 1, "type": "stone"}]
        made = tmj(tmp_path, {"data": list(GIDS)}, SET | {"tiles": tiles})
        assert {"property 'colour' of a tile", "property 'cost' of a tile"} <= set(made.report.lost)


def test_a_layer_speaks_for_tiles_that_say_nothing(tmp_path):
    said = [{"name": "level", "type": "int", "value": 3}, {"name": "impeded", "type": "bool", "value": True}]
    board = tmj(tmp_path, {"data": list(GIDS), "properties": said}).board
    assert board.level.tolist() == [[3, 3, 3], [0, 3, 3]]
    assert board.impeded.tolist() == [[True, True, True], [False, True, True]]


def test_tile_objects_stand_on_their_lower_left_corner(tmp_path):
    crate = {"id": 1, "name": "crate", "type": "obstacle", "gid": 1, "x": 8, "y": 16, "width": 8, "height": 8}
    layer = {"type": "objectgroup", "name": "things", "offsetx": 8, "objects": [crate]}
    (tmp_path / "map.tmj").write_text(json.dumps(HEAD | {"tilesets": [SET], "layers": [layer]}))
    (piece,) = read_map(tmp_path / "map.tmj", "table").board.pieces
    assert piece.shape.polygon.bounds == (2, 0, 3, 1)
