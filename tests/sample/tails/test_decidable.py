"""What rounding hides, what no small size shows, and what is folded: agreement on every draw is no answer."""

import pytest

from tests.sample.specs import DIMS, claim_of, look

SYMBOLS = DIMS | {"X": "matrix(n, d)", "v": "vector(n)", "w": "normal()"}
SYMBOLS |= {"tiny": "normal(n, n, std=1e-14)", "small": "normal(n, n, std=1/1000)"}
SYMBOLS |= {"narrow": "uniform(1e-13, 2e-13)"}

FALSE = [
    "tanh(X/100000) == X/100000",  # closer than single precision tells
    "norm(X)*(1 + 1/1000/1000/1000/1000) == norm(X)",
    "norm(X)*(1 + 0.9**200) == norm(X)",
    "norm(X)*(1 + 1/factorial(15)) == norm(X)",
    "norm(X)*(1 + 10**(-2**4)) == norm(X)",
    "norm(X)*tanh(25) == norm(X)",
    "norm(X)*binomial(n, 2**5) == 0",
    "E(norm(gelu(tiny), 2)) == 0.6*E(norm(tiny, 2))",  # every draw near 0
    "E(norm(1 + small**6, 2)) == E(norm(1 + 0*small, 2))",
    "E(abs(gelu(narrow))) == 0.5*E(abs(narrow))",
    "sum(norm(X[a]), a, 30, n) == 0",  # at thirty rows and more
    "norm(X)*binomial(n, 70) == 0",
    "norm(v)*prod(n - a, a, 1, 70) == 0",
    "norm(v + 1000*ones(n), 1) == sum(v[a], a, 1, n) + 1000*n",  # where an entry is below -1000
    "sqrt((v[1] + 1000)**2) == v[1] + 1000",
    "exp(log((v[1] + 1000)**2)/2) == v[1] + 1000",
    "asin(sin(v[1]/1000)) == v[1]/1000",
    "E(sqrt((w + 9)**2)*tanh(w)) == E((w + 9)*tanh(w))",  # nine standard deviations away
]

TRUE = [
    "sqrt(sum(X[a, 1]**2, a, 1, n)) == norm(X.T[1])",
    "norm(v, 1)**2 == sum(abs(v[a]), a, 1, n)**2",
    "sqrt((n - 1)**2)*norm(v) == (n - 1)*norm(v)",
    "sum(norm(X[a])**2, a, 2, n) == norm(X)**2 - norm(X[1])**2",
    "tanh(X/100000)*100000 == tanh(X/100000)/0.00001",
    "E(norm(2*tiny, 2)) == 2*E(norm(tiny, 2))",
    "E(norm(relu(tiny), 2)) == E(norm(abs(tiny)/2 + tiny/2, 2))",
]


@pytest.mark.parametrize("says", FALSE)
def test_agreement_is_not_believed(says: str) -> None:
    assert look(claim_of(says, SYMBOLS)).truth != "true"


@pytest.mark.parametrize("says", TRUE)
def test_agreement_is_believed(says: str) -> None:
    finding = look(claim_of(says, SYMBOLS))
    assert (finding.truth, finding.grade) == ("true", "sampled"), finding
