"""The package as it is installed: a wheel in an environment of its own, far from the checkout.

Dependencies come from the environment of the tests, so that nothing is downloaded.
"""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: What looks like the path of a file, with a folder.
_PATHS = re.compile(r"(?<![\w.-])/?(?:[\w.-]+/)+[\w.-]+\.(?:yaml|md|py|toml|json|html|svg)\b")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The `simulator` of an environment with nothing but the wheel."""
    home = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(home)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = home.glob("*.whl")
    venv.create(home / "venv", with_pip=True, symlinks=os.name != "nt")
    scripts = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    install = [scripts / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True, env=_environment())
    where = [scripts / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip())
    # A .pth file adds the folder alone: an editable installation in it, which is a .pth file too, stays out.
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return scripts / "simulator"


def _environment():
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV_", "PIP_"))}


def _answer(installed, command, folder):
    """What a command prints; a status other than 0 is an error, with all that it printed."""
    return subprocess.run(
        [installed, *command.split()],
        cwd=folder,
        env=_environment() | {"COLUMNS": "200", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=True,
    ).stdout


def test_it_does_all_of_that_in_an_empty_folder(installed, tmp_path):
    """One test, so that one process builds and installs it."""
    words = {
        "demo --no-reach": "out/demo/skirmish.html",
        "rules": "grid_runner  Grid runner: 95 clauses, 26 options\n",
        "rules grid_runner": "\n95 clauses, 26 options\n",
        "rules grid_runner GR-11": "m1_totals",
        "examples": "mad_dash",
        "examples --copy mine": "simulator run mine/scenarios",
        "run mine/scenarios/skirmish/mad_dash.yaml": "8 of 8 expectations met",
        "run mad_dash": "8 of 8 expectations met",
        "reach scenarios/skirmish/mad_dash.yaml dex": "can end on",  # as in the help: an example, wherever one is
        "schema": "scenario",
        "schema scenario": '"title": "Scenario file"',
        "serve --help": "live table",
        "check mine/boards": "ok",
    }
    for command, wanted in words.items():
        printed = _answer(installed, command, tmp_path)
        assert wanted in printed, f"{command}: {printed}"
        assert "without a test" not in printed, command
        assert "no test names it" not in printed, command
        assert str(ROOT) not in printed, command
        if "--help" not in command:  # its examples are taken from the package if no such file is there
            missing = [path for path in _PATHS.findall(printed) if not (tmp_path / path).exists()]
            assert missing == [], command


def test_it_is_the_installed_one(installed, tmp_path):
    code = "import simulator, pathlib; print(pathlib.Path(simulator.__file__).is_relative_to(__import__('sys').prefix))"
    python = installed.with_name("python")
    answer = subprocess.run([python, "-c", code], cwd=tmp_path, env=_environment(), capture_output=True, text=True)
    assert answer.stdout == "True\n"
