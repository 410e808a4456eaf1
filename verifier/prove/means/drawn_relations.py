"""Relations between means that are true because they are true of what is averaged, whatever is drawn.

    sum_i c_i E f_i = sum_j d_j E g_j   if   sum_i c_i f_i = sum_j d_j g_j  at every value of what is random,

for c_i, d_j that are not random; with <= or < in the place of = alike. No mean has to exist in closed form
for that. What no function has inside is integrated first:

    E f(U, V) = E g(U, V)    if   E(f(U, V), given=U) = E(g(U, V), given=U)  at every value of U

for independent U and V, as the weights beside an attention and those inside of its softmax are. A mean of a
mean given something is the mean: E(E(f, given=U)) = E f.
"""

from dataclasses import replace

from verifier.claim.model import Claim
from verifier.expr import nodes as N
from verifier.expr.symbols import Declared, FixedMatrix, Real
from verifier.expr.walk import children, rebuild, walk
from verifier.facts.whole import is_whole
from verifier.prove.equal.index_factors import is_free


def at_every_draw(claim: Claim, fact: N.Relation) -> tuple[Claim, N.Relation] | None:
    """The relation between what is averaged, with fixed and arbitrary symbols for the random ones."""
    return _held(claim, fact, _named(claim, fact))


def given_functions(claim: Claim, fact: N.Relation) -> tuple[Claim, N.Relation] | None:
    """The relation between means over what no function has inside, the other random symbols held."""
    inside = _inside(claim, fact.left) | _inside(claim, fact.right)
    rest = _named(claim, fact) - inside
    return _held(claim, fact, inside) if inside and rest and is_free(claim, rest) else None


def _held(claim: Claim, fact: N.Relation, names: set[str]) -> tuple[Claim, N.Relation] | None:
    """The relation between what is averaged, these symbols fixed and arbitrary."""
    if claim.layers is not None or claim.growing or _names_laws(claim) or not names:
        return None
    if isinstance(fact.right, N.Infinity):
        return None  # what is finite at every draw may have an infinite mean, as exp(g**2) has
    left, right = _bare(claim, fact.left), _bare(claim, fact.right)
    drawn = [claim.symbols[name] for name in names]
    if left is None or right is None or any(declared.copies for declared in drawn):
        return None
    if not all(_is_defined(claim, part) for part in (*walk(left), *walk(right))):
        return None
    fixed = {
        declared.name: Declared(
            declared.name, Real() if declared.shape.is_scalar else FixedMatrix("matrix"), declared.shape
        )
        for declared in drawn
    }
    kept = tuple(a for a in claim.assumptions if a.independence is None)
    changed = replace(claim, symbols={**claim.symbols, **fixed}, assumptions=kept)
    return changed, N.Relation(fact.op, _mean(changed, left), _mean(changed, right))


def _named(claim: Claim, fact: N.Relation) -> set[str]:
    return claim.random_in(fact.left) | claim.random_in(fact.right)


def _mean(claim: Claim, node: N.Node) -> N.Node:
    return N.Expectation(node) if claim.random_in(node) else node


def _inside(claim: Claim, node: N.Node) -> set[str]:
    """The random symbols inside of what is no polynomial of them."""
    match node:
        case N.Power(N.Norm(arg), N.Number(k)) if k % 2 == 0 and k > 0:
            return _inside(claim, arg)
        case N.Power(base, exponent) if not is_whole(exponent, claim.symbols):
            return claim.random_in(base)
        case N.Apply() | N.RowWise() | N.Norm() | N.Indicator():
            return claim.random_in(node)
        case N.Divide(left, right):
            return _inside(claim, left) | claim.random_in(right)
    return set().union(*(_inside(claim, part) for part in children(node) if isinstance(part, N.Node)))


def _is_defined(claim: Claim, node: N.Node) -> bool:
    """Whether it has a value whatever is drawn: a quotient by what may be 0 has no mean."""
    match node:
        case N.Divide(_, part):
            return not claim.random_in(part)
        case N.Apply("log" | "sqrt" | "asin" | "acos" | "factorial" | "factorial2" | "binomial"):
            return not claim.random_in(node)
        case N.RowWise(function):
            return function == "softmax" or not claim.random_in(node)
        case N.Power(base, exponent) if claim.random_in(base):
            return is_whole(exponent, claim.symbols) and claim.values(exponent).is_nonnegative
    return True


def _names_laws(claim: Claim) -> bool:
    """An assumption about means or variances is none about single draws."""
    averages = (N.Expectation, N.Variance, N.Covariance)
    return any(isinstance(part, averages) for a in claim.assumptions for part in walk(a.fact))


def _bare(claim: Claim, node: N.Node) -> N.Node | None:
    """The side without its expectations, which stand alone, in sums, or beside what is not random."""
    match node:
        case N.Expectation(N.Expectation(body, (_, *_)), ()):  # E(E(f, given=g)) = E f
            return _bare(claim, N.Expectation(body))
        case N.Expectation(body, ()):
            averages = (N.Expectation, N.Variance, N.Covariance)
            return None if any(isinstance(part, averages) for part in walk(body)) else body
        case N.Add(left, right) | N.Subtract(left, right):
            first, second = _bare(claim, left), _bare(claim, right)
            return None if first is None or second is None else type(node)(first, second)
        case N.Multiply(left, right):
            if not claim.random_in(left):
                second = _bare(claim, right)
                return None if second is None else N.Multiply(left, second)
            first = None if claim.random_in(right) else _bare(claim, left)
            return None if first is None else N.Multiply(first, right)
        case N.Divide(left, right) if not claim.random_in(right):
            first = _bare(claim, left)
            return None if first is None else N.Divide(first, right)
        case N.Sum(body):
            inner = _bare(claim, body)
            return None if inner is None else rebuild(node, lambda part: inner if part is body else part)
    return None if claim.random_in(node) else node
