"""Examples in the documentation and in docstrings run as tests.

On a page, Python blocks run. So do `console` blocks: after `$` stands a command, below it all that it prints, a line of
dots standing for any number of lines and dots within a line for anything. A command that answers with a status other
than 0 says so: `# exit 1`. A block that names a file behind its language is that file from there on.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sybil import Region, Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

# Compiled code is loaded when it pays, so which executor is chosen would depend on the tests before. Those of compiled
# code name its executors; `SIMULATOR_FAST=yes` tries all other tests with it, too.
os.environ.setdefault("SIMULATOR_FAST", "no")

ROOT = Path(__file__).resolve().parent
_BLOCK = re.compile(r"^```(?P<head>console|\w+ [\w./-]+\.\w+)\n(?P<body>.*?)^```$", re.M | re.S)
_PROGRAMS = {"simulator": [sys.executable, "-m", "simulator"], "python": [sys.executable]}


def _console_blocks(document):
    for block in _BLOCK.finditer(document.text):
        yield Region(block.start(), block.end(), (block["head"], block["body"]), _try_out)


def _try_out(example):
    head, body = example.parsed
    folder = _folder_of(example.namespace)
    if head != "console":
        file = folder / head.split(" ", 1)[1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body, encoding="utf-8")
        return None
    for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.M):
        code, printed = _run(command, folder)
        status = int((re.search(r"# exit (\d+)$", command) or (0, 0))[1])
        if code != status or not _fits(wanted, printed):
            return f"$ {command}\nexit {code} instead of {status}\n--- wanted\n{wanted}--- printed\n{printed}"
    return None


def _folder_of(namespace):
    """The folder of a page's commands: the boards and scenarios that come along lie in it."""
    if "console folder" not in namespace:
        holder = tempfile.TemporaryDirectory()
        for name in ("boards", "corpus", "scenarios"):
            shutil.copytree(ROOT / name, Path(holder.name) / name)
        namespace["console folder"] = holder  # gone when the page is
    return Path(namespace["console folder"].name)


def _run(command, folder):
    program, *rest = shlex.split(command, comments=True)
    place = {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    answer = subprocess.run(
        [*_PROGRAMS.get(program, [program]), *rest],
        cwd=folder,
        env=os.environ | place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return answer.returncode, answer.stdout


def _fits(wanted, printed):
    """Whether what was printed is what the page says, white space at line ends left out."""
    lines = ["(?:.*\n)*?" if line.strip() == "..." else _line(line) for line in wanted.splitlines()]
    return re.fullmatch("".join(lines), "".join(f"{line.rstrip()}\n" for line in printed.splitlines())) is not None


def _line(line):
    return ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + "\n"


_markdown = Sybil(parsers=[PythonCodeBlockParser(), _console_blocks], patterns=["*.md"])
_docstrings = Sybil(parsers=[DocTestParser()], patterns=["*.py"], excludes=["tests/*", "benchmarks/*", "conftest.py"])

pytest_collect_file = (_markdown + _docstrings).pytest()
