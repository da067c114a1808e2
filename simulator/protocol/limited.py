"""A question with a limit of seconds: it is answered by a copy of this process, which is ended when the time is over.

Stopping a computation where it is would leave caches half made, and later answers could differ. A copy leaves nothing
behind: whatever it was doing, this process is as it was before the question, and goes on with unchanged answers. For
that, nothing that the copy has found is kept either.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from simulator.interrupts import before_the_end
from simulator.protocol.messages import INTERNAL_ERROR, RpcError
from simulator.protocol.refusals import LIMIT, TIME_IS_UP

Answering = Callable[[], Mapping[str, Any]]

_MOST_AT_ONCE = 2**16
#: How often a copy looks whether this process is still there.
_LOOKS = 1.0
#: The copy that is answering now.
_copies: set[int] = set()


def answered_within(seconds: float, answer: Answering) -> Any:
    """Return the answer as plain data; raise RpcError if it is refused, or if it takes longer than some seconds."""
    if not hasattr(os, "fork"):
        raise RpcError(LIMIT, "this system cannot limit the seconds of a question: ask without them")
    until = time.monotonic() + seconds
    before_the_end(_end_copies)
    reading, writing = os.pipe()
    parent = os.getpid()
    for stream in (sys.stdout, sys.stderr):
        # What is still unwritten would be written twice.
        stream.flush()
    try:
        copy = os.fork()
    except OSError as error:
        os.close(reading)
        os.close(writing)
        raise RpcError(LIMIT, f"no process can be started to limit the seconds: {error.strerror}") from None
    if copy == 0:
        os.close(reading)
        _answer_and_end(answer, writing, parent)
    _copies.add(copy)
    os.close(writing)
    try:
        told = _read(reading, until)
    finally:
        os.close(reading)
        _end(copy)
    if told is None:
        message = f"the question was not answered within {seconds:g} s"
        raise RpcError(TIME_IS_UP, message, {"seconds": seconds})
    return _result_of(told)


def _read(pipe: int, until: float) -> bytes | None:
    """Read to the end of a pipe; None if the time is over first."""
    found = bytearray()
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            return None
        piece = os.read(pipe, _MOST_AT_ONCE)
        if not piece:
            return bytes(found)
        found += piece


def _result_of(told: bytes) -> Any:
    if not told:
        raise RpcError(INTERNAL_ERROR, "the process that answered ended unexpectedly; perhaps memory has run out")
    found = json.loads(told)
    if "error" in found:
        error = found["error"]
        raise RpcError(error["code"], error["message"], error.get("data"))
    return found["result"]


def _end(copy: int) -> None:
    """End a copy, wherever it is, and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.kill(copy, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(copy, 0)
    _copies.discard(copy)


def _end_copies() -> None:
    for copy in list(_copies):
        _end(copy)


# --- in the copy ---


def _answer_and_end(answer: Answering, pipe: int, parent: int) -> NoReturn:
    """Write the answer to the pipe and end; nothing else of the copied program runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # this process is ended by the one that asked
    try:
        threading.Thread(target=_end_without, args=(parent,), daemon=True).start()
        data = json.dumps(_told(answer), allow_nan=False).encode()
        with os.fdopen(pipe, "wb") as stream:
            stream.write(data)
    except BaseException:
        traceback.print_exc(file=sys.stderr)
    finally:
        with suppress(Exception):
            sys.stderr.flush()
        os._exit(0)


def _told(answer: Answering) -> dict[str, Any]:
    try:
        return {"result": answer()}
    except RpcError as error:
        return {"error": error.to_fields()}
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        message = f"an internal error ({type(error).__name__}), reported on stderr"
        return {"error": RpcError(INTERNAL_ERROR, message).to_fields()}


def _end_without(parent: int) -> None:
    """End this process when the one that asked is gone: nobody waits for the answer."""
    while os.getppid() == parent:
        time.sleep(_LOOKS)
    os._exit(1)
