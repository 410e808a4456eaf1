"""Layers that map one number, and where they end."""

import mpmath as mp
import pytest

from verifier.evidence import Budget, Finding
from verifier.prove.engine import examine
from verifier.read.specs.load import load_text

KAPPA = "(sqrt(1 - r**2) + (pi - acos(r))*r)/pi"


def judged(says: str, state: str, following: str, assume: str = "") -> Finding:
    (name, _, _) = state.partition(":")
    text = f"theorem: t/t\nsymbols:\n  {state}\n  g: normal(std=1)\n"
    text += f"assumptions:\n  a: {assume}\n" if assume else ""
    text += f"layers:\n  state: {name}\n  depth: L\n  symbols: {{}}\n  next: {following}\n"
    (claim,) = load_text(f'{text}claims:\n  c: {{says: "{says}"}}\n').claims
    return examine(claim, claim.steps[0], Budget(seconds=10))


@pytest.mark.parametrize(
    ("state", "following", "end", "elsewhere"),
    [
        ("r: interval(-1, 1)", KAPPA, "1", "1/2"),
        ("r: interval(0, 1)", "r**2/2 + r/4", "0", "1"),
        ("r: interval(0, oo)", "r/(1 + r)", "0", "1"),
        ("r: positive", "E(tanh(sqrt(r)*g)**2)", "0", "1"),
    ],
)
def test_limits(state: str, following: str, end: str, elsewhere: str) -> None:
    found = judged(f"limit(after(r, L), L, oo) == {end}", state, following)
    assert (found.truth, found.grade) == ("true", "certified"), found
    false = judged(f"limit(after(r, L), L, oo) == {elsewhere}", state, following)
    assert (false.truth, false.corrected) == ("false", end), false
    assert false.counterexample is not None


def test_another_point_that_stays() -> None:
    """2 asin(r)/pi leaves -1, 0 and 1 where they are, and moves all others to 0."""
    following = "2/pi*asin(r)"
    assert judged("limit(after(r, L), L, oo) == 0", "r: interval(-1, 1)", following).truth == "false"
    inside = judged("limit(after(r, L), L, oo) == 0", "r: interval(0, 1)", following, "r < 1")
    assert inside.truth == "true"


def test_bounds_at_every_depth() -> None:
    assert judged("after(r, L) >= r", "r: interval(-1, 1)", KAPPA).truth == "true"
    assert judged("after(r, L) <= 1", "r: interval(-1, 1)", KAPPA).truth == "true"
    assert judged("after(r, L) <= r", "r: interval(-1, 1)", KAPPA).truth != "true"


@pytest.mark.parametrize("r", [-0.7, 0.2, 0.9])
def test_the_map_of_correlations_is_the_mean_over_a_pair(r: float) -> None:
    """2 E relu(u) relu(w) for unit variances and correlation r; E radius**2 = 2, the angle is uniform."""
    with mp.workdps(30):
        turn = mp.acos(r)
        angular = mp.quad(lambda t: mp.cos(t) * mp.cos(t - turn), [turn - mp.pi / 2, mp.pi / 2])
        expected = (mp.sqrt(1 - mp.mpf(r) ** 2) + (mp.pi - turn) * r) / mp.pi
        assert mp.almosteq(2 * 2 * angular / (2 * mp.pi), expected, 1e-20)
