"""Verdicts as web pages: a front page and one page per claim, complete in themselves.

No page makes a request: style and script are inlined, and a content security policy that names them
by digest forbids everything else.
"""

import base64
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from verifier.expr.unseen import seen
from verifier.judge.verdict import Run
from verifier.report.compare import Changes, NotAReport, compare, read_report, snapshot
from verifier.report.facts import MEANING, show
from verifier.report.front import Document, Front, front_page
from verifier.report.json import to_json
from verifier.report.packed import HERE, WITH_ARTICLES, WITH_PICTURES, packed
from verifier.report.pages import claim_pages
from verifier.report.pieces import json_pieces
from verifier.report.proofs import all_rules
from verifier.report.prose import prose, words_of
from verifier.report.review import to_review
from verifier.report.rows import slug
from verifier.report.summary import heading
from verifier.report.view import Json

VERDICTS = "verdicts.json"
RULES = "rules.html"
HEAVY = 450_000  # letters of a document's page: beyond it its articles are packed
LARGE = 100_000  # letters of a claim's page: beyond it formulas are packed
PIECES = 1000  # of a template, that are written together
GLYPHS = {"holds": "✓", "loose": "≈", "fails": "✗", "unrefuted": "~", "inconclusive": "?", "error": "!"}


def write_report(
    run: Run,
    directory: Path,
    against: Changes | None = None,
    coverage: Json | None = None,
    single: bool = False,
) -> Path:
    """Write the pages; returns the front page. A reader never sees half a file.

    Without `against`, changes are those since the report that the folder held before. `single`: also one
    file for each document, complete in itself, to keep and to send."""
    claims = directory / "claims"
    claims.mkdir(parents=True, exist_ok=True)
    now, before = snapshot(to_json(run)), _before(directory / VERDICTS)
    changes = against
    if changes is None and before is not None:
        changes = compare(before, now, "the report that was here before")
    front = front_page(run, changes)
    for page in claim_pages(run, changes):
        text = render("claim.html.j2", page=page, run=run)
        _replace(directory / page.row.href, [text] if len(text) < LARGE else packed([text]))
    index = directory / "index.html"
    _replace(index, packed(_rendered("index.html.j2", front=front, run=run, coverage=coverage)))
    _replace(directory / RULES, _rendered("rules.html.j2", rules=list(all_rules())))
    for document in front.documents:
        _replace(directory / document.review, [to_review(document)])
        if single:
            _replace(directory / document.single, [_light("".join(_single(run, front, document)))])
    _replace(directory / VERDICTS, json_pieces(now))
    _remove_gone(directory, before, now)
    return index


def _single(run: Run, front: Front, document: Document) -> Iterator[str]:
    """One document on one page: its table, then its statements one after the other, in its order."""
    places = {row.id: place for place, row in enumerate(document.rows)}
    part = replace(run, verdicts=tuple(item for item in run.verdicts if item.id in places))
    pages = sorted(claim_pages(part, front.changes), key=lambda page: places[page.row.id])
    used = {rule for page in pages for rule in page.rules}
    rules = [rule for rule in all_rules() if rule[0] in used]
    return _rendered("single.html.j2", front=front, document=document, pages=pages, rules=rules, run=run)


def _light(page: str) -> str:
    """The page packed, as much as it has to be to be sent: formulas and pictures, else its articles."""
    text = "".join(packed([page], WITH_PICTURES))
    if len(text) <= HEAVY:
        return text
    heading = "Statement by statement</h2>"
    told = "A script puts them in; without it, the table above tells of each."
    return "".join(packed([page.replace(heading, f"{heading}<p class='waits'>{told}</p>")], WITH_ARTICLES))


def _before(path: Path) -> Json | None:
    """The verdicts that were written here last."""
    try:
        return read_report(path)
    except NotAReport:
        return None


def _remove_gone(directory: Path, before: Json | None, now: Json) -> None:
    """Pages of claims that are gone would be found and believed; nothing else is touched."""
    kept = {claim["id"] for claim in now["claims"]}
    for claim in before["claims"] if before is not None else ():
        if claim["id"] not in kept:
            (directory / "claims" / f"{slug(claim['id'])}.html").unlink(missing_ok=True)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("verifier.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    styles = {name: _packed(_asset(f"{name}.css")) for name in ("style", "front")}
    card = _packed(_asset("card.css"))
    scripts = {name: _asset(f"{name}.js") for name in ("formulas", "filter", "scroll")}
    allowed = [" ".join(map(_digest, texts.values())) for texts in (styles, scripts)]
    made.globals.update(
        glyphs=GLYPHS,
        meaning=MEANING,
        styles={name: Markup(text) for name, text in (styles | {"card": card}).items()},
        scripts={name: Markup(text) for name, text in scripts.items()},
        formulas_here=Markup(HERE),
        policy=f"default-src 'none'; style-src {allowed[0]}; script-src {allowed[1]}",
    )
    made.filters["show"] = show
    made.filters["prose"] = prose
    made.filters["words_of"] = words_of
    made.filters["heading"] = heading
    return made


def render(template: str, **context: object) -> str:
    return "".join(_rendered(template, **context))


def _rendered(template: str, **context: object) -> Iterator[str]:
    """The page in pieces that end with a line: what cannot be seen is found by what stands around it."""
    rest: list[str] = []
    for piece in _environment().get_template(template).generate(**context):
        before, end, after = piece.rpartition("\n")
        if end and len(rest) > PIECES:
            yield seen("".join([*rest, before, end]))
            rest = [after]
        else:
            rest.append(piece)
    yield seen("".join(rest))


def _asset(name: str) -> str:
    return (files("verifier.report") / "templates" / name).read_text("utf-8")


def style_sheet() -> str:
    """The style of the pages, for others that shall look like them."""
    return _asset("style.css")


def _packed(style: str) -> str:
    """The style without the spaces that are there for its readers: every page carries it."""
    return re.sub(r"([{};:,]) ", r"\1", re.sub(r"\s+", " ", style)).replace(" {", "{").replace(";}", "}")


def _digest(text: str) -> str:
    """What a content security policy calls an inline text by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _replace(path: Path, pieces: Iterable[str]) -> None:
    """Write beside the file, then put it in its place at once."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(pieces)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
