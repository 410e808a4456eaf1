"""E(norm(f)) up to constants, through E(norm(f)**2).

    upper (Jensen):       E|f| <= (E|f|**2)**(1/2), for every law
    lower (two moments):  E|f| >= (E|f|**2)**(3/2) / (E|f|**4)**(1/2), by Hoelder, and
                          E|f|**4 <= 9**k (E|f|**2)**2 for polynomials of degree k in independent
                          Gaussians and signs, so E|f| >= 3**(-k) (E|f|**2)**(1/2)

The constants depend on the degree alone, so for polynomials E|f| = Theta(sqrt(E|f|**2)).
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.symbols import Dimension, Normal, Positive, Rademacher
from verifier.expr.walk import walk

ONE, TWO = n.Number(Fraction(1)), n.Number(Fraction(2))


@dataclass(frozen=True)
class Surrogate:
    """A tree that is at least the original up to constants, and at most if `sharp`."""

    tree: n.Node
    sharp: bool
    notes: tuple[str, ...] = ()


def through_squares(claim: Claim, node: n.Node, growing: frozenset[str]) -> Surrogate:
    """E(c*norm(f)) replaced by |c|*sqrt(E(norm(f)**2)), where that keeps the order of the whole.

    It does under sums, products, quotients by other things, roots and positive powers of what is
    never negative; elsewhere (a difference, a denominator) the expectation is left as it is."""
    match node:
        case n.Let(_, body):
            return through_squares(claim, body, growing)
        case n.Expectation(body, ()):
            found = _scaled_norm(claim, body)
            return Surrogate(node, True) if found is None else _root(claim, *found, growing)
        case n.Add(left, right):
            return _joined(
                n.Add, through_squares(claim, left, growing), through_squares(claim, right, growing)
            )
        case n.Multiply(left, right) if is_positive(claim, left):
            found_right = through_squares(claim, right, growing)
            return Surrogate(n.Multiply(left, found_right.tree), found_right.sharp, found_right.notes)
        case n.Multiply(left, right) if is_positive(claim, right):
            return through_squares(claim, n.Multiply(right, left), growing)
        case n.Divide(left, right) if is_positive(claim, right):
            found_left = through_squares(claim, left, growing)
            return Surrogate(n.Divide(found_left.tree, right), found_left.sharp, found_left.notes)
        case n.Power(base, n.Number(k)) if k > 0:
            found_base = through_squares(claim, base, growing)
            return Surrogate(n.Power(found_base.tree, node.exponent), found_base.sharp, found_base.notes)
        case n.Apply("sqrt", (arg,)):
            found_arg = through_squares(claim, arg, growing)
            return Surrogate(n.Apply("sqrt", (found_arg.tree,)), found_arg.sharp, found_arg.notes)
    return Surrogate(node, True)


def _joined(join: Callable[[n.Node, n.Node], n.Node], left: Surrogate, right: Surrogate) -> Surrogate:
    return Surrogate(join(left.tree, right.tree), left.sharp and right.sharp, left.notes + right.notes)


def _root(claim: Claim, scale: n.Node | None, norm: n.Norm, growing: frozenset[str]) -> Surrogate:
    lower, words = _lower(claim, norm, growing)
    root = n.Apply("sqrt", (n.Expectation(n.Power(n.Norm(norm.arg), TWO)),))
    return Surrogate(root if scale is None else n.Multiply(scale, root), lower, (words,))


def is_positive(claim: Claim, node: n.Node) -> bool:
    """Never negative, seen from its form: sizes, positive symbols and numbers, and what they make."""
    match node:
        case n.Number(value):
            return value > 0
        case n.Symbol(name):
            return isinstance(claim.symbols[name].kind, Dimension | Positive)
        case n.Multiply(left, right) | n.Divide(left, right) | n.Add(left, right):
            return is_positive(claim, left) and is_positive(claim, right)
        case n.Power(base, _) | n.Let(_, base):
            return is_positive(claim, base)
        case n.Apply("sqrt" | "exp" | "abs"):
            return not _is_random(claim, node)
    return False


def _scaled_norm(claim: Claim, body: n.Node) -> tuple[n.Node | None, n.Norm] | None:
    """norm(f), norm(f)*c, norm(f)/c with c free of random symbols, as (|c|, norm)."""
    match body:
        case n.Let(_, inner):
            return _scaled_norm(claim, inner)
        case n.Norm(_, "fro" | "2"):
            return None, body
        case n.Divide(left, right) if not _is_random(claim, right):
            return _times(n.Divide(ONE, n.Apply("abs", (right,))), _scaled_norm(claim, left))
        case n.Multiply(left, right):
            for factor, other in ((left, right), (right, left)):
                if factor.shape.is_scalar and not _is_random(claim, factor):
                    return _times(n.Apply("abs", (factor,)), _scaled_norm(claim, other))
    return None


def _times(factor: n.Node, found: tuple[n.Node | None, n.Norm] | None) -> tuple[n.Node | None, n.Norm] | None:
    if found is None:
        return None
    scale, norm = found
    return (factor if scale is None else n.Multiply(factor, scale)), norm


def _is_random(claim: Claim, node: n.Node) -> bool:
    return any(isinstance(p, n.Symbol | n.Member) and p.name in claim.random for p in walk(node))


def _lower(claim: Claim, norm: n.Norm, growing: frozenset[str]) -> tuple[bool, str]:
    """Whether the root of the second moment is also a lower bound, and why."""
    upper = "E|f| <= sqrt(E|f|**2) (Jensen)"
    if norm.kind == "2":
        shape = norm.arg.shape
        if shape.rows.names & growing and shape.cols.names & growing:
            return False, f"{upper}, and the spectral norm is at most the Frobenius norm"
    order = degree(claim, norm.arg)
    if order is None:
        return False, upper
    words = f"{upper} and E|f| >= 3**(-{order})*sqrt(E|f|**2): f is a polynomial of degree {order} in the "
    words += "independent Gaussians and signs"
    if norm.kind == "2":
        words += "; the spectral norm is at least the Frobenius norm over the root of a size that stays fixed"
    return True, words


def degree(claim: Claim, node: n.Node) -> int | None:
    """The degree of a polynomial in Gaussian and Rademacher symbols; None if it is no such thing."""
    match node:
        case n.Symbol(name) | n.Member(name):
            if name not in claim.random:
                return 0
            return 1 if isinstance(claim.symbols[name].kind, Normal | Rademacher) else None
        case n.Let(_, body):
            return None if _is_assumed(claim, node) else degree(claim, body)
        case n.Add(left, right) | n.Subtract(left, right):
            return _most(degree(claim, left), degree(claim, right))
        case n.Multiply(left, right) | n.MatMul(left, right) | n.Kron(left, right) | n.Inner(left, right):
            return _total(degree(claim, left), degree(claim, right))
        case n.Divide(left, right):
            return degree(claim, left) if not _is_random(claim, right) else None
        case n.Power(base, n.Number(k)) | n.MatPower(base, n.Number(k)) if k.denominator == 1 and k >= 0:
            inner = degree(claim, base)
            return None if inner is None else inner * int(k)
        case n.Derivative(of, by) if isinstance(by, n.Symbol | n.Entry | n.Member):
            return degree(claim, of)
        case n.Negate(arg) | n.Transpose(arg) | n.Trace(arg) | n.VecR(arg) | n.DiagMatrix(arg):
            return degree(claim, arg)
        case n.DiagPart(arg) | n.Entry(arg) | n.Row(arg) | n.Sum(arg) | n.BlockDiag(arg):
            return degree(claim, arg)
    return 0 if not _is_random(claim, node) else None


def _is_assumed(claim: Claim, let: n.Let) -> bool:
    found = (assumption.assumed_value for assumption in claim.assumptions)
    return any(pair is not None and pair[0].name == let.name for pair in found)


def _most(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else max(left, right)


def _total(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right
