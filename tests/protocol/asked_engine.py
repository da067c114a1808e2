"""An engine in this process, whose every answer is checked by its model."""

import json
from pathlib import Path

from simulator.formats.answers import read_answer
from simulator.protocol.folder import Folder
from simulator.protocol.messages import answer_line
from simulator.protocol.methods import Engine
from simulator.protocol.server import guarded

ROOT = Path(__file__).resolve().parents[2]
#: The models of the results, by method.
MODELS = {
    "new": "engine_game",
    "load": "engine_game",
    "state": "engine_state",
    "to_move": "engine_to_move",
    "legal": "engine_legal",
    "reach": "reach",
    "path": "path",
    "why_not": "explain",
    "do": "engine_happened",
    "answer": "engine_happened",
    "redo": "engine_happened",
    "undo": "engine_undone",
    "save": "engine_saved",
    "close": "engine_closed",
    "version": "engine_version",
    "schema": "engine_schema",
}


class Refusal(Exception):
    """An error of the engine."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code, self.data = error["code"], error.get("data")


def checked(method, answer):
    """The result of an answer, checked by its model; an error is raised."""
    assert answer.keys() - {"result", "error"} == {"jsonrpc", "id"}
    assert ("result" in answer) != ("error" in answer)
    if "error" in answer:
        read_answer("engine_error", json.dumps(answer["error"]))
        raise Refusal(answer["error"])
    model = "reach_so_far" if method == "reach" and "inner" in answer["result"] else MODELS[method]
    read_answer(model, json.dumps(answer["result"]))
    return answer["result"]


class Asked:
    """Asks an engine: `asked("do", game="g1", order="kit done")`."""

    def __init__(self, root):
        self.engine = Engine(Folder(root.resolve()))
        self.handle = guarded(self.engine.handle)

    def line(self, text):
        answer = answer_line(text.encode() if isinstance(text, str) else text, self.handle)
        return None if answer is None else json.loads(answer)

    def __call__(self, method, **params):
        return checked(method, self.line(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})))
