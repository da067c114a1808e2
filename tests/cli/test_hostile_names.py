"""Names come from files and from command lines: nothing in them reaches a terminal, a page or a picture as a command.

Every command is run with hostile names in every place that a name can have, and what it prints is looked through for
control characters, marks of direction, characters without a width, and halves of characters.
"""

import html
import json
import os
import unicodedata
from xml.etree import ElementTree

import pytest

TITLE = "\x1b]0;owned\x07"
HOSTILE = f"{TITLE}\u202egnp\u200b\x9b2J\x7f\u2066\ufeff\u2028\u00ad\U000e0041"
# JSON writes what lies beyond 16 bits in two halves, YAML in one piece.
QUOTED = json.dumps(HOSTILE).replace(r"\udb40\udc41", r"\U000e0041")
#: A name of a file: bytes that are no text among them.
FILE = f"ha{HOSTILE}\udcff\nll"
BOARD = f"""\
format: 1
board: squares
name: {QUOTED}
description: {QUOTED}
legend:
  ".": {{terrain: {QUOTED}}}
  "#": {{wall: true, terrain: "b{QUOTED[1:]}}}
rows: |
  .....
  ..#..
areas: [{{name: {QUOTED}, side: {QUOTED}, squares: [[0, 0]]}}]
labels: [{{at: [1, 0], text: {QUOTED}}}]
"""
TABLE = f"""\
format: 1
board: table
name: {QUOTED}
size: [6, 6]
pieces: [{{id: {QUOTED}, kind: lump, layer: obstacle, point: [3, 3]}}]
labels: [{{at: [1, 1], text: {QUOTED}}}]
"""
PLAY = f"""\
format: 1
ruleset: grid_runner
name: {QUOTED}
description: {QUOTED}
board: BOARD
units:
  kit: {{type: character, side: {QUOTED}, at: [0, 0], metatype: human}}
  guard: {{type: character, side: blue, at: [3, 0], metatype: human}}
dice: {{seed: {QUOTED}}}
turns: [["kit move: s", {{order: "kit shout {TITLE.encode("unicode_escape").decode()}", refused: GR-1}}, {QUOTED}]]
"""
#: The same without the order that cannot be read, so that it can be played.
SOUND = "\n".join([*PLAY.splitlines()[:-1], 'turns: [["kit move: s"]]', "expect: {units: {kit: {at: [4, 0]}}}", ""])


def shown(text):
    """Give the characters of a text that a terminal would obey, hide or turn round."""
    odd = {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Co") and char != "\n"}
    return sorted(map(ascii, odd))


@pytest.fixture
def folder(tmp_path):
    files = {"board": BOARD, "table": TABLE, "play": SOUND.replace("BOARD", "board.yaml"), FILE: BOARD}
    files["faulty"] = PLAY.replace("BOARD", "board.yaml") + f"{QUOTED}: 1\n"
    files["broken"] = f"format: 1\nboard: {QUOTED}\nx: [\n"
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8", errors="surrogateescape")
    (tmp_path / f"{HOSTILE}.map").write_text("type octile\nheight 1\nwidth 2\nmap\n.x\n")
    os.mkfifo(tmp_path / f"{HOSTILE}.yaml")
    (tmp_path / f"dir{HOSTILE}").mkdir()
    (tmp_path / f"dir{HOSTILE}" / "x.yaml").write_text(SOUND.replace("BOARD", "../board.yaml"))
    (tmp_path / f"{HOSTILE}.jsonl").write_text('{"n":1,"log":1}\n')
    return tmp_path


COMMANDS = [
    (HOSTILE,),
    (f"--{HOSTILE}",),
    ("show", "board.yaml"),
    ("show", "table.yaml"),
    ("show", "play.yaml"),
    ("show", "faulty.yaml"),
    ("show", "broken.yaml"),
    ("show", f"{FILE}.yaml"),
    ("show", f"{HOSTILE}.yaml"),
    ("show", f"{HOSTILE}.map"),
    ("show", f"{HOSTILE}.yml"),
    ("show", f"dir{HOSTILE}"),
    ("show", "board.yaml", "--svg", f"{FILE}.svg"),
    ("show", "board.yaml", "--svg", f"{HOSTILE}/no/x.svg"),
    ("show", "board.yaml", "--width", HOSTILE),
    ("check", "."),
    ("check", f"{FILE}.yaml", "broken.yaml", "faulty.yaml"),
    ("check", f"dir{HOSTILE}"),
    ("check", f"none{HOSTILE}"),
    ("run", "play.yaml"),
    ("run", "play.yaml", "--log", f"{HOSTILE}.log"),
    ("run", "play.yaml", "--svg", f"pictures{HOSTILE}", "--no-reach", "--html", f"{HOSTILE}.html"),
    ("run", "play.yaml", "--junit", f"{HOSTILE}.xml"),
    ("run", "play.yaml", "--option", f"{HOSTILE}={HOSTILE}"),
    ("run", "play.yaml", "--option", HOSTILE),
    ("run", "play.yaml", "--step"),
    ("run", "play.yaml", f"dir{HOSTILE}", "faulty.yaml", "--jobs", "1"),
    ("run", "faulty.yaml"),
    ("run", f"{HOSTILE}.yaml"),
    ("run", "play.yaml", "--resume", "--log", f"{HOSTILE}.jsonl"),
    ("record", "play.yaml"),
    ("record", "play.yaml", "--out", f"records{HOSTILE}"),
    ("record", f"dir{HOSTILE}", "--option", f"carry_over={HOSTILE}"),
    ("reach", "play.yaml", "kit"),
    ("reach", "play.yaml", HOSTILE),
    ("reach", "play.yaml", "kit", "--to", HOSTILE),
    ("reach", "play.yaml", "kit", "--action", HOSTILE),
    ("reach", "play.yaml", "kit", "--with", f"{HOSTILE}={HOSTILE}"),
    ("reach", "play.yaml", "kit", "--svg", f"{HOSTILE}.svg"),
    ("path", "play.yaml", "kit", "1,0"),
    ("path", "play.yaml", "kit", HOSTILE),
    ("explain", "play.yaml", "kit", "2,1"),
    ("explain", "play.yaml", f"kit {HOSTILE}"),
    ("explain", "play.yaml", f"kit move: {HOSTILE}"),
    ("exposed", "play.yaml", "kit", "4,0"),
    ("exposed", "play.yaml", f"kit move: {HOSTILE}"),
    ("threats", "play.yaml", HOSTILE),
    ("threats", "play.yaml", f"x{HOSTILE}"),
    ("diff", "play.yaml", "kit", "--option", f"carry_over={HOSTILE}"),
    ("diff", "play.yaml", "kit", "--option", "carry_over=true"),
    ("walk", "board.yaml", "--from", "0,0", "--budget", "2", "--to", "4,0"),
    ("walk", "board.yaml", "--from", HOSTILE, "--budget", "2"),
    ("walk", "board.yaml", "--from", "0,0", "--budget", "2", "--terrain", f"{HOSTILE}=2"),
    ("walk", "board.yaml", "--from", "0,0", "--budget", "2", "--terrain", f"x{HOSTILE}=2"),
    ("walk", "table.yaml", "--from", "1,1", "--budget", "2", "--to", "5,5"),
    ("walk", "table.yaml", "--from", "3,3", "--budget", "2"),
    ("bench", "board.yaml", "--queries", "1", "--budget", "1"),
    ("bench", "table.yaml", "--queries", "1", "--budget", "1"),
    ("bench", "board.yaml", "--terrain", f"x{HOSTILE}=2"),
    ("replay", f"{HOSTILE}.jsonl"),
    ("replay", "board.yaml"),
    ("replay", f"none{HOSTILE}"),
    ("rules", HOSTILE),
    ("rules", "grid_runner", HOSTILE),
    ("rules", f"{HOSTILE}-7"),
    ("new-board", HOSTILE),
    ("new-board", "squares", f"{HOSTILE}.board"),
    ("demo", "--out", "board.yaml", "--no-reach", HOSTILE),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words).encode("ascii", "replace").decode())
def test_what_is_printed_shows_them_as_escapes(run, folder, words):
    answer = run(*words)
    assert answer.returncode in (0, 1, 2, 3, 4), answer.stderr
    assert "Traceback" not in answer.stderr
    assert shown(answer.stdout + answer.stderr) == []


def test_so_it_is_in_a_log_that_is_told_again(run, folder):
    run("run", "play.yaml", "--log", f"{HOSTILE}.log")
    answer = run("replay", f"{HOSTILE}.log", "--html", f"{HOSTILE}.html", "--no-reach")
    assert answer.returncode == 0, answer.stderr
    assert shown(answer.stdout + answer.stderr) == []
    assert shown((folder / f"{HOSTILE}.html").read_text(encoding="utf-8")) == []


# Long: a process for each kind of terminal; what is printed is tried in this one above.
@pytest.mark.long
def test_bytes_that_are_no_text_are_told_on_a_terminal_of_any_kind(run, folder):
    for encoding in ("ascii", "utf-8"):
        answer = run("show", f"{FILE}.yaml", PYTHONIOENCODING=encoding)
        assert answer.returncode == 0, answer.stderr
        answer = run("check", ".", PYTHONIOENCODING=encoding)
        assert answer.returncode == 3
        assert shown(answer.stdout + answer.stderr) == []


@pytest.mark.parametrize(
    "words",
    [
        ("show", "board.yaml"),
        ("show", "table.yaml"),
        ("show", "play.yaml"),
        ("show", f"{FILE}.yaml"),
        ("walk", "board.yaml", "--from", "0,0", "--budget", "2"),
        ("walk", "table.yaml", "--from", "1,1", "--budget", "2"),
        ("reach", "play.yaml", "kit"),
        ("path", "play.yaml", "kit", "1,0"),
        ("exposed", "play.yaml", "kit", "2,0"),
        ("threats", "play.yaml", "blue"),
        ("diff", "play.yaml", "kit", "--option", "carry_over=true"),
    ],
    ids=lambda words: words[0],
)
def test_pictures_are_sound_and_show_them_as_escapes(run, folder, words):
    answer = run(*words, "--svg", "picture.svg")
    assert answer.returncode == 0, answer.stderr
    text = (folder / "picture.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert shown(html.unescape(text)) == []


def test_pages_and_reports_too(run, folder):
    answer = run("run", "play.yaml", "--html", "page.html", "--no-reach", "--junit", "report.xml", "--svg", "pictures")
    assert answer.returncode == 1, answer.stderr
    ElementTree.parse(folder / "report.xml")
    for name in ("page.html", "report.xml", "pictures/000.svg", "pictures/001.svg"):
        text = (folder / name).read_text(encoding="utf-8")
        assert shown(html.unescape(text)) == [], name
        assert ("owned" in text) == (name != "report.xml"), name


def test_json_keeps_them_as_they_are(run, folder):
    answer = run("reach", "play.yaml", "kit", "--json")
    assert json.loads(answer.stdout)["scenario"] == HOSTILE
    assert shown(answer.stdout) == []
    answer = run("check", ".", "--json")
    assert f"{FILE}.yaml" in {file["file"] for file in json.loads(answer.stdout)["files"]}
    assert shown(answer.stdout) == []
