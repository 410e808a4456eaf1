"""Inequalities with a known best constant, set a few per cent wrong, with fresh seeds in every run.

Below the best constant a bound must fail, with a witness one can check on paper; above it, it must
be loose by the right factor. Each run draws some of the kinds below and new instances of them: random
rotations, scalings and sizes of the inequalities of the textbooks. The seed is shown with every
failure; set SEARCH_SEED to repeat a run, SEARCH_ALL to try every kind.
"""

import math
import os
from collections.abc import Callable
from random import Random, SystemRandom

import numpy as np
import pytest

from tests.refute.claims import numbers, searched
from verifier.timer import worked

SEED = int(os.environ.get("SEARCH_SEED") or SystemRandom().randrange(10**6))


def _weights(rng: Random) -> tuple[str, str, float]:
    """|<w, x>| <= |w| |x| for an integer vector w."""
    w = [rng.choice([-4, -3, -2, -1, 1, 2, 3, 4]) for _ in range(rng.randint(2, 5))]
    terms = " + ".join(f"({weight})*x[{at + 1}]" for at, weight in enumerate(w))
    return f"abs({terms})", "norm(x)", math.sqrt(sum(weight**2 for weight in w))


def _quadratic(rng: Random) -> tuple[str, str, float]:
    """x' M x <= lambda |x|^2, lambda the largest eigenvalue of an integer matrix."""
    size = rng.randint(2, 4)
    half = [[rng.randint(-3, 3) for _ in range(size)] for _ in range(size)]
    m = np.array(half) + np.array(half).T + 7 * np.eye(size, dtype=int)
    terms = " + ".join(f"({m[i, j]})*x[{i + 1}]*x[{j + 1}]" for i in range(size) for j in range(size))
    return terms, "norm(x)**2", float(np.linalg.eigvalsh(m)[-1])


def _product(rng: Random) -> tuple[str, str, float]:
    scale = rng.randint(2, 9)
    return f"norm({scale}*C @ F)", rng.choice(["norm(C)*norm(F)", "norm(C, 2)*norm(F)"]), scale


def _rank(rng: Random) -> tuple[str, str, float]:
    return "norm(C)", "sqrt(min(n, m))*norm(C, 2)", 1.0


def _commutator(rng: Random) -> tuple[str, str, float]:
    return "norm(A @ B - B @ A)", "norm(A)*norm(B)", math.sqrt(2)


def _young(rng: Random) -> tuple[str, str, float]:
    """a^i b^j <= (i a^(i+j) + j b^(i+j))/(i + j)."""
    i, j = rng.randint(1, 3), rng.randint(1, 3)
    return f"a**{i}*b**{j}", f"({i}*a**{i + j} + {j}*b**{i + j})", 1 / (i + j)


def _sum(rng: Random) -> tuple[str, str, float]:
    """|s x + r y|^2 <= (s^2 + r^2)(|x|^2 + |y|^2)."""
    s, r = rng.randint(1, 5), rng.randint(1, 5)
    return f"norm({s}*x - {r}*y)**2", "(norm(x)**2 + norm(y)**2)", s**2 + r**2


def _softmax(rng: Random) -> tuple[str, str, float]:
    return rng.choice([("norm(D(softmax(z), z), 2)", "1", 0.5), ("norm(D(softmax(A), A))", "sqrt(n)", 0.5)])


def _bump(rng: Random) -> tuple[str, str, float]:
    """t exp(-s t^2) is largest at t = 1/sqrt(2 s)."""
    s = rng.randint(1, 6)
    return f"t*exp(-{s}*t**2)", "1", 1 / math.sqrt(2 * s * math.e)


def _simplex(rng: Random) -> tuple[str, str, float]:
    return rng.choice(
        [("p[i]*(1 - p[i])", "1", 0.25), ("norm(S)", "sqrt(n)", 1.0), ("1", "n*norm(p)**2", 1.0)]
    )


def _rotation(rng: Random) -> tuple[str, str, float]:
    s = rng.randint(1, 5)
    return f"norm({s}*Q @ x + x)", "norm(x)", s + 1


def _traces(rng: Random) -> tuple[str, str, float]:
    return rng.choice(
        [
            ("abs(tr(A))", "sqrt(n)*norm(A)", 1.0),
            ("tr(G @ G)", "tr(G)**2", 1.0),
            ("norm(x, 1)", "sqrt(n)*norm(x)", 1.0),
        ]
    )


def _rotated(rng: Random) -> tuple[str, str, float]:
    """x' R diag(a, b) R' x <= max(a, b) |x|^2 for a rotation R with rational entries."""
    p, q, r = rng.choice([(3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25)])
    a, b = rng.sample(range(1, 9), 2)
    forms = f"{a}*(({p}*x[1] + {q}*x[2])/{r})**2 + {b}*(({q}*x[1] - {p}*x[2])/{r})**2"
    return forms, "(x[1]**2 + x[2]**2)", float(max(a, b))


def _turned(rng: Random) -> tuple[str, str, float]:
    """Norms do not see an orthogonal factor."""
    s = rng.randint(2, 7)
    return rng.choice(
        [(f"norm({s}*Q @ A @ Q.T, 2)", "norm(A)", s), (f"norm({s}*Q @ C @ F)", "norm(C)*norm(F, 2)", s)]
    )


def _entrywise(rng: Random) -> tuple[str, str, float]:
    s = rng.randint(2, 6)
    return rng.choice(
        [
            (f"{s}*norm(x * y)", "norm(x, oo)*norm(y)", s),
            (f"norm({s}*x * y, 1)", "norm(x)*norm(y)", s),
            (f"norm({s}*A * B)", "norm(A)*norm(B)", s),
        ]
    )


def _shift(rng: Random) -> tuple[str, str, float]:
    """Taking off the mean never lengthens a vector."""
    s = rng.randint(1, 5)
    return f"norm({s}*x - {s}*ones(n)*sum(x[j], j, 1, n)/n)", "norm(x)", s


MAKERS: list[Callable[[Random], tuple[str, str, float]]] = [
    _weights, _quadratic, _product, _rank, _commutator, _young, _sum, _softmax, _bump, _simplex,
    _rotation, _traces, _rotated, _turned, _entrywise, _shift,
]  # fmt: skip
DRAWN = MAKERS if os.environ.get("SEARCH_ALL") else Random(SEED).sample(MAKERS, 5)
SECONDS = 3.0


def stated(maker: Callable[[Random], tuple[str, str, float]], low: float, high: float) -> tuple[str, float]:
    """A bound whose constant is off by a random factor."""
    rng = Random(f"{SEED}{maker.__name__}{low}")
    left, right, best = maker(rng)
    constant = round(best * rng.uniform(low, high), 6)
    return f"{left} <= {constant:.6f}*{right}", constant / best


def test_the_seed_of_this_run(record_property: Callable[[str, object], None]) -> None:
    record_property("search-seed", SEED)
    assert 0 <= SEED < 10**6


def with_fixed_sizes(says: str) -> dict[str, str]:
    """An entry x[5] needs five of them."""
    most = max((at for at in range(1, 6) if f"x[{at}]" in says), default=0)
    return {"long-enough": f"n >= {most}"} if most > 1 else {}


@pytest.mark.parametrize("maker", DRAWN, ids=lambda maker: maker.__name__)
def test_a_constant_too_small_is_broken(maker: Callable[[Random], tuple[str, str, float]]) -> None:
    says, factor = stated(maker, 0.95, 0.995)
    start = worked()
    finding, verdict = searched(says, with_fixed_sizes(says), seconds=SECONDS, seed=SEED)
    assert verdict.verdict == "fails", (SEED, says, factor, finding)
    assert worked() - start < 10, (SEED, says)
    assert finding.counterexample is not None
    entries = numbers(finding.counterexample.values)
    assert all(abs(x.numerator) < 1000 and x.denominator < 1000 for x in entries), (SEED, says, entries)


@pytest.mark.parametrize("maker", DRAWN, ids=lambda maker: maker.__name__)
def test_a_constant_too_large_is_loose_by_the_right_factor(
    maker: Callable[[Random], tuple[str, str, float]],
) -> None:
    says, factor = stated(maker, 1.012, 1.05)
    start = worked()
    finding, verdict = searched(says, with_fixed_sizes(says), seconds=SECONDS, seed=SEED)
    assert verdict.verdict == "loose", (SEED, says, factor, finding)
    assert verdict.slack == pytest.approx(factor, rel=1e-3), (SEED, says)
    assert worked() - start < 10, (SEED, says)
