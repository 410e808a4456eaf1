"""Verdicts as web pages: a front page and one page per claim, complete in themselves.

No page makes a request: style and script are inlined, and a content security policy that names them
by digest forbids everything else.
"""

import base64
import hashlib
import os
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from verifier.judge.verdict import Run
from verifier.report.facts import MEANING, show
from verifier.report.pages import claim_pages, front_page

GLYPHS = {"holds": "✓", "loose": "≈", "fails": "✗", "inconclusive": "?", "error": "!"}


def write_report(run: Run, directory: Path) -> Path:
    """Write the pages; returns the front page. A reader never sees half a file."""
    claims = directory / "claims"
    claims.mkdir(parents=True, exist_ok=True)
    for page in claim_pages(run):
        _replace(directory / page.row.href, _render("claim.html.j2", page=page, run=run))
    index = directory / "index.html"
    _replace(index, _render("index.html.j2", front=front_page(run), run=run))
    return index


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("verifier.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = _asset("style.css"), _asset("filter.js")
    made.globals.update(
        glyphs=GLYPHS,
        meaning=MEANING,
        style=Markup(style),
        script=Markup(script),
        policy=f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}",
    )
    made.filters["show"] = show
    return made


def _render(template: str, **context: object) -> str:
    return _environment().get_template(template).render(**context)


def _asset(name: str) -> str:
    return (files("verifier.report") / "templates" / name).read_text("utf-8")


def _digest(text: str) -> str:
    """What a content security policy calls an inline text by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _replace(path: Path, text: str) -> None:
    """Write beside the file, then put it in its place at once."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
