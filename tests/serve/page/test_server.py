"""The server of the page: who may ask, what is answered, and what a stranger cannot do."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.page.served import Client, served
from verifier.serve.page.server import HOST, MOST_BYTES, MOST_CONNECTIONS, Server
from verifier.serve.page.typed import MOST_CHARACTERS, MOST_CLAIMS

TWO = "theorem: a/b\nsymbols: {x: real}\nclaims:\n  one: {says: x + x == 2*x}\n  two: {says: x + x == 3*x}\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("folder")) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Client:
    return Client(server)


def test_a_text_is_read_at_once_and_judged(client: Client) -> None:
    begun = client.judge(TWO)
    assert [claim["name"] for claim in begun["claims"]] == ["one", "two"]
    page = begun["claims"][0]["page"]
    status, body, headers = client.ask(f"typed/{begun['job']}/{page}")
    assert status == 200
    assert b"We read this as" in body
    assert "frame-ancestors 'self'" in headers["Content-Security-Policy"]
    state = client.judged(TWO)
    assert [claim["verdict"] for claim in state["claims"]] == ["holds", "fails"]
    assert b"Counterexample" in client.ask(f"typed/{state['job']}/{state['claims'][1]['page']}")[1]
    assert b"Verification report" in client.ask(f"typed/{state['job']}/index.html")[1]


def test_lines_are_judged_and_problems_have_their_places(client: Client) -> None:
    state = client.judged("# a note\nx: positive\n\n  x + nothing(x) == 1\nx + x == 2*x\n")
    wrong, right = state["claims"]
    assert (wrong["verdict"], right["verdict"]) == ("error", "holds")
    assert (wrong["name"], right["name"]) == ("line 4", "line 5")
    (problem,) = wrong["problems"]
    assert (problem["line"], problem["column"]) == (4, 7)
    assert problem["message"]
    body = client.ask(f"typed/{state['job']}/{right['page']}")[1].decode()
    assert "verify -e" in body
    assert "--with" in body


def test_a_new_text_drops_the_old_one(client: Client) -> None:
    hard = "W: normal(n, n)\nx: vector(n)\nE(norm(gelu(W @ tanh(W @ x)))**2) <= n**3 * norm(x) + 1"
    old = client.judge(hard)
    new = client.judged("x**2 >= 0")
    assert new["claims"][0]["verdict"] == "holds"
    gone = client.data(f"state?job={old['job']}&seen=0")
    assert gone["over"]
    assert gone["cancelled"]
    assert client.ask(f"typed/{old['job']}/{old['claims'][0]['page']}")[0] == 404


@pytest.mark.parametrize(
    "text", ["", "   \n# only words", "theorem: [", "a: b: c", "claims: {}", "E(W) == 0", "->", "\x00"]
)
def test_what_is_broken_is_told_and_the_server_lives_on(client: Client, text: str) -> None:
    state = client.judged(text)
    wrong = [*state["problems"], *(problem for claim in state["claims"] for problem in claim["problems"])]
    assert bool(wrong) == bool(text.split("#")[0].strip())
    assert all(problem["line"] >= 1 and problem["column"] >= 1 for problem in wrong)
    assert client.judged("x == x")["claims"][0]["verdict"] == "holds"


def test_the_token_is_needed(client: Client) -> None:
    for token in ("", "wrong", client.server.site.token[:-1], "é", "%00"):
        assert client.ask("start.json", token=token.encode("ascii", "ignore").decode())[0] == 403
    assert client.ask("judge", "POST", "{}", token="wrong", **{"Content_Type": "application/json"})[0] == 403
    assert client.ask("start.json")[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "[::1]:80", ""]
)
def test_another_name_for_this_machine_is_refused(client: Client, host: str) -> None:
    assert client.ask("start.json", Host=host)[0] == 421
    assert client.ask("start.json", Host=f"localhost:{client.server.server_port}")[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_page_is_refused(client: Client, headers: dict[str, str]) -> None:
    assert client.ask("start.json", **headers)[0] == 403
    assert client.ask("judge", "POST", "{}", **headers, **{"Content_Type": "application/json"})[0] == 403
    own = f"http://{HOST}:{client.server.server_port}"
    assert client.ask("start.json", Origin=own, Sec_Fetch_Site="same-origin")[0] == 200


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ("{}", {"Content_Type": "text/plain"}, 415),
        ("{}", {}, 415),
        ("no json", {"Content_Type": "application/json"}, 400),
        ("[" * 100_000, {"Content_Type": "application/json"}, 400),
        ("[]", {"Content_Type": "application/json"}, 400),
        ('{"text": 3}', {"Content_Type": "application/json"}, 400),
        (b"\xff\xfe", {"Content_Type": "application/json"}, 400),
        ("", {"Content_Type": "application/json", "Content_Length": str(MOST_BYTES + 1)}, 413),
        ("", {"Content_Type": "application/json", "Content_Length": "9" * 40}, 413),
        ("", {"Content_Type": "application/json", "Content_Length": "-1"}, 411),
        (json.dumps({"text": "x" * (MOST_CHARACTERS + 1)}), {"Content_Type": "application/json"}, 422),
        (json.dumps({"text": "x == x\n" * (MOST_CLAIMS + 1)}), {"Content_Type": "application/json"}, 422),
    ],
)
def test_a_request_that_is_not_understood_is_refused_with_words(
    client: Client, body: str | bytes, headers: dict[str, str], status: int
) -> None:
    found, answer, _ = client.ask("judge", "POST", body, **headers)
    assert found == status
    assert json.loads(answer)["error"]


@pytest.mark.parametrize(
    "path",
    [
        "nothing", "assets/page.js", "../cli.py", "%2e%2e/cli.py", "report/index.html",
        "report/../../etc/passwd", "typed", "typed/0/index.html", "typed/99999999999/index.html",
        "typed/1e3/index.html", "typed/1/claims/../index.html",
    ],
)  # fmt: skip
def test_nothing_else_is_served(client: Client, path: str) -> None:
    assert client.ask(path)[0] == 404


def test_a_report_is_served_and_nothing_around_it(client: Client, tmp_path: Path) -> None:
    report = tmp_path / "report"
    (report / "claims").mkdir(parents=True)
    (report / "index.html").write_text("front")
    (report / "claims" / "a.html").write_text("claim")
    (report / "claims" / ".hidden.html").write_text("hidden")
    (report / "other.html").write_text("other")
    (tmp_path / "secret.html").write_text("secret")
    client.server.site.report = report
    try:
        assert client.ask("report/index.html")[1] == b"front"
        assert client.ask("report/claims/a.html")[1] == b"claim"
        for path in (
            "other.html",
            "claims/.hidden.html",
            "../secret.html",
            "claims/../../secret.html",
            "claims/%00.html",
        ):
            assert client.ask(f"report/{path}")[0] == 404
    finally:
        client.server.site.report = None


def test_every_answer_has_the_headers_that_keep_others_out(client: Client) -> None:
    for path in ("", "page.js", "start.json", "nothing"):
        _, _, headers = client.ask(path)
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "Access-Control-Allow-Origin" not in headers


def test_only_this_machine_and_a_bounded_number_of_connections(client: Client) -> None:
    assert client.server.server_address[0] == "127.0.0.1"
    many = [socket.create_connection((HOST, client.server.server_port)) for _ in range(MOST_CONNECTIONS + 5)]
    try:
        many[-1].settimeout(5)
        assert many[-1].recv(1) == b""  # closed: there is no room
    finally:
        for one in many:
            one.close()
    for _ in range(50):
        try:
            assert client.ask("start.json")[0] == 200
            break
        except OSError:
            continue
    else:
        pytest.fail("the server did not come back")
