"""The tree laid out as boxes: what stands where on paper, and which parts need parentheses."""

from fractions import Fraction as Rational

from verifier.expr import nodes
from verifier.expr.dims import ONE
from verifier.expr.typeset.boxes import (
    Big,
    BigSign,
    Box,
    Call,
    Digits,
    Fence,
    Fraction,
    Indexed,
    Letter,
    Level,
    Line,
    Root,
    Script,
    Sign,
    Times,
    commas,
    fenced,
    parens,
    raised,
)
from verifier.expr.typeset.leaves import (
    lay_out_dim,
    lay_out_name,
    lay_out_number,
    lay_out_shape,
    minus,
    ten_to,
)

COMPARISONS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥", "<": "<", ">": ">"}
GROWTH = {"O": Letter("O"), "Omega": Letter("Ω"), "Theta": Letter("Θ")}
NORM_BELOW = {"2": Digits("2"), "1": Digits("1"), "oo": Sign("∞")}
LETTERED = {"Phi": Letter("Φ"), "phi": Letter("φ"), "sigmoid": Letter("sigmoid", upright=True)}


def lay_out(node: nodes.Node) -> Box:
    """The formula of a node."""
    for group in (_leaf, _arithmetic, _linear_algebra, _indexed, _analysis):
        box = group(node)
        if box is not None:
            return box
    raise TypeError(f"no layout for {type(node).__name__}")


def _leaf(node: nodes.Node) -> Box | None:
    match node:
        case nodes.Number(value):
            return lay_out_number(value)
        case nodes.Pi():
            return Letter("π")
        case nodes.Infinity():
            return Sign("∞")
        case nodes.Symbol(name) | nodes.Index(name) | nodes.Let(name):
            return lay_out_name(name)
        case nodes.Member(name, _, index):
            return raised(lay_out_name(name), parens(lay_out(index)))
        case nodes.After(state, depth):
            return raised(lay_out(state), parens(lay_out(depth)))
        case nodes.Called(function, arg):
            return Call(lay_out_name(function), parens(lay_out(arg)))
        case nodes.Eye(size):
            return Script(Letter("I"), below=lay_out_dim(size))
        case nodes.Ones(shape):
            return Script(Digits("𝟏"), below=lay_out_shape(shape))
        case nodes.Zeros(shape):
            return Script(Digits("𝟎"), below=lay_out_shape(shape))
        case nodes.Commutation(rows, cols):
            return Script(Letter("K"), below=commas((lay_out_dim(rows), lay_out_dim(cols))))
    return None


def _arithmetic(node: nodes.Node) -> Box | None:
    match node:
        case nodes.Add() | nodes.Subtract():
            return _sum(node)
        case nodes.Negate(arg):
            return minus(lay_out(arg))
        case nodes.Multiply(left, right) if not _has_scalar(left, right):
            return _entrywise(left, "⊙", right)
        case nodes.Divide(left, right) if not right.shape.is_scalar:
            return _entrywise(left, "⊘", right)
        case nodes.Kron(left, right):
            return _entrywise(left, "⊗", right)
        case nodes.Multiply() | nodes.MatMul():
            return _product(node)
        case nodes.Divide():
            return _quotient(node)
        case nodes.Power(base, exponent):
            return _power(base, exponent)
        case nodes.MatPower(base, exponent):
            return raised(lay_out(base), lay_out(exponent))
        case nodes.Apply(function, args):
            return _apply(function, args)
        case nodes.RowWise(function, arg):
            return _call(function, arg)
    return None


def _linear_algebra(node: nodes.Node) -> Box | None:
    match node:
        case nodes.Transpose(arg):
            return raised(lay_out(arg), Sign("⊤"))
        case nodes.Norm(arg, kind):
            return _norm(arg, kind)
        case nodes.Trace(arg):
            return _call("tr", arg)
        case nodes.Hafnian(arg):
            return _call("haf", arg)
        case nodes.Inner(left, right):
            return Fence("⟨", commas((lay_out(left), lay_out(right))), "⟩")
        case nodes.DiagMatrix(arg) | nodes.DiagPart(arg):
            return _call("diag", arg)
        case nodes.VecR(arg):
            return Call(Script(Letter("vec", upright=True), below=Letter("r")), parens(lay_out(arg)))
    return None


def _indexed(node: nodes.Node) -> Box | None:
    match node:
        case nodes.BlockDiag(body, bounds, _):
            head = Script(Letter("blockdiag", upright=True), lay_out_start(bounds), lay_out(bounds.high))
            return Call(head, parens(lay_out(body)))
        case nodes.Entry(arg, row, col):
            in_column = arg.shape.is_vector and col == nodes.Number(Rational(1))
            places = (row,) if in_column else (row, col)
            return Indexed(fenced(lay_out(arg), Level.POWER), tuple(lay_out(place) for place in places))
        case nodes.Row(arg, row):
            return Indexed(fenced(lay_out(arg), Level.POWER), (lay_out(row), Sign(":")))
        case nodes.Sum(body, ranges, conditions):
            return _over_ranges("sum", body, ranges, conditions)
        case nodes.Product(body, ranges, conditions):
            return _over_ranges("prod", body, ranges, conditions)
        case nodes.SubsetSum(body, bounds, order):
            return _over_subsets(body, bounds, order)
    return None


def _analysis(node: nodes.Node) -> Box | None:
    match node:
        case nodes.Indicator(fact):
            return Call(Letter("𝟙"), parens(lay_out_event(fact)))
        case nodes.Expectation(nodes.Indicator(fact), ()):
            return Call(Letter("ℙ"), parens(lay_out_event(fact)))
        case nodes.Expectation(body, given):
            return _moment("𝔼", (body,), given)
        case nodes.Variance(body):
            return _moment("Var", (body,))
        case nodes.Covariance(left, right):
            return _moment("Cov", (left, right))
        case nodes.Derivative(of, by):
            return Fraction(_differential(of), _differential(by))
        case nodes.Limit(body, variable, target):
            under = Line((lay_out(variable), Sign("→"), lay_out(target)))
            return Big("lim", under, None, (), fenced(lay_out(body), Level.BIG))
        case nodes.Extreme(kind, body, over):
            names = tuple(lay_out(symbol) for symbol in over)
            return Big(kind, commas(names) if names else None, None, (), fenced(lay_out(body), Level.BIG))
        case nodes.Growth(kind, body):
            return Call(GROWTH[kind], parens(lay_out(body)))
        case nodes.Order(low, high):
            ends = tuple(ten_to(exponent) for exponent in ([low] if low == high else [low, high]))
            return Call(Letter("order", upright=True), parens(commas(ends)))
    return None


def lay_out_event(fact: nodes.Relation | nodes.Within) -> Box:
    """left = right, or arg ∈ [low, high]."""
    match fact:
        case nodes.Relation(op, left, right):
            return Line((lay_out(left), infix(COMPARISONS[op]), lay_out(right)))
        case nodes.Within(arg, low, high):
            return Line((lay_out(arg), infix("∈"), closed(low, high)))


def closed(low: nodes.Node, high: nodes.Node) -> Box:
    """[low, high]; an infinite end is open."""
    left = "(" if _is_infinite(low) else "["
    right = ")" if _is_infinite(high) else "]"
    return Fence(left, commas((lay_out(low), lay_out(high))), right)


def _is_infinite(node: nodes.Node) -> bool:
    match node:
        case nodes.Infinity() | nodes.Negate(nodes.Infinity()):
            return True
    return False


def infix(sign: str) -> Box:
    return Sign(sign, infix=True)


# --- parts ---------------------------------------------------------------------------------------


def _has_scalar(left: nodes.Node, right: nodes.Node) -> bool:
    return left.shape.is_scalar or right.shape.is_scalar


def _sum(node: nodes.Add | nodes.Subtract) -> Box:
    """a + b − c; the left spine is unrolled, so a long sum is one line and no deep recursion."""
    backwards: list[Box] = []
    rest: nodes.Node = node
    while isinstance(rest, nodes.Add | nodes.Subtract):
        sign = "+" if isinstance(rest, nodes.Add) else "−"
        backwards += [fenced(lay_out(rest.right), Level.ENTRYWISE), Sign(sign, infix=True)]
        rest = rest.left
    return Line((lay_out(rest), *reversed(backwards)))


def _product(node: nodes.Multiply | nodes.MatMul) -> Box:
    """Factors from left to right; only the last may be a large operator, whose body runs on."""
    negative, chain = _factors(node)
    boxes = [lay_out(factor) for factor in chain]
    places = [Level.PRODUCT] * (len(boxes) - 1) + [Level.BIG]
    factors = tuple(fenced(box, place) for box, place in zip(boxes, places, strict=True))
    product = Times(factors, matrix=isinstance(node, nodes.MatMul))
    return minus(product) if negative else product


def _factors(node: nodes.Multiply | nodes.MatMul) -> tuple[bool, list[nodes.Node]]:
    """Whether a leading minus is taken out, and the chain of one kind of product: a matrix product
    inside a scalar one stays one factor."""
    kind = type(node)
    found: list[nodes.Node] = []
    rest: nodes.Node = node
    while isinstance(rest, kind) and _is_plain(rest):
        found.append(rest.right)
        rest = rest.left
    negative, rest = _without_minus(rest)
    return negative, [rest, *reversed(found)]


def _quotient(node: nodes.Divide) -> Box:
    negative, numerator = _without_minus(node.left)
    fraction = Fraction(lay_out(numerator), lay_out(node.right))
    return minus(fraction) if negative else fraction


def _without_minus(node: nodes.Node) -> tuple[bool, nodes.Node]:
    """-a * b is printed as -(a b), which is the same number and needs no parentheses."""
    match node:
        case nodes.Negate(arg):
            return True, arg
        case nodes.Number(value) if value < 0:
            return True, nodes.Number(-value)
    return False, node


def _is_plain(node: nodes.Node) -> bool:
    return isinstance(node, nodes.MatMul) or (
        isinstance(node, nodes.Multiply) and _has_scalar(node.left, node.right)
    )


def _entrywise(left: nodes.Node, sign: str, right: nodes.Node) -> Box:
    operands = [fenced(lay_out(side), Level.POWER) for side in (left, right)]
    return Line((operands[0], Sign(sign, infix=True), operands[1]), Level.ENTRYWISE)


def _power(base: nodes.Node, exponent: nodes.Node) -> Box:
    """A power; of a matrix it is entrywise, and marked so that it is not read as a matrix power."""
    above = lay_out(exponent)
    if not base.shape.is_scalar:
        above = Line((Sign("∘"), fenced(above, Level.ATOM)), Level.ATOM)
    return raised(lay_out(base), above)


def _apply(function: str, args: tuple[nodes.Node, ...]) -> Box:
    match function:
        case "sqrt":
            return Root(lay_out(args[0]))
        case "abs":
            return Fence("|", lay_out(args[0]), "|")
        case "factorial" | "factorial2":
            marks = "!" if function == "factorial" else "!!"
            return Line((fenced(lay_out(args[0]), Level.ATOM), Sign(marks)), Level.POWER)
        case "binomial":
            return Fence("(", Fraction(lay_out(args[0]), lay_out(args[1]), bar=False), ")")
    return _call(function, *args)


def _call(function: str, *args: nodes.Node) -> Box:
    head = LETTERED.get(function, Letter(function, upright=True))
    return Call(head, parens(commas(tuple(lay_out(arg) for arg in args))))


def _norm(arg: nodes.Node, kind: nodes.NormKind) -> Box:
    """Bars; the Frobenius norm of a vector is its length and needs no mark."""
    bars = Fence("‖", lay_out(arg), "‖")
    if kind != "fro":
        return Script(bars, below=NORM_BELOW[kind])
    is_flat = ONE in (arg.shape.rows, arg.shape.cols)
    return bars if is_flat else Script(bars, below=Letter("F", upright=True))


def _moment(head: str, args: tuple[nodes.Node, ...], given: tuple[nodes.Node, ...] = ()) -> Box:
    body = commas(tuple(lay_out(arg) for arg in args))
    if given:
        known = commas(tuple(lay_out(node) for node in given))
        body = Line((body, Sign("∣", infix=True), known))
    return Call(Letter(head, upright=True), Fence("[", body, "]"))


def _differential(node: nodes.Node) -> Box:
    return Line((Sign("∂"), fenced(lay_out(node), Level.POWER)), Level.POWER)


def _over_ranges(
    sign: BigSign,
    body: nodes.Node,
    ranges: tuple[nodes.Range, ...],
    conditions: tuple[nodes.Condition, ...],
) -> Box:
    """One large operator per index, the conditions below the last one."""
    box = fenced(lay_out(body), Level.BIG)
    such_that = tuple(lay_out_condition(condition) for condition in conditions)
    for bounds in reversed(ranges):
        box = Big(sign, lay_out_start(bounds), lay_out(bounds.high), such_that, box)
        such_that = ()
    return box


def _over_subsets(body: nodes.Node, bounds: nodes.Range, order: nodes.Node) -> Box:
    """∑ over 𝒮 ⊆ {1, …, n} with |𝒮| = p of ∏ over i ∈ 𝒮; no name of the language is printed as 𝒮."""
    members = Letter("𝒮", upright=True)
    whole = Fence("{", commas((lay_out(bounds.low), Sign("…"), lay_out(bounds.high))), "}")
    size = Line((Fence("|", members, "|"), Sign("="), lay_out(order)))
    of_each = Line((lay_out_name(bounds.index), Sign("∈"), members))
    product = Big("prod", of_each, None, (), fenced(lay_out(body), Level.BIG))
    return Big("sum", Line((members, Sign("⊆"), whole)), None, (size,), product)


def lay_out_start(bounds: nodes.Range) -> Box:
    """i = 1."""
    return Line((lay_out_name(bounds.index), Sign("="), lay_out(bounds.low)))


def lay_out_condition(condition: nodes.Condition) -> Box:
    """j ≠ i."""
    return Line((lay_out(condition.left), Sign(COMPARISONS[condition.op]), lay_out(condition.right)))
