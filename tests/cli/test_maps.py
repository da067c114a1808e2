"""`--map` of the commands that show, and its absence."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = [("show", "tidal_flat"), ("reach", "mad_dash", "dex"), ("path", "mad_dash", "dex", "4,6")]


@pytest.mark.parametrize("words", QUESTIONS)
class TestPiped:
    @pytest.mark.sampled(dear=["words1", "words2"])
    def test_it_is_drawn_only_on_demand_and_plainly(self, run, words):
        plain, drawn = run(*words).stdout, run(*words, "--map").stdout
        assert drawn.startswith(plain)
        assert len(drawn) > len(plain) + 500
        assert "\x1b" not in drawn
        assert max(map(len, drawn[len(plain) :].splitlines())) <= 80
        assert run(*words, "--no-map").stdout == plain

    @pytest.mark.sampled(dear=["words1"])
    def test_a_document_has_none(self, run, words):
        form = ("--svg", "-") if words[0] == "show" else ("--json",)
        assert run(*words, *form, "--map").stdout == run(*words, *form).stdout


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
@pytest.mark.parametrize(("environment", "is_coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_on_a_terminal_it_is_drawn_in_colour_if_there_is_any(environment, is_coloured):
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "60", **environment}
    command = [sys.executable, "-m", "simulator", "show", "tidal_flat"]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment, cwd=ROOT) as process:
        os.close(theirs)
        written = b""
        with suppress(OSError):  # the terminal is closed with the program
            while part := os.read(ours, 4096):
                written += part
        assert process.wait(60) == 0
    os.close(ours)
    assert ("▀".encode() in written) == is_coloured
    assert (b"\x1b[" in written) == is_coloured
    assert b"......" in written or is_coloured
