"""Declarations: `normal(n, m, std=s)` and its kin, as they stand under `symbols`.

Shapes first, then the expressions inside (std, mean, ends), since these may use any symbol.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr import syntax as S
from verifier.expr.dims import ONE, Dim, Shape
from verifier.expr.elaborate import Elaborator
from verifier.expr.errors import ExprError, ShapeError
from verifier.expr.scope import Scope, suggestion
from verifier.expr.sizes import rational
from verifier.expr.walk import walk

KINDS: dict[str, str] = {
    "dimension": "dimension",
    "index": "index(n)",
    "integer": "integer",
    "real": "real",
    "positive": "positive",
    "interval": "interval(a, b)",
    "matrix": "matrix(n, m)",
    "vector": "vector(n)",
    "simplex": "simplex(n)",
    "stochastic": "stochastic(n, m)",
    "symmetric": "symmetric(n)",
    "psd": "psd(n)",
    "orthogonal": "orthogonal(n)",
    "function": "function(n, m), function(n), function()",
    "normal": "normal(n, m, std=s), normal(n, m, mean=M, row_corr=rho), normal(n, cov=C)",
    "rademacher": "rademacher(n, m)",
    "bernoulli": "bernoulli(n, m, p)",
    "uniform": "uniform(n, m, a, b)",
    "iid": "iid(n, m, mean=0, var=v)",
    "random": "random(n, m, mean=0), random(n, m, joint=Y)",
    "sequence": "sequence(n, m), sequence(n), sequence()",
}

_SCALARS: dict[str, K.Kind] = {
    "dimension": K.Dimension(),
    "integer": K.Integer(),
    "real": K.Real(),
    "positive": K.Positive(),
}
_SIZES = {"vector": 1, "simplex": 1, "symmetric": 1, "psd": 1, "orthogonal": 1, "matrix": 2, "stochastic": 2}
_OPTIONS: dict[str, frozenset[str]] = {
    **{kind: frozenset({"copies"}) for kind in _SIZES},
    "normal": frozenset({"mean", "std", "row_corr", "cov", "copies"}),
    "rademacher": frozenset({"copies"}),
    "bernoulli": frozenset({"copies"}),
    "uniform": frozenset({"copies"}),
    "iid": frozenset({"mean", "var", "copies"}),
    "random": frozenset({"mean", "copies", "joint"}),
}


@dataclass(frozen=True)
class Written:
    """A declaration's name of kind, its arguments and options, as written."""

    tree: S.Syntax
    kind: str
    args: tuple[S.Syntax, ...]
    options: Mapping[str, S.Syntax]


def read(tree: S.Syntax) -> Written:
    """The kind and its arguments; an unknown kind or option is an error here."""
    keywords: tuple[S.Keyword, ...] = ()
    match tree:
        case S.Name(span, name):
            kind, args = name, ()
        case S.Call(span, name, name_span, args, keywords):
            kind, span = name, name_span
        case _:
            raise ExprError("declaration", "expected a kind of symbol", tree.span, "for example matrix(n, m)")
    if kind not in KINDS:
        raise ExprError("unknown-kind", f"unknown kind of symbol {kind!r}", span, suggestion(kind, KINDS))
    allowed = _OPTIONS.get(kind, frozenset())
    options: dict[str, S.Syntax] = {}
    for key in keywords:
        if key.name not in allowed or key.name in options:
            hint = suggestion(key.name, allowed) or f"usage: {KINDS[kind]}"
            raise ExprError("declaration", f"{kind} has no option {key.name!r}", key.span, hint)
        options[key.name] = key.value
    return Written(tree, kind, args, options)


def outline(name: str, written: Written, scope: Scope) -> K.Declared:
    """The symbol with its shape; what its law needs beyond that is filled in by `complete`."""
    builder = Elaborator(scope)
    kind, args = written.kind, written.args
    if kind in _SCALARS:
        _count(written, 0)
        return K.Declared(name, _SCALARS[kind], Shape())
    if kind == "index":
        _count(written, 1)
        return K.Declared(name, K.IndexOf(builder.dimension(args[0])), Shape())
    if kind == "interval":
        _count(written, 2)
        return K.Declared(name, K.Real(), Shape())
    if kind == "function":
        _count(written, 0, 1, 2)
        return K.Declared(name, K.Function(), Shape(*(builder.dimension(arg) for arg in args)))
    if kind in _SIZES:
        _count(written, _SIZES[kind])
        sizes = [builder.dimension(arg) for arg in args]
        family: K.MatrixClass = kind  # type: ignore[assignment]
        fixed = K.FixedMatrix(family)
        return K.Declared(name, fixed, _fixed_shape(kind, sizes), _copies(written, builder))
    sizes = [builder.dimension(arg) for arg in _size_args(written)]
    law = K.Sequence() if kind == "sequence" else K.AnyLaw(None)
    return K.Declared(name, law, Shape(*sizes), _copies(written, builder))


def _copies(written: Written, builder: Elaborator) -> Dim | None:
    """copies=H: a family W[1], ..., W[H] instead of one matrix."""
    return builder.dimension(written.options["copies"]) if "copies" in written.options else None


def complete(declared: K.Declared, written: Written, scope: Scope) -> K.Declared:
    """The symbol with its law's expressions, every symbol being in scope."""
    build = _LAWS.get(written.kind)
    if build is None:
        return declared
    kind = build(_Law(declared, written, scope))
    return K.Declared(declared.name, kind, declared.shape, declared.copies)


def _count(written: Written, *counts: int) -> None:
    if len(written.args) not in counts:
        message = f"{written.kind} takes {' or '.join(map(str, counts))} arguments, not {len(written.args)}"
        raise ExprError("arity", message, written.tree.span, f"usage: {KINDS[written.kind]}")


def _fixed_shape(kind: str, sizes: list[Dim]) -> Shape:
    if kind in ("vector", "simplex"):
        return Shape(sizes[0], ONE)
    return Shape(sizes[0], sizes[-1])


def _size_args(written: Written) -> tuple[S.Syntax, ...]:
    if written.kind == "uniform":
        _count(written, 2, 3, 4)
        return written.args[:-2]
    if written.kind == "bernoulli":
        _count(written, 1, 2, 3)
        return written.args[:-1]
    _count(written, 0, 1, 2)
    return written.args


@dataclass(frozen=True)
class _Law:
    """The expressions of one declaration, elaborated on demand."""

    declared: K.Declared
    written: Written
    scope: Scope

    def expression(self, tree: S.Syntax, *, scalar: bool = True) -> N.Node:
        node = Elaborator(self.scope).expression(tree)
        shape = node.shape
        if scalar and not shape.is_scalar:
            raise ExprError("shape", f"expected a scalar, not {shape}", tree.span)
        for part in walk(node):
            if isinstance(part, N.Symbol) and part.name == self.declared.name:
                raise ExprError("circular", f"{part.name} is declared by itself", tree.span)
            if isinstance(part, N.Symbol | N.Member) and self.scope.symbols[part.name].is_random:
                hint = "laws depend on fixed symbols only"
                raise ExprError("declaration", f"{part.name} is random", tree.span, hint)
        return node

    def option(self, name: str, default: int | None) -> N.Node | None:
        tree = self.written.options.get(name)
        if tree is None:
            return None if default is None else N.Number(Fraction(default))
        if name == "mean":
            node = self.expression(tree, scalar=False)
            try:
                N.broadcast("give", self.declared.shape, node.shape)
            except ShapeError:
                message = f"the mean is {node.shape}, the symbol {self.declared.shape}"
                raise ExprError("shape", message, tree.span) from None
            return node
        return self.expression(tree)


def _interval(law: _Law) -> K.Kind:
    low, high = (law.expression(arg) for arg in law.written.args)
    _require_order(law, low, high)
    return K.Interval(_signed_end(low, law.written.args[0]), _signed_end(high, law.written.args[1]))


def _signed_end(node: N.Node, tree: S.Syntax) -> N.Node:
    """Ends are expressions, or oo or -oo themselves."""
    inner = node.arg if isinstance(node, N.Negate) else node
    if any(isinstance(part, N.Infinity) for part in walk(node)) and not isinstance(inner, N.Infinity):
        raise ExprError("infinity", "oo is not a value to compute with", tree.span)
    return node


def _normal(law: _Law) -> K.Kind:
    options = law.written.options
    mean, std = law.option("mean", 0), law.option("std", 1)
    assert mean is not None
    assert std is not None
    cov: N.Node | None = None
    if "cov" in options:
        tree = options["cov"]
        clash = [name for name in ("std", "row_corr") if name in options]
        if clash:
            raise ExprError("declaration", f"cov= and {clash[0]}= both fix the covariance", tree.span)
        cov = law.expression(tree, scalar=False)
        rows = law.declared.shape.rows
        if not law.declared.shape.is_vector:
            raise ExprError("declaration", "cov= is for vectors", tree.span, "rows: row_corr=rho")
        if cov.shape != Shape(rows, rows):
            message = f"the covariance of a vector of {rows} is {rows}-by-{rows}, not {cov.shape}"
            raise ExprError("shape", message, tree.span)
    corr = law.option("row_corr", None)
    _require_at_least(law, "std", std, 0, "a standard deviation is not negative")
    _require_at_least(law, "row_corr", corr, -1, "a correlation lies between -1 and 1")
    above = None if corr is None else N.Subtract(N.Number(Fraction(1)), corr)
    _require_at_least(law, "row_corr", above, 0, "a correlation lies between -1 and 1")
    return K.Normal(mean, std, corr, cov)


def _uniform(law: _Law) -> K.Kind:
    low, high = (law.expression(arg) for arg in law.written.args[-2:])
    _require_order(law, low, high)
    return K.Uniform(low, high)


def _iid(law: _Law) -> K.Kind:
    mean, var = law.option("mean", None), law.option("var", None)
    _require_at_least(law, "var", var, 0, "a variance is not negative")
    return K.Iid(mean, var)


def _require_order(law: _Law, low: N.Node, high: N.Node) -> None:
    first, last = rational(low), rational(high)
    if isinstance(first, Fraction) and isinstance(last, Fraction) and first > last:
        raise ExprError("declaration", "this interval is empty", law.written.tree.span, "low end first")


def _require_at_least(law: _Law, name: str, node: N.Node | None, least: int, message: str) -> None:
    """A constant that no law has is a slip of the pen; of other expressions the law itself is a condition."""
    value = None if node is None else rational(node)
    if value is not None and value < least:
        raise ExprError("declaration", message, law.written.options[name].span)


def _bernoulli(law: _Law) -> K.Kind:
    tree = law.written.args[-1]
    chance = law.expression(tree)
    if isinstance(chance, N.Number) and not 0 <= chance.value <= 1:
        raise ExprError("declaration", "a chance lies between 0 and 1", tree.span)
    return K.Bernoulli(chance)


def _random(law: _Law) -> K.Kind:
    """Any law; with `joint=Y`, any joint law with a sequence, of which no mean is stated."""
    options = law.written.options
    if "joint" not in options:
        return K.AnyLaw(law.option("mean", None))
    tree = options["joint"]
    declared = law.scope.symbols.get(tree.name) if isinstance(tree, S.Name) else None
    if declared is None or not isinstance(declared.kind, K.Sequence):
        hint = "declare one: Y: sequence()"
        raise ExprError("declaration", "joint= names a sequence", tree.span, hint)
    clash = [name for name in ("mean", "copies") if name in options]
    if clash:
        message = f"what has a joint law with a sequence takes no {clash[0]}="
        raise ExprError("declaration", message, options[clash[0]].span)
    return K.JointWith(declared.name)


_LAWS: dict[str, Callable[[_Law], K.Kind]] = {
    "interval": _interval,
    "normal": _normal,
    "rademacher": lambda law: K.Rademacher(),
    "bernoulli": _bernoulli,
    "uniform": _uniform,
    "iid": _iid,
    "random": _random,
    "sequence": lambda law: K.Sequence(),
}
