"""Names, numbers and parentheses: what all three printers share."""

from fractions import Fraction

import pytest

from tests.expr.catalogue import FACTS, KINDS, NODES, final_classes
from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.typeset.layout import lay_out
from verifier.expr.typeset.names import Name, read_name
from verifier.expr.unicode import to_unicode


def test_the_catalogue_has_every_class() -> None:
    assert set(NODES) == set(final_classes(N.Node))
    assert set(FACTS) == set(final_classes(N.Fact))
    written = {kind for kind in final_classes(K.Kind) if kind.__module__ == K.__name__}
    assert set(KINDS) == written  # the kernel has a kind of its own, which no author declares


def test_a_node_without_a_layout_is_refused() -> None:
    class Stranger(N.ScalarNode):
        pass

    with pytest.raises(TypeError, match="Stranger"):
        lay_out(Stranger())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("sigma_q", Name("σ", None, ("q",))),
        ("alpha_1", Name("α", None, ("1",))),
        ("W_Q_1", Name("W", None, ("Q", "1"))),
        ("xbar", Name("x", "bar")),
        ("x_bar", Name("x", "bar")),
        ("sigmahat_k", Name("σ", "hat", ("k",))),
        ("mass_j", Name("mass", None, ("j",))),
        ("crossbar", Name("crossbar")),
        ("x1", Name("x", None, ("1",))),
        ("conv2d", Name("conv2d")),
        ("lambda_", Name("λ")),
        ("_", Name("_")),
        ("bar", Name("bar")),
    ],
)
def test_names_are_letters_accents_and_subscripts(text: str, name: Name) -> None:
    assert read_name(text) == name


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(12), "12"),
        (Fraction(-7), "−7"),
        (Fraction(1, 2), "0.5"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-1, 3), "−1/3"),
        (Fraction(197, 100), "1.97"),
        (Fraction(1, 10**8), "10⁻⁸"),
        (Fraction(10**30), "10³⁰"),
        (Fraction(2**80), "≈1.209 × 10²⁴"),
        (Fraction(1, 3 * 10**5000), "≈3.333 × 10⁻⁵⁰⁰¹"),
    ],
)
def test_numbers_are_exact_or_say_that_they_are_not(value: Fraction, text: str) -> None:
    assert to_unicode(N.Number(value)) == text


def test_long_sums_do_not_recurse() -> None:
    total: N.Node = N.Symbol("a")
    for _ in range(5000):
        total = N.Add(total, N.Symbol("a"))
    assert to_unicode(total).count("a") == 5001
