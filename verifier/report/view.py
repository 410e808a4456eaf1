"""What every format asks of a run's JSON object; see `json.py` for its keys.

Nothing here needs an expression tree: a run that was remembered is shown without reading one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifier.spool import spooled

Json = dict[str, Any]

SIDES = (("left", "lhs"), ("right", "rhs"))
POINTS = "points"  # the second witness of a line at a shell
VERDICTS = ("holds", "loose", "fails", "unrefuted", "inconclusive", "error")


def failing(report: Json) -> Sequence[Json]:
    """The claims that turn the run red: those the gate stops, and those that engines disagree on."""
    return spooled(claim for claim in report["claims"] if _is_red(claim))


def _is_red(claim: Json) -> bool:
    return claim["gate"] == "fails" or bool(claim["disagreement"])


def warned(report: Json) -> Sequence[Json]:
    """The claims that pass and are worth a word: known, tolerated or stale, or passing for want of a
    counterexample alone."""
    return spooled(claim for claim in report["claims"] if not _is_red(claim) and _is_worth_a_word(claim))


def _is_worth_a_word(claim: Json) -> bool:
    return not claim["as_expected"] or bool(claim["stale"]) or is_unproved(claim)


def is_unproved(claim: Json) -> bool:
    """Passing because nothing breaks it, though nothing proves it, and its author did not say so."""
    return claim["verdict"] == "unrefuted" and claim["gate"] == "passes" and not expected(claim)


def is_true(claim: Json) -> bool:
    return claim["verdict"] in ("holds", "loose")


def undecided(report: Json) -> bool:
    """Whether some claim is neither true nor false for what is known."""
    return any(claim["verdict"] in ("unrefuted", "inconclusive") for claim in report["claims"])


def level(claim: Json) -> str:
    """How loud a message about the claim is: its severity, or a note if the gate lets it pass."""
    if claim["disagreement"] or claim["verdict"] == "error":
        return "error"
    if is_unproved(claim):
        return "warning"
    return str(claim["severity"]) if claim["gate"] == "fails" else "note"


def expected(claim: Json) -> list[str]:
    """What the author expects, as a list; empty where nothing is said."""
    words = claim["expected"]
    return [] if words is None else [words] if isinstance(words, str) else list(words)


def headline(claim: Json) -> str:
    """One sentence on a claim: its verdict, why, and what was expected."""
    words = f"{claim['verdict']}: {claim['disagreement'] or claim['reason']}"
    if expected(claim) and not claim["as_expected"]:
        words += f" (expected {' or '.join(expected(claim))})"
    return words


def details(claim: Json) -> Iterator[tuple[str, str]]:
    """What an author needs first, most important first."""
    if claim["disagreement"]:
        yield "engines differ", claim["disagreement"]
    if is_true(claim):
        for name, part in claim["assumptions"].items():
            if part["violated"]:
                yield "contradiction", f"{name} contradicts the symbols: {part['gap'] or part['reason']}"
                break
    if claim["steps"] and not is_true(claim):
        yield "line", f"{claim['place']['line']}: {claim['statement']}"
    if claim["counterexample"]:
        yield "counterexample", point(claim["counterexample"])
    if claim["corrected"]:
        yield "corrected", offered(claim, "corrected")
    if claim.get("instead"):
        yield "true instead", offered(claim, "instead")
    if claim.get("repair"):
        yield "true if", guessed(claim["repair"]["condition"], claim["repair"].get("guess"))
    if claim["tight"]:
        slack = f" (slack {claim['slack']:.4g})" if claim["slack"] is not None else ""
        yield "could be", f"{offered(claim, 'tight')}{slack}"
    if claim.get("left_out"):
        yield "left out", f"{', '.join(claim['left_out'])} (a side is undefined there)"
    if claim.get("unmet"):
        yield "required", claim["unmet"]
    if claim["stale"]:
        yield "stale", claim["stale"]


def offered(claim: Json, key: str) -> str:
    """What is offered under a key; what has no checked proof is a guess."""
    return guessed(claim[key], key in claim.get("guesses", ()))


def guessed(words: str, is_guess: bool | None) -> str:
    """The words, called a guess where they are one."""
    return f"a guess: {words}" if is_guess else words


def reading(claim: Json) -> Iterator[tuple[str, str]]:
    """How a claim was read where its author did not write all of it: our statement, and what was inferred;
    and who looked at it, where not everybody was asked."""
    if claim.get("question"):
        yield "as read", claim["question"]
    words = _inferred(claim)
    if words and claim["printed"] and claim["statement"]:
        yield "read as", claim["statement"]
    if words:
        yield "inferred", words
    looked = [engine for engine in claim["engines"] if engine["name"] == POINTS]
    if looked and is_true(claim):
        said = dict.fromkeys(engine["reason"] or "evaluated at no point" for engine in looked)
        where = " or ".join(said)  # of the steps of a chain
        yield "checked", f"by the kernel; {where}, in exact arithmetic; not sampled"


def _inferred(claim: Json) -> str:
    """n, m: dimension; A: matrix(n, m): what nobody declared, together where it is the same."""
    kinds: dict[str, list[str]] = {}
    for name, symbol in claim.get("symbols", {}).items():
        if symbol["inferred"]:
            kinds.setdefault(symbol["says"], []).append(name)
    return "; ".join(f"{', '.join(names)}: {says}" for says, names in kinds.items())


def point(found: Json) -> str:
    """n = 1, d = 2: left side 3, right side 2."""
    ratios = found.get("ratios")
    spans = {key: found[f"{key}_exact"] for _, key in SIDES}  # orders, which are told as the two sides
    values = {name: value for name, value in found["values"].items() if spans.get(name, "") != value}
    where = shown(values) or "everywhere"
    if ratios and values.get("ratio") != ratios:  # a symbol is called so
        where += f", left side / right side = {shown(ratios)}"
    if found["lhs"] is None and found["lhs_exact"] is None:
        return where
    named = [(f"{side} side", _side(found[f"{key}_exact"], found[key])) for side, key in SIDES]
    return f"{where}: {', '.join(f'{name} {value}' for name, value in named if value is not None)}"


def _side(exact: str | None, value: float | None) -> str | None:
    """Exactly where that is known; None where the side has no value."""
    if exact is None:
        return None if value is None else f"about {value:.6g}"
    if value is None or exact.lstrip("-").isdecimal():
        return exact
    return f"{exact} (about {value:.6g})"


def shown(value: object) -> str:
    """A value of a point: numbers short, matrices as rows."""
    match value:
        case float():
            return f"{value:.6g}"
        case Mapping():
            return ", ".join(f"{name} = {shown(item)}" for name, item in value.items())
        case list() | tuple():
            return f"[{', '.join(map(shown, value))}]"
    return str(value)


def summary(report: Json) -> str:
    """3 holds, 1 loose, ... in one line."""
    counts = ", ".join(f"{report['summary'][name]} {name}" for name in VERDICTS)
    files = f"; {len(report['errors'])} unreadable" if report["errors"] else ""
    found = Counter((bool(claim["as_expected"]), claim["gate"]) for claim in report["claims"])
    met = sum(count for (as_expected, _), count in found.items() if as_expected)
    let_pass = [(name, found[True, name] + found[False, name]) for name in ("known", "tolerated")]
    passing = "".join(f", {count} {name}" for name, count in let_pass if count)
    return f"{counts}{files}; {met} of {found.total()} as expected{passing}"
