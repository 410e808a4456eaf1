"""Upper bounds of norms, from named inequalities.

    norm(A @ B)      <= norm(A, 2) norm(B),           norm(A @ B, 2) <= norm(A, 2) norm(B, 2)
    norm(A * B)      <= max|A_ij| norm(B)
    norm(A, 2)       <= norm(A) <= sqrt(rank) norm(A, 2)
    norm(softmax(Z)) <= sqrt(rows),                   entries in [0, 1]
    norm(phi(Z))     <= norm(Z)                       for |phi(x)| <= |x|: relu, gelu, silu, tanh, sin

Bounds are expressions in the sizes and in the norms of the fixed matrices; 0 is below everything.
Derivatives are bounded in `steepness`.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sp

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.dims import Dim
from verifier.expr.symbols import Dimension, FixedMatrix, Positive
from verifier.expr.text import to_text
from verifier.expr.walk import walk
from verifier.prove.bounds.entry_assumptions import beside_one, covers_all, entry, largest
from verifier.prove.bounds.steepness import Norm, jacobian, slope
from verifier.prove.forms.refusal import Refusal

SHRINKING = frozenset({"relu", "gelu", "silu", "tanh", "sin", "atan"})
BOUNDED = dict.fromkeys(("tanh", "sigmoid", "sin", "cos", "erf", "Phi", "phi"), sp.Integer(1))


@dataclass(frozen=True)
class Ceilings:
    """Upper bounds at every point that the claim allows; `atoms` are norms of fixed matrices, kept."""

    claim: Claim
    atoms: dict[sp.Symbol, n.Node] = field(default_factory=dict)

    # --- scalars ------------------------------------------------------------------------------------------

    def scalar(self, node: n.Node) -> sp.Expr:
        """A bound of |node|."""
        match node:
            case n.Number(value):
                return sp.Rational(abs(value.numerator), value.denominator)
            case n.Let(_, body):
                return self.scalar(self.assumed(node) or body)
            case n.Norm(arg, "fro" | "2" as kind):
                return self.norm(arg, kind)
            case n.Add(left, right) | n.Subtract(left, right):
                return self.scalar(left) + self.scalar(right)
            case n.MatMul(left, right) if not left.shape.is_scalar:
                return self.norm(left, "fro") * self.norm(right, "fro")
            case n.Multiply(left, right) | n.MatMul(left, right):
                return self.scalar(left) * self.scalar(right)
            case n.Divide(left, right):
                return self.scalar(left) / self.exact(right)
            case n.Negate(arg) | n.Transpose(arg) | n.Apply("abs" | "relu" | "gelu" | "silu", (arg,)):
                return self.scalar(arg)
            case n.Apply("sqrt", (arg,)):
                return sp.sqrt(self.scalar(arg))
            case n.Power(base, n.Number(k)) if k > 0:
                return self.scalar(base) ** sp.Rational(k.numerator, k.denominator)
            case n.Apply(function, _) if function in BOUNDED:
                return BOUNDED[function]
            case n.Entry(arg):
                return self._entry(node, arg)
            case n.Inner(left, right):
                return self.norm(left, "fro") * self.norm(right, "fro")
            case n.Trace(arg):
                return sp.sqrt(self.size(arg.shape.rows)) * self.norm(arg, "fro")
            case n.Derivative(of, by):
                return slope(self, of, by)
            case n.Extreme("sup", body, over):
                return self._everywhere(self.scalar(body), {symbol.name for symbol in over})
        return self.exact(node)

    def _everywhere(self, bound: sp.Expr, names: set[str]) -> sp.Expr:
        """The bound, if it is the same for all values of these symbols."""
        for symbol in bound.free_symbols:
            node = self.atoms.get(symbol, n.Symbol(symbol.name))
            if any(isinstance(part, n.Symbol) and part.name in names for part in walk(node)):
                raise Refusal("a bound of an extreme")
        return bound

    def exact(self, node: n.Node) -> sp.Expr:
        """The value of something positive: sizes, positive symbols, norms of symbols, and what they make."""
        match node:
            case n.Number(value) if value > 0:
                return sp.Rational(value.numerator, value.denominator)
            case n.Symbol(name):
                given = self._substituted(name)
                if given is not None:
                    return self.exact(given)
                if isinstance(self.claim.symbols[name].kind, Dimension | Positive):
                    return sp.Symbol(name, positive=True)
            case n.Let(_, body):
                return self.exact(body)
            case n.Add(left, right):
                return self.exact(left) + self.exact(right)
            case n.Multiply(left, right):
                return self.exact(left) * self.exact(right)
            case n.Divide(left, right):
                return self.exact(left) / self.exact(right)
            case n.Power(base, n.Number(k)):
                return self.exact(base) ** sp.Rational(k.numerator, k.denominator)
            case n.Apply("sqrt", (arg,)):
                return sp.sqrt(self.exact(arg))
            case n.Norm(n.Symbol() as symbol, "fro") if self._substituted(symbol.name) is None:
                return self._known(node, exactly=True) or self._atom(node)
        raise Refusal("a bound from below")

    def _entry(self, node: n.Entry, arg: n.Node) -> sp.Expr:
        if isinstance(arg, n.Symbol):
            with suppress(Refusal):
                high = entry(self.claim, node).high
                if high is not None:
                    return high
        return self.norm(arg, "entry")

    def _atom(self, node: n.Node) -> sp.Symbol:
        symbol = sp.Symbol(to_text(node), positive=True)
        self.atoms[symbol] = node
        return symbol

    def size(self, dim: Dim) -> sp.Expr:
        total = sp.Integer(0)
        for monomial, coefficient in dim.terms:
            total += coefficient * sp.Mul(*(sp.Symbol(name, positive=True) ** k for name, k in monomial))
        return total

    # --- matrices -----------------------------------------------------------------------------------------

    def norm(self, node: n.Node, kind: Norm) -> sp.Expr:
        """A bound of a norm; a Frobenius norm bounds every other one."""
        found = self._norm(node, kind)
        if found is None and kind != "fro":
            found = self._norm(node, "fro")
        if found is None and kind == "fro":
            low = sp.Min(self.size(node.shape.rows), self.size(node.shape.cols))
            rest = self._norm(node, "2")
            found = None if rest is None else sp.sqrt(low) * rest
        if found is None:
            raise Refusal("a bound of a norm")
        return found

    def _norm(self, node: n.Node, kind: Norm) -> sp.Expr | None:
        rows, cols = self.size(node.shape.rows), self.size(node.shape.cols)
        match node:
            case n.Let(_, body):
                return self._norm(self.assumed(node) or body, kind)
            case n.Symbol() | n.Member():
                return self._symbol(node, kind)
            case n.Transpose(arg) | n.Negate(arg) if kind != "row":
                return self._norm(arg, kind)
            case n.Add(left, right) | n.Subtract(left, right):
                # A number beside a matrix is one in every entry.
                ones = {"row": sp.sqrt(cols), "entry": sp.Integer(1)}.get(kind, sp.sqrt(rows * cols))
                parts = (left, right)
                return sum(self.norm(x, kind) * (ones if x.shape != node.shape else 1) for x in parts)
            case n.Multiply(left, right) if left.shape.is_scalar:
                return self.scalar(left) * self.norm(right, kind)
            case n.Multiply(left, right) if right.shape.is_scalar:
                return self.norm(left, kind) * self.scalar(right)
            case n.Multiply(left, right):
                return self.norm(left, "entry") * self.norm(right, kind) if kind in ("fro", "entry") else None
            case n.Divide(left, right) if right.shape.is_scalar:
                return self.norm(left, kind) / self.exact(right)
            case n.MatMul(left, right) if kind == "fro":
                return self._least(
                    lambda: self.norm(left, "2") * self.norm(right, "fro"),
                    lambda: self.norm(left, "fro") * self.norm(right, "2"),
                )
            case n.MatMul(left, right) if kind == "2":
                return self.norm(left, "2") * self.norm(right, "2")
            case n.Eye():
                return sp.sqrt(rows) if kind == "fro" else sp.Integer(1)
            case n.Ones():
                return {"fro": sp.sqrt(rows * cols), "2": sp.sqrt(rows * cols), "row": sp.sqrt(cols)}.get(
                    kind, sp.Integer(1)
                )
            case n.Zeros():
                return sp.Integer(0)
            case n.RowWise("softmax"):
                return sp.sqrt(rows) if kind in ("fro", "2") else sp.Integer(1)
            case n.RowWise("rmsnorm" | "layernorm"):
                return {"fro": sp.sqrt(rows * cols), "row": sp.sqrt(cols), "entry": sp.sqrt(cols)}.get(kind)
            case n.Apply(function, _) if function in BOUNDED and kind == "entry":
                return BOUNDED[function]
            case n.Apply(function, (arg,)) if function in SHRINKING and kind != "2":
                return self.norm(arg, kind)
            case n.Apply(function, _) if function in BOUNDED:
                return BOUNDED[function] * sp.sqrt(cols * (rows if kind != "row" else 1))
            case n.DiagMatrix(arg):
                return self.norm(arg, "fro" if kind == "fro" else "entry")
            case n.Row(arg):
                return self.norm(arg, "row")
            case n.VecR(arg) | n.DiagPart(arg):
                return self.norm(arg, "fro" if kind != "entry" else "entry")
            case n.Derivative(of, by):
                return jacobian(self, of, by, kind)
            case n.Sum(body, (n.Range(_, n.Number(low), high),), ()) if low == 1:
                return self.exact(high) * self.norm(body, kind)
        return self.scalar(node) if node.shape.is_scalar else None

    def _least(self, *ways: object) -> sp.Expr | None:
        """The first way that works: both are bounds."""
        found = []
        for way in ways:
            try:
                found.append(way())  # type: ignore[operator]
            except Refusal:
                continue
        if not found:
            return None
        return min(found, key=sp.count_ops)

    def _symbol(self, node: n.Symbol | n.Member, kind: Norm) -> sp.Expr | None:
        given = self._substituted(node.name)
        if given is not None:
            return self.norm(given, kind)
        rows = self.size(node.shape.rows)
        known = None
        if kind in ("fro", "2"):
            known = self._known(n.Norm(node, "fro" if kind == "fro" else "2"))
        if known is not None:
            return known
        top = largest(self.claim, node) if kind == "entry" and isinstance(node, n.Symbol) else None
        if top is not None:
            return top
        row = self._row_norm(node)
        if row is not None and kind in ("row", "entry", "fro"):
            return row if kind != "fro" else sp.sqrt(rows) * row
        declared = self.claim.symbols[node.name]
        family = declared.kind.family if isinstance(declared.kind, FixedMatrix) else None
        if family == "stochastic":
            return sp.sqrt(rows) if kind in ("fro", "2") else sp.Integer(1)
        if family == "simplex":
            return sp.Integer(1)
        if family == "orthogonal":
            return sp.sqrt(rows) if kind == "fro" else sp.Integer(1)
        if kind == "fro" and self._known(n.Norm(node, "2")) is None and not declared.is_random:
            return self._atom(n.Norm(node, "fro")) if isinstance(node, n.Symbol) else None
        return None

    def _known(self, wanted: n.Norm, exactly: bool = False) -> sp.Expr | None:
        """What an assumption says of this norm; of a family, what it says of every member."""
        for fact in self.claim.constraints:
            inner = fact.fact if isinstance(fact, n.ForAll) else fact
            if isinstance(fact, n.ForAll) and not self._of_all(fact):
                continue
            match inner:
                case n.Relation("==" | "<=" | "<", n.Norm(arg, kind), right) if kind == wanted.kind and _same(
                    arg, wanted.arg
                ):
                    if exactly and (inner.op != "==" or isinstance(right, n.Order)):
                        continue
                    if isinstance(right, n.Order):
                        return sp.Integer(10) ** (right.high + sp.Rational(1, 2))
                    return self.exact(right)
        return None

    def _of_all(self, fact: n.ForAll) -> bool:
        """Whether every member of a family is meant."""
        members = [part for part in walk(fact.fact) if isinstance(part, n.Member)]
        counts = [self.claim.symbols[member.name].copies for member in members]
        whole = [
            count is not None and covers_all(self.claim, fact.ranges, member.index, count)
            for member, count in zip(members, counts, strict=True)
        ]
        return bool(members) and not fact.conditions and all(whole)

    def _row_norm(self, node: n.Node) -> sp.Expr | None:
        """all(norm(X[i]) == c, i, 1, n)."""
        for fact in self.claim.constraints:
            match fact:
                case n.ForAll(
                    n.Relation("==" | "<=" | "<", n.Norm(n.Row(arg, n.Index(i)), "fro"), right),
                    ranges,
                    (),
                ) if arg == node and covers_all(self.claim, ranges, n.Index(i), node.shape.rows):
                    return self.exact(right)
        return None

    # --- assumptions ----------------------------------------------------------------------------------------

    def assumed(self, let: n.Let) -> n.Node | None:
        for assumption in self.claim.assumptions:
            found = assumption.assumed_value
            if found is not None and found[0].name == let.name:
                return found[1]
        return None

    def beside_one(self, weights: n.Node) -> sp.Expr | None:
        return beside_one(self.claim, weights)

    def _substituted(self, name: str) -> n.Node | None:
        for assumption in self.claim.assumptions:
            found = assumption.substitution
            if found is not None and found[0].name == name:
                return found[1]
        if name in self.claim.where:
            return n.Number(Fraction(self.claim.where[name]))
        return None


def _same(left: n.Node, right: n.Node) -> bool:
    if isinstance(left, n.Member) and isinstance(right, n.Member):
        return left.name == right.name and isinstance(left.index, n.Index)
    return left == right
