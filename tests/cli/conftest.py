"""How the tests run the program: in this process, with small rulebooks that a package offers by entry points."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.__main__ import main
from simulator.rulesets import shelf

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def rulebooks(tmp_path_factory):
    """A folder with the metadata of an installed package that offers the small rulebooks."""
    info = tmp_path_factory.mktemp("installed") / "small_rulebooks-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: small-rulebooks\nVersion: 1.0\n")
    points = "duel = duel_ruleset:RULESET\ngun_courier = gun_couriers:RULESET\ntiny = tiny_ruleset\n"
    (info / "entry_points.txt").write_text(f"[simulator.rulesets]\n{points}")
    return os.pathsep.join(map(str, (ROOT, info.parent, ROOT / "tests" / "engine")))


@pytest.fixture
def run(tmp_path, rulebooks, monkeypatch):
    """Run the program in an empty folder, as a user would; in a process of its own where that matters."""

    def run(*words, said="", apart=False, **environment):
        if not (environment or apart):
            return in_here(tmp_path, words, said)
        return subprocess.run(
            [sys.executable, "-m", "simulator", *map(str, words)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            input=said,
            env=os.environ | {"PYTHONPATH": rulebooks} | environment,
        )

    for folder in reversed(rulebooks.split(os.pathsep)):
        monkeypatch.syspath_prepend(folder)
    shelf.cache_clear()
    yield run
    shelf.cache_clear()


@pytest.fixture(scope="session")
def in_folder():
    """Run the program in some folder: `in_folder(folder, words)`."""
    return in_here


def in_here(folder, words, said=""):
    """Run the program in this process, which is much quicker."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patched,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patched.setattr(sys, "argv", ["simulator", *map(str, words)])
        patched.setattr(sys, "stdin", io.StringIO(said))
        with pytest.raises(SystemExit) as left:
            main()
    return subprocess.CompletedProcess(words, left.value.code, out.getvalue(), err.getvalue())
