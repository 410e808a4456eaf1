"""GitHub workflow commands: an annotation at the line of each claim that is not as expected."""

from collections.abc import Iterator
from itertools import chain

from verifier.expr.unseen import seen
from verifier.report.view import Json, details, failing, headline, level, warned
from verifier.spool import spooled

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def to_github(report: Json) -> Iterator[str]:
    """One command per line; a workflow shows only the first ten of a kind, so the worst come first."""
    lines = spooled(_lines(report))
    for command in _COMMANDS.values():
        yield from (f"{seen(line)}\n" for line in lines if line.startswith(f"::{command} "))


def _lines(report: Json) -> Iterator[str]:
    for claim in chain(failing(report), warned(report)):
        yield from _of_claim(claim)
    yield from map(_of_problem, report["errors"])


def _of_claim(claim: Json) -> Iterator[str]:
    if claim["errors"]:
        yield from map(_of_problem, claim["errors"])
        return
    text = "\n".join([headline(claim), *(f"{name}: {words}" for name, words in details(claim))])
    yield _command(_COMMANDS[level(claim)], claim["place"], f"{claim['id']}: {claim['verdict']}", text)


def _of_problem(problem: Json) -> str:
    text = problem["message"] + (f"\n{problem['hint']}" if problem["hint"] else "")
    return _command("error", problem, f"wrong spec: {problem['code']}", text)


def _command(command: str, place: Json, title: str, text: str) -> str:
    where = f"file={_value(place['file'])},line={place['line']},col={place['column']}"
    return f"::{command} {where},title={_value(title)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
