"""From the text of a question to the text of its answer, in whichever process."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simulator.errors import SimulatorError
from simulator.live.ahead import Ahead
from simulator.live.catalogue import QUESTIONS
from simulator.live.moments import Moments
from simulator.live.questions import Answers, AtMoment
from simulator.live.shown import error_fields
from simulator.live.workers import Reply, refusal


class Answering:
    """Reads questions, and answers them or reports why not: a fault of ours too is an answer, and is printed."""

    def __init__(self, scenarios: Mapping[str, Path]) -> None:
        self._answers = Answers(scenarios, Moments())
        self._ahead = Ahead(self._answers)

    def look_ahead(self) -> bool:
        """Work on what may be asked next; return whether there was anything to do."""
        return self._ahead.go_on()

    def reply(self, question: str, body: bytes) -> Reply:
        """Return the answer to a question."""
        if question not in QUESTIONS:
            return refusal(404, f"there is no question {question!r}; there are {', '.join(QUESTIONS)}")
        model, answer = QUESTIONS[question]
        try:
            ask = model.model_validate_json(body)
        except ValidationError as error:
            return refusal(422, "; ".join(map(_fault, error.errors())))
        try:
            found = _json(answer(self._answers, ask))
        except SimulatorError as error:
            # What the rules refuse is an answer like any other.
            return Reply(200, _json({"refused": error_fields(None, error)}))
        except OSError as error:
            return Reply(200, _json({"refused": {"message": f"it cannot be read: {error.strerror}", "reasons": []}}))
        except Exception:
            traceback.print_exc(file=sys.stderr)
            return refusal(500, f"an internal error while answering {question!r}; its report is in the terminal")
        if isinstance(ask, AtMoment):
            self._ahead.turn_to(ask)
        return Reply(200, found)


def _fault(fault: Mapping[str, Any]) -> str:
    return ": ".join(filter(None, [".".join(map(str, fault["loc"])), str(fault["msg"])]))


def _json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
