"""Who may ask the live table, and how much."""

import random

import httpx
import pytest

from simulator.live.answering import Answering
from simulator.live.app import live_app
from tests.live.conftest import SCENARIOS, run_to_end
from tests.live.odd_requests import odd_requests

HOST, TOKEN = "127.0.0.1:8765", "the-token"


class InThisProcess:
    """Workers that answer at once, and count what they were asked."""

    def __init__(self):
        self.answering = Answering(SCENARIOS)
        self.asked = 0

    async def answer(self, page, question, body):
        self.asked += 1
        return self.answering.reply(question, body)


class Client:
    """Asks the application as a browser would, without a network."""

    def __init__(self, app):
        self.app = app

    def request(self, method, path, headers=None, **more):
        async def ask():
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                usual = {"x-token": TOKEN, "content-type": "application/json"}
                return await client.request(method, path, headers={**usual, **(headers or {})}, **more)

        return run_to_end(ask())

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def post(self, path, **more):
        return self.request("POST", path, **more)


@pytest.fixture
def workers():
    return InThisProcess()


@pytest.fixture
def client(workers):
    return Client(live_app(SCENARIOS, workers, TOKEN, frozenset({HOST})))


def test_the_page_and_its_files(client):
    for path, kind in (
        ("/", "text/html"),
        ("/main.js", "text/javascript"),
        ("/tabletop.js", "text/javascript"),
        ("/live.css", "text/css"),
        ("/page.css", "text/css"),
    ):
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith(kind)
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
        assert answer.headers["cache-control"] == "no-store"


def test_a_question_is_answered(client):
    assert client.get("/scenarios").json() == {"scenarios": list(SCENARIOS)}
    answer = client.post("/ask/reach", json={"scenario": "market_chase", "unit": "kit"})
    assert answer.status_code == 200
    assert answer.json()["bands"]


def test_what_the_rules_refuse_is_an_answer(client):
    answer = client.post("/ask/reach", json={"scenario": "market_chase", "unit": "nobody"})
    assert answer.status_code == 200
    assert "nobody" in answer.json()["refused"]["message"]


@pytest.mark.parametrize(
    ("headers", "status", "message"),
    [
        ({"host": "evil.example:8765"}, 403, "not called"),
        ({"host": "127.0.0.1"}, 403, "not called"),
        ({"host": "127.0.0.1:8766"}, 403, "not called"),
        ({"origin": "http://evil.example"}, 403, "may not ask"),
        ({"origin": "null"}, 403, "may not ask"),
        ({"origin": f"https://{HOST}"}, 403, "may not ask"),
        ({"x-token": ""}, 403, "token"),
        ({"x-token": "another-token"}, 403, "token"),
        ({"x-token": "ümläut".encode()}, 403, "token"),
        ({"content-type": "text/plain"}, 415, "application/json"),
        ({"content-type": "application/x-www-form-urlencoded"}, 415, "application/json"),
    ],
)
def test_nobody_else_gets_in(client, workers, headers, status, message):
    answer = client.post("/ask/moment", content=b'{"scenario":"market_chase"}', headers=headers)
    assert answer.status_code == status
    assert message in answer.json()["error"]["message"]
    assert workers.asked == 0
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"x-token": "no"}])
def test_nor_sees_which_scenarios_there_are(client, headers):
    assert client.get("/scenarios", headers=headers).status_code == 403


def test_the_own_page_may_ask(client):
    headers = {"origin": f"http://{HOST}", "content-type": "application/json; charset=utf-8"}
    assert client.post("/ask/moment", content=b'{"scenario":"market_chase"}', headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/ask/fly", "POST", 404),
        ("/ask/reach", "GET", 404),
        ("/../pyproject.toml", "GET", 404),
        ("/static/x", "GET", 404),
        ("/%2e%2e/%2e%2e/etc/passwd", "GET", 404),
        ("/", "POST", 404),
        ("/scenarios", "DELETE", 404),
    ],
)
def test_there_is_nothing_else(client, path, method, status):
    answer = client.request(method, path, json={"scenario": "market_chase"} if method == "POST" else None)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "Invalid JSON"),
        (b"{", "Invalid JSON"),
        (b"[]", "Input should be an object"),
        (b"{}", "scenario: Field required"),
        (b'{"scenario": 4}', "scenario: Input should be a valid string"),
        (b'{"scenario": "market_chase", "steps": "kit"}', "steps"),
        (b'{"scenario": "market_chase", "stepps": []}', "stepps: Extra inputs are not permitted"),
        (b'{"scenario": "market_chase", "options": {"a": 1}}', "options.a"),
    ],
)
def test_faulty_questions_are_refused_with_what_is_wrong(client, body, message):
    answer = client.post("/ask/moment", content=body)
    assert answer.status_code == 422
    assert message in answer.json()["error"]["message"]


def test_a_question_that_is_too_long_is_not_read(client, workers):
    answer = client.post("/ask/moment", content=b" " * 1_000_001)
    assert answer.status_code == 413
    assert workers.asked == 0


def test_any_question_has_a_documented_answer(client):
    """Questions with parts exchanged, left out and mangled; `tests/long/odd_requests.py` asks many more."""
    for question, text in odd_requests(random.Random(4), 400):
        answer = client.post(f"/ask/{question}", content=text)
        assert answer.status_code in (200, 404, 422), (question, text, answer.text)
        assert isinstance(answer.json(), dict)
