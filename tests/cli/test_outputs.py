"""Outputs: whole or as they were, `-` and devices written to, one line and the right status where that fails."""

import errno
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

HALL = """\
format: 1
board: squares
legend: {".": {terrain: planks}, "#": {wall: true}}
rows: |
  ....
  .#..
"""
FIELD = "format: 1\nboard: table\nsize: [6, 6]\n"
PLAY = """\
format: 1
ruleset: grid_runner
board: hall.yaml
units:
  kit: {type: character, side: red, at: [0, 0], metatype: human}
  guard: {type: character, side: blue, at: [3, 0], metatype: human}
turns: [["kit move: s"]]
"""
#: Every output of every command: what is said before the name, and what the name is.
OUTPUTS = {
    "show --svg": ("show", "hall.yaml", "--svg"),
    "show --png": ("show", "hall.yaml", "--png"),
    "walk --svg": ("walk", "hall.yaml", "--from", "0,0", "--budget", "2", "--svg"),
    "walk --png": ("walk", "hall.yaml", "--from", "0,0", "--budget", "2", "--png"),
    "walk --geojson": ("walk", "hall.yaml", "--from", "0,0", "--budget", "2", "--geojson"),
    "walk on a table --svg": ("walk", "field.yaml", "--from", "2,2", "--budget", "2", "--svg"),
    "walk on a table --geojson": ("walk", "field.yaml", "--from", "2,2", "--budget", "2", "--geojson"),
    "reach --svg": ("reach", "play.yaml", "kit", "--svg"),
    "reach --png": ("reach", "play.yaml", "kit", "--png"),
    "reach --geojson": ("reach", "play.yaml", "kit", "--geojson"),
    "path --svg": ("path", "play.yaml", "kit", "1,0", "--svg"),
    "exposed --svg": ("exposed", "play.yaml", "kit", "1,0", "--svg"),
    "diff --svg": ("diff", "play.yaml", "kit", "--option", "carry_over=true", "--svg"),
    "threats --svg": ("threats", "play.yaml", "red", "--svg"),
    "run --html": ("run", "play.yaml", "--no-reach", "--html"),
    "run --junit": ("run", "play.yaml", "--junit"),
    "run --log": ("run", "play.yaml", "--log"),
    "replay --html": ("replay", "play.jsonl", "--no-reach", "--html"),
    "new-board": ("new-board", "squares", "--force"),
}
#: The same for folders, with a file that is written into it.
FOLDERS = {
    "run --svg": (("run", "play.yaml", "--svg"), "000.svg"),
    "record --out": (("record", "play.yaml", "--out"), "play.txt"),
    "run several --html": (("run", "play.yaml", "again.yaml", "--jobs", "1", "--no-reach", "--html"), "play.html"),
    "run several --svg": (("run", "play.yaml", "again.yaml", "--jobs", "1", "--svg"), "play/000.svg"),
}


def files_in(folder):
    for name, text in {"hall": HALL, "field": FIELD, "play": PLAY, "again": PLAY}.items():
        (folder / f"{name}.yaml").write_text(text)


@pytest.fixture(scope="module")
def log(tmp_path_factory, in_folder):
    """The log of the play."""
    folder = tmp_path_factory.mktemp("played")
    files_in(folder)
    answer = in_folder(folder, ["run", "play.yaml", "--log", "play.jsonl"])
    assert (answer.returncode, answer.stderr) == (0, "wrote play.jsonl\n")
    return (folder / "play.jsonl").read_bytes()


@pytest.fixture
def folder(tmp_path, run, log):
    files_in(tmp_path)
    (tmp_path / "play.jsonl").write_bytes(log)
    return tmp_path


def contents(folder):
    files = (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture
def full_disk(monkeypatch):
    """A disk on which nothing more than a few bytes fit."""
    write = os.write

    def written(handle, data):
        if stat.S_ISREG(os.fstat(handle).st_mode) and os.fstat(handle).st_size > 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, bytes(data)[:20])

    def fill():
        monkeypatch.setattr(os, "write", written)

    return fill


class TestAFullDisk:
    @pytest.mark.parametrize("words", OUTPUTS.values(), ids=OUTPUTS)
    def test_leaves_the_old_file(self, run, folder, full_disk, words):
        (folder / "good").write_bytes(b"the old one")
        before = contents(folder)
        full_disk()
        answer = run(*words, "good")
        assert answer.returncode == 2
        assert answer.stderr.count("\n") == 1
        assert "good: No space left on device\n" in answer.stderr
        assert contents(folder) == before

    @pytest.mark.parametrize(("words", "file"), FOLDERS.values(), ids=FOLDERS)
    def test_leaves_the_old_files_of_a_folder(self, run, folder, full_disk, words, file):
        (folder / "good" / file).parent.mkdir(parents=True)
        (folder / "good" / file).write_bytes(b"the old one")
        before = contents(folder)
        full_disk()
        answer = run(*words, "good")
        assert answer.returncode == 2
        assert "cannot write" in answer.stderr
        assert "No space left on device\n" in answer.stderr
        assert contents(folder) == before

    def test_a_limit_of_the_system_is_met_as_one(self, run, folder):
        (folder / "good").write_bytes(b"the old one")
        before = contents(folder)
        answer = subprocess.run(
            [sys.executable, "-m", "simulator", "show", "hall.yaml", "--svg", "good"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert (answer.returncode, answer.stderr) == (2, "simulator: cannot write good: File too large\n")
        assert contents(folder) == before


class TestAMissingFolder:
    @pytest.mark.parametrize(
        "words",
        [
            *OUTPUTS.values(),
            ("export", "hall.yaml", "--out"),
            ("new-scenario", "grid_runner", "hall.yaml", "--out"),
            ("reach-map", "play.yaml", "kit", "--action", "move", "--out"),
        ],
        ids=" ".join,
    )
    def test_is_created(self, run, folder, words):
        name = "new/folder/file.npz" if words[0] == "reach-map" else "new/folder/file.tmj"
        answer = run(*words, name)
        assert answer.returncode == 0, answer.stderr
        assert f"wrote {name}" in answer.stderr
        assert (folder / name).stat().st_size

    @pytest.mark.parametrize(
        "words",
        [
            ("reach", "play.yaml", "nobody", "--svg"),
            ("walk", "hall.yaml", "--from", "9,9", "--budget", "2", "--geojson"),
            ("run", "none.yaml", "--log"),
            ("run", "play.yaml", "--resume", "--log"),
            ("run", "none.yaml", "--html"),
        ],
        ids=" ".join,
    )
    def test_is_not_created_by_what_is_refused(self, run, folder, words):
        assert run(*words, "new/file").returncode > 1
        assert not (folder / "new").exists()


class TestNoFiles:
    @pytest.mark.parametrize("words", OUTPUTS.values(), ids=OUTPUTS)
    def test_a_device_is_written_to_and_stays_one(self, run, folder, words):
        (folder / "link").symlink_to("/dev/null")
        answer = run(*words, "link")
        assert answer.returncode == 0, answer.stderr
        assert (folder / "link").is_symlink()
        assert Path("/dev/null").is_char_device()

    @pytest.mark.parametrize("words", OUTPUTS.values(), ids=OUTPUTS)
    def test_a_full_device_is_told_in_a_line(self, run, folder, words):
        answer = run(*words, "/dev/full")
        assert (answer.returncode, answer.stderr.count("\n")) == (2, 1)
        assert answer.stderr.endswith("/dev/full: No space left on device\n")
        assert Path("/dev/full").is_char_device()

    @pytest.mark.parametrize("words", OUTPUTS.values(), ids=OUTPUTS)
    def test_a_minus_is_standard_output_and_nothing_else_is_there(self, folder, capfd, run, words):
        told = run(*words, "file")
        assert told.returncode == 0, told.stderr
        assert told.stderr.startswith("wrote file")
        capfd.readouterr()
        answer = run(*words, "-")
        printed = capfd.readouterr().out
        assert (answer.returncode, answer.stderr) == (0, "")
        if words[-1] != "--png":  # pixels are no text to be captured
            assert f"{answer.stdout}{printed}" == (folder / "file").read_text(encoding="utf-8")
        assert not (folder / "-").exists()

    @pytest.mark.parametrize("what", ["pipe", "/dev/zero"])
    @pytest.mark.parametrize("words", [("check",), ("show",), ("run",), ("reach", "kit"), ("replay",), ("bench",)])
    def test_what_is_no_file_is_not_read(self, run, folder, what, words):
        os.mkfifo(folder / "pipe")
        before = contents(folder)
        answer = run(words[0], what, *words[1:])
        assert answer.returncode == 3
        assert f"{what}: cannot be read: a " in answer.stdout + answer.stderr
        assert contents(folder) == before


def _read(words):
    """What a command reads: the file named, and the board that a scenario names."""
    return (words[1], "hall.yaml") if words[1] == "play.yaml" else (words[1],)


#: Every output of every command that reads files, with the files that it reads.
READ = {
    **{name: (words, _read(words)) for name, words in OUTPUTS.items() if name != "new-board"},
    "diff --against": (("diff", "play.yaml", "kit", "--against", "again.yaml", "--svg"), ("again.yaml", "hall.yaml")),
    "replay --board": (("replay", "play.jsonl", "--board", "hall.yaml", "--html"), ("hall.yaml", "play.jsonl")),
    "heat-map": (("heat-map", "kit.npz", "--svg"), ("kit.npz",)),
    "reach-map": (("reach-map", "play.yaml", "kit", "--action", "move", "--out"), ("play.yaml", "hall.yaml")),
    "run --junit of several": (
        ("run", "play.yaml", "again.yaml", "--jobs", "2", "--junit"),
        ("again.yaml", "hall.yaml"),
    ),
    "export": (("export", "hall.yaml", "--to", "tmj", "--force", "--out"), ("hall.yaml",)),
    "import": (("import", "hall.tmj", "--force", "--out"), ("hall.tmj",)),
    "new-scenario": (("new-scenario", "grid_runner", "hall.yaml", "--force", "--out"), ("hall.yaml",)),
    "a rulebook": (("reach", "play.yaml", "kit", "--rulebook", "own.py", "--svg"), ("own.py",)),
}


class TestWhatIsReadIsNotReplaced:
    @pytest.fixture
    def folder(self, folder, run):
        (folder / "kit.npz").write_bytes(b"no arrays")
        (folder / "own.py").write_text((ROOT / "tests" / "engine" / "tiny_ruleset.py").read_text())
        assert run("export", "hall.yaml", "--out", "hall.tmj").returncode == 0
        return folder

    @pytest.mark.parametrize(("words", "read"), READ.values(), ids=READ)
    def test_by_its_name_or_by_a_link(self, run, folder, words, read):
        for number, file in enumerate(read):
            (folder / f"link_{number}").symlink_to(file)
        before = contents(folder)
        for name in (*read, *(f"link_{number}" for number in range(len(read))), f"../{folder.name}/{read[0]}"):
            answer = run(*words, name)
            assert (answer.returncode, answer.stdout) == (2, ""), name
            assert f"{words[-1]} {name} would replace the file that is read" in answer.stderr
            assert contents(folder) == before

    def test_not_by_a_file_of_a_folder(self, run, folder):
        (folder / "play.txt").write_text((folder / "play.yaml").read_text())
        before = contents(folder)
        answer = run("record", "play.txt", "--out", ".")
        assert answer.returncode == 2
        assert "play.txt would replace the file that is read" in answer.stderr
        assert contents(folder) == before

    def test_a_log_that_is_continued_is_no_such_file(self, run, folder):
        answer = run("run", "play.yaml", "--log", "play.jsonl", "--resume")
        assert answer.returncode == 0, answer.stderr
        before = contents(folder)
        assert run("run", "play.yaml", "--log", "play.yaml", "--resume").returncode == 2
        assert contents(folder) == before


#: Options that contradict each other, or have no effect without another.
USELESS = [
    (("path", "play.yaml", "kit", "1,0", "--prefer", "surest", "--safest"), "it does not go with --prefer surest"),
    (("run", "play.yaml", "--chance"), "--chance is about the page: name it with --html"),
    (("run", "play.yaml", "again.yaml", "--no-reach"), "--no-reach is about the page: name it with --html"),
    (("replay", "play.jsonl", "--chance"), "--chance is about the page: name it with --html"),
    (("replay", "play.jsonl", "--no-reach"), "--no-reach is about the page: name it with --html"),
    (("heat-map", "kit.npz", "--show", "median", "--from", "0,0"), "it does not go with --show median"),
    (("heat-map", "kit.npz", "--show", "reached-from", "--from", "0,0"), "it does not go with --show reached-from"),
    (("reach-map", "play.yaml", "kit", "--areas", "--out", "out.npz"), "--areas is for tables"),
    (("reach-map", "play.yaml", "kit", "--spacing", "1", "--out", "out.npz"), "--spacing is for tables"),
    (("reach", "play.yaml", "kit", "--then", ""), "a link of a chain is an action or an order"),
    (
        ("reach", "play.yaml", "kit", "--action", "move mode=run mode=walk", "--then", "move"),
        "'move mode=run mode=walk': mode is set twice, to run and to walk",
    ),
    (
        ("reach", "play.yaml", "kit", "--action", "move mode=run", "--with", "mode=walk", "--then", "move"),
        "mode is set twice, to run in 'move mode=run' and to walk",
    ),
    (("reach", "play.yaml", "kit", "--then", "move to 99,99", "--then", "move"), "is not on the board: no square"),
]


@pytest.mark.parametrize(("words", "message"), USELESS, ids=[" ".join(words) for words, _ in USELESS])
def test_options_that_contradict_each_other_or_have_no_effect(run, folder, words, message):
    before = contents(folder)
    answer = run(*words)
    assert (answer.returncode, answer.stdout) == (2, ""), answer.stderr
    assert message in answer.stderr
    assert contents(folder) == before


def test_what_is_set_twice_to_the_same_is_no_contradiction(run, folder):
    for words in (
        ("path", "play.yaml", "kit", "1,0", "--prefer", "safest", "--safest"),
        ("reach", "play.yaml", "kit", "--action", "move mode=run mode=run", "--with", "mode=run", "--then", "move"),
    ):
        assert run(*words).returncode == 0


#: Commands with two outputs, before their names.
TWICE = {
    "show": (("show", "hall.yaml"), "--svg", "--png"),
    "walk": (("walk", "hall.yaml", "--from", "0,0", "--budget", "2"), "--png", "--geojson"),
    "reach": (("reach", "play.yaml", "kit"), "--geojson", "--svg"),
    "threats": (("threats", "play.yaml", "red"), "--svg", "--geojson"),
    "run --log": (("run", "play.yaml"), "--log", "--junit"),
    "run --html": (("run", "play.yaml"), "--junit", "--html"),
}


class TestTwoOutputsAreTwoFiles:
    @pytest.mark.parametrize(("words", "first", "second"), TWICE.values(), ids=TWICE)
    def test_of_one_command(self, run, folder, words, first, second):
        before = contents(folder)
        for name in ("out", "./out", f"../{folder.name}/out"):
            answer = run(*words, first, "out", second, name)
            assert (answer.returncode, answer.stdout) == (2, "")
            assert f"{second} {name} would replace the file of {first} out" in answer.stderr
            assert contents(folder) == before

    def test_but_a_device_takes_both(self, run, folder):
        assert run("show", "hall.yaml", "--svg", "/dev/null", "--png", "/dev/null").returncode == 0

    def test_of_scenarios_of_one_name(self, run, folder):
        (folder / "other").mkdir()
        (folder / "other" / "play.yaml").write_text(PLAY.replace("hall.yaml", "../hall.yaml"))
        before = contents(folder)
        answer = run("record", "play.yaml", "other/play.yaml", "--out", "records")
        assert answer.returncode == 2
        assert "--out: two scenarios are called play" in answer.stderr
        assert contents(folder) == before

    def test_not_even_of_a_page_among_pictures(self, run, folder):
        before = contents(folder)
        answer = run("run", "play.yaml", "--no-reach", "--html", "drawn/000.svg", "--svg", "drawn")
        assert answer.returncode == 2
        assert "would replace the file of --html drawn/000.svg" in answer.stderr
        assert contents(folder) == before


def started(folder, *words, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "simulator", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


SHORT = (("--help",), ("--version",), ("show", "hall.yaml"), ("check", "."), ("rules",), ("reach", "play.yaml", "kit"))


class TestStandardOutput:
    @pytest.mark.sampled(dear=["words4", "words7"])
    @pytest.mark.parametrize("words", [*SHORT, ("show", "hall.yaml", "--svg", "-"), ("demo", "--no-reach")])
    def test_a_full_one_is_told_in_a_line(self, folder, words):
        with Path("/dev/full").open("w") as full:
            told = started(folder, *words, stdout=full)
            said = told.communicate()[1]
        assert (told.returncode, said.count("\n")) == (2, 1), said
        assert "No space left on device" in said

    @pytest.mark.sampled(dear=["words4"])
    @pytest.mark.parametrize("words", SHORT)
    def test_a_reader_who_has_left_is_no_fault(self, folder, words):
        reading, writing = os.pipe()
        os.close(reading)
        told = started(folder, *words, stdout=writing)
        os.close(writing)
        assert (told.communicate()[1], told.returncode) == ("", 0)

    def test_a_closed_one_is_told_in_a_line(self, folder):
        command = f"{sys.executable} -m simulator show hall.yaml >&-"
        answer = subprocess.run(
            ["sh", "-c", command],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (answer.returncode, answer.stderr.count("\n")) == (2, 1), answer.stderr
        assert "cannot write standard output" in answer.stderr


class TestInterrupts:
    @pytest.mark.sampled(dear=["2.5"])
    @pytest.mark.parametrize("after", [0.1, 0.3, 0.6, 1.0, 1.5, 2.5])
    def test_at_any_moment_it_is_a_line(self, folder, after):
        words = ("explain", "play.yaml", "kit", "3,1", "--try-options")
        with started(folder, *words, stdout=subprocess.DEVNULL) as told:
            time.sleep(after)
            told.send_signal(signal.SIGINT)
            said = told.communicate()[1]
        if told.returncode == -signal.SIGINT:
            # Python itself had not come to the program yet; what it says then is not ours to decide.
            assert "simulator" not in said
        elif told.returncode not in (0, 1):  # those it ends with when nobody interrupts it
            assert (told.returncode, said) == (130, "simulator: interrupted\n")

    def test_workers_say_nothing_and_are_gone(self, folder):
        for number in range(12):
            shutil.copy(folder / "play.yaml", folder / f"play_{number}.yaml")
        words = ("run", ".", "--jobs", "2")
        with started(folder, *words, stdout=subprocess.DEVNULL, start_new_session=True) as told:
            line = told.stderr.readline()
            os.killpg(told.pid, signal.SIGINT)
            said = line + told.communicate()[1]
        assert "Traceback" not in said
        assert told.returncode in (0, 130)
        if told.returncode == 130:
            assert said.endswith("simulator: interrupted\n")
        for _ in range(200):
            if not _is_there(told.pid):
                break
            time.sleep(0.1)
        assert not _is_there(told.pid)


def _is_there(group):
    """Whether a process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
