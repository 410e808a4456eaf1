"""What the report offers in the place of a claim is true itself: judged again, it holds."""

import pytest

from verifier import Settings, Verdict, load_text, verify

SPEC = """
theorem: toy/offers
symbols:
  n: dimension
  m: dimension
  x: real
  a: positive
  t: interval(0, 1)
  v: vector(n)
  W: normal(m, n, std=a)
{assumptions}
claims:
  c: {{says: "{says}"{growing}}}
"""
# The statement, and which of corrected, instead, tight and repair it must come with.
CLAIMS = [
    ("(x + 1)**2 == x**2 + 1", "corrected"),
    ("sin(x) < 1/2", "instead"),
    ("t*(1 - t) < 1/5", "instead"),
    ("tanh(x) < 1/2", "corrected"),
    ("x**2 <= x**2*t", "repair"),
    ("E(norm(W @ v)**2) == n*a**2*norm(v)**2", "corrected"),
    ("E(norm(W)**2) > 3*m*n*a**2", "instead"),
    ("E(norm(W)**2)/(m*n) in [0, 2*a**2]", ""),
    ("E(norm(W)**2)/(m*n*a**2) in [0, 1]", "tight"),
    ("norm(v, 1) <= 2*n*norm(v)", "tight"),
    ("-3*a <= -a", "tight"),
    ("n*m**2 == Theta(n*m)", "instead"),
    ("x**2*3**n == Theta(x**2*2**n)", "corrected"),
    ("0 <= 5", ""),
]


def judged(says: str, condition: str | None = None) -> Verdict:
    assumptions = f'assumptions: {{extra: "{condition}"}}' if condition else ""
    growing = ", as: n -> oo" if "**n" in says else ""
    loaded = load_text(SPEC.format(says=says, assumptions=assumptions, growing=growing), "offers.yaml")
    assert not loaded.problems
    (found,) = verify(loaded, Settings(jobs=1, trust="engines")).verdicts
    assert isinstance(found, Verdict), found
    return found


@pytest.mark.parametrize(("says", "offer"), CLAIMS)
def test_what_is_offered_is_true(says: str, offer: str) -> None:
    found = judged(says)
    step = found.steps[0]
    op = next(word for word in ("==", "<=", ">=", "<", ">", "in") if f" {word} " in says)
    left = says.split(f" {op} ")[0]
    offers = {"corrected": step.corrected, "tight": step.tight}
    offered = {kind for kind, text in offers.items() if text is not None}
    for text in filter(None, offers.values()):
        assert judged(f"{left} {op} {text}").verdict == "holds"
    if step.instead is not None:
        offered.add("instead")
        assert judged(step.instead).verdict in ("holds", "loose")
    if found.repair is not None:
        offered.add("repair")
        assert judged(says, found.repair.condition).verdict in ("holds", "loose")
    assert offer in offered or not offer
