"""Which engine is asked what, and what a chain says as a whole."""

import textwrap

import pytest

from tests.run import agreeable, contrary, engines
from verifier.judge.verdict import Verdict
from verifier.plan.examine import examine_claim
from verifier.plan.messages import Bought, Event, Found, Tried
from verifier.plan.settings import Engine, Settings
from verifier.plan.whole_chain import OVERALL, overall
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Ready
from verifier.run.verify import verify

SYMBOLIC = Engine("symbolic", agreeable.__name__, 1)
NUMERIC = Engine("numeric", engines.__name__, 3, is_witness=True)
CONTRARY = Engine("symbolic", contrary.__name__, 1)
SEARCH = Engine("search", agreeable.__name__, 2)


def ready(text: str) -> Ready:
    (entry,) = load_text(textwrap.dedent(text)).entries
    assert isinstance(entry, Ready), entry.problems
    return entry


def events(entry: Ready, *asked: Engine) -> list[Event]:
    heard: list[Event] = []
    examine_claim(
        entry.draft, Settings(seconds=4.0, engines=asked, alone=False, trust="engines"), heard.append
    )
    return heard


def chain(*lines: str) -> Ready:
    steps = "\n".join(f"      {line}" for line in lines)
    return ready(f"theorem: a/b\nsymbols: {{x: real}}\nclaims:\n  c:\n    steps: |\n{steps}\n")


@pytest.mark.parametrize(
    ("lines", "op"),
    [
        (["x", "== x", "== x"], "=="),
        (["x", "== x", "<= x + 1", "== 1 + x"], "<="),
        (["x", "<= x", "< x + 1"], "<"),
        (["x", ">= x", "== x"], ">="),
        (["x", ">= x", "> x - 1"], ">"),
        (["x", "<= x + 1", ">= x"], None),
        (["x", "== x"], None),
    ],
)
def test_first_against_last(lines: list[str], op: str | None) -> None:
    whole = overall(chain(*lines).claim)
    assert (whole.fact.op if whole else None) == op  # type: ignore[union-attr]


def test_every_step_is_asked_about_and_then_the_whole() -> None:
    heard = events(chain("x", "<= x", "== x"), SYMBOLIC)
    # The whole follows from the steps, but how tight it is is asked as well.
    assert [event.step for event in heard if isinstance(event, Found)] == [0, 1, OVERALL, OVERALL]


def test_the_numeric_witness_speaks_after_a_proof_and_search_does_not() -> None:
    entry = ready("theorem: a/b\nsymbols: {x: real}\nclaims: {c: {says: x == x}}\n")
    heard = events(entry, SYMBOLIC, SEARCH, NUMERIC)
    tried = {event.attempt.who: event.attempt.outcome for event in heard if isinstance(event, Tried)}
    asked = ("symbolic", "search", "numeric")
    assert [tried[name] for name in asked] == ["proved", "not asked", "proved"]


def test_an_assumption_is_dropped_and_the_claim_judged_again() -> None:
    entry = ready(
        """
        theorem: a/b
        symbols: {x: real, n: dimension, m: dimension, A: "matrix(n, m)"}
        assumptions: {square: n == m, bounded: x <= 1}
        claims: {c: {says: tr(A) * x == x * tr(A)}}
        """
    )
    bought = {
        event.verdict.name: event.verdict for event in events(entry, SYMBOLIC) if isinstance(event, Bought)
    }
    assert bought["bounded"].status == "unneeded"
    assert bought["square"].status == "needed"
    assert "n-by-m" in bought["square"].reason


def test_refuted_with_and_without() -> None:
    entry = ready("theorem: a/b\nsymbols: {x: real}\nassumptions: {a: x <= 1}\nclaims: {c: {says: x == 2}}\n")
    (bought,) = [event.verdict for event in events(entry, CONTRARY) if isinstance(event, Bought)]
    assert bought.status == "unknown"
    assert "false with and without" in bought.reason


def test_first_against_last_is_as_tight_as_it_is() -> None:
    spec = """
    theorem: run/ends
    symbols: {a: positive}
    claims:
      c:
        steps: |
          a
          <= a**2 + 1/4
          <= 2*a**2 + 1/2
    """
    (found,) = verify(load_text(spec), Settings(jobs=1, trust="engines")).verdicts
    assert isinstance(found, Verdict)
    assert found.overall is not None
    assert [step.verdict for step in found.steps] == ["holds", "loose"]
    assert (found.verdict, found.overall.verdict) == ("loose", "loose")
