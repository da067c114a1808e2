"""Reach maps: what is in the file, that it is the same whoever computes it, and what is said of one that is none."""

import json
import zipfile
from functools import partial

import numpy as np
import pytest
from map_questions import MAP, YARD, made, question

from simulator import parse_scenario
from simulator.engine.bulk_reach import BulkReach
from simulator.errors import FileError, TooMuchAsked
from simulator.sweeps import reach_map, reach_map_file
from simulator.sweeps.errors import SweepRefused
from simulator.sweeps.parts import played_here
from simulator.sweeps.reach_map import MapPart, MapWork, answer_part, folder_of
from simulator.sweeps.reach_map_file import ReachMap
from simulator.sweeps.reach_map_picture import SHOWN, draw_costs, draw_map
from simulator.sweeps.reach_map_text import map_data, map_lines, start_text, starts_in
from simulator.workers import as_done

TABLE = """
format: 1
ruleset: skirmish
name: Field
board: {board: table, size: [6, 5]}
units:
  ash: {type: soldier, side: red, at: [1.5, 1.5]}
"""


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(reach_map, "_SIDE_BY_SIDE", 3)
    monkeypatch.setattr(reach_map_file, "BLOCK_BYTES", 6 * 28)


class TestTheFile:
    def test_costs_are_those_of_reach_from_every_start(self, tmp_path, small_parts):
        made(question(), tmp_path / "yard.npz")
        found, game = ReachMap.read(tmp_path / "yard.npz"), parse_scenario(YARD).start()
        assert [first for first, _ in found.blocks()] == found.arrays["blocks"][:-1].tolist()
        assert len(found.arrays["blocks"]) > 3
        assert found.arrays["blocks"][-1] == len(found) == 24
        ann = game.state.unit("ann")
        for number in range(len(found)):
            cell = int(found.arrays["cell"][number])
            place = int(found.arrays["x"].flat[cell]), int(found.arrays["y"].flat[cell])
            twin = type(game)(game.setting, game.state.with_unit(ann.put(place=place)))
            costs = twin.reach("ann", "move").costs_at(list(game.board.places()))
            assert found.costs_from(number).dtype == np.float32
            assert found.costs_from(number).ravel().tolist() == costs.tolist()

    def test_numpy_alone_reads_it(self, tmp_path, small_parts):
        made(question(), tmp_path / "yard.npz")
        with np.load(tmp_path / "yard.npz") as data:
            blocks = [data[name] for name in sorted(data.files) if name.startswith("costs/")]
            assert {block.dtype for block in blocks} == {np.dtype(np.uint8)}
            assert (data["prices"].dtype, data["prices"][-1]) == (np.float32, np.inf)
            costs = data["prices"][np.concatenate(blocks)]
            reached = np.isfinite(costs)
            assert costs.shape == (24, 4, 7)
            assert data["ends"].tolist() == reached.sum(axis=(1, 2)).tolist()
            assert data["ground"].tolist() == data["ends"].tolist()
            assert (data["reached_from"] == reached.sum(axis=0)).all()
            assert np.isnan(data["heading"]).all()
            assert data["answered"].all()
            for number, some in enumerate(costs):
                ends = np.sort(some[np.isfinite(some)])
                quarters = [ends[-(-len(ends) * share // 4) - 1] for share in (1, 2, 3, 4)]
                assert data["cost_quantiles"][number].tolist() == quarters
            about = json.loads(str(data["about"]))
            assert (about["format"], about["kind"], about["starts"]) == (1, "reach map", 24)

    def test_many_costs_are_sorted_instead_of_counted(self, tmp_path, monkeypatch):
        counted = made(question(), tmp_path / "one.npz")
        monkeypatch.setattr("simulator.sweeps.reach_summary._COUNTED", 0)
        assert made(question(), tmp_path / "two.npz") == counted

    def test_a_summary_leaves_out_the_costs_and_nothing_else(self, tmp_path):
        made(question(), tmp_path / "all.npz")
        made(question(with_costs=False), tmp_path / "summary.npz")
        whole, brief = (ReachMap.read(tmp_path / f"{name}.npz") for name in ("all", "summary"))
        assert (whole.has_costs, brief.has_costs) == (True, False)
        for name, array in whole.arrays.items():
            if name not in ("blocks", "prices"):
                assert np.array_equal(array, brief.arrays[name], equal_nan=array.dtype.kind == "f")
        with pytest.raises(FileError, match="holds no costs: it was made with --summary"):
            brief.costs_from(0)

    def test_the_board_comes_along(self, tmp_path):
        made(question(MAP, action="foot_move"), tmp_path / "dots.npz")
        found = ReachMap.read(tmp_path / "dots.npz")
        assert found.board == parse_scenario(MAP).setting.board
        assert np.isnan(found.arrays["heading"]).all()
        assert (found.arrays["level"] == 0).all()
        holes = ~found.arrays["present"]
        assert holes.any()
        assert not found.arrays["reached_from"][holes].any()

    def test_places_of_a_table_and_their_size(self, tmp_path):
        made(question(TABLE, "ash", "move", spacing=2, measured=True), tmp_path / "field.npz")
        found = ReachMap.read(tmp_path / "field.npz")
        assert found.about["spacing"] == 2
        assert found.arrays["x"][0].tolist() == [1, 3, 5]
        assert found.arrays["y"][:, 0].tolist() == [4.5, 3, 1]
        assert found.arrays["size"].tolist() == [[2, 2, 2], [4, 4, 4], [4, 4, 4]]
        reached = np.isfinite(np.concatenate([block for _, block in found.blocks()]))
        assert found.arrays["ground"].tolist() == (reached * found.arrays["size"]).sum(axis=(1, 2)).tolist()
        assert len(found) == 9
        assert (found.arrays["area"] > 0).all()
        assert found.arrays["area"].max() < 30

    def test_starts_without_an_answer_are_said(self, tmp_path, monkeypatch):
        answers = BulkReach._answers

        def some_refuse(self, ready):
            found = answers(self, ready)
            far = [unit.place[0] > 3 for _, unit in ready]
            return [TooMuchAsked("too far to see") if gone else one for one, gone in zip(found, far, strict=True)]

        monkeypatch.setattr(BulkReach, "_answers", some_refuse)
        made(question(TABLE, "ash", "move", spacing=2), tmp_path / "field.npz")
        found = ReachMap.read(tmp_path / "field.npz")
        assert found.about["unanswered"] == [{"reason": "too far to see", "starts": 3}]
        assert found.about["limited"] == 3
        assert found.arrays["answered"].tolist() == [True, True, False] * 3
        assert found.arrays["ends"][2] == 0
        assert np.isnan(found.arrays["cost_quantiles"][2]).all()
        assert "no answer from 3 starts: too far to see" in list(map_lines(found))


class TestWhoComputes:
    def test_the_same_bytes_here_and_in_several_processes(self, tmp_path, small_parts):
        here = made(question(), tmp_path / "here.npz", players=played_here)
        assert made(question(), tmp_path / "pool.npz", players=partial(as_done, workers=2)) == here

    def test_parts_may_come_in_any_order(self, tmp_path, small_parts):
        def backwards(work, parts):
            yield from reversed(list(enumerate(map(work, parts))))

        here = made(question(), tmp_path / "here.npz")
        assert made(question(), tmp_path / "backwards.npz", players=backwards) == here

    def test_a_worker_of_another_version_refuses(self):
        with pytest.raises(SweepRefused, match=r"this worker has version .*, the reach map 0\.0\.1"):
            answer_part(MapPart(b"", (), range(1), "0.0.1"))


class TestStoppingAndGoingOn:
    def test_what_is_done_is_kept(self, tmp_path, small_parts):
        whole, file = made(question(), tmp_path / "whole.npz"), tmp_path / "yard.npz"
        work = MapWork.begun(question(), file)
        doing = work.work()
        done = [next(doing) for _ in range(3)]
        doing.close()
        assert done == [0, 3, 6]
        again = MapWork.resumed(question(), file)
        assert next(again.work()) == again.done == 6
        for _ in again.work():
            pass
        assert again.done == len(again) == 28
        again.finish()
        assert file.read_bytes() == whole
        assert not folder_of(file).exists()

    def test_only_the_same_question_goes_on(self, tmp_path):
        MapWork.begun(question(), tmp_path / "yard.npz")
        with pytest.raises(SweepRefused, match="holds a reach map: continue it with --resume"):
            MapWork.begun(question(), tmp_path / "yard.npz")
        with pytest.raises(SweepRefused, match='action: "move" before, "tumble" now') as refused:
            MapWork.resumed(question(action="tumble", headings=()), tmp_path / "yard.npz")
        assert len(refused.value.reasons) == 1
        with pytest.raises(SweepRefused, match="holds no reach map to resume"):
            MapWork.resumed(question(), tmp_path / "other.npz")

    def test_a_damaged_part_is_named(self, tmp_path, small_parts):
        work = MapWork.begun(question(), tmp_path / "yard.npz")
        for _ in work.work():
            pass
        part = folder_of(tmp_path / "yard.npz") / "000002.npz"
        part.write_bytes(part.read_bytes()[:50])
        with pytest.raises(FileError, match=r"000002\.npz: is damaged: delete it, and --resume does its part again"):
            work.finish()
        assert not (tmp_path / "yard.npz").exists()

    def test_too_many_costs_are_refused_before_anything_is_computed(self, tmp_path, monkeypatch):
        monkeypatch.setattr(reach_map, "MATRIX", type(reach_map.MATRIX)("matrix", 99, "costs"))
        with pytest.raises(TooMuchAsked, match=r"784 is beyond the limit: at most 99 \(costs\); --summary keeps"):
            MapWork.begun(question(), tmp_path / "yard.npz")
        assert not list(tmp_path.iterdir())
        MapWork.begun(question(with_costs=False), tmp_path / "yard.npz")


class TestWhatIsNoMap:
    @pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 cut off"])
    def test_other_files(self, tmp_path, content):
        (tmp_path / "map.npz").write_bytes(content)
        with pytest.raises(FileError, match=r"map\.npz: is no reach map as `simulator reach-map` writes it"):
            ReachMap.read(tmp_path / "map.npz")

    def test_none_at_all(self, tmp_path):
        with pytest.raises(FileError, match="cannot be read: No such file"):
            ReachMap.read(tmp_path / "map.npz")
        with pytest.raises(FileError, match="cannot be read: Is a directory"):
            ReachMap.read(tmp_path)

    @pytest.mark.parametrize(
        ("name", "value", "reason"),
        [
            ("about", np.array("{}"), "it does not say that it is one of format 1"),
            ("about", np.array("["), "Expecting value"),
            ("ends", np.zeros(3, np.int32), "ends has 3 entries for 24 starts"),
            ("x", np.zeros((2, 2)), r"x has the shape \(2, 2\), not \(4, 7\)"),
            ("cell", np.full(24, 99, np.int32), "its starts are no places of its own"),
            ("blocks", np.array([0, 99]), "its blocks of costs are not those of its starts"),
            ("level", None, "it has no array level"),
        ],
    )
    def test_arrays_that_do_not_fit(self, tmp_path, name, value, reason):
        made(question(), tmp_path / "map.npz")
        with np.load(tmp_path / "map.npz") as data:
            arrays = {one: data[one] for one in data.files} | {name: value}
        np.savez(tmp_path / "other.npz", **{one: array for one, array in arrays.items() if array is not None})
        with pytest.raises(FileError, match=reason):
            ReachMap.read(tmp_path / "other.npz")

    def test_a_block_that_is_gone(self, tmp_path):
        made(question(), tmp_path / "map.npz")
        with zipfile.ZipFile(tmp_path / "map.npz") as old, zipfile.ZipFile(tmp_path / "less.npz", "w") as new:
            for name in old.namelist():
                if not name.startswith("costs/"):
                    new.writestr(name, old.read(name))
        found = ReachMap.read(tmp_path / "less.npz")
        with pytest.raises(FileError, match="its block 0 of costs cannot be read"):
            found.costs_from(0)
        with pytest.raises(IndexError, match="there are 24 starts, counted from 0: none is 24"):
            found.costs_from(24)


class TestShown:
    def test_in_a_few_lines_and_as_data(self, tmp_path):
        made(question(), tmp_path / "yard.npz")
        found = ReachMap.read(tmp_path / "yard.npz")
        assert list(map_lines(found))[:2] == ["ann (red), move; turn 1, pass 1 of 1", "24 starts at 24 places"]
        data = map_data(found)
        assert data["ground"]["most"] == found.arrays["ground"].max()
        assert json.loads(json.dumps(data)) == data

    def test_starts_by_their_names(self, tmp_path):
        made(question(MAP, action="foot_move"), tmp_path / "dots.npz")
        found = ReachMap.read(tmp_path / "dots.npz")
        names = [start_text(found, number) for number in range(len(found))]
        assert names[0] == "0,0 level 0"
        assert len(set(names)) == len(names) == 15
        assert starts_in(found, "0,0") == starts_in(found, "0, 0") == [0]
        assert starts_in(found, "99,0") == starts_in(found, "here") == []

    @pytest.mark.parametrize("show", SHOWN)
    def test_pictures_of_a_lattice(self, tmp_path, show):
        made(question(), tmp_path / "yard.npz")
        picture = draw_map(ReachMap.read(tmp_path / "yard.npz"), show)
        assert picture.startswith("<svg")
        assert SHOWN[show] in picture
        assert "ann: move from everywhere" in picture

    def test_pictures_of_a_table_and_of_one_start(self, tmp_path):
        made(question(TABLE, "ash", "move", spacing=2), tmp_path / "field.npz")
        found = ReachMap.read(tmp_path / "field.npz")
        assert "square inches" in draw_map(found, "ground")
        costs = draw_costs(found, [0], "1,4.5")
        assert "ash: move from 1,4.5" in costs
        assert " inches<" in costs
