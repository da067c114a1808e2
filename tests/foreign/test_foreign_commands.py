"""`simulator import` and `simulator export`, as a user runs them."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from simulator.__main__ import main
from simulator.formats.boards import load_board
from simulator.formats.foreign import FORMATS, read_map

SAMPLES = Path(__file__).with_name("samples")
#: A folder with maps of other programs, to try those too; none come along.
REAL = os.environ.get("SIMULATOR_FOREIGN_MAPS", "")


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """Run the program in a folder with the samples; return its status, output and errors."""
    for path in SAMPLES.iterdir():
        shutil.copy(path, tmp_path / path.name)
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["simulator", *map(str, words)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main()
        return left.value.code or 0, *capfd.readouterr()

    return run


class TestImport:
    @pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir() if path.suffix in FORMATS))
    def test_every_sample_becomes_a_board_that_check_accepts(self, run, name):
        words = ("--as", "table") if name == "yard.tmj" else ()
        assert run("import", name, *words, "-o", "made.yaml")[0] == 0
        code, out, _ = run("check", "made.yaml")
        assert (code, out[:15]) == (0, "made.yaml: ok (")
        assert load_board("made.yaml") == read_map(name, *words[1:]).board

    def test_the_board_is_the_answer_and_the_report_an_aside(self, run):
        code, out, err = run("import", "ridge.board")
        assert code == 0
        assert out.startswith("format: 1\nboard: dots\nname: ridge\n")
        assert "not carried over: 3 × bldg_cf (line 16, line 17, line 18)\n" in err
        assert "note: no meaning is known for 'lava_tube'" in err

    def test_a_file_is_reported_with_what_comes_next(self, run):
        code, out, err = run("import", "keep.tmx", "-o", "keep.yaml")
        assert (code, out) == (0, "")
        assert err.startswith("wrote keep.yaml; next: simulator show keep.yaml --svg keep.svg\n")

    def test_the_report_is_a_document_too(self, run):
        code, out, _ = run("import", "cellar.dd2vtt", "--json", "-o", "cellar.yaml")
        report = json.loads(out)
        assert code == 0
        assert list(report) == ["format", "file", "written", "board", "not_carried_over", "notes"]
        assert report["board"]["hash"] == load_board("cellar.yaml").content_hash
        assert report["not_carried_over"][0] == {"what": "environment", "count": 1, "where": ["line 18"]}

    def test_words_scale_and_kind(self, run):
        words = ("--terrain", "grass=meadow", "--terrain", "wall=masonry", "--scale", "2")
        _, out, _ = run("import", "keep.tmx", *words)
        assert "square: {size: 2, unit: metre}" in out
        assert "{terrain: meadow}" in out
        assert "{terrain: masonry, wall: true}" in out
        assert "board: table" in run("import", "keep.tmx", "--as", "table")[1]

    def test_coordinates_that_may_be_degrees(self, run):
        text = Path("hamlet.geojson").read_text().replace("[5, 30]", "[5.5, 30]")
        Path("hamlet.geojson").write_text(text)
        code, _, err = run("import", "hamlet.geojson")
        assert code == 3
        assert "confirm with --plane" in err
        assert run("import", "hamlet.geojson", "--plane")[0] == 0

    @pytest.mark.parametrize(
        ("words", "code", "said"),
        [
            (("missing.tmx",), 3, "cannot be read: No such file"),
            (("stones.tsx",), 3, "no map has names that end in '.tsx'; "),
            (("ridge.board", "--as", "table"), 2, "a .board file becomes dots, not table"),
            (("ridge.board", "--scale", "0"), 2, "expected a scale above 0"),
            (("ridge.board", "--scale", "nan"), 2, "expected a scale above 0"),
            (("ridge.board", "--terrain", "mud"), 2, "--terrain: expected WORD=WORD"),
            (("ridge.board", "--mapping", "stones.tsx"), 3, "stones.tsx:1:1: not valid TOML"),
            (("ridge.board", "--json"), 2, "standard output takes only one answer"),
            (("ridge.board", "-o", "pond.map"), 2, "pond.map already exists; --force replaces it"),
            (("ridge.board", "-o", "ridge.board/folder.yaml"), 2, "cannot write"),
        ],
    )
    def test_mistakes(self, run, words, code, said):
        found = run("import", *words)
        assert found[0] == code
        assert said in found[2]

    def test_a_board_is_replaced_only_by_force(self, run):
        assert run("import", "ridge.board", "-o", "ridge.yaml")[0] == 0
        assert run("import", "ridge.board", "-o", "ridge.yaml")[0] == 2
        assert run("import", "ridge.board", "-o", "ridge.yaml", "--force")[0] == 0


class TestExport:
    @pytest.fixture
    def boards(self, run):
        for name in ("ridge.board", "keep.tmx", "isles.tmj", "hamlet.geojson"):
            run("import", name, "-o", Path(name).with_suffix(".yaml"))

    @pytest.mark.parametrize(("board", "form"), [("hamlet", "geojson"), ("keep", "tmj"), ("isles", "tmj")])
    def test_a_board_comes_back_as_it_was(self, run, boards, board, form):
        assert run("export", f"{board}.yaml", "-o", f"there.{form}")[0] == 0
        again = read_map(f"there.{form}").board
        plain = load_board(f"{board}.yaml")
        assert again.content_hash == plain.content_hash
        assert again.labels == plain.labels

    def test_what_megamek_has_no_word_for_is_counted(self, run, boards):
        code, out, err = run("export", "ridge.yaml", "--to", "board")
        assert code == 0
        assert out.startswith('size 5 4\ntag "Hills"\nhex 0101 0 "" ""\n')
        assert 'hex 0303 0 "building:2:4;bldg_elev:3;bldg_cf:40" ""\n' in out
        assert "not carried over: 1 × terrain 'lava_tube'" in err
        assert "lava_tube" not in run("export", "ridge.yaml", "--to", "board", "--terrain", "magma:1=lava_tube")[2]

    def test_squares_as_letters(self, run, boards):
        code, out, err = run("export", "keep.yaml", "--to", "map")
        assert (code, out) == (0, "type octile\nheight 4\nwidth 6\nmap\n@...WW\n.@..WW\n.@...@\n......\n")
        assert "not carried over: 2 × wall on an edge" in err
        assert "not carried over: 1 × area" in err

    def test_the_report_is_a_document_too(self, run, boards):
        code, out, _ = run("export", "keep.yaml", "-o", "keep.map", "--json")
        assert code == 0
        assert json.loads(out)["not_carried_over"][0]["what"] == "terrain 'grass', which becomes ground"

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("keep.yaml",), "name the format with --to"),
            (("keep.yaml", "--to", "geojson"), "a board of squares becomes .tmj or .map, not .geojson"),
            (("hamlet.yaml", "-o", "hamlet.tmj"), "a table becomes .geojson, not .tmj"),
            (("keep.yaml", "-o", "keep.svg"), "no map can be written whose name ends in '.svg'"),
            (("keep.yaml", "--to", "tmj", "--terrain", "a=b"), "there is nothing to replace"),
            (("isles.yaml", "--to", "board"), "a .board file has the layout odd_columns, not even_columns"),
            (("keep.yaml", "-o", "pond.map"), "pond.map already exists; --force replaces it"),
            (("keep.yaml", "--to", "map", "--json"), "standard output takes only one answer"),
        ],
    )
    def test_mistakes(self, run, boards, words, said):
        code, _, err = run("export", *words)
        assert code == 2
        assert said in err


@pytest.mark.skipif(not REAL, reason="SIMULATOR_FOREIGN_MAPS names no folder with maps of other programs")
def test_real_maps_become_boards_or_are_refused_with_a_reason(run):
    tried = 0
    for path in sorted(path for path in Path(REAL).rglob("*") if path.suffix.lower() in FORMATS):
        code, out, err = run("import", path)
        tried += 1
        assert code in (0, 3, 4), path
        assert out if code == 0 else err, path
    assert tried
