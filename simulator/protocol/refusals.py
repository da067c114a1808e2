"""What is wrong, as an error of JSON-RPC: its code, its message, and what would be right."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from simulator.engine.errors import AnswerError, IllegalOrder, TableError, UnreadableOrder
from simulator.engine.game import Game
from simulator.engine.reach import reason_fields
from simulator.engine.values import to_plain
from simulator.errors import FileError, LimitReached, SimulatorError
from simulator.protocol.messages import INVALID_PARAMS, RpcError

#: Codes of our own.
REFUSED = -32000
ILLEGAL_ORDER = -32001
UNREADABLE_ORDER = -32002
WRONG_ANSWER = -32003
QUESTION_OPEN = -32004
FAULTY_FILE = -32005
NO_SUCH_GAME = -32006
LIMIT = -32007
NO_ACCESS = -32008
TIME_IS_UP = -32009


def refusal_of(error: SimulatorError, game: Game[Any] | None = None) -> RpcError:
    """Return the error that answers what the simulator refused."""
    message = str(error).splitlines()[0] if str(error) else type(error).__name__
    if isinstance(error, IllegalOrder):
        return RpcError(ILLEGAL_ORDER, message, _illegal(error, game))
    if isinstance(error, UnreadableOrder):
        places = {name: getattr(error, name) for name in ("at", "length", "expected", "hint", "advice")}
        return RpcError(UNREADABLE_ORDER, message, {**places, "meant": list(error.meant)})
    if isinstance(error, FileError):
        code = LIMIT if isinstance(error, LimitReached) else FAULTY_FILE
        return RpcError(code, message, {"faults": [fault.to_fields() for fault in error.faults]})
    if game is not None and game.question is not None and isinstance(error, AnswerError | TableError):
        code = WRONG_ANSWER if isinstance(error, AnswerError) else QUESTION_OPEN
        return RpcError(code, str(error), {"question": to_plain(game.question.to_fields())})
    if isinstance(error, AnswerError):
        return RpcError(WRONG_ANSWER, str(error))
    return RpcError(LIMIT if error.exit_code == 4 else REFUSED, str(error))


def _illegal(error: IllegalOrder, game: Game[Any] | None) -> dict[str, Any]:
    """Return every reason against an order, and one of the same kind that is legal now, if one is found."""
    legal = None
    if game is not None:
        order = game.read(error.order)
        # Examples are those of a unit in its own go, which may be over or still to come.
        legal = game.legal_example(order.unit, order.action) if order.unit in game.to_move() else None
    return {"order": error.order, "reasons": [reason_fields(one) for one in error.breaches], "legal": legal}


def wrong_params(error: ValidationError) -> RpcError:
    """Return the error that answers parameters of another form."""
    faults = [
        {"path": ".".join(map(str, one["loc"])), "message": one["msg"]}
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    first = ": ".join(filter(None, faults[0].values()))
    return RpcError(INVALID_PARAMS, f"wrong parameters: {first}", {"faults": faults})
