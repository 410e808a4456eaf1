"""E(norm(f)) up to constants, through E(norm(f)**2).

    upper (Jensen):       E|f| <= (E|f|**2)**(1/2), for every law
    lower (two moments):  E|f| >= (E|f|**2)**(3/2) / (E|f|**4)**(1/2), by Hoelder, and
                          E|f|**4 <= 9**k (E|f|**2)**2 for polynomials of degree k in independent
                          Gaussians and signs, so E|f| >= 3**(-k) (E|f|**2)**(1/2)

The constants depend on the degree alone, so for polynomials E|f| = Theta(sqrt(E|f|**2)).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.symbols import Normal, Rademacher
from verifier.expr.walk import rebuild, walk

TWO = n.Number(Fraction(2))


@dataclass(frozen=True)
class Surrogate:
    """A tree that is at least the original up to constants, and at most if `sharp`."""

    tree: n.Node
    sharp: bool
    notes: tuple[str, ...] = ()


def through_squares(claim: Claim, node: n.Node, growing: frozenset[str]) -> Surrogate:
    """Every E(c*norm(f)) in the tree replaced by c*sqrt(E(norm(f)**2))."""
    notes: list[str] = []
    sharp = True

    def change(part: n.Node) -> n.Node:
        nonlocal sharp
        if isinstance(part, n.Let):
            return change(part.body)
        if isinstance(part, n.Expectation) and not part.given:
            found = _scaled_norm(claim, part.body)
            if found is not None:
                scale, norm = found
                lower, words = _lower(claim, norm, growing)
                sharp = sharp and lower
                notes.append(words)
                square = n.Expectation(n.Power(n.Norm(norm.arg), TWO))
                root = n.Apply("sqrt", (square,))
                return root if scale is None else scale(root)
        return rebuild(part, change)

    tree = change(node)
    return Surrogate(tree, sharp, tuple(notes))


def _scaled_norm(claim: Claim, body: n.Node):  # type: ignore[no-untyped-def]
    """norm(f), norm(f)*c, norm(f)/c with c free of random symbols."""
    match body:
        case n.Let(_, inner):
            return _scaled_norm(claim, inner)
        case n.Norm(_, "fro" | "2") if not body.arg.shape.is_scalar or True:
            return None, body
        case n.Divide(left, right) if not _is_random(claim, right):
            found = _scaled_norm(claim, left)
            if found is not None and found[0] is None:
                return (lambda root: n.Divide(root, n.Apply("abs", (right,)))), found[1]
        case n.Multiply(left, right):
            for factor, other in ((left, right), (right, left)):
                if not _is_random(claim, factor) and factor.shape.is_scalar:
                    found = _scaled_norm(claim, other)
                    if found is not None and found[0] is None:
                        return (lambda root, c=factor: n.Multiply(n.Apply("abs", (c,)), root)), found[1]
    return None


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


def constants(values: Mapping[str, Fraction]) -> dict[n.Node, n.Node]:
    return {n.Symbol(name): n.Number(value) for name, value in values.items()}
