"""A question with a limit of seconds: it is answered by a copy of this process, which is ended when the time is over.

Stopping a computation where it is would leave caches half made, and later answers could differ. A copy leaves nothing
behind: whatever it was doing, this process is as it was before the question, and goes on with unchanged answers. For
that, nothing that the copy has found is kept either.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from simulator import copies
from simulator.protocol.messages import INTERNAL_ERROR, RpcError
from simulator.protocol.refusals import LIMIT, TIME_IS_UP

Answering = Callable[[], Mapping[str, Any]]


def answered_within(seconds: float, answer: Answering) -> Any:
    """Return the answer as plain data; raise RpcError if it is refused, or if it takes longer than some seconds."""
    if not copies.can_be_made():
        raise RpcError(LIMIT, "this system cannot limit the seconds of a question: ask without them")
    try:
        copy = copies.Copy(lambda pipe: pipe.send_bytes(json.dumps(_told(answer), allow_nan=False).encode()))
    except OSError as error:
        raise RpcError(LIMIT, f"no process can be started to limit the seconds: {error.strerror}") from None
    try:
        if not copy.pipe.poll(seconds):
            message = f"the question was not answered within {seconds:g} s"
            raise RpcError(TIME_IS_UP, message, {"seconds": seconds})
        found = json.loads(copy.pipe.recv_bytes())
    except EOFError:
        message = "the process that answered ended unexpectedly; perhaps memory has run out"
        raise RpcError(INTERNAL_ERROR, message) from None
    finally:
        copy.end()
    if "error" in found:
        fields = found["error"]
        raise RpcError(fields["code"], fields["message"], fields.get("data"))
    return found["result"]


def _told(answer: Answering) -> dict[str, Any]:
    try:
        return {"result": answer()}
    except RpcError as error:
        return {"error": error.to_fields()}
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        message = f"an internal error ({type(error).__name__}), reported on stderr"
        return {"error": RpcError(INTERNAL_ERROR, message).to_fields()}
