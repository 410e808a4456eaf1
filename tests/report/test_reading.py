"""How a claim was read: complete, and nothing more than what the claim uses."""

from tests.report.examples import example_claims
from verifier.read.specs.load import load_text
from verifier.report.reading import in_words, read_claim


def test_a_claim_in_words() -> None:
    lines = in_words(example_claims()["second-moment"])
    assert lines == [
        "n is any positive integer (a dimension).",
        "d is any positive integer (a dimension).",
        "σ is any positive real number.",
        "X is any n-by-d matrix, fixed.",
        "W is a random d-by-d matrix: independent entries, each normal with mean 0 and standard deviation σ.",
        "Y stands for X W.",
        "For every n, d ≥ 1, every σ > 0 and every X (n-by-d matrix): "
        "the expected squared Frobenius norm of Y equals d·σ²·‖X‖_F².",
        "Expectations are over W.",
    ]


def test_assumptions_say_how_they_are_used() -> None:
    claims = example_claims()
    (value,) = read_claim(claims["mean-row"]).assumptions
    assert "takes the value 𝟏_{n×n}/n" in value.words
    (substitution,) = read_claim(claims["growth"]).assumptions
    assert "X is replaced by 𝟏_n uᵀ" in substitution.words
    (constraint,) = read_claim(claims["triangle"]).assumptions
    assert "Only values that satisfy this" in constraint.words


def test_what_is_bound_grows_or_is_replaced_is_not_quantified() -> None:
    opening = read_claim(example_claims()["growth"]).opening
    assert opening == "For every d ≥ 1, every σ > 0 and every u (vector of length d), as n → ∞"


def test_what_an_assumption_binds_is_quantified_there() -> None:
    (claim, other) = load_text(
        """
        theorem: test/t
        symbols: {i: dimension, eps: positive, Y: sequence(), X: random(joint=Y)}
        assumptions: {given: "all(sum(P(abs(Y[j] - X) > eps), j, 0, oo) < oo, eps)"}
        claims:
          c: {says: "P(limit(Y[i], i, oo) == X) == 1"}
          d: {says: "limit(P(abs(Y[i] - X) > eps), i, oo) == 0"}
        """
    ).claims
    reading = read_claim(claim)
    assert reading.opening == "Always"
    assert "eps" in [use.name for use in reading.symbols]
    assert reading.assumptions[0].formula.endswith("for all ε")
    assert read_claim(other).opening == "For every ε > 0"


def test_chains_have_one_sentence_per_step() -> None:
    reading = read_claim(example_claims()["proof"])
    assert len(reading.sentences) == 3
    assert reading.statement[0].endswith("step by step:")
    assert reading.statement[1].startswith("Step 1: the expected squared Frobenius norm of Y equals")


def test_layers_are_told() -> None:
    lines = in_words(example_claims()["doubling"])
    assert "L layers act on X, one after the other." in lines
    assert "A layer maps X to Z + X." in lines
    assert "Expectations are over what the layers draw." in lines
    assert "Here d = 4." in lines


def test_random_symbols_outside_expectations_and_independence() -> None:
    spec = """
schema: 1
theorem: toy/support
title: Signs
symbols: {d: dimension, s: "rademacher(d)", t: "rademacher(d)"}
assumptions: {apart: "independent(norm(s), norm(t))"}
claims:
  length: {says: "norm(s)**2 == d"}
"""
    (claim,) = load_text(spec, "toy.yaml").claims
    reading = read_claim(claim)
    assert reading.opening == "For every d ≥ 1 and every value that s can take"
    assert "is taken as the product of the expectations" in reading.assumptions[0].words
