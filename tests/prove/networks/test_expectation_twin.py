"""Random networks under random laws, against the enumeration of pairings."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.prove.networks.pairings_twin import brute
from verifier.prove.networks import (
    Determined,
    Factor,
    Frame,
    Iid,
    Index,
    Network,
    Normal,
    Rademacher,
    Ring,
    Sum,
    Tensor,
    Uniform,
    evaluate,
    expectation,
)

NAMES = ("n", "d", "k", "sigma", "rho", "r")
_FREE = Ring(NAMES)
RING = _FREE.modulo(_FREE["r"] ** 2 * _FREE["n"] - 1)
SCALARS = {
    "n": Fraction(4),  # so that r = 1/sqrt(n) is rational
    "d": Fraction(3),
    "k": Fraction(2),
    "sigma": Fraction(3, 2),
    "rho": Fraction(1, 3),
    "r": Fraction(1, 2),
}
SIZES = {"n": RING["n"], "d": RING["d"], "k": RING["k"], "one": RING(1)}
TENSORS = [
    Tensor("A", ("n", "d")),
    Tensor("B", ("d", "d")),
    Tensor("S", ("d", "d"), symmetric=True),
    Tensor("P", ("d", "d"), symmetric=True, idempotent=True),
    Tensor("R", ("d", "d"), isometry=(0, 1)),
    Tensor("F", ("d", "d"), unit_sum=(1,)),
    Tensor("v", ("d",)),
    Tensor("c", ("n", "one")),
    Tensor("T", ("d", "k", "d")),
    Tensor("U", ("d", "d", "d"), symmetric=True),
    Tensor("M", ("n", "d")),
    Tensor("X", ("n", "d")),
    Tensor("x", ("d",)),
    Tensor("G", ("k", "d", "d")),
    Tensor("z", ()),
]
FRAME = Frame.of(RING, SIZES, TENSORS)
SIGMA, RHO, R = RING["sigma"], RING["rho"], RING["r"]
LAWS = {
    "X": [
        Normal(std=SIGMA),
        Normal(std=R, mean="M"),
        Normal(std=SIGMA, mean=RHO),
        Normal(std=SIGMA, row_corr=RHO),
        Normal(row_corr=RHO, row_axis=1, mean=2),
        Normal(std=R, cov="S", cov_axis=1),
        Rademacher(),
        Uniform(-SIGMA, SIGMA),
        Uniform(0, 1),
        Iid(RHO, SIGMA**2, {3: 5, 4: 7, 5: R, 6: 11}),
    ],
    "x": [Normal(cov="S"), Normal(std=R), Normal(cov="P", mean="v"), Rademacher()],
    "G": [Normal(std=SIGMA), Normal(row_corr=RHO, row_axis=1), Rademacher()],
    "z": [Normal(std=SIGMA, mean=1), Uniform(0, 2), Rademacher()],
}


def filled(seed: int) -> dict[str, dict[tuple[int, ...], Fraction]]:
    """Entries for the fixed tensors that obey their declared identities."""
    random = Random(seed)
    sizes = {"n": 4, "d": 3, "k": 2, "one": 1}
    fixed = {}
    for tensor in TENSORS:
        cells = product(*(range(1, sizes[s] + 1) for s in tensor.spaces))
        draw: dict[tuple[int, ...], Fraction] = {}
        for cell in cells:
            same = draw.get(tuple(sorted(cell))) if tensor.symmetric else None
            draw[cell] = Fraction(random.randint(-3, 3)) if same is None else same
        fixed[tensor.name] = draw
    square = list(product((1, 2, 3), repeat=2))
    fixed["P"] = {(i, j): Fraction(int(i == j)) - Fraction(1, 3) for i, j in square}
    # A reflection with a permuted row order: orthogonal and not symmetric.
    order = {1: 2, 2: 3, 3: 1}
    fixed["R"] = {(order[i], j): Fraction(int(i == j)) - Fraction(2, 3) for i, j in square}
    fixed["F"] |= {(i, 3): 1 - fixed["F"][i, 1] - fixed["F"][i, 2] for i in (1, 2, 3)}
    return fixed


POOL = {
    "n": [Index("a", "n"), Index("b", "n"), Index("i", "n", open=True), Index("2", "n", open=True)],
    "d": [
        *(Index(label, "d") for label in "abce"),
        *(Index(label, "d", open=True) for label in "jl3"),
    ],
    "k": [Index("a", "k"), Index("h", "k")],
    "one": [Index("a", "one"), Index("b", "one")],
}


@st.composite
def factors(draw: st.DrawFn, tensor: Tensor) -> Factor:
    # Summed indices first: shrinking and most draws prefer them to open ones.
    chosen = [draw(st.sampled_from(POOL[s][:4] + POOL[s])) for s in tensor.spaces]
    return Factor(tensor.name, tuple(chosen))


@st.composite
def networks(draw: st.DrawFn, most_random: int = 4) -> Network:
    random = [t for t in TENSORS if t.name in LAWS]
    fixed = [t for t in TENSORS if t.name not in LAWS]
    picked = draw(st.lists(st.sampled_from(random), max_size=most_random))
    picked += draw(st.lists(st.sampled_from(fixed), max_size=3))
    found = [draw(factors(t)) for t in picked]
    pairs = []
    for _ in range(2):
        space = draw(st.sampled_from(["n", "d"]))
        pair = draw(st.tuples(*[st.sampled_from(POOL[space])] * 2))
        pairs.append((pair,) if draw(st.integers(0, 3)) == 0 and pair[0] != pair[1] else ())
    coefficient = draw(st.sampled_from([1, Fraction(-2, 3), SIGMA, R, RING["n"] * R]))
    extra = draw(st.sampled_from([(), (Index("a", "n"),), (Index("q", "k"),)]))
    return Network(tuple(found), coefficient, extra, pairs[0], pairs[1])


def small(network: Network) -> bool:
    sizes = {"n": 4, "d": 3, "k": 2, "one": 1}
    indices = {i for f in network.factors for i in f.indices} | set(network.summed)
    indices |= {i for pair in network.equal + network.distinct for i in pair}
    count = 1
    for index in indices:
        count *= 1 if index.open else sizes[index.space]
    return count <= 600


@settings(max_examples=250, deadline=None)
@given(
    st.lists(networks(), min_size=1, max_size=2),
    st.fixed_dictionaries({name: st.sampled_from(laws) for name, laws in LAWS.items()}),
    st.integers(0, 5),
    st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3)),
)
def test_equals_the_enumeration_of_pairings(listed, laws, seed, where) -> None:
    assume(all(small(network) for network in listed))
    fixed = filled(seed)
    places = {"i": where[0], "j": where[1], "l": where[2]}
    answer = expectation(Sum.of(FRAME, *listed), laws)
    assert isinstance(answer, Determined)
    assert evaluate(answer.value, SCALARS, fixed, places) == brute(
        FRAME, listed, laws, SCALARS, fixed, places
    )


@settings(max_examples=60, deadline=None)
@given(networks(2), networks(2), st.integers(0, 5), st.integers(1, 4))
def test_products_add_and_bind(first, second, seed, place) -> None:
    """evaluate is a homomorphism, and bind sums over an open index."""
    assume(small(first) and small(second))
    fixed = filled(seed)
    at = {"i": place, "j": 1, "l": 2}
    f, g = Sum.of(FRAME, first), Sum.of(FRAME, second)
    value = {s: evaluate(s_, SCALARS, fixed, at) for s, s_ in {"f": f, "g": g}.items()}
    assert evaluate(f * g, SCALARS, fixed, at) == value["f"] * value["g"]
    assert evaluate(f - g, SCALARS, fixed, at) == value["f"] - value["g"]
    bound = evaluate(f.bind(Index("i", "n")), SCALARS, fixed, at)
    assert bound == sum(evaluate(f, SCALARS, fixed, at | {"i": i}) for i in (1, 2, 3, 4))
    renamed = evaluate(f.rename({"l": "j", "i": "4"}), SCALARS, fixed, at)
    assert renamed == evaluate(f, SCALARS, fixed, {"i": 4, "j": 1, "l": 1})


@settings(max_examples=40, deadline=None)
@given(networks(), st.permutations(sorted(LAWS)))
def test_the_order_of_integration_does_not_matter(network, order) -> None:
    f = Sum.of(FRAME, network)
    laws = {name: LAWS[name][0] for name in LAWS}
    together = expectation(f, laws).value
    for name in order:
        f = expectation(f, {name: laws[name]}).value
    assert f == together


def test_exact_enumeration_of_signs() -> None:
    """E over all 2**6 sign matrices of sum((W' W)**2) and of norm(W v)**4."""
    w, a = Index("w", "k"), Index("a", "d")
    ring = Ring(("k", "d"))
    frame = Frame.of(ring, {"k": ring["k"], "d": ring["d"]}, [Tensor("W", ("k", "d")), Tensor("v", ("d",))])
    b, u = Index("b", "d"), Index("u", "k")

    def sign(i: Index, j: Index) -> Factor:
        return Factor("W", (i, j))

    squares = Sum.of(frame, Network((sign(w, a), sign(w, b), sign(u, a), sign(u, b))))
    linear = Sum.of(frame, Network((sign(w, a), sign(w, b), Factor("v", (a,)), Factor("v", (b,)))))
    v = {(1,): Fraction(2), (2,): Fraction(-1), (3,): Fraction(5)}
    cells = list(product((1, 2), (1, 2, 3)))
    at = {"k": Fraction(2), "d": Fraction(3)}
    for f in (squares, linear * linear, linear * squares):
        answer = expectation(f, {"W": Rademacher()})
        total = Fraction(0)
        for signs in product((1, -1), repeat=6):
            entries = {cell: Fraction(s) for cell, s in zip(cells, signs, strict=True)}
            total += evaluate(f, at, {"W": entries, "v": v})
        assert evaluate(answer.value, at, {"v": v}) == total / 64


@pytest.mark.parametrize("name", sorted(LAWS))
def test_every_law_is_drawn_in_its_fourth_moment(name: str) -> None:
    """Four copies that share one open position: the hardest collision of indices."""
    tensor = FRAME.tensors[name]
    opens = {
        "n": Index("i", "n", open=True),
        "d": Index("j", "d", open=True),
        "k": Index("1", "k", open=True),
    }
    power = Network((Factor(name, tuple(opens[s] for s in tensor.spaces)),) * 4)
    places = {"i": 2, "j": 1, "l": 1}
    for law in LAWS[name]:
        answer = expectation(Sum.of(FRAME, power), {name: law})
        found = evaluate(answer.value, SCALARS, filled(1), places)
        assert found == brute(FRAME, [power], {name: law}, SCALARS, filled(1), places)
