"""The loop: a line in, a line out, until the input ends."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from simulator.protocol.folder import Folder
from simulator.protocol.messages import INTERNAL_ERROR, Handler, RpcError, answer_line, lines_of
from simulator.protocol.methods import Engine


def serve(root: Path, coming: BinaryIO, going: BinaryIO) -> None:
    """Answer every line; a fault of ours is an answer too, and its report goes to standard error."""
    handle = guarded(Engine(Folder(root.resolve())).handle)
    for line in lines_of(coming):
        answer = answer_line(line, handle)
        if answer is not None:
            going.write(answer)
            going.flush()


def guarded(handle: Handler) -> Handler:
    """Return the same with our own faults as errors of JSON-RPC."""

    def guard(method: str, params: Mapping[str, Any]) -> Any:
        try:
            return handle(method, params)
        except RpcError:
            raise
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            raise RpcError(INTERNAL_ERROR, f"an internal error ({type(error).__name__}), reported on stderr") from error

    return guard
