"""A running server of the page, and a plain client that may send anything."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verifier.plan.settings import Settings
from verifier.serve.judging import Judge
from verifier.serve.page.desk import Desk
from verifier.serve.page.server import HOST, Server
from verifier.serve.page.site import Site

JSON = {"Content-Type": "application/json"}


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    judge = Judge(Settings(jobs=1, seconds=20, pictures=True), None, folder)
    with Server(Site(Desk(judge))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            server.site.desk.close()
            thread.join()


class Client:
    """Requests to the server, by default as its own page makes them."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def ask(
        self, path: str, method: str = "GET", body: Any = None, token: str | None = None, **headers: str
    ) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection(HOST, self.server.server_port, timeout=40)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        token = self.server.site.token if token is None else token
        try:
            connection.request(method, f"/{token}/{path}", body, sent)
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            connection.close()

    def data(self, path: str) -> Any:
        status, body, _ = self.ask(path)
        assert status == 200
        return json.loads(body)

    def judge(self, text: str) -> Any:
        """The state as it is at once."""
        status, body, _ = self.ask(
            "judge", "POST", json.dumps({"text": text}), **{"Content_Type": "application/json"}
        )
        assert status == 200, body
        return json.loads(body)

    def judged(self, text: str) -> Any:
        """The state when all is judged."""
        state, end = self.judge(text), time.monotonic() + 60
        while not state["over"] and time.monotonic() < end:
            state = self.data(f"state?job={state['job']}&seen={state['version']}")
        return state
