"""The server of the page: this machine alone, whoever knows the token, and nobody's other page.

A browser sends requests for any page that is open in it. So the address has a random token in it, `Host`
must be the server's own (a name that somebody points at this machine is not), and a request that another page
makes is refused by `Origin` and `Sec-Fetch-Site`."""

import hmac
import json
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from verifier.serve.page.site import Answer, Site, missing, refusal
from verifier.serve.page.typed import MOST_CHARACTERS

HOST = "127.0.0.1"
MOST_BYTES = 8 * MOST_CHARACTERS  # JSON may spell a character in six bytes
MOST_CONNECTIONS = 32
SECONDS = 60.0  # after which a silent connection is closed
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Server(ThreadingHTTPServer):
    """Bounded threads on the loopback interface."""

    daemon_threads = True
    request_queue_size = MOST_CONNECTIONS

    def __init__(self, site: Site, port: int = 0) -> None:
        self.site = site
        self.room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__((HOST, port), Handler)

    @property
    def hosts(self) -> tuple[str, ...]:
        """By which names a browser on this machine may call the server."""
        return tuple(f"{name}:{self.server_port}" for name in (HOST, "localhost"))

    @property
    def address(self) -> str:
        return f"http://{self.hosts[0]}/{self.site.token}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        """One more connection, if there is room."""
        if not self.room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that closes a connection is no news."""


class Handler(BaseHTTPRequestHandler):
    """Checks who asks, then asks the site."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "verify", ""
    timeout = SECONDS

    def do_GET(self) -> None:
        if (path := self._allowed()) is not None:
            self._answer(lambda: self.server.site.get(path, _query(self.path)))

    def do_POST(self) -> None:
        path = self._allowed()
        if path is None:
            return
        body = self._body()
        if isinstance(body, Answer):
            self.close_connection = True
            self._send(body)
        elif path != "judge":
            self._send(missing())
        else:
            self._answer(lambda: self._judged(body))

    def _answer(self, answered: Callable[[], Answer]) -> None:
        """A bug of ours costs this request its answer, and is told."""
        try:
            answer = answered()
        except Exception as error:
            words = f"the program failed with {type(error).__name__}: {error}"
            answer = refusal(words, HTTPStatus.INTERNAL_SERVER_ERROR)
        self._send(answer)

    def _judged(self, body: bytes) -> Answer:
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            return refusal("this is not JSON", HTTPStatus.BAD_REQUEST)
        return self.server.site.judge(data)

    def _allowed(self) -> str | None:
        """The path below the token; None where the request was refused."""
        answer = self._refused()
        parts = urlsplit(self.path).path.split("/", 2)
        if answer is None and (len(parts) < 3 or not self._knows(parts[1])):
            answer = refusal("this address needs the token that `verify serve` printed", HTTPStatus.FORBIDDEN)
        if answer is None:
            return parts[2]
        self.close_connection = True
        self._send(answer)
        return None

    def _knows(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.server.site.token.encode())

    def _refused(self) -> Answer | None:
        """Whether it comes from another name or another page."""
        own = {f"http://{host}" for host in self.server.hosts}
        origin, place = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site")
        if self.headers.get_all("Host") not in [[host] for host in self.server.hosts]:
            return refusal("this server answers to its own name alone", HTTPStatus.MISDIRECTED_REQUEST)
        if (origin is not None and origin not in own) or place not in (None, "same-origin", "none"):
            return refusal("another page may not ask", HTTPStatus.FORBIDDEN)
        return None

    def _body(self) -> bytes | Answer:
        length = self.headers.get("Content-Length", "")
        if self.headers.get_content_type() != "application/json":
            return refusal("send application/json", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        if not (length.isascii() and length.isdecimal()) or "Transfer-Encoding" in self.headers:
            return refusal("say how long it is", HTTPStatus.LENGTH_REQUIRED)
        if len(length) > 12 or int(length) > MOST_BYTES:
            return refusal(
                "this is too long; save it, and run `verify` on the file", HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            )
        return self.rfile.read(int(length))

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Security-Policy", answer.policy)
        self.send_header("Content-Type", f"{answer.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: Any) -> None:
        """Addresses hold the token: nothing is logged."""


def _query(path: str) -> dict[str, list[str]]:
    """What stands behind the question mark; nothing where that is more than any page of ours sends."""
    try:
        return parse_qs(urlsplit(path).query, max_num_fields=8)
    except ValueError:
        return {}
