"""What the page consists of: its assets, what is judged on it, and the report of files."""

import json
import secrets
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from verifier.report.html import style_sheet
from verifier.serve.judging import Refused
from verifier.serve.page.answers import claim_page, index, state
from verifier.serve.page.desk import Desk
from verifier.serve.page.examples import examples
from verifier.serve.page.typed import load_typed

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json"}
ASSETS = ("index.html", "blank.html", "page.css", "page.js")
OWN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
# Pages of a report bring a policy that names their style and script by digest; who may frame them is added.
REPORT_POLICY = "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"


class Answer(NamedTuple):
    """What is sent back."""

    body: bytes
    kind: str = "application/json"
    status: HTTPStatus = HTTPStatus.OK
    policy: str = OWN_POLICY


@dataclass
class Site:
    """What is served: the desk that judges, and the folder of a report, once it is written."""

    desk: Desk
    report: Path | None = None
    is_reporting: bool = False  # whether there will be one
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def get(self, path: str, query: dict[str, list[str]]) -> Answer:
        """A page, an asset or news, by its path below the token."""
        head, _, rest = path.partition("/")
        if path in ("", *ASSETS):
            return _asset_answer(path or "index.html")
        if path == "style.css":
            return Answer(style_sheet().encode(), KINDS[".css"])
        if path == "start.json":
            offered = [{"title": example.title, "text": example.text} for example in examples()]
            return _json({"examples": offered, "report": self._report_is()})
        if path == "state":
            return self._state(_number(query.get("job")), _number(query.get("seen")))
        if head == "typed":
            return self._typed(rest)
        if head == "report":
            return self._report(rest or "index.html")
        return missing()

    def judge(self, data: object) -> Answer:
        """Begin to judge a text."""
        text = data.get("text") if isinstance(data, dict) else None
        if not isinstance(text, str):
            return refusal('send {"text": ...}', HTTPStatus.BAD_REQUEST)
        try:
            typed = load_typed(text)
        except Refused as error:
            return refusal(str(error), HTTPStatus.UNPROCESSABLE_ENTITY)
        return _json(state(self.desk.submit(typed)))

    def _report_is(self) -> str:
        if self.report is not None:
            return "ready"
        return "coming" if self.is_reporting else "none"

    def _state(self, number: int, seen: int) -> Answer:
        job = self.desk.job(number)
        if job is None:
            return _json({"job": number, "version": seen, "over": True, "cancelled": True})
        job.wait(seen)
        return _json(state(job))

    def _typed(self, rest: str) -> Answer:
        number, _, path = rest.partition("/")
        job = self.desk.job(_number([number]))
        if job is None:
            return missing()
        page = index(job) if path == "index.html" else claim_page(job, path)
        return missing() if page is None else Answer(page.encode(), KINDS[".html"], policy=REPORT_POLICY)

    def _report(self, path: str) -> Answer:
        """Only what a report consists of: no path leads out of its folder."""
        folder, _, name = path.rpartition("/")
        known = path in ("index.html", "verdicts.json") or (folder == "claims" and name.endswith(".html"))
        if self.report is None or not known or name.startswith("."):
            return missing()
        try:
            body = (self.report / path).read_bytes()
        except (OSError, ValueError):
            return missing()
        return Answer(body, KINDS[Path(name).suffix], policy=REPORT_POLICY)


def _asset_answer(name: str) -> Answer:
    text = (files("verifier.serve.page") / "assets" / name).read_text("utf-8")
    return Answer(text.encode(), KINDS[Path(name).suffix])


def _json(data: Any) -> Answer:
    return Answer(json.dumps(data).encode())


def refusal(words: str, status: HTTPStatus) -> Answer:
    return Answer(json.dumps({"error": words}).encode(), status=status)


def missing() -> Answer:
    return refusal("there is no such page", HTTPStatus.NOT_FOUND)


def _number(values: list[str] | None) -> int:
    text = values[0] if values else ""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
