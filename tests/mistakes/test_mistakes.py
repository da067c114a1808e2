"""What people do wrong, at the command line, in files and in orders: each is answered in a line or two that help.

`mistakes.yaml` tells what is done; `answers.txt` what the program says to it. After a change on purpose write the
answers again with `python tests/mistakes/test_mistakes.py`, and read the difference.
"""

import contextlib
import io
import os
import shlex
import sys
from pathlib import Path
from unittest import mock

import pytest
import yaml

from simulator.__main__ import main

HERE = Path(__file__).resolve().parent
#: What stands above and below a refusal in the account of a game, and is no part of the answer.
_ACCOUNT_OF_A_GAME = ("simulator run", "simulator record")


def mistakes():
    return yaml.safe_load((HERE / "mistakes.yaml").read_text(encoding="utf-8"))


def answers():
    blocks = (HERE / "answers.txt").read_text(encoding="utf-8").strip("\n").split("\n\n")
    return {block.split("\n")[0]: block for block in blocks}


def lay_out(folder, files, edit=None):
    """Write the files that the mistakes are made with, one of them perhaps changed."""
    for name, text in files.items():
        if edit and edit[0] == name:
            assert edit[1] in text, f"nothing to change: {edit[1]!r}"
            text = text.replace(edit[1], edit[2])
        (folder / name).write_text(text, encoding="utf-8", newline="")


def said(command):
    """Run a command of the program in this folder; give its exit code and all that it printed."""
    printed = io.StringIO()
    words = shlex.split(command)
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        mock.patch.object(sys, "argv", words),
        mock.patch.object(sys, "stdin", io.StringIO("")),
        pytest.raises(SystemExit) as left,
    ):
        main()
    return left.value.code or 0, printed.getvalue()


def answer_to(mistake, files, folder):
    """Tell a mistake and the answer to it. Of the account of a game only what is wrong is kept."""
    folder = folder / "club" / "table"
    folder.mkdir(parents=True)
    lay_out(folder, files, mistake.get("edit"))
    before = Path.cwd()
    os.chdir(folder)
    try:
        code, printed = said(mistake["run"])
    finally:
        os.chdir(before)
    lines = [line.rstrip() for line in printed.splitlines() if line.strip()]
    if mistake["run"].startswith(_ACCOUNT_OF_A_GAME) and code == 1:
        lines = [line for line in lines if " FAIL " in line or "not done" in line or "refused" in line] or lines
    return "\n".join([mistake["it"], f"$ {mistake['run']}  # exit {code}", *lines])


ALL = mistakes()


@pytest.mark.parametrize("mistake", ALL["mistakes"], ids=lambda mistake: mistake["it"])
def test_a_mistake_is_answered(mistake, tmp_path):
    answer = answer_to(mistake, ALL["files"], tmp_path)
    assert answer == answers()[mistake["it"]]


def test_the_corpus_is_whole():
    names = [mistake["it"] for mistake in ALL["mistakes"]]
    assert len(set(names)) == len(names) >= 100
    assert list(answers()) == names


@pytest.mark.parametrize("name", list(answers()))
def test_an_answer_is_short_and_no_success(name):
    """A line or two; a longer one lists, indented, what there is to choose from."""
    _, command, *lines = answers()[name].split("\n")
    assert not command.endswith(("exit 0", "exit 70"))
    told = [line for line in lines if not (": which " in lines[0] and line.startswith("  "))]
    assert 1 <= len(told) <= 3
    assert "Traceback" not in "".join(lines)


if __name__ == "__main__":
    import tempfile

    told = []
    for mistake in ALL["mistakes"]:
        with tempfile.TemporaryDirectory() as folder:
            told.append(answer_to(mistake, ALL["files"], Path(folder)))
    (HERE / "answers.txt").write_text("\n\n".join(told) + "\n", encoding="utf-8")
