"""JSON-RPC 2.0, one message a line: reading, requests, batches, answers.

A message is strict JSON in UTF-8: no NaN, no Infinity, no key twice, limited in length, nesting and digits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from simulator.engine.values import read_plain

#: The limits of a message.
MOST_BYTES = 2**20
MOST_NESTING = 32
MOST_IN_BATCH = 100

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
NO_SUCH_METHOD = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

Handler = Callable[[str, Mapping[str, Any]], Any]


class RpcError(Exception):
    """An error as JSON-RPC answers it."""

    def __init__(self, code: int, message: str, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    def to_fields(self) -> dict[str, Any]:
        """Return it as plain data."""
        data = {} if self.data is None else {"data": dict(self.data)}
        return {"code": self.code, "message": self.message, **data}


@dataclass(frozen=True, slots=True)
class _Call:
    method: str
    params: Mapping[str, Any]
    id: Any
    #: Whether nothing is answered.
    is_notification: bool


def lines_of(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line that is not blank; None for one that is too long, which is skipped and not kept."""
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(MOST_BYTES)
            yield None
        elif line.strip():
            yield line


def answer_line(line: bytes | None, handle: Handler) -> bytes | None:
    """Return the line that answers a line; None if nothing is answered."""
    answer = _answer(line, handle)
    if answer is None:
        return None
    return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _answer(line: bytes | None, handle: Handler) -> Any:
    try:
        message = _read(line)
    except RpcError as error:
        return _error(None, error)
    if not isinstance(message, list):
        return _answer_one(message, handle)
    if not message:
        return _error(None, RpcError(INVALID_REQUEST, "a batch has at least one request"))
    if len(message) > MOST_IN_BATCH:
        problem = f"a batch of {len(message)} requests; at most {MOST_IN_BATCH} are answered together"
        return _error(None, RpcError(INVALID_REQUEST, problem))
    answers = [_answer_one(one, handle) for one in message]
    return [answer for answer in answers if answer is not None] or None


def _read(line: bytes | None) -> Any:
    if line is None:
        raise RpcError(PARSE_ERROR, f"a message has at most {MOST_BYTES} bytes")
    try:
        message = read_plain(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RpcError(PARSE_ERROR, f"byte {error.start} is not UTF-8") from None
    except ValueError as error:
        raise RpcError(PARSE_ERROR, f"not strict JSON: {error}") from None
    if _is_deep(message):
        raise RpcError(PARSE_ERROR, f"lists and objects are nested more than {MOST_NESTING} deep")
    try:
        # Numbers beyond a float and halves of characters could not be written back.
        json.dumps(message, ensure_ascii=False, allow_nan=False).encode()
    except ValueError as error:
        raise RpcError(PARSE_ERROR, f"a number or a character that does not exist: {error}") from None
    return message


def _is_deep(message: Any) -> bool:
    level = [message]
    for _ in range(MOST_NESTING + 1):
        level = [part for one in level for part in _parts(one)]
    return bool(level)


def _parts(value: Any) -> list[Any]:
    found = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [part for part in found if isinstance(part, dict | list)]


def _answer_one(message: Any, handle: Handler) -> dict[str, Any] | None:
    try:
        call = _call(message)
    except RpcError as error:
        return _error(_id_of(message), error)
    try:
        result = handle(call.method, call.params)
    except RpcError as error:
        return None if call.is_notification else _error(call.id, error)
    return None if call.is_notification else {"jsonrpc": "2.0", "id": call.id, "result": result}


def _call(message: Any) -> _Call:
    if not isinstance(message, dict):
        raise RpcError(INVALID_REQUEST, "a request is an object")
    if message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'a request says "jsonrpc": "2.0"')
    if unknown := sorted(message.keys() - {"jsonrpc", "id", "method", "params"}):
        raise RpcError(INVALID_REQUEST, f"a request has no {unknown[0]!r}: jsonrpc, id, method, params")
    if not isinstance(message.get("method"), str):
        raise RpcError(INVALID_REQUEST, "the method of a request is a text")
    if not _is_id(message.get("id")):
        raise RpcError(INVALID_REQUEST, "the id of a request is a text, a number or null")
    params = message.get("params", {})
    if isinstance(params, list) and params:
        raise RpcError(INVALID_PARAMS, "parameters are given by name, in an object")
    if not isinstance(params, dict | list):
        raise RpcError(INVALID_REQUEST, "the params of a request are an object")
    return _Call(message["method"], params if isinstance(params, dict) else {}, message.get("id"), "id" not in message)


def _is_id(value: Any) -> bool:
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def _id_of(message: Any) -> Any:
    found = message.get("id") if isinstance(message, dict) else None
    return found if _is_id(found) else None


def _error(number: Any, error: RpcError) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": error.to_fields()}
