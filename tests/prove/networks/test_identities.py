"""Known identities hold exactly, and every mutant of them is refuted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import prod

import pytest

from verifier.prove.networks import (
    Coefficient,
    Factor,
    Frame,
    Index,
    Law,
    Network,
    Normal,
    Rademacher,
    Ring,
    Sum,
    Tensor,
    expectation,
)

_FREE = Ring(("n", "d", "k", "sigma", "rho", "inv_n"))
RING = _FREE.modulo(_FREE["n"] * _FREE["inv_n"] - 1)
n, d, k, sigma, rho, inv_n = (RING[name] for name in RING.names)
SIZES = {"n": n, "d": d, "k": k}
FRAME = Frame.of(
    RING,
    SIZES,
    [
        Tensor("X", ("n", "d")),
        Tensor("Y", ("n", "d")),
        Tensor("A", ("n", "n")),
        Tensor("B", ("d", "d")),
        Tensor("C", ("d", "d"), symmetric=True),
        Tensor("Q", ("d", "k")),
        Tensor("K", ("d", "k")),
        Tensor("g", ("d",)),
        Tensor("u", ("d",)),
    ],
)


def network(*factors: str, coefficient: Coefficient | int = 1, distinct: str = "") -> Sum:
    """network("Xab", "Xcb"): every factor with the letters of its summed indices."""

    def factor(text: str) -> Factor:
        tensor = FRAME.tensors[text[0]]
        indices = (Index(x, s) for x, s in zip(text[1:], tensor.spaces, strict=True))
        return Factor(tensor.name, tuple(indices))

    pairs = tuple((Index(p[0], "n"), Index(p[1], "n")) for p in distinct.split())
    return Sum.of(FRAME, Network(tuple(map(factor, factors)), coefficient, distinct=pairs))


def scalar(value: Coefficient | int) -> Sum:
    return Sum.scalar(FRAME, value)


def expected(value: Sum, **laws: Law) -> Sum:
    return expectation(value, laws).value


NORM = network("Xab", "Xab")
GRAM = network("Xab", "Xac", "Xeb", "Xec")  # norm(X'X)**2
CENTRED = (
    GRAM
    - network("Xab", "Xac", "Xeb", "Xfc") * (2 * inv_n)
    + network("Xab", "Xpc", "Xeb", "Xfc") * (inv_n * inv_n)
)  # norm(X' L X)**2, L = 1 - ones/n
G = Normal(std=sigma)

Identity = tuple[Callable[[], Sum], Sum]
IDENTITIES: dict[str, Identity] = {
    "norm squared": (lambda: expected(NORM, X=G), scalar(n * d * sigma**2)),
    "norm to the fourth": (
        lambda: expected(NORM * NORM, X=G),
        scalar((n**2 * d**2 + 2 * n * d) * sigma**4),
    ),
    "norm of the gram matrix": (
        lambda: expected(GRAM, X=G),
        scalar((n * d**2 + n**2 * d + n * d) * sigma**4),
    ),
    "tr(X' A X B)": (
        lambda: expected(network("Xab", "Aac", "Xce", "Beb"), X=G),
        network("Aaa") * network("Baa") * sigma**2,
    ),
    "tr(X' A X B)**2": (
        lambda: expected(network("Xab", "Aac", "Xce", "Beb") ** 2, X=G),
        (
            network("Aaa") ** 2 * network("Baa") ** 2
            + network("Aab", "Aab") * network("Bab", "Bab")
            + network("Aab", "Aba") * network("Bab", "Bba")
        )
        * sigma**4,
    ),
    "quartic form with covariance": (
        lambda: expected(network("ga", "Bab", "gb") ** 2, g=Normal(cov="C")),
        network("Bab", "Cab") ** 2
        + network("Bab", "Cbc", "Bce", "Cea")
        + network("Bab", "Cbc", "Bec", "Cea"),
    ),
    "correlated rows": (
        lambda: expected(network("Xab", "Xcb"), X=Normal(std=sigma, row_corr=rho)),
        scalar(sigma**2 * d * (n + n * (n - 1) * rho)),
    ),
    "distinct rows": (
        lambda: expected(network("Xab", "Xcb", distinct="ac") ** 2, X=G),
        scalar(2 * sigma**4 * n * (n - 1) * d),
    ),
    "mean": (
        lambda: expected(NORM * NORM, X=Normal(mean="Y")),
        network("Yab", "Yab") ** 2
        + network("Yab", "Yab") * (2 * n * d + 4)
        + scalar(n**2 * d**2 + 2 * n * d),
    ),
    "signs": (
        lambda: expected(network("ga", "ua") ** 4, g=Rademacher()),
        network("ua", "ua") ** 2 * 3 - network("ua", "ua", "ua", "ua") * 2,
    ),
    "logits": (
        lambda: expected(network("Xab", "Qbk", "Kck", "Xec") ** 2, Q=Normal(), K=Normal()),
        network("Xab", "Xcb") ** 2 * k,
    ),
    "centred gram": (
        lambda: expected(CENTRED, X=G),
        scalar(((n - 1) * d**2 + (n - 1) ** 2 * d + (n - 1) * d) * sigma**4),
    ),
}


def mutants(right: Sum) -> Iterable[tuple[str, Sum]]:
    """What an author gets wrong: a term, a factor, a dimension, a sign, a number."""
    for monomial, coefficient in right.terms.items():
        term = Sum(FRAME, {monomial: coefficient})
        yield "missing term", right - term
        yield "doubled term", right + term
        yield "wrong sign", right - term * 2
        for component, power in monomial:
            rest = monomial - {(component, power)}
            fewer = rest | {(component, power - 1)} if power > 1 else rest
            yield "dropped factor", right - term + Sum(FRAME, {frozenset(fewer): coefficient})
        if len(coefficient) > 1:
            last = RING.context.from_dict(dict([list(coefficient.to_dict().items())[-1]]))
            yield "missing cross term", right - Sum(FRAME, {monomial: last})
        for i, name in enumerate(RING.names[:3]):
            if coefficient.degrees()[i]:
                values = [RING[x] for x in RING.names]
                for other in RING.names[:3]:
                    values[i] = RING[other]
                    swapped = coefficient.compose(*values)
                    if other != name:
                        yield f"{other} for {name}", right - term + Sum(FRAME, {monomial: swapped})
                values[i] = RING[name] + 1
                off = coefficient.compose(*values)
                yield f"{name} + 1", right - term + Sum(FRAME, {monomial: off})


@pytest.mark.parametrize("name", IDENTITIES)
def test_identity_holds(name: str) -> None:
    left, right = IDENTITIES[name]
    assert left() == right


@pytest.mark.parametrize("name", IDENTITIES)
def test_mutants_are_refuted(name: str) -> None:
    left, right = IDENTITIES[name]
    value = left()
    for what, mutant in mutants(right):
        # Exchanging n and d may leave a symmetric formula as it is: that is no mutant.
        assert mutant == right or value != mutant, what


def test_gram_moments_at_one_row_are_chi_square() -> None:
    """E tr((X'X)^p) at n = 1 is E norm(x)^2p = d (d + 2) ... (d + 2p - 2)."""
    for p in range(1, 9):
        letters = [f"X{chr(97 + i)}{chr(97 + j)}" for i in range(p) for j in (i, (i + 1) % p)]
        (coefficient,) = expected(network(*letters), X=Normal()).terms.values()
        for size in (1, 2, 5):
            point = {"n": 1, "d": size}
            assert coefficient.subs(point) == prod(size + 2 * i for i in range(p))


def test_isserlis_in_one_variable() -> None:
    """E x**(2p) = (2p - 1)!!, and the derivation counts exactly these pairings."""
    open_index = Index("1", "d", open=True)
    for p in range(1, 8):
        power = Sum.of(FRAME, Network((Factor("g", (open_index,)),) * (2 * p)))
        answer = expectation(power, {"g": Normal()}, record=True)
        double = prod(range(1, 2 * p, 2))
        assert answer.value == scalar(double)
        assert answer.derivation is not None
        assert answer.derivation.pairings == (("g", double),)


def test_sixth_order_with_correlated_rows() -> None:
    """E[norm(X)**2 norm(X'LX)**2] at rho = 0 and at rho = 1, where L X = 0."""
    value = expected(NORM * CENTRED, X=Normal(std=sigma, row_corr=rho))
    (coefficient,) = value.terms.values()
    independent = expected(NORM * CENTRED, X=G)
    assert scalar(coefficient.subs({"rho": 0})) == independent
    assert coefficient.subs({"rho": 1}) == RING(0)
    # norm(X)**2 - n*d and the rest: degree four, so E[norm(X)**2 f] = (n d + 4) sigma**2 E[f].
    assert independent == expected(CENTRED, X=G) * ((n * d + 4) * sigma**2)


def test_fractions_are_exact() -> None:
    third = expected(NORM * Fraction(1, 3), X=Normal(std=Fraction(1, 7)))
    assert third == scalar(n * d) * Fraction(1, 147)
