"""The words of maps: the mapping that comes along, the user's own over it, and what is wrong with one."""

from pathlib import Path

import pytest

from simulator.errors import BoardError, FileError
from simulator.formats.foreign import mapping
from simulator.formats.foreign.mapping import Meaning, default_words, load_words, read_mapping, read_pairs


class TestOwnWords:
    def test_a_file_goes_before_the_words_of_the_package(self, tmp_path):
        (tmp_path / "own.toml").write_text(
            'format = 1\n[megamek]\nwater = "lake"\nlava = {word = "lava", closed = true}\n'
        )
        words = load_words("megamek", tmp_path / "own.toml")
        assert list(words)[:2] == ["water", "lava"]
        assert words.find("lava:1", "lava") == Meaning("lava", closed=True)
        assert words.find("woods:1", "woods") == Meaning("light_woods")
        assert words.own == {"water", "lava"}

    def test_a_single_word_keeps_the_rest_of_its_meaning(self):
        words = load_words("megamek", terrain={"impassable": "void", "lava": "hot"})
        assert words.find("impassable") == Meaning("void", closed=True)
        assert words.find("lava") == Meaning("hot")
        assert words.rank("lava") == 0

    def test_the_level_of_the_terrain_can_be_part_of_its_word(self):
        assert default_words("megamek").find("water:3", "water").named(3) == "water_3"

    def test_the_kind_of_a_piece_of_geojson(self, sample):
        table = sample("hamlet.geojson", terrain={"individual_tree": "oak", "natural=water": "pond"}).board
        assert {table.by_id[name].kind for name in ("oak", "oak-2")} == {"oak"}

    def test_a_word_can_be_left_out(self, sample, tmp_path):
        (tmp_path / "own.toml").write_text("format = 1\n[uvtt]\ndoor = {skip = true}\n")
        made = sample("cellar.dd2vtt", mapping=tmp_path / "own.toml")
        assert "door_1" not in made.board.by_id
        assert made.report.lost["door (left out by the mapping)"].count == 1

    def test_a_word_that_is_no_word_of_a_table_is_written_as_one(self, sample):
        made = sample("yard.tmj", kind="table", terrain={"rough_terrain": "Deep Mud!"})
        assert made.board.by_id["pond"].kind == "deep_mud"
        assert "'Deep Mud!' is written deep_mud: kinds are small letters, digits and underscores" in made.report.notes


MUD = 'format = 1\n[megamek]\nmud = {word = "m", '
FAULTY = {
    "[megamek]\nwater = 3": "1:1: format: this version reads format 1 (got nothing)",
    "format = 2": "1:1: format: this version reads format 1 (got 2)",
    "format = 1\n[megamec]\n": "2:1: megamec: no such format of maps 'megamec'; did you mean 'megamek'?",
    "format = 1\nmegamek = 3": "2:1: megamek: expected a section of words (got 3)",
    "format = 1\n[megamek]\nmud = 3": "3:1: megamek.mud: expected a word, or keys and values (got 3)",
    "format = 1\n[megamek]\nmud = {}": "3:1: megamek.mud: expected a word of the board, or skip = true",
    "format = 1\n[megamek]\nmud = {word = 3}": "3:1: megamek.mud.word: expected a text (got 3)",
    MUD + "close = true}": "3:1: megamek.mud.close: no such key 'close'; did you mean",
    MUD + "closed = 1}": "3:1: megamek.mud.closed: expected true or false (got 1)",
    MUD + "storeys = -1}": "3:1: megamek.mud.storeys: expected a number from 0 to 32767",
    MUD + "storeys = 1.5}": "3:1: megamek.mud.storeys: expected a whole number (got 1.5)",
    'format = 1\n[uvtt]\nwall = {word = "m", layer = "top"}': "3:1: uvtt.wall.layer: no such word 'top'; known",
    MUD + 'walls = "all"}': "3:1: megamek.mud.walls: no such word 'all'; known",
    'format = 1\n[megamek]\n"woods:1" = "w_{depth}"': "3:1: megamek.woods:1.word: only {level} can stand in a word",
    'format = 1\n[megamek]\nmud = "m': "not valid TOML: ",
    "format = 1\n[megamek\n": "2:9: not valid TOML: ",
}


class TestFaults:
    @pytest.mark.parametrize("text", FAULTY)
    def test_in_a_mapping_have_their_line(self, text, tmp_path):
        (tmp_path / "own.toml").write_text(text)
        with pytest.raises(FileError) as error:
            read_mapping(tmp_path / "own.toml")
        assert any(FAULTY[text] in str(fault) for fault in error.value.faults), str(error.value)
        assert all(fault.line for fault in error.value.faults)

    def test_a_mapping_that_is_no_text(self, tmp_path):
        (tmp_path / "own.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(FileError, match="not valid TOML in UTF-8"):
            read_mapping(tmp_path / "own.toml")

    def test_words_without_a_letter(self):
        with pytest.raises(BoardError, match="a word of the map and a word of the board are wanted"):
            load_words("megamek", terrain={"mud": ""})

    @pytest.mark.parametrize("text", ["mud", "mud=", "=mud", "", "="])
    def test_in_pairs(self, text):
        with pytest.raises(ValueError, match="expected WORD=WORD"):
            read_pairs([text])

    def test_a_pair_that_contradicts_another(self):
        with pytest.raises(ValueError, match="the word for mud is set twice"):
            read_pairs(["mud=mire", "mud=swamp"])


def test_the_mapping_that_comes_along_is_sound():
    words = read_mapping(Path(mapping.__file__).with_name("mapping.toml"))
    assert set(words) == set(mapping.WORDED)
    assert all(words.values())
