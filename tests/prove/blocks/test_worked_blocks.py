"""Points of blocks on paper: what the lines say is what the matrices are, and simple points are preferred."""

import re

import numpy as np
import pytest

from tests.prove.scalars.helpers import claim, judge
from verifier.expr.elaborate import elaborate
from verifier.expr.syntax import parse
from verifier.prove.blocks.block_numbers import EXPRESSIONS
from verifier.prove.blocks.block_patterns import Pattern, patterns
from verifier.prove.blocks.block_points import Point
from verifier.prove.blocks.simpler_blocks import cost
from verifier.prove.blocks.worked_blocks import described, worked

SYMBOLS = {"n": "dimension", "d": "dimension", "X": "matrix(n, d)", "W": "matrix(d, d)", "G": "matrix(n, d)"}
NAMES = "let:\n  Y: X @ W\n  A: softmax(Y)\n  loss: inner(G, A)"


def _pattern(name: str, square: bool = False) -> Pattern:
    declared = claim("norm(X) >= 0", SYMBOLS).symbols["W" if square else "X"]
    (found, *_) = (p for p in patterns(declared, square, False) if p.words == name)
    return found


def _point(sizes: dict[str, int], **names: str) -> Point:
    made = claim("norm(X) >= 0", SYMBOLS, rest=NAMES)
    choices = {name: _pattern(words, square=name == "W") for name, words in names.items()}
    return Point(made, sizes, choices)


def _tree(text: str):
    return elaborate(parse(text), claim("norm(X) >= 0", SYMBOLS, rest=NAMES).scope)


def _softmax(z: np.ndarray) -> np.ndarray:
    grown = np.exp(z)
    return grown / grown.sum(axis=1, keepdims=True)


def _numpy(size: tuple[int, int]) -> float:
    """The norm of the gradient by central differences, at X = G = e_1 e_1' and W = 1."""
    x, w, g = np.zeros(size), np.eye(size[1]), np.zeros(size)
    x[0, 0] = g[0, 0] = 1
    found, step = np.zeros(size), 1e-6
    for place in np.ndindex(size):
        up, down = x.copy(), x.copy()
        up[place] += step
        down[place] -= step
        found[place] = ((g * _softmax(up @ w)).sum() - (g * _softmax(down @ w)).sum()) / (2 * step)
    return float(np.linalg.norm(found))


@pytest.mark.parametrize("size", [(2, 3), (3, 2), (5, 5), (1, 3)])
def test_the_last_line_is_the_value_of_the_left_side(size):
    point = _point({"n": size[0], "d": size[1]}, X="e_1 e_1'", W="the identity", G="e_1 e_1'")
    lines = worked(point, _tree("norm(D(loss, X))"))
    assert lines[-1].startswith("left side = norm(D(loss, X)) = ")
    assert float(lines[-1].rpartition(" ")[2]) == pytest.approx(_numpy(size), rel=1e-4)


def test_the_chain_rule_is_followed_from_the_outermost_name_inwards():
    point = _point({"n": 197, "d": 768}, X="every row e_1", W="the identity", G="e_1 e_1'")
    lines = worked(point, _tree("norm(D(loss, W))"))
    told = [line.partition(":")[0] for line in lines if line.startswith("D(")]
    assert told == ["D(loss, A)", "D(loss, Y)", "D(loss, W)"]
    assert "Y = X @ W: [1, 1] = [i, 1] = 1, the others 0" in lines


def test_matrices_in_words():
    at = _point({"n": 2, "d": 5}, X="e_1, the other rows -e_1", W="10 times the identity").at(EXPRESSIONS)
    assert described(at.value(_tree("X"))) == "[1, 1] = 1, [2, 1] = -1, the others 0"
    assert described(at.value(_tree("W"))) == "[1, 1] = [i, i] = 10, the others 0"
    assert described(at.value(_tree("0 * X"))) == "every entry is 0"


def test_a_norm_is_a_sum_of_equal_squares():
    point = _point({"n": 5, "d": 3}, X="all ones", W="the identity")
    lines = worked(point, _tree("norm(X @ W) + norm(W)"))
    assert "norm(X @ W) = sqrt(15*1**2) = sqrt(15) ≈ 3.87298" in lines
    assert "norm(W) = sqrt(3*1**2) = sqrt(3) ≈ 1.73205" in lines


@pytest.mark.parametrize(
    ("says", "assume"),
    [
        ("norm(D(loss, X)) <= order(1e-9)", ()),
        ("norm(D(loss, X)) == order(1e1)", ("norm(G) == 1",)),
        ("norm(X @ W) <= order(1e-1)", ("norm(W, 2) <= 1",)),
    ],
)
def test_a_point_is_as_simple_as_it_may_be(says, assume):
    found = judge(says, SYMBOLS, assume, rest=NAMES)
    assert found.truth == "false"
    values = found.counterexample.values
    assert values["n"] <= 2
    assert values["d"] <= 2
    assert not any(word in str(value) for value in values.values() for word in ("times", "Frobenius"))
    said = re.findall(r"left side = .*", "\n".join(found.counterexample.arithmetic))
    assert said, "the left side is written down"


def test_an_index_stays_in_its_range_and_a_peak_has_something_beside_it():
    symbols = {"n": "dimension", "a": "simplex(n)", "i": "index(n)", "j": "index(n)"}
    for says in ("a[i] * a[j] <= order(1e-4)", "a[i] * a[j] == order(1e-6, 1e-4)"):
        found = judge(says, symbols, ("all(a[k] <= 1e-2, k, 2, n)", "i != j"))
        assert found.truth == "false"
        values = found.counterexample.values
        assert max(int(values["i"]), int(values["j"])) <= values["n"]
        assert values["i"] != values["j"]
        assert found.corrected is None or "1e0" not in found.corrected  # a[i] a[j] is at most 1e-2


def test_zeros_cost_least():
    plain = [_pattern("zeros"), _pattern("e_1 e_1'"), _pattern("all ones"), _pattern("10 times e_1 e_1'")]
    assert sorted(plain, key=cost) == plain
