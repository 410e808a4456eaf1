"""Steps and findings to judge."""

from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Finding, Grade, Tightness, Truth
from verifier.read.specs.load import load_text

POINT = Counterexample({"x": 1}, 1.0, 0.5, "1", "1/2")


def claim(*statements: str, **keys: str) -> Claim:
    """A claim that says one thing, or a chain of several."""
    if len(statements) == 1:
        body = f"    says: |\n      {statements[0]}\n"
    else:
        body = "    steps: |\n" + "".join(f"      {line}\n" for line in statements)
    more = "".join(f"    {key}: {value}\n" for key, value in keys.items())
    head = "theorem: a/b\nsymbols: {x: real, n: dimension}\nassumptions: {bounded: x <= 1}\nclaims:\n  c:\n"
    (only,) = load_text(head + body + more).claims
    return only


def found(
    truth: Truth, grade: Grade | None = None, tight: bool | None = None, engine: str = "one"
) -> Finding:
    """What an engine says; that a bound is loose is as sure as the finding itself."""
    sure = grade in ("proved", "certified")
    tightness = None if tight is None else Tightness(tight, better="x/2", note="twice too large", proved=sure)
    example = POINT if truth == "false" else None
    return Finding(
        engine, truth, grade, f"{engine} says {truth}", counterexample=example, tightness=tightness
    )
