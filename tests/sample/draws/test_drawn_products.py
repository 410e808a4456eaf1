"""Drawing A W in place of W: the same law, the same values, and only where nothing else of W is met."""

import pytest
import torch

from tests.sample.specs import claim_of
from verifier.sample.compile.compile import evaluate
from verifier.sample.draws.sample_points import points
from verifier.sample.draws.scene import prepare
from verifier.sample.draws.streams import Stream
from verifier.sample.expectation_leaves import leaves_of
from verifier.sample.sampler import Sampler

SYMBOLS = {
    "n": "dimension",
    "d": "dimension",
    "k": "dimension",
    "X": "matrix(n, d)",
    "Y": "matrix(n, d)",
    "W": "normal(d, k, std=1/2)",
    "V": "normal(d, k, mean=1/8, std=1/4)",
    "C": "normal(d, k, row_corr=1/4)",
    "F": "normal(d, k, copies=3)",
    "S": "rademacher(d, k)",
}
LET = {"P": "X @ W", "A": "softmax(P @ (X @ V).T / 8)", "T": "A @ (X @ V)"}
FEW_ROWS = "where: {n: 2, d: 5, k: 3}"


def sampler(text: str, where: str = FEW_ROWS, exact: int = 1) -> Sampler:
    claim = claim_of(f"{text} == 0", SYMBOLS, LET, extra=where)
    fact = claim.steps[0].fact
    point = next(iter(points(claim, fact, 1)))
    scene = prepare(claim, point, fact)
    (leaf,) = leaves_of(fact, scene.world).values()
    return Sampler(leaf, scene, Stream(0, point.key), exact, 2**31)


MET = {
    "E(norm(X @ W)**2)": "W",
    "E(norm(D(T, W))**2)": "VW",
    "E(norm(D(T, V))**2)": "W",  # V reaches T along two paths, so probes vary it as a whole
    "E(norm(D(T, X))**2)": "",  # what multiplies W is varied
    "E(norm(D(T, P))**2)": "VW",
    "E(norm(P)**2 + norm(W)**2)": "",
    "E(norm(X @ W + Y @ W)**2)": "W",
    "E(norm(ones(4, d) @ W + ones(4, 2) @ X @ W)**2)": "",  # six rows and only five of W
    "E(norm(X @ V @ W.T)**2)": "V",
    "E(norm(X @ F[1] + X @ F[2])**2)": "F",
    "E(sum(norm(X @ F[h])**2, h, 1, 3))": "F",
    "E(sum(norm(h * X @ F[h])**2, h, 1, 3))": "",
    "E(norm(X @ S)**2)": "",  # no normal law
    "E(norm(X @ C)**2)": "C",
}


@pytest.mark.parametrize("text", MET)
def test_only_what_is_met_in_products_alone(text: str) -> None:
    assert "".join(sorted(sampler(text).products)) == MET[text]


def test_matrices_with_many_rows_are_no_help() -> None:
    assert not sampler("E(norm(X @ W)**2)", "where: {n: 5, d: 5, k: 2}").products


@pytest.mark.parametrize("text", [text for text, names in MET.items() if names])
def test_values_are_those_of_a_whole_matrix(text: str) -> None:
    """Any W with the A W that was drawn gives the same value, by the same tree."""
    found = sampler(text)
    draws = found._draw(0, 1)
    few = {name: value[:4] for name, value in draws.items()}
    scope = found.scene.bind({})
    whole = dict(few)
    for name, item in found.products.items():
        factors = torch.cat([evaluate(node, scope) for node, _ in item.factors])
        whole[name] = torch.linalg.pinv(factors) @ few[name]
        torch.testing.assert_close(factors @ whole[name], few[name])
    expected = torch.func.vmap(found._values)(few)
    found.products = {}
    torch.testing.assert_close(torch.func.vmap(found._values)(whole), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["W", "V", "C"])
def test_means_and_covariances_are_kept(name: str) -> None:
    found = sampler(f"E(norm(X @ {name})**2)")
    law, own = found.products[name].law, found.scene.laws[name]
    assert law.mix is not None
    x = found.scene.fixed["X"]
    root = own.scale * (x if own.mix is None else x @ own.mix)
    torch.testing.assert_close(law.mix @ law.mix.mT, root @ root.mT)
    torch.testing.assert_close(law.mean.expand(2, 3), x @ own.mean.expand(5, 3))
    assert float(law.scale) == 1


def test_a_closed_form_is_met() -> None:
    """E|X W|^2 = k std^2 |X|^2."""
    found = sampler("E(norm(X @ W)**2)")
    found.advance(2**15, float("inf"))
    estimate = found.read(1e-6)
    truth = 3 / 4 * float(found.scene.fixed["X"].square().sum())
    assert estimate.rigorous
    assert float(estimate.low) < truth < float(estimate.high) < 1.2 * truth
