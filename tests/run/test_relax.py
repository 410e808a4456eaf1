"""What each assumption buys, end to end."""

from verifier import Verdict, load_text, verify

SPEC = """
theorem: toy/relax
symbols: {n: dimension, u: vector(n), v: vector(n)}
assumptions: {unit-u: norm(u) == 1, unit-v: norm(v) == 1}
claims:
  far: {says: "inner(u, v) <= 2", under: [unit-u, unit-v]}
  any: {says: "inner(u, v) <= norm(u)*norm(v)", under: [unit-u]}
"""


def test_a_bound_far_from_broken_needs_its_assumption_all_the_same() -> None:
    bought = {
        item.id.partition("#")[2]: {a.name: a.status for a in item.assumptions}
        for item in verify(load_text(SPEC)).verdicts
        if isinstance(item, Verdict)
    }
    assert bought["far"] == {"unit-u": "needed", "unit-v": "needed"}
    assert bought["any"] == {"unit-u": "unneeded"}
