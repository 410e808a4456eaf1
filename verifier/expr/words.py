"""Expressions and declarations read aloud in plain English.

Words stand for what has a name (an expected squared norm, a Jacobian, a limit); arithmetic stays a
formula, which is shorter and cannot be misheard.
"""

from verifier.expr import nodes, symbols
from verifier.expr.dims import ONE, Shape
from verifier.expr.unicode import to_unicode

COMPARISONS: dict[nodes.Comparison, str] = {
    "==": "equals",
    "!=": "differs from",
    "<=": "is at most",
    ">=": "is at least",
    "<": "is less than",
    ">": "is greater than",
}

GROWTH: dict[str, str] = {
    "O": "grows at most as fast as",
    "Omega": "grows at least as fast as",
    "Theta": "grows exactly as fast as",
}

SIZE: dict[nodes.Comparison, str] = {
    "==": "is of",
    "!=": "is not of",
    "<=": "is at most of",
    ">=": "is at least of",
    "<": "is below",
    ">": "is above",
}

CLASSES: dict[symbols.MatrixClass, str] = {
    "matrix": "matrix",
    "vector": "vector",
    "simplex": "probability vector (entries at least 0, adding up to 1)",
    "stochastic": "matrix whose rows are probability vectors",
    "symmetric": "symmetric matrix",
    "psd": "symmetric positive semidefinite matrix",
    "orthogonal": "orthogonal matrix",
}


def say(node: nodes.Node) -> str:
    """`the expected squared Frobenius norm of S`; arithmetic as a formula."""
    noun = _noun(node)
    return f"the {noun}" if noun else to_unicode(node)


def say_fact(fact: nodes.Fact) -> str:
    """A statement without its subject's range: `the trace of A equals n`."""
    match fact:
        case nodes.Relation(op, left, nodes.Growth(kind, body)):
            return f"{say(left)} {GROWTH[kind] if _fits(op, kind) else COMPARISONS[op]} {to_unicode(body)}"
        case nodes.Relation(op, left, nodes.Order(low, high)):
            return f"{say(left)} {SIZE[op]} {_order(low, high)}"
        case nodes.Relation(op, left, right):
            entries = "" if _is_scalar(left) and _is_scalar(right) else ", entry by entry,"
            return f"{say(left)} {COMPARISONS[op]}{entries} {say(right)}"
        case nodes.Within(arg, low, high):
            return f"{say(arg)} is between {say(low)} and {say(high)}, ends included"
        case nodes.ForAll(inner, ranges, conditions):
            return f"{say_fact(inner)}, for {_ranges('every ', ranges, conditions)}"
        case nodes.Every(inner, over):
            return f"{say_fact(inner)}, for every {_listed(over)}"
        case nodes.Independent(left, right):
            return f"{say(left)} is independent of {say(right)}"
    raise TypeError(f"no words for {type(fact).__name__}")


def describe(symbol: symbols.Declared) -> str:
    """What a symbol is, without its name: `any positive real number`."""
    match symbol.kind:
        case symbols.Dimension():
            return "any positive integer (a dimension)"
        case symbols.IndexOf(size):
            return f"any index from 1 to {to_unicode(size)}"
        case symbols.Integer():
            return "any integer"
        case symbols.Real():
            return "any real number"
        case symbols.Positive():
            return "any positive real number"
        case symbols.Interval(low, high):
            return f"any real number between {to_unicode(low)} and {to_unicode(high)}, ends included"
        case symbols.Function():
            return f"any differentiable function from {_arguments(symbol.shape)} to the real numbers"
        case symbols.FixedMatrix(family):
            return f"any {_sized(symbol.shape, CLASSES[family])}, fixed"
        case symbols.RandomKind() as law:
            return f"{_random_subject(symbol)}: {_law(law, symbol.shape)}"
    raise TypeError(f"no words for a symbol that is {type(symbol.kind).__name__}")


# --- nouns ---------------------------------------------------------------------------------------


def _noun(node: nodes.Node) -> str | None:
    """A noun phrase without its article, or None for what is best left a formula."""
    match node:
        case nodes.Power(nodes.Norm() as norm, nodes.Number(value)) if value == 2:
            return f"squared {_noun(norm)}"
        case nodes.Norm(arg, kind):
            return f"{_norm_name(kind, arg.shape)} of {say(arg)}"
        case nodes.Indicator(fact):
            return f"indicator of {to_unicode(fact)}"
        case nodes.Expectation(nodes.Indicator(fact), ()):
            return f"probability that {to_unicode(fact)}"
        case nodes.Expectation(body, given):
            known = f", given {_listed(given)}" if given else ""
            return f"expected {_noun(body) or f'value of {to_unicode(body)}'}{known}"
        case nodes.Variance(body):
            return f"variance of {say(body)}"
        case nodes.Covariance(left, right):
            return f"covariance of {say(left)} and {say(right)}"
        case nodes.Trace(arg):
            return f"trace of {say(arg)}"
        case nodes.Hafnian(arg):
            return f"sum over all pairings of the indices of {say(arg)}"
        case nodes.Inner(left, right):
            return f"inner product of {say(left)} and {say(right)}"
        case nodes.Derivative(of, by):
            kind_of = "derivative" if of.shape.is_scalar and by.shape.is_scalar else "Jacobian"
            return f"{kind_of} of {say(of)} with respect to {to_unicode(by)}"
        case nodes.Limit(body, variable, target):
            return f"limit, as {to_unicode(variable)} goes to {_target(target)}, of {say(body)}"
        case nodes.Extreme(kind, body, over):
            extreme = "supremum" if kind == "sup" else "infimum"
            return (
                f"{extreme} of {say(body)} over {f'every {_listed(over)}' if over else 'every fixed symbol'}"
            )
        case nodes.Sum(body, ranges, conditions):
            return f"sum of {to_unicode(body)} over {_ranges('', ranges, conditions)}"
        case nodes.Product(body, ranges, conditions):
            return f"product of {to_unicode(body)} over {_ranges('', ranges, conditions)}"
        case nodes.SubsetSum(body, bounds, order):
            sets = f"every set of {to_unicode(order)} indices {_ranges('', (bounds,), ())}"
            return f"sum, over {sets}, of the products of {to_unicode(body)}"
        case nodes.Called(function, arg):
            return f"value of {to_unicode(nodes.Symbol(function))} at {say(arg)}"
        case nodes.After(state, depth):
            return f"state {to_unicode(state)} after {to_unicode(depth)} layers"
    return None


def _norm_name(kind: nodes.NormKind, shape: Shape) -> str:
    if kind == "1":
        return "sum of the absolute entries"
    if kind == "oo":
        return "largest absolute entry"
    if ONE in (shape.rows, shape.cols):
        return "Euclidean norm"
    return "Frobenius norm" if kind == "fro" else "spectral norm"


def _fits(op: nodes.Comparison, kind: str) -> bool:
    return (op, kind) in {("<=", "O"), ("==", "O"), (">=", "Omega"), ("==", "Omega"), ("==", "Theta")}


def _order(low: int, high: int) -> str:
    ends = to_unicode(nodes.Order(low, high)).removeprefix("order(").removesuffix(")")
    return f"order {ends}" if low == high else f"an order between {ends.replace(', ', ' and ')}"


def _target(target: nodes.Node) -> str:
    return "infinity" if isinstance(target, nodes.Infinity) else to_unicode(target)


def _ranges(prefix: str, ranges: tuple[nodes.Range, ...], conditions: tuple[nodes.Condition, ...]) -> str:
    spans = [
        f"{prefix}{to_unicode(nodes.Index(it.index))} from {to_unicode(it.low)} to {to_unicode(it.high)}"
        for it in ranges
    ]
    filters = [to_unicode(nodes.Relation(item.op, item.left, item.right)) for item in conditions]
    return _and(spans) + (f" with {_and(filters)}" if filters else "")


def _listed(items: tuple[nodes.Node, ...]) -> str:
    return _and([to_unicode(item) for item in items])


def _and(items: list[str]) -> str:
    """a, b and c."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _is_scalar(node: nodes.Node) -> bool:
    return node.shape.is_scalar


# --- declarations --------------------------------------------------------------------------------


def _sized(shape: Shape, noun: str) -> str:
    if shape.cols == ONE:
        return f"{noun} of length {to_unicode(shape.rows)}"
    return f"{to_unicode(shape.rows)}-by-{to_unicode(shape.cols)} {noun}"


def _arguments(shape: Shape) -> str:
    """What a function takes: real numbers, vectors or matrices of a size."""
    if shape.is_scalar:
        return "the real numbers"
    return _sized(shape, "vectors" if shape.cols == ONE else "matrices")


def _random_subject(symbol: symbols.Declared) -> str:
    shape = symbol.shape
    what = "number" if shape.is_scalar else _sized(shape, "vector" if shape.cols == ONE else "matrix")
    if isinstance(symbol.kind, symbols.Sequence):
        return f"a sequence without end, counted from 0, each member a random {what}"
    if symbol.copies is None:
        return f"a random {what}"
    alike = "jointly distributed" if isinstance(symbol.kind, symbols.AnyLaw) else "independent"
    return f"a family of {to_unicode(symbol.copies)} {alike} copies of a random {what}"


def _law(law: symbols.RandomKind, shape: Shape) -> str:
    entries = "" if shape.is_scalar else "independent entries, each "
    match law:
        case symbols.Normal(mean, _, _, nodes.Node() as cov):
            return f"normal with mean {to_unicode(mean)} and covariance matrix {to_unicode(cov)}"
        case symbols.Normal(mean, std, nodes.Node() as corr):
            return (
                f"each entry normal with mean {to_unicode(mean)} and standard deviation {to_unicode(std)}, "
                f"columns independent, any two rows with correlation {to_unicode(corr)}"
            )
        case symbols.Normal(mean, std):
            return f"{entries}normal with mean {to_unicode(mean)} and standard deviation {to_unicode(std)}"
        case symbols.Rademacher():
            return f"{entries}+1 or −1 with equal chances"
        case symbols.Bernoulli(chance):
            return f"{entries}1 with chance {to_unicode(chance)}, else 0"
        case symbols.Uniform(low, high):
            return f"{entries}uniform between {to_unicode(low)} and {to_unicode(high)}"
        case symbols.Iid(known_mean, known_var):
            alike = "" if shape.is_scalar else "independent entries with one common law, "
            return f"{alike}{_moments(('mean', known_mean), ('variance', known_var))}"
        case symbols.AnyLaw(known_mean):
            return f"any joint law, {_moments(('mean', known_mean))}"
        case symbols.Sequence():
            return "any joint law, of which nothing is known"
        case symbols.JointWith(sequence):
            return f"any joint law with {to_unicode(nodes.Symbol(sequence))}, of which nothing is known"
    raise TypeError(f"no words for the law {type(law).__name__}")


def _moments(*moments: tuple[str, nodes.Node | None]) -> str:
    known = [f"{name} {to_unicode(value)}" for name, value in moments if value is not None]
    return f"of which only this is known: {_and(known)}" if known else "of which nothing is known"
