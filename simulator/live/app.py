"""The web face of the live table: who may ask, how much, and the files of the page.

Nobody else gets in. Other hosts' names (DNS rebinding) and other pages' origins (cross-site requests) are refused, and
every request needs the token of the address that was printed at the start. There are no cookies and no CORS. The page
loads nothing from anywhere else, and nothing is written here: what people save is saved by their browser.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from hmac import compare_digest
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from simulator.live.workers import Reply, Workers, refusal
from simulator.reading import read_whole

_PAGE = Path(__file__).resolve().parent / "page"
_KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_SHARED = [Path(__file__).resolve().parent.parent / "views" / "replay" / name for name in ("page.css", "tabletop.js")]
#: The files of the page, by the path under which they are served.
_FILES = {
    "/" if file.suffix == ".html" else f"/{file.name}": (file, f"{_KINDS[file.suffix]}; charset=utf-8")
    for file in (*_SHARED, *sorted(_PAGE.glob("*.*")))
}
#: The longest question, in bytes, and the most questions that are worked on or wait, of one page and of all.
_LONGEST, _MOST_WAITING, _MOST_OF_ALL = 1_000_000, 6, 200
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def live_app(scenarios: Mapping[str, Path], workers: Workers, token: str, hosts: frozenset[str]) -> Starlette:
    """Return the application for some scenarios. `hosts` are the names under which it may be asked."""
    waiting: Counter[str] = Counter()
    files = {path: (read_whole(file, _LONGEST), kind) for path, (file, kind) in _FILES.items()}

    def gate(request: Request) -> Reply | None:
        """Return why a request is refused; None if it is let in."""
        host = request.headers.get("host", "")
        if host not in hosts:
            return refusal(403, f"this server is not called {host!r}")
        origin = request.headers.get("origin")
        if origin is not None and origin not in {f"http://{name}" for name in hosts}:
            return refusal(403, f"pages of {origin} may not ask here")
        return None

    async def file(request: Request) -> Response:
        refused = gate(request)
        if refused is not None:
            return _response(refused)
        body, kind = files[request.url.path]
        return Response(body, media_type=kind, headers=_HEADERS)

    async def listed(request: Request) -> Response:
        refused = gate(request) or _token_missing(request, token)
        if refused is not None:
            return _response(refused)
        return JSONResponse({"scenarios": list(scenarios)}, headers=_HEADERS)

    async def ask(request: Request) -> Response:
        refused = gate(request) or _token_missing(request, token)
        if refused is not None:
            return _response(refused)
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _response(refusal(415, "a question is a JSON document (application/json)"))
        try:
            body = await _body(request)
        except ClientDisconnect:
            return Response(status_code=499)
        if body is None:
            return _response(refusal(413, f"a question has at most {_LONGEST:,} bytes"))
        page = request.headers.get("x-page", "")[:64]
        if sum(waiting.values()) >= _MOST_OF_ALL:
            return _response(refusal(429, f"{_MOST_OF_ALL} questions wait already"))
        if waiting[page] >= _MOST_WAITING:
            return _response(refusal(429, f"{_MOST_WAITING} questions of this page wait already"))
        waiting[page] += 1
        try:
            return _response(await _answered(request, workers, page, body))
        finally:
            waiting[page] -= 1
            if not waiting[page]:
                del waiting[page]

    routes = [Route(path, file, methods=["GET"]) for path in _FILES]
    routes += [Route("/scenarios", listed, methods=["GET"]), Route("/ask/{question}", ask, methods=["POST"])]
    return Starlette(routes=routes, exception_handlers={404: _no_such_page, 405: _no_such_page})


async def _no_such_page(request: Request, error: Exception) -> Response:
    del error
    return _response(refusal(404, f"there is nothing at {request.method} {request.url.path}"))


def _response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, media_type="application/json", headers=_HEADERS)


def _token_missing(request: Request, token: str) -> Reply | None:
    given = request.headers.get("x-token", "")
    if compare_digest(given.encode(), token.encode()):
        return None
    return refusal(403, "open the address that `simulator serve` printed: it contains the token that is missing here")


async def _body(request: Request) -> bytes | None:
    """Return the body of a request; None if it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST:
            return None
    return body


async def _answered(request: Request, workers: Workers, page: str, body: bytes) -> Reply:
    """Answer a question; when the page no longer waits, stop."""
    answer = asyncio.create_task(workers.answer(page, request.path_params["question"], body))
    left = asyncio.create_task(_until_left(request))
    try:
        await asyncio.wait({answer, left}, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        answer.cancel()
        await asyncio.wait({answer})
        return Reply(499, json.dumps({}).encode())
    finally:
        left.cancel()


async def _until_left(request: Request) -> None:
    while not await request.is_disconnected():
        await asyncio.sleep(0.1)
