"""Completion in a shell: what is offered, and that nothing makes it fail."""

import os
import shutil
import subprocess
import sys

import pytest
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from simulator.cli import cli
from simulator.formats.examples import examples

HOSTILE = "\x1b]0;x\x07\n$(touch stolen)"


def completed(*words):
    """Return what the last word of a command line can become."""
    *args, incomplete = words
    found = ShellComplete(cli, {}, "simulator", "_SIMULATOR_COMPLETE").get_completions(list(args), incomplete)
    return [item.value for item in found if item.type == "plain"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("rea",), ["reach", "reach-map"]),
        (("run", "mad"), ["mad_dash"]),
        (("walk", "tidal"), ["tidal_flat"]),
        (("reach", "mad_dash", ""), ["dex", "pip", "owl"]),
        (("reach", "mad_dash", "p"), ["pip"]),
        (("threats", "mad_dash", ""), ["red", "blue"]),
        (("path", "mad_dash", "dex", "3"), ["3,6", "3,9"]),
        (("explain", "mad_dash", "d"), ["dex"]),
        (("explain", "mad_dash", "dex", "r"), ["run"]),
        (("reach", "mad_dash", "dex", "--action", ""), ["turn", "move", "run", "traverse"]),
        (("reach", "mad_dash", "dex", "--with", "a"), ["ap="]),
        (("reach", "mad_dash", "dex", "--option", "pool"), ["pool_ap=false", "pool_ap=true"]),
        (("run", "mad_dash", "--option", "pool"), ["pool_ap=false", "pool_ap=true"]),
        (("diff", "mad_dash", "dex", "--option", "pool"), ["pool_ap=false", "pool_ap=true"]),
        (("reach", "mad_dash", "dex", "--table", "inches.st"), ["inches.standing=3"]),
        (("rules", "skir"), ["skirmish"]),
        (("rules", "skirmish", "SK-67"), ["SK-67"]),
        (("new-scenario", "me"), ["mecha"]),
        (("completion", "z"), ["zsh"]),
        (("path", "mad_dash", "dex", "3,6", "--prefer", "s"), ["safest", "surest"]),
    ],
)
def test_what_is_offered(words, found):
    assert completed(*words) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0\1\2",
        "format: 1\nruleset: nothing\n",
        "format: 1\nruleset: skirmish\nboard: ../../etc/passwd\nunits: {}\n",
        "{{{{[[[",
        f"format: 1\nruleset: skirmish\nunits: {{{HOSTILE!r}: {{}}}}\n",
        "&a [*a]",
    ],
)
@pytest.mark.parametrize("more", [("",), ("dex", "--action", ""), ("dex", "--table", ""), ("dex", "--with", "")])
def test_a_hostile_or_broken_file_completes_nothing(tmp_path, capsys, text, more):
    (tmp_path / "bad.yaml").write_text(text)
    for command in ("reach", "path", "explain", "diff"):
        assert completed(command, str(tmp_path / "bad.yaml"), *more) == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("missing", ["nope.yaml", "nope", "", HOSTILE, "/", "-"])
def test_a_missing_file_completes_nothing(missing, capsys):
    assert completed("reach", missing, "") == []
    assert capsys.readouterr() == ("", "")


def test_no_word_that_a_shell_would_act_on_is_offered(tmp_path):
    board = "{board: table, size: [20, 20]}"
    units = f"{{type: soldier, side: {HOSTILE.encode('unicode_escape').decode()!r}, at: [5, 5]}}"
    (tmp_path / "odd.yaml").write_text(f"format: 1\nruleset: skirmish\nboard: {board}\nunits: {{dex: {units}}}\n")
    assert completed("threats", str(tmp_path / "odd.yaml"), "") == []
    assert completed("reach", str(tmp_path / "odd.yaml"), "") == ["dex"]


class TestTheScripts:
    @pytest.mark.parametrize(("shell", "kind"), [("bash", BashComplete), ("zsh", ZshComplete), ("fish", FishComplete)])
    def test_each_shell_has_its_own(self, run, shell, kind):
        expected = ShellComplete.source(kind(cli, {}, "simulator", "_SIMULATOR_COMPLETE"))
        assert run("completion", shell).stdout.strip() == expected.strip()

    def test_the_default_is_the_shell_of_the_user(self, run, monkeypatch):
        monkeypatch.setenv("SHELL", "/usr/bin/zsh")
        assert run("completion").stdout == run("completion", "zsh").stdout
        monkeypatch.setenv("SHELL", "/bin/strange")
        assert "name your shell: bash, zsh, fish" in run("completion").stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_in_bash(tmp_path):
    """The script, loaded by bash itself, completes a word as a tab would."""
    (tmp_path / "simulator").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m simulator "$@"\n')
    (tmp_path / "simulator").chmod(0o755)
    tab = (
        'eval "$(simulator completion bash)"; COMP_WORDS=(simulator reach mad_dash d); COMP_CWORD=3; '
        '_simulator_completion simulator; echo "${COMPREPLY[@]}"'
    )
    paths = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    root = str(examples("boards").parent)
    env = os.environ | {"PATH": paths, "PYTHONPATH": root}
    done = subprocess.run(["bash", "-c", tab], capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
    assert done.stdout.split() == ["dex"], done.stderr
