"""A tree back as text of the language: `elaborate(parse(to_text(tree))) == tree`."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.tokens import MAX_DIGITS, MAX_POWER_OF_TEN

# How tightly each construct binds; a child that binds less tightly is bracketed.
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = 10, 20, 30, 40, 50


def to_text(tree: N.Node | N.Fact) -> str:
    """The tree in the claim language."""
    match tree:
        case N.Relation(op, left, right):
            return f"{_text(left)} {op} {_text(right)}"
        case N.Within(arg, low, high):
            return f"{_text(arg)} in [{_text(low)}, {_text(high)}]"
        case N.ForAll(fact, ranges, conditions):
            return f"all({to_text(fact)}{_binders(ranges, conditions)})"
        case N.Every(fact, over):
            return f"all({to_text(fact)}, {', '.join(symbol.name for symbol in over)})"
        case N.Independent(left, right):
            return f"independent({_text(left)}, {_text(right)})"
        case N.Node():
            return _text(tree)
    raise AssertionError(f"not a tree: {tree!r}")


def _text(node: N.Node, binding: int = 0) -> str:
    text, power = _render(node)
    return f"({text})" if power < binding else text


def _call(name: str, *args: "N.Node | str") -> tuple[str, int]:
    texts = (arg if isinstance(arg, str) else _text(arg) for arg in args)
    return f"{name}({', '.join(texts)})", _ATOM


def _binders(ranges: tuple[N.Range, ...], conditions: tuple[N.Condition, ...]) -> str:
    spans = [f", {r.index}, {_text(r.low)}, {_text(r.high)}" for r in ranges]
    filters = [f", {_text(c.left)} {c.op} {_text(c.right)}" for c in conditions]
    return "".join(spans + filters)


def _infix(op: str, left: N.Node, right: N.Node, power: int) -> tuple[str, int]:
    return f"{_text(left, power)}{op}{_text(right, power + 1)}", power


def _render(node: N.Node) -> tuple[str, int]:
    """Text and binding strength."""
    for render in (_leaf, _arithmetic, _linear_algebra, _indexed, _analysis):
        found = render(node)
        if found is not None:
            return found
    raise AssertionError(f"not a node: {node!r}")


def _leaf(node: N.Node) -> tuple[str, int] | None:
    match node:
        case N.Number(value):
            if value.denominator != 1:
                return f"{_digits(value.numerator)}/{_digits(value.denominator)}", _PRODUCT
            return _digits(value.numerator), _SIGN if value < 0 else _ATOM
        case N.Pi():
            return "pi", _ATOM
        case N.Infinity():
            return "oo", _ATOM
        case N.Symbol(name) | N.Index(name) | N.Let(name):
            return name, _ATOM
        case N.Member(name, _, index):
            return f"{name}[{_text(index)}]", _ATOM
        case N.After(state, depth):
            return _call("after", state, depth)
        case N.Called(function, arg):
            return _call(function, arg)
    return None


def _digits(value: int) -> str:
    """A whole number as it can be read again: 1e400 has more digits than a literal may have."""
    text = str(value)
    if len(text) <= MAX_DIGITS:
        return text
    zeros = min(len(text) - len(text.rstrip("0")), MAX_POWER_OF_TEN)
    return f"{text[: len(text) - zeros]}e{zeros}" if zeros else text


def _arithmetic(node: N.Node) -> tuple[str, int] | None:
    match node:
        case N.Add(left, right):
            return _infix(" + ", left, right, _SUM)
        case N.Subtract(left, right):
            return _infix(" - ", left, right, _SUM)
        case N.Multiply(left, right):
            return _infix("*", left, right, _PRODUCT)
        case N.Divide(left, right):
            return _infix("/", left, right, _PRODUCT)
        case N.MatMul(left, right):
            return _infix(" @ ", left, right, _PRODUCT)
        case N.Negate(arg):
            return f"-{_text(arg, _SIGN)}", _SIGN
        case N.Power(base, exponent):
            return f"{_text(base, _ATOM)}**{_text(exponent, _SIGN)}", _POWER
        case N.Transpose(arg):
            return f"{_text(arg, _ATOM)}.T", _ATOM
        case N.MatPower(base, exponent):
            return _call("matpow", base, exponent)
        case N.Apply(function, args):
            return _call(function, *args)
        case N.RowWise(function, arg):
            return _call(function, arg)
    return None


def _linear_algebra(node: N.Node) -> tuple[str, int] | None:
    match node:
        case N.Norm(arg, kind):
            return _call("norm", arg) if kind == "fro" else _call("norm", arg, kind)
        case N.Trace(arg):
            return _call("tr", arg)
        case N.Hafnian(arg):
            return _call("hafnian", arg)
        case N.Inner(left, right):
            return _call("inner", left, right)
        case N.Eye(size):
            return _call("eye", str(size))
        case N.Ones(shape) | N.Zeros(shape):
            name = "ones" if isinstance(node, N.Ones) else "zeros"
            sizes = [shape.rows] if shape.is_vector else [shape.rows, shape.cols]
            return _call(name, *map(str, sizes))
        case N.DiagMatrix(arg) | N.DiagPart(arg):
            return _call("diag", arg)
        case N.Kron(left, right):
            return _call("kron", left, right)
        case N.VecR(arg):
            return _call("vec_r", arg)
        case N.Commutation(rows, cols):
            return _call("commutation", str(rows), str(cols))
    return None


def _indexed(node: N.Node) -> tuple[str, int] | None:
    match node:
        case N.Entry(arg, row, col):
            plain = arg.shape.is_vector and col == N.Number(Fraction(1))
            inside = _text(row) if plain else f"{_text(row)}, {_text(col)}"
            return f"{_text(arg, _ATOM)}[{inside}]", _ATOM
        case N.Row(arg, row):
            return f"{_text(arg, _ATOM)}[{_text(row)}]", _ATOM
        case N.BlockDiag(body, range_):
            return f"blockdiag({_text(body)}{_binders((range_,), ())})", _ATOM
        case N.Sum(body, ranges, conditions):
            return f"sum({_text(body)}{_binders(ranges, conditions)})", _ATOM
        case N.Product(body, ranges, conditions):
            return f"prod({_text(body)}{_binders(ranges, conditions)})", _ATOM
        case N.SubsetSum(body, range_, order):
            return f"esum({_text(body)}{_binders((range_,), ())}, {_text(order)})", _ATOM
    return None


def _analysis(node: N.Node) -> tuple[str, int] | None:
    match node:
        case N.Indicator(fact):
            return f"indicator({to_text(fact)})", _ATOM
        case N.Expectation(N.Indicator(fact), ()):
            return f"P({to_text(fact)})", _ATOM
        case N.Expectation(body, given):
            names = [_text(item) for item in given]
            inside = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
            return _call("E", body, f"given={inside}") if given else _call("E", body)
        case N.Variance(body):
            return _call("Var", body)
        case N.Covariance(left, right):
            return _call("Cov", left, right)
        case N.Derivative(of, by):
            return _call("D", of, by)
        case N.Limit(body, variable, target):
            return _call("limit", body, variable, target)
        case N.Extreme(kind, body, over):
            return _call(kind, body, *over)
        case N.Growth(kind, body):
            return _call(kind, body)
        case N.Order(low, high):
            ends = [f"1e{low}"] if low == high else [f"1e{low}", f"1e{high}"]
            return _call("order", *ends)
    return None
