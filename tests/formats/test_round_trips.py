"""Whatever board there may be: written and read again, it is the same board."""

import stat

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from random_boards import grids, maps, tables

from simulator.errors import BoardError, LimitReached
from simulator.formats import limits, strict_yaml
from simulator.formats.boards import board_text, load_board, parse_board, save_board
from simulator.geometry.board import Board, Label
from simulator.geometry.dots import DotKind, DotMap
from simulator.geometry.squares import SquareGrid, SquareKind
from simulator.writing import write_whole

BOARDS = {"squares": grids(), "dots": maps(), "table": tables()}
laws = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def some_grid(**fields):
    return SquareGrid.from_text("..#\n,..", name="yard", **fields)


@pytest.mark.parametrize("kind", BOARDS)
class TestAnyBoard:
    @pytest.mark.sampled
    def test_is_read_as_it_was_written(self, kind):
        @laws
        @given(BOARDS[kind])
        def law(board):
            text = board_text(board)
            again = parse_board(text)
            assert again == board
            assert again.content_hash == board.content_hash
            assert board_text(again) == text

        law()

    @pytest.mark.sampled
    def test_is_read_alike_by_the_parser_in_python(self, kind):
        """PyYAML may have been built without libyaml."""

        @laws
        @given(BOARDS[kind])
        def law(board):
            text = board_text(board)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(strict_yaml, "PARSER", strict_yaml.yaml.SafeLoader)
                assert parse_board(text) == board

        law()


class TestGlyphs:
    def test_remind_of_what_they_stand_for(self):
        legend = {
            ".": SquareKind(),
            "#": SquareKind(wall=True),
            "o": SquareKind("water"),
            ",": SquareKind(impeded=True),
        }
        text = board_text(SquareGrid.from_text("..#\n,oo", legend))
        assert '"#": {terrain: open, wall: true}' in text
        assert "rows: |\n  ..#\n  ,ww\n" in text

    def test_a_drawing_of_dots_shoves_the_rows_of_its_layout(self):
        text = board_text(
            DotMap.from_text(". _\n . B\n", {".": DotKind(), "_": DotKind(absent=True), "B": DotKind("Bog")})
        )
        assert "rows: |\n  . _\n   . b\n" in text

    def test_many_levels_are_written_as_numbers(self):
        level = np.arange(200).reshape(10, 20) - 100
        board = SquareGrid.from_kinds((SquareKind(),), np.zeros((10, 20), np.intp), level=level)
        text = board_text(board)
        assert "levels: |\n  -100 -99 " in text
        assert parse_board(text) == board

    def test_as_many_looks_as_there_can_be_are_told_apart(self):
        """255 terrains, walls or not, impeded or not, on thousands of levels."""
        rng = np.random.default_rng(1)
        shape = (60, 60)
        board = SquareGrid(
            terrain_kinds=tuple(f"kind {number}" for number in range(255)),
            terrain=np.arange(3600).reshape(shape) % 255,
            walls=np.arange(3600).reshape(shape) // 255 % 2 == 1,
            walls_east=np.zeros(shape, bool),
            walls_south=np.zeros(shape, bool),
            impeded=np.arange(3600).reshape(shape) // 510 % 2 == 1,
            level=rng.integers(-32_768, 32_768, shape),
        )
        text = board_text(board)
        assert text.count("{terrain: ") == 1020
        assert parse_board(text) == board


class TestSaving:
    def test_replaces_a_file_and_keeps_who_may_read_it(self, tmp_path):
        path = tmp_path / "yard.yaml"
        path.write_text("old")
        path.chmod(0o640)
        save_board(some_grid(), path)
        assert load_board(path) == some_grid()
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        assert [file.name for file in tmp_path.iterdir()] == ["yard.yaml"]

    def test_writes_through_a_link(self, tmp_path):
        (tmp_path / "link.yaml").symlink_to(tmp_path / "yard.yaml")
        save_board(some_grid(), tmp_path / "link.yaml")
        assert (tmp_path / "link.yaml").is_symlink()
        assert load_board(tmp_path / "yard.yaml") == some_grid()

    def test_leaves_the_old_file_where_the_disk_fails(self, tmp_path, monkeypatch):
        path = tmp_path / "yard.yaml"
        path.write_text("old")

        def full(handle):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            save_board(some_grid(), path)
        assert path.read_text() == "old"
        assert [file.name for file in tmp_path.iterdir()] == ["yard.yaml"]

    def test_a_name_that_no_file_can_hold_is_refused_before_anything_is_written(self, tmp_path):
        board = SquareGrid.from_text("..", name="\ud800")
        with pytest.raises(BoardError, match="lone surrogate"):
            save_board(board, tmp_path / "yard.yaml")
        assert not list(tmp_path.iterdir())

    def test_a_label_that_is_nowhere_is_refused(self):
        with pytest.raises(BoardError, match=r"cannot be written: labels\[0\].point: expected a point"):
            board_text(some_grid(labels=(Label(float("nan"), 0, "?"),)))

    def test_a_board_beyond_a_limit_of_files_is_refused(self):
        with pytest.raises(LimitReached, match="labels: 10001 is beyond the limit"):
            board_text(some_grid(labels=(Label(0, 0, "x"),) * (limits.LABELS.most + 1)))

    def test_a_map_that_no_drawing_holds_is_refused(self):
        present = np.eye(3000, dtype=bool)
        shape = present.shape
        board = DotMap(
            present=present,
            terrain_kinds=("open",),
            terrain=np.zeros(shape, int),
            level=np.zeros(shape, int),
            storeys=np.zeros(shape, int),
            impassable=np.zeros(shape, bool),
            openings=np.zeros(shape, bool),
        )
        with pytest.raises(BoardError, match="cannot be drawn"):
            board_text(board)

    def test_a_board_of_an_unknown_kind_is_refused(self):
        class Globe(SquareGrid):
            pass

        assert isinstance(Globe.open(2, 2), Board)
        with pytest.raises(BoardError, match="read back, it would be another board"):
            board_text(Globe.open(2, 2))


def test_a_folder_that_is_not_there_is_told_by_the_name_that_was_asked_for(tmp_path):
    path = tmp_path / "no" / "yard.yaml"
    with pytest.raises(FileNotFoundError) as error:
        save_board(some_grid(), path)
    assert error.value.filename == str(path)
    assert "draft" not in str(error.value)


def test_scenarios_and_logs_may_be_read_by_whoever_may_read_boards(tmp_path):
    save_board(some_grid(), tmp_path / "yard.yaml")
    write_whole(tmp_path / "game.jsonl", b"{}")
    modes = {(tmp_path / name).stat().st_mode & 0o777 for name in ("yard.yaml", "game.jsonl")}
    assert len(modes) == 1
    (tmp_path / "game.jsonl").chmod(0o640)
    write_whole(tmp_path / "game.jsonl", b"{} ")
    assert (tmp_path / "game.jsonl").stat().st_mode & 0o777 == 0o640
