"""Growth of polynomials by their monomials, against values along paths."""

import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.prove.growth.polynomial_orders import dominated, escaping_path, leading, newton

EXPONENTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=3)


@settings(max_examples=100, deadline=None)
@given(EXPONENTS, EXPONENTS, st.integers(1, 4), st.integers(1, 4))
def test_a_dominated_sum_never_outgrows_its_bound(left, right, u, v):
    if not dominated(left, right):
        return
    t = 10
    x, y = t**u, t**v
    assert sum(x**a * y**b for a, b in left) <= len(left) * sum(x**a * y**b for a, b in right)


@settings(max_examples=100, deadline=None)
@given(EXPONENTS, EXPONENTS)
def test_an_escaping_path_escapes(left, right):
    path = escaping_path(left, right)
    assert not (path is not None and dominated(left, right))
    if path is not None:
        ratios = []
        for t in (10, 100):
            x, y = t ** path[0], t ** path[1]
            ratios.append(sum(x**a * y**b for a, b in left) / sum(x**a * y**b for a, b in right))
        assert ratios[1] > ratios[0]


def test_negative_terms_are_overcome_beyond_some_size():
    n = sp.Symbol("n", positive=True)
    found = newton(n**2 - 5 * n, (n,), {})
    assert found is not None
    assert leading(found.monomials) == [(2,)]
    assert newton(5 * n - n**2, (n,), {}) is None
