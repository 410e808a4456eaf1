"""Where both sides have a value: what that asks of the symbols joins the assumptions.

layernorm of rows of length 1 is 0/0, and there is no mask whose chance is 2. A closed form of a moment has
a value there all the same, so such points are kept out before one is looked for. 1/norm(x) has no value at
x = 0, where chances jump: beside these, norm(x) > 0 joins too.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from verifier.claim.model import Assumption, Claim
from verifier.expr import nodes as N
from verifier.expr.dims import Dim
from verifier.expr.symbols import Bernoulli
from verifier.expr.text import to_text
from verifier.expr.walk import children
from verifier.prove.forms.small_trees import number, size
from verifier.prove.lower.lowering import walked


def where_defined(claim: Claim, trees: Iterable[N.Node]) -> Claim:
    """The claim where every layernorm in the trees and every declared law is defined."""
    trees = tuple(trees)
    widths = {
        node.arg.shape.cols: None
        for tree in trees
        for node in walked(tree)
        if isinstance(node, N.RowWise) and node.function == "layernorm"
    }
    added = tuple(_wide(claim, width) for width in widths if width.constant is None)
    chances = {d.kind.chance: None for d in claim.symbols.values() if isinstance(d.kind, Bernoulli)}
    added += tuple(_chance(claim, node) for node in chances if not isinstance(node, N.Number))
    if any(isinstance(node, N.Indicator) for tree in trees for node in walked(tree)):
        norms = dict.fromkeys(norm for tree in trees for norm in _below(tree))
        added += tuple(_length(claim, norm) for norm in norms if _name(norm) not in claim.random)
    return replace(claim, assumptions=claim.assumptions + added) if added else claim


def _wide(claim: Claim, width: Dim) -> Assumption:
    fact = N.Relation(">=", size(width), number(Fraction(2)))
    return Assumption("rows-of-two-or-more", fact, f"{width} >= 2", claim.position)


def _chance(claim: Claim, chance: N.Node) -> Assumption:
    fact = N.Within(chance, number(Fraction(0)), number(Fraction(1)))
    return Assumption("a-chance", fact, f"{to_text(chance)} in [0, 1]", claim.position)


def _length(claim: Claim, norm: N.Norm) -> Assumption:
    fact = N.Relation(">", norm, number(Fraction(0)))
    return Assumption("a-length", fact, to_text(fact), claim.position)


def _name(norm: N.Norm) -> str:
    assert isinstance(norm.arg, N.Symbol)
    return norm.arg.name


def _below(node: N.Node) -> Iterator[N.Norm]:
    """Norms of matrices in denominators; a sum may have no terms, and then they stand nowhere."""
    if isinstance(node, N.Sum | N.Product | N.SubsetSum | N.Limit | N.Extreme):
        return
    if isinstance(node, N.Divide):
        yield from _factors(node.right)
    for child in children(node):
        yield from _below(child)


def _factors(node: N.Node) -> Iterator[N.Norm]:
    match node:
        case N.Norm(N.Symbol(), "fro"):
            yield node
        case N.Multiply(left, right):
            yield from (*_factors(left), *_factors(right))
        case N.Power(base, N.Number(k)) if k > 0:
            yield from _factors(base)
        case N.Let(_, body):
            yield from _factors(body)
