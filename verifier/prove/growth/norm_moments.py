"""E(norm(f)**r) up to constants, through E(norm(f)**2).

    r <= 2, above (Jensen):  E|f|**r <= (E|f|**2)**(r/2), for every law
    below (two moments):     E|f| >= (E|f|**2)**(3/2) / (E|f|**4)**(1/2), by Hoelder, and
                             E|f|**4 <= 9**k (E|f|**2)**2 for polynomials of degree k in independent
                             Gaussians and signs, so E|f| >= 3**(-k) (E|f|**2)**(1/2)
    any r > 0:               E|f|**r ~ (E|f|**2)**(r/2) for such polynomials (hypercontractivity)

The same is true, with other constants of the degree and r alone, for polynomials in Gaussians and uniform
variables: their joint density is log-concave (Bourgain; Carbery and Wright). The largest singular value
of a matrix of independent N(0, s**2) entries is s (sqrt(n) + sqrt(m)) up to constants: above by Gordon,
below by its longest row or column. The largest of N such entries is s sqrt(log(N + 1)) up to constants.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.symbols import Normal, Rademacher, Uniform
from verifier.expr.walk import walk
from verifier.prove.scalars.randomness import is_random, is_scale

ONE, TWO = n.Number(Fraction(1)), n.Number(Fraction(2))
SINGULAR = (
    "the largest singular value of independent N(0, s**2) entries is s*(sqrt(n) + sqrt(m)) up to constants"
)
LARGEST = "the largest of N independent N(0, s**2) entries is s*sqrt(log(N + 1)) up to constants"


@dataclass(frozen=True)
class Surrogate:
    """A tree that is at least the original up to constants, and at most if `sharp`."""

    tree: n.Node
    sharp: bool
    notes: tuple[str, ...] = ()


def through_squares(claim: Claim, node: n.Node, growing: frozenset[str]) -> Surrogate:
    """E(c*norm(f)**r) replaced by |c|*E(norm(f)**2)**(r/2), where that keeps the order of the whole.

    It does under sums, products, quotients by other things, roots and positive powers of what is
    never negative; elsewhere (a difference, a denominator) the expectation is left as it is."""
    match node:
        case n.Let(_, body):
            return through_squares(claim, body, growing)
        case n.Expectation(body, ()):
            found = _scaled_norm(claim, body)
            return Surrogate(node, True) if found is None else _root(claim, node, found, growing)
        case n.Add(left, right) if all(claim.values(part).is_nonnegative for part in (left, right)):
            return _joined(
                n.Add, through_squares(claim, left, growing), through_squares(claim, right, growing)
            )
        case n.Multiply(left, right) if is_scale(claim, left):
            found_right = through_squares(claim, right, growing)
            return Surrogate(n.Multiply(left, found_right.tree), found_right.sharp, found_right.notes)
        case n.Multiply(left, right) if is_scale(claim, right):
            return through_squares(claim, n.Multiply(right, left), growing)
        case n.Divide(left, right) if is_scale(claim, right):
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


@dataclass(frozen=True)
class _Scaled:
    """scale * norm**power, the scale without anything random."""

    norm: n.Norm
    power: Fraction = Fraction(1)
    scale: n.Node | None = None

    def times(self, factor: n.Node) -> "_Scaled":
        return replace(self, scale=factor if self.scale is None else n.Multiply(factor, self.scale))

    def raised(self, power: Fraction) -> "_Scaled":
        scale = None if self.scale is None else n.Power(self.scale, n.Number(power))
        return _Scaled(self.norm, self.power * power, scale)

    def around(self, size: n.Node) -> n.Node:
        """scale * size**(power/2)."""
        half = self.power / 2
        root = n.Apply("sqrt", (size,)) if half == Fraction(1, 2) else n.Power(size, n.Number(half))
        return root if self.scale is None else n.Multiply(self.scale, root)


def _root(claim: Claim, node: n.Node, found: _Scaled, growing: frozenset[str]) -> Surrogate:
    known = _largest(claim, found.norm)
    if known is not None:
        return Surrogate(found.around(known[0]), True, (known[1],))
    lower, words = _lower(claim, found.norm, found.power, growing)
    if not lower and found.power > 2:
        return Surrogate(node, True)
    return Surrogate(found.around(n.Expectation(n.Power(n.Norm(found.norm.arg), TWO))), lower, (words,))


def _largest(claim: Claim, norm: n.Norm) -> tuple[n.Node, str] | None:
    """The square, up to constants, of the largest singular value or entry of independent Gaussians."""
    arg = norm.arg
    kind = claim.symbols[arg.name].kind if isinstance(arg, n.Symbol | n.Member) else None
    if (
        norm.kind == "fro"
        or not isinstance(kind, Normal)
        or kind.cov is not None
        or kind.row_corr is not None
    ):
        return None
    if kind.mean != n.Number(Fraction(0)):
        return None
    sizes = n.Trace(n.Eye(arg.shape.rows)), n.Trace(n.Eye(arg.shape.cols))
    match norm.kind:
        case "2":
            return n.Multiply(n.Power(kind.std, TWO), n.Add(*sizes)), SINGULAR
        case "oo":
            log = n.Apply("log", (n.Add(n.Multiply(*sizes), ONE),))
            return n.Multiply(n.Power(kind.std, TWO), log), LARGEST
    return None


def _scaled_norm(claim: Claim, body: n.Node) -> _Scaled | None:
    """|c|*norm(f)**r with c free of random symbols; an even r has an exact mean, and is left to it."""
    match body:
        case n.Let(_, inner):
            return _scaled_norm(claim, inner)
        case n.Norm(_, "fro" | "2" | "oo"):
            return _Scaled(body)
        case n.Apply("abs", (arg,)) if arg.shape.is_scalar:
            return _Scaled(n.Norm(arg))
        case n.Apply("sqrt", (arg,)):
            found = _scaled_norm(claim, arg)
            return found and found.raised(Fraction(1, 2))
        case n.Power(base, n.Number(r)) if r > 0 and (r % 2 or not _is_plain(base)):
            found = _scaled_norm(claim, base)
            return found and found.raised(r)
        case n.Divide(left, right) if not is_random(claim, right):
            found = _scaled_norm(claim, left)
            return found and found.times(n.Divide(ONE, _size(claim, right)))
        case n.Multiply(left, right):
            for factor, other in ((left, right), (right, left)):
                if factor.shape.is_scalar and not is_random(claim, factor):
                    found = _scaled_norm(claim, other)
                    return found and found.times(_size(claim, factor))
    return None


def _size(claim: Claim, factor: n.Node) -> n.Node:
    """|c|: the order of E(c f) is that of |c| E(f)."""
    return factor if is_scale(claim, factor) else n.Apply("abs", (factor,))


def _is_plain(base: n.Node) -> bool:
    """A Frobenius norm, whose even powers are polynomials of its entries."""
    match base:
        case n.Let(_, body):
            return _is_plain(body)
        case n.Norm(_, kind):
            return kind == "fro"
    return not isinstance(base, n.Apply)


def _lower(claim: Claim, norm: n.Norm, power: Fraction, growing: frozenset[str]) -> tuple[bool, str]:
    """Whether the power of the second moment is also a lower bound, and why; above 2, whether it is a
    bound at all."""
    upper = "E(abs(f)) <= sqrt(E(f**2)) (Jensen)"
    if norm.kind == "oo":
        return False, f"{upper}, and the largest entry is at most the Frobenius norm"
    if norm.kind == "2":
        shape = norm.arg.shape
        if shape.rows.names & growing and shape.cols.names & growing:
            return False, f"{upper}, and the spectral norm is at most the Frobenius norm"
    order = degree(claim, norm.arg)
    if order is None or _is_mixed(claim, norm.arg):
        return False, upper
    words = f"{upper} and E(abs(f)) >= c*sqrt(E(f**2)): f is a polynomial of fixed degree in the "
    words += "independent Gaussians, signs or uniform variables"
    if power != 1:
        words = f"{words}, so E(abs(f)**{power}) is E(f**2)**({power}/2) up to constants"
    if norm.kind == "2":
        words += "; the spectral norm is at least the Frobenius norm over the root of a size that stays fixed"
    return True, words


def _is_mixed(claim: Claim, node: n.Node) -> bool:
    """Signs and uniform variables together, for which neither of the two reasons is given."""
    names = claim.random_in(node)
    kinds = [claim.symbols[name].kind for name in names]
    if claim.layers is not None and any(isinstance(part, n.After) for part in walk(node)):
        kinds += [symbol.kind for symbol in claim.layers.symbols]
    return all(any(isinstance(kind, law) for kind in kinds) for law in (Rademacher, Uniform))


def degree(claim: Claim, node: n.Node) -> int | None:
    """The degree of a polynomial in Gaussian, Rademacher and uniform symbols; None if it is no such thing."""
    match node:
        case n.Symbol(name) | n.Member(name):
            if name not in claim.random:
                return 0
            return 1 if isinstance(claim.symbols[name].kind, Normal | Rademacher | Uniform) else None
        case n.Let(_, body):
            return None if _is_assumed(claim, node) else degree(claim, body)
        case n.Add(left, right) | n.Subtract(left, right):
            return _most(degree(claim, left), degree(claim, right))
        case n.Multiply(left, right) | n.MatMul(left, right) | n.Kron(left, right) | n.Inner(left, right):
            return _total(degree(claim, left), degree(claim, right))
        case n.Divide(left, right):
            return degree(claim, left) if not is_random(claim, right) else None
        case n.Power(base, n.Number(k)) | n.MatPower(base, n.Number(k)) if k.denominator == 1 and k >= 0:
            inner = degree(claim, base)
            return None if inner is None else inner * int(k)
        case n.Derivative(of, by) if isinstance(by, n.Symbol | n.Entry | n.Member):
            return degree(claim, of)
        case n.Negate(arg) | n.Transpose(arg) | n.Trace(arg) | n.VecR(arg) | n.DiagMatrix(arg):
            return degree(claim, arg)
        case n.DiagPart(arg) | n.Entry(arg) | n.Row(arg) | n.Sum(arg) | n.BlockDiag(arg):
            return degree(claim, arg)
        case n.After(state, depth):
            return _after(claim, state, depth)
    return 0 if not is_random(claim, node) else None


def _after(claim: Claim, state: n.Symbol, depth: n.Node) -> int | None:
    """Polynomial layers make a polynomial of the state, of a degree that grows with the depth, as do the
    constants: the depth itself must not grow. For a depth that is a symbol, 1 stands for it."""
    layers, grown = claim.layers, set(claim.growing)
    if layers is None or grown & set(walk(depth)):
        return None
    moved = replace(claim.symbols[state.name], kind=Normal(n.Number(Fraction(0)), ONE))
    drawn = {**claim.symbols, **{x.name: x for x in layers.symbols}, state.name: moved}
    one, found = degree(replace(claim, symbols=drawn), layers.next), degree(claim, state)
    if one is None or found is None:
        return None
    for _ in range(int(depth.value) if isinstance(depth, n.Number) else 1):
        found = one * max(found, 1)
    return found


def _is_assumed(claim: Claim, let: n.Let) -> bool:
    found = (assumption.assumed_value for assumption in claim.assumptions)
    return any(pair is not None and pair[0].name == let.name for pair in found)


def _most(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else max(left, right)


def _total(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right
