"""Expansions near infinity and near points enclose the function on the whole stretch they cover."""

from typing import Any

import mpmath
import pytest
from flint import ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.exact.helpers import X, functions, witness
from verifier.exact.enclosures.one_sided import Germ
from verifier.exact.numbers import operations as ar
from verifier.exact.numbers.constants import Exact
from verifier.exact.numbers.interval import INF, NEG_INF
from verifier.exact.numbers.refusals import Refusal, Undefined

ONE = fmpq(1)


def apply(name: str, u: Any = X) -> Any:
    return ar.apply(name, u)


@pytest.mark.parametrize(
    ("term", "germ", "sign", "limit"),
    [
        (apply("tanh") - ONE, Germ(None, 1), -1, fmpq(0)),
        (apply("softplus") - apply("relu"), Germ(None, 1), 1, fmpq(0)),
        (apply("softplus") - apply("relu"), Germ(None, -1), 1, fmpq(0)),
        (apply("gelu") - X, Germ(None, 1), -1, fmpq(0)),
        (X * apply("phi"), Germ(None, -1), -1, fmpq(0)),
        (apply("Phi"), Germ(None, -1), 1, fmpq(0)),
        (X - apply("log", ONE + X), Germ(fmpq(0), 1), 1, fmpq(0)),
        (X - apply("log", ONE + X), Germ(fmpq(0), -1), 1, fmpq(0)),
        (apply("sin") * ar.inverse(X) - ONE, Germ(fmpq(0), 1), -1, fmpq(0)),
        (ar.inverse(X), Germ(fmpq(0), -1), -1, None),
        (X * apply("log"), Germ(fmpq(0), 1), -1, fmpq(0)),
        (apply("exp", ar.inverse(X)), Germ(fmpq(0), -1), 1, fmpq(0)),
        (apply("exp", ar.inverse(X)), Germ(fmpq(0), 1), 1, None),
        (apply("sqrt", ar.power(X, fmpq(2)) + ONE) - X, Germ(None, 1), 1, fmpq(0)),
        (apply("atan") - fmpq(1, 2) * ar.PI_VALUE, Germ(None, 1), -1, fmpq(0)),
        (apply("asin") - fmpq(1, 2) * ar.PI_VALUE, Germ(fmpq(1), -1), -1, fmpq(0)),
        (apply("asin") + fmpq(1, 2) * ar.PI_VALUE, Germ(fmpq(-1), 1), 1, fmpq(0)),
        (apply("erf", X * fmpq(2)) - ONE, Germ(None, 1), -1, fmpq(0)),
    ],
)
def test_signs_and_limits_are_exact(term: Any, germ: Germ, sign: int, limit: Exact | None) -> None:
    ctx.prec = 96
    tail = germ.tail(term, "x", fmpq(64))
    assert tail.sign() == sign
    assert tail.limit() == limit


def test_a_domain_that_ends_inside_the_tail_is_no_hole() -> None:
    # log(100 - x) is undefined near infinity, but not for all x >= 4.
    germ = Germ(None, 1)
    with pytest.raises(Refusal) as refused:
        germ.tail(apply("log", fmpq(100) - X), "x", fmpq(4))
    assert not isinstance(refused.value, Undefined)
    with pytest.raises(Undefined):
        germ.tail(apply("log", fmpq(100) - X), "x", fmpq(512))
    with pytest.raises(Refusal) as refused:
        germ.tail(apply("sqrt", fmpq(100) - X), "x", fmpq(4))
    assert not isinstance(refused.value, Undefined)
    with pytest.raises(Refusal) as refused:
        germ.tail(apply("log", fmpq(1000) * ar.inverse(X) - fmpq(5)), "x", fmpq(4))
    assert not isinstance(refused.value, Undefined)


germs = st.sampled_from(
    [
        Germ(None, 1),
        Germ(None, -1),
        Germ(fmpq(0), 1),
        Germ(fmpq(0), -1),
        Germ(fmpq(1, 2), 1),
        Germ(fmpq(-1), -1),
    ]
)


@given(functions(), germs, st.sampled_from([4, 16, 256]), st.integers(0, 60), st.sampled_from([4, 9]))
def test_the_range_holds_every_value(term: Any, germ: Germ, start: int, step: int, order: int) -> None:
    ctx.prec = 96
    mpmath.mp.dps = 60
    try:
        tail = germ.tail(term, "x", fmpq(start), order)
        found = tail.range()
    except Refusal:
        return
    t = start * mpmath.mpf("1.07") ** step
    point = None if germ.point is None else mpmath.mpf(int(germ.point.p)) / int(germ.point.q)
    value = witness(term, germ.side * t if point is None else point + germ.side / t)
    reach = mpmath.mpf(10) ** -22 * (1 + abs(value))
    assert found.lo == NEG_INF or mpmath.mpf(found.lo.str(70, radius=False)) <= value + reach
    assert found.hi == INF or value - reach <= mpmath.mpf(found.hi.str(70, radius=False))
    try:
        sign = tail.sign()
    except Refusal:
        return
    assert sign * value >= -reach
