"""A client that starts the engine as a process of its own, as bots do."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from asked_engine import ROOT, checked


class Client:
    def __init__(self, *words):
        command = [sys.executable, "-m", "simulator", "engine", *words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        self.count = 0

    def send(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def __call__(self, method, **params):
        self.count += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}).encode())
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.count
        return checked(method, answer)

    def end(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait(20), rest


@pytest.fixture
def client():
    made = []

    def start(*words):
        made.append(Client(*words))
        return made[-1]

    yield start
    for one in made:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
        for pipe in (one.process.stdin, one.process.stdout):
            pipe.close()


def test_a_game_by_the_legal_orders_whose_log_replays(client, tmp_path, run_cli):
    bot = client()
    game = bot("new", scenario="scenarios/grid_runner/mill_bridge.yaml", seed=3, ask="nothing")["game"]
    for _ in range(8):
        unit = bot("to_move", game=game)["may_go"][0]
        orders = bot("legal", game=game, unit=unit, most=1)["units"][unit]["orders"]
        bot("do", game=game, order=(orders or [f"{unit} done"])[0])
    hash_of_it = bot("state", game=game)["hash"]
    (tmp_path / "bot.jsonl").write_text(bot("save", game=game)["text"], encoding="utf-8")
    assert bot.end() == (0, b"")
    replayed = run_cli("replay", str(tmp_path / "bot.jsonl"), "--verify", "--quiet")
    assert replayed.returncode == 0, replayed.stderr
    assert hash_of_it in replayed.stdout


def test_nonsense_does_not_end_it(client):
    bot = client("--root", "scenarios")
    for line in (b"\xff\xff", b"{" * 100_000, b"x" * 3_000_000, b"", b"\0"):
        bot.send(line)
    answers = [json.loads(bot.process.stdout.readline()) for _ in range(4)]
    assert {answer["error"]["code"] for answer in answers} == {-32700}
    assert bot("version")["protocol"] == 1
    assert bot.end()[0] == 0


def test_a_folder_that_is_none(run_cli):
    found = run_cli("engine", "--root", "no_such_folder")
    assert found.returncode == 2
    assert "no_such_folder" in found.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_client_in_javascript(tmp_path):
    page = (ROOT / "docs" / "engine_protocol.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"^```javascript\n(.*?)^```$", page, re.M | re.S)
    (tmp_path / "bot.js").write_text(script, encoding="utf-8")
    program = tmp_path / "simulator"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m simulator "$@"\n')
    program.chmod(0o755)
    place = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    command = ["node", str(tmp_path / "bot.js")]
    found = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=place, timeout=60, check=False)
    assert found.returncode == 0, found.stderr
    assert "may_go: [ 'kit', 'lou', 'hunter', 'watcher' ]" in found.stdout


@pytest.fixture
def run_cli():
    def run(*words):
        command = [sys.executable, "-m", "simulator", *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)

    return run
