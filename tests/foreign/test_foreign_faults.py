"""Faulty maps: each is refused with its place and what would be right; nothing outside their folder is read."""

import base64
import json
import random
import re
import struct
import zlib
from pathlib import Path

import pytest
import yaml

from simulator.errors import BoardError, FileError, LimitReached
from simulator.formats import limits
from simulator.formats.foreign import read_map

HERE = Path(__file__).parent
SAMPLES = HERE / "samples"
BROKEN = yaml.safe_load((HERE / "broken.yaml").read_text(encoding="utf-8"))
MAPS = sorted(path.name for path in SAMPLES.iterdir() if path.suffix != ".tsx")


class TestBrokenMaps:
    def test_there_are_more_than_a_hundred(self):
        assert len(BROKEN) > 100
        assert {each["map"] for each in BROKEN} == {path.name for path in SAMPLES.iterdir()} - {"yard.tmj"}

    @pytest.mark.parametrize("broken", BROKEN, ids=lambda each: f"{each['map']}: {each['new'][:30]!r}")
    def test_each_is_refused_with_its_place(self, broken, tmp_path):
        for path in SAMPLES.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        text = (tmp_path / broken["map"]).read_text(encoding="utf-8")
        assert broken["old"] in text
        (tmp_path / broken["map"]).write_text(text.replace(broken["old"], broken["new"], 1), encoding="utf-8")
        asked = "keep.tmx" if broken["map"] == "stones.tsx" else broken["map"]
        with pytest.raises(LimitReached if broken.get("limit") else FileError) as error:
            read_map(tmp_path / asked)
        assert isinstance(error.value, LimitReached) is broken.get("limit", False)
        first = str(error.value.faults[0]).replace(f"{tmp_path}/", "")
        assert first == broken["says"]
        assert error.value.faults[0].line > 0

    def test_all_faults_of_independent_parts_come_at_once(self, sample):
        with pytest.raises(FileError) as error:
            sample("hamlet.geojson", ('"height": 3', '"height": -3'), ('"width": 2', '"width": true'))
        assert [fault.path for fault in error.value.faults] == [
            "features[0].properties.height",
            "features[1].properties.width",
        ]

    def test_a_long_list_of_faults_is_cut(self, tmp_path):
        hexes = "\n".join('hex 0101 x "" ""' for _ in range(300))
        (tmp_path / "odd.board").write_text(f"size 300 1\n{hexes}\nend\n")
        with pytest.raises(FileError, match="200 more faults from here on") as error:
            read_map(tmp_path / "odd.board")
        assert len(error.value.faults) == 101

    def test_a_byte_that_is_no_text(self, tmp_path):
        for name in ("ridge.board", "cellar.dd2vtt", "keep.tmx", "pond.map"):
            data = (SAMPLES / name).read_bytes()
            (tmp_path / name).write_bytes(data[:60] + b"\xff" + data[60:])
            with pytest.raises(FileError) as error:
                read_map(tmp_path / name)
            assert error.value.faults[0].line > 0

    @pytest.mark.parametrize("name", ["town.json", "town.txt", "town"])
    def test_a_name_that_tells_no_format(self, name, tmp_path):
        with pytest.raises(FileError, match=r"no map has names that end in"):
            read_map(tmp_path / name)

    def test_a_file_that_is_missing(self, tmp_path):
        with pytest.raises(FileError, match="cannot be read: No such file"):
            read_map(tmp_path / "missing.tmx")

    def test_a_kind_that_cannot_be(self):
        with pytest.raises(BoardError, match=r"a \.board file becomes dots, not table"):
            read_map(SAMPLES / "ridge.board", "table")
        with pytest.raises(FileError, match=r"keep\.tmx:2:1: orientation: .* becomes squares or table, not dots"):
            read_map(SAMPLES / "keep.tmx", "dots")

    def test_a_scale_that_cannot_be(self):
        with pytest.raises(BoardError, match="expected a scale above 0"):
            read_map(SAMPLES / "ridge.board", scale=-1.0)


class TestAnything:
    """Whatever stands in a file: it is a board, or a FileError. Nothing else, ever."""

    ODD = (
        b"-1",
        b"0",
        b"9" * 20,
        b"1e999",
        b"NaN",
        b"null",
        b"true",
        b"[]",
        b"{}",
        b'""',
        b'"x"',
        b"\xff",
        b"\0",
        b"[[[[",
    )

    @pytest.mark.parametrize("name", MAPS)
    def test_mutations_of_samples(self, name, tmp_path):
        rng = random.Random(name)
        (tmp_path / "stones.tsx").write_bytes((SAMPLES / "stones.tsx").read_bytes())
        whole = (SAMPLES / name).read_bytes()
        refused = 0
        for _ in range(120):
            data = bytearray(whole)
            for _ in range(rng.randint(1, 3)):
                token = rng.choice([match.span() for match in re.finditer(rb"[-\w.]+", bytes(data))] or [(0, 1)])
                at = rng.randrange(len(data) + 1)
                match rng.randrange(4):
                    case 0:
                        data[token[0] : token[1]] = rng.choice(self.ODD)
                    case 1:
                        data[at:at] = rng.choice(self.ODD)
                    case 2:
                        del data[at : at + rng.randint(1, 20)]
                    case _:
                        data[at : at + 1] = bytes([rng.randrange(256)])
            (tmp_path / name).write_bytes(data)
            try:
                read_map(tmp_path / name, "table" if name == "yard.tmj" else None)
            except FileError as error:
                refused += 1
                assert error.faults
        assert refused > 20

    @pytest.mark.parametrize("suffix", [".board", ".tmx", ".tmj", ".uvtt", ".geojson", ".map", ".mesh"])
    def test_bytes_without_a_meaning(self, suffix, tmp_path):
        rng = random.Random(suffix)
        for size in (0, 1, 2, 10, 100, 1000):
            path = tmp_path / f"noise{suffix}"
            path.write_bytes(rng.randbytes(size))
            with pytest.raises(FileError):
                read_map(path)

    @pytest.mark.parametrize("name", MAPS)
    def test_a_file_that_ends_too_early(self, name, tmp_path):
        (tmp_path / "stones.tsx").write_bytes((SAMPLES / "stones.tsx").read_bytes())
        whole = (SAMPLES / name).read_bytes().rstrip()
        for share in range(1, 10):
            (tmp_path / name).write_bytes(whole[: len(whole) * share // 10])
            with pytest.raises(FileError):
                read_map(tmp_path / name, "table" if name == "yard.tmj" else None)


class TestOutsideTheFolder:
    @pytest.fixture
    def folder(self, tmp_path):
        inner = tmp_path / "maps"
        (inner / "sets").mkdir(parents=True)
        (tmp_path / "stones.tsx").write_bytes((SAMPLES / "stones.tsx").read_bytes())
        (inner / "sets" / "stones.tsx").write_bytes((SAMPLES / "stones.tsx").read_bytes())
        return inner

    def convert(self, folder, source):
        text = (SAMPLES / "keep.tmx").read_text(encoding="utf-8")
        (folder / "keep.tmx").write_text(text.replace("stones.tsx", source))
        return read_map(folder / "keep.tmx")

    @pytest.mark.parametrize("source", ["sets/stones.tsx", "./sets/../sets/stones.tsx", "sets\\stones.tsx"])
    def test_a_folder_inside_is_fine(self, folder, source):
        assert self.convert(folder, source).board.terrain_at((3, 0)) == "grass"

    @pytest.mark.parametrize(
        "source", ["../stones.tsx", "sets/../../stones.tsx", "..\\stones.tsx", "//host/stones.tsx"]
    )
    def test_anything_outside_is_refused(self, folder, source):
        with pytest.raises(FileError, match=r"keep\.tmx:6:2: .* is outside the folder of the map"):
            self.convert(folder, source)

    def test_so_is_an_absolute_path(self, folder, tmp_path):
        with pytest.raises(FileError, match="is outside the folder of the map"):
            self.convert(folder, str(tmp_path / "stones.tsx"))

    def test_so_is_a_link_that_leads_outside(self, folder, tmp_path):
        (folder / "linked.tsx").symlink_to(tmp_path / "stones.tsx")
        with pytest.raises(FileError, match="is outside the folder of the map"):
            self.convert(folder, "linked.tsx")

    def test_so_is_a_folder_that_is_such_a_link(self, folder, tmp_path):
        (folder / "up").symlink_to(tmp_path)
        with pytest.raises(FileError, match="is outside the folder of the map"):
            self.convert(folder, "up/stones.tsx")

    def test_links_in_a_circle(self, folder):
        (folder / "one.tsx").symlink_to(folder / "two.tsx")
        (folder / "two.tsx").symlink_to(folder / "one.tsx")
        with pytest.raises(FileError):
            self.convert(folder, "one.tsx")


class TestBombs:
    def test_tiles_that_inflate_to_more_than_the_layer(self, sample):
        bomb = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()
        tiles = re.search(r"eJ\S+", (SAMPLES / "keep.tmx").read_text())[0]
        with pytest.raises(FileError, match="holds more than the 24 tiles that the layer can have"):
            sample("keep.tmx", (tiles, bomb))

    def test_tiles_that_end_too_early(self, sample):
        cut = base64.b64encode(zlib.compress(struct.pack("<24I", *range(24)))[:-5]).decode()
        tiles = re.search(r"eJ\S+", (SAMPLES / "keep.tmx").read_text())[0]
        with pytest.raises(FileError, match="is not valid zlib: it ends too early"):
            sample("keep.tmx", (tiles, cut))

    def test_entities(self, sample):
        laughs = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
        head = f'<!DOCTYPE map [<!ENTITY a0 "ha">{laughs}]>'
        with pytest.raises(FileError, match="an entity is not allowed here"):
            sample("keep.tmx", ('<?xml version="1.0" encoding="UTF-8"?>', head), ("A keep by a moat.", "&a9;"))

    def test_a_document_type_is_not_read(self, sample):
        head = ('<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE map SYSTEM "/etc/passwd">')
        assert sample("keep.tmx", head).board == sample("keep.tmx").board
        with pytest.raises(FileError, match="the entity &moat; has no meaning here"):
            sample("keep.tmx", head, ("by a moat", "by a moat"), ("Yard</text>", "&moat;</text>"))

    def test_nesting(self, tmp_path):
        (tmp_path / "deep.geojson").write_text("[" * 100_000)
        with pytest.raises(LimitReached, match=r"deep\.geojson:1:34: .*33 is beyond the limit"):
            read_map(tmp_path / "deep.geojson")
        (tmp_path / "deep.tmx").write_text("<map>" + "<group>" * 100_000)
        with pytest.raises(LimitReached, match="33 is beyond the limit"):
            read_map(tmp_path / "deep.tmx")

    def test_more_pieces_than_a_table_holds(self, tmp_path):
        one = {"type": "Feature", "properties": {"kind": "post"}, "geometry": {"type": "Point", "coordinates": [1, 1]}}
        (tmp_path / "posts.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [one] * 5_001}))
        with pytest.raises(LimitReached, match="5001 is beyond the limit"):
            read_map(tmp_path / "posts.geojson")

    def test_a_file_that_is_too_long(self, tmp_path, monkeypatch):
        (tmp_path / "long.geojson").write_text(" " * (limits.FILE_BYTES.most + 1))
        with pytest.raises(LimitReached, match="longer than 16777216 bytes"):
            read_map(tmp_path / "long.geojson")

    def test_a_picture_does_not_count(self, sample):
        picture = "A" * (limits.FILE_BYTES.most + 1)
        made = sample("cellar.dd2vtt", ("bm90IGEgcGljdHVyZQ==", picture))
        assert made.report.lost["picture"].count == 1
        with pytest.raises(LimitReached, match="is beyond the limit"):
            sample("cellar.dd2vtt", ("ambient_light", picture))

    def test_a_layer_beyond_any_board(self, tmp_path):
        chunk = {"x": 0, "y": 0, "width": 1, "height": 1, "data": [1]}
        far = chunk | {"x": 900_000, "y": 900_000}
        layer = {"type": "tilelayer", "name": "far", "chunks": [chunk, far]}
        head = {"orientation": "orthogonal", "infinite": True, "width": 0, "height": 0, "tilewidth": 8, "tileheight": 8}
        tiles = [{"firstgid": 1, "name": "t", "tiles": []}]
        (tmp_path / "far.tmj").write_text(json.dumps(head | {"layers": [layer], "tilesets": tiles}))
        with pytest.raises(LimitReached, match="810001800001 is beyond the limit"):
            read_map(tmp_path / "far.tmj")
