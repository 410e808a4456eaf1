"""Functions of sums: those with rules become polynomials in simpler ones, the others stay opaque."""

from fractions import Fraction
from math import gcd

from verifier.expr import nodes as N
from verifier.expr.symbols import Dimension, IndexOf, Integer
from verifier.prove.forms.arc_functions import ARCS, arc, pi, turned
from verifier.prove.forms.cancel import kept
from verifier.prove.forms.component_signs import is_square
from verifier.prove.forms.exponential_forms import exp_coefficient, exp_sum, logarithm
from verifier.prove.forms.function_identities import settled
from verifier.prove.forms.integral_names import described, is_integral
from verifier.prove.forms.labels import col, open_labels, renamed, row, slot, summed
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.opaque_functions import Opaque
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import exponent, inverse, power, root, root_coefficient
from verifier.prove.forms.small_trees import coefficient_tree
from verifier.prove.forms.workspace import Workspace, constant, is_constant
from verifier.prove.networks import Coefficient, Sum
from verifier.prove.networks.ring import to_fraction

# f(-x) = -f(x), f(-x) = f(x), f(-x) = 1 - f(x)
ODD, EVEN = frozenset({"erf", "tanh", "sin"}), frozenset({"cos", "phi"})
STEPS = frozenset({"Phi", "sigmoid"})
_MOST_TIMES = 8


def apply(space: Workspace, function: str, args: list[Sum]) -> Sum:
    """function(args), entry by entry."""
    if function == "sqrt":
        return root(space, args[0])
    if function == "abs" and _is_nonnegative(space, args[0]):
        return args[0]
    if function == "abs" and len(args[0].terms) == 1 and (parts := _absolute(space, args[0])) is not None:
        return parts
    if function == "relu" and (inner := _clipped(space, args[0])) is not None:
        return space.function("relu", inner)
    if function in ARCS:
        return arc(space, function, args[0])
    if function in ("sin", "cos") and (found := turned(space, function, args[0])) is not None:
        return found
    if function == "phi" and not space.depends(args[0]) & space.claim.random:
        square = kept(space, settled(space, args[0] * args[0]))
        bell = apply(space, "exp", [square * Fraction(-1, 2)])
        return bell * inverse(space, root(space, pi(space) * 2))
    if all(map(is_constant, args)):
        return space.scalar(_of_scalars(space, function, [constant(arg) for arg in args]))
    if function in ("min", "max"):
        return _larger(space, function, *args)
    if len(args) > 1:
        raise Refusal(f"{function} of two expressions")
    if function == "exp":
        return exp_sum(space, args[0])
    if function == "log" and (inside := exponent(space, args[0])) is not None:
        return space.function("softplus", inside)
    return space.function(function, args[0])


def _larger(space: Workspace, function: str, x: Sum, y: Sum) -> Sum:
    """max(x, y) = y + relu(x - y),  min(x, y) = x - relu(x - y)"""
    gap = x - y
    if not gap:
        return x
    above = apply(space, "relu", [gap])
    return y + above if function == "max" else x - above


def _clipped(space: Workspace, value: Sum) -> Sum | None:
    """relu(relu(y) - c) = relu(y - c) for c >= 0: the y - c"""
    below = value.terms.get(frozenset(), space.ring(0))
    rest = {monomial: weight for monomial, weight in value.terms.items() if monomial}
    if len(rest) != 1 or not space.is_nonnegative(-below):
        return None
    ((monomial, weight),) = rest.items()
    ((component, times), *others) = monomial
    opaque = space.opaque.get(component[0][0]) if len(component) == 1 else None
    if weight != space.ring(1) or times != 1 or others or opaque is None or opaque.function != "relu":
        return None
    labels = component[0][1]
    if any(isinstance(label, int) for label in labels):
        return None
    at = {slot(k): str(label).partition("@")[0] for k, label in enumerate(labels)}
    return renamed(opaque.argument, at) + space.scalar(below)


def _absolute(space: Workspace, value: Sum) -> Sum | None:
    """|c a b**2| = |c| |a| b**2 for components a, b, which share no summed index; None for a single one."""
    ((monomial, weight),) = value.terms.items()
    if len(monomial) < 2 and all(times == 1 for _, times in monomial):
        return None
    size = apply(space, "abs", [space.scalar(weight)])
    for component, times in monomial:
        alone = Sum(value.frame, {frozenset({(component, 1)}): space.ring(1)})
        part = alone if is_square(space, component) else space.function("abs", alone)
        size = size * (alone if times % 2 == 0 else part) * alone ** (times - 1)
    return size


def _is_nonnegative(space: Workspace, value: Sum) -> bool:
    """Whether the form of each term shows that it is not negative."""
    return all(
        space.is_nonnegative(weight) and all(p % 2 == 0 or is_square(space, c) for c, p in monomial)
        for monomial, weight in value.terms.items()
    )


def _of_scalars(space: Workspace, function: str, args: list[Coefficient]) -> Coefficient:
    """A function of scalars as a generator; exp of a sum is a product."""
    if function == "exp":
        return exp_coefficient(space, args[0])
    if function == "log" and (inside := logarithm(space, args[0])) is not None:
        return inside
    if all(arg.is_constant() for arg in args) and (known := _exact(function, args)) is not None:
        return space.ring(known)
    if is_integral(function):
        return _unknown_moment(space, function, args[0])
    if function in ODD | EVEN | STEPS and not args[0].is_zero() and args[0].leading_coefficient() < 0:
        opposite = _of_scalars(space, function, [-args[0]])
        return opposite if function in EVEN else -opposite if function in ODD else space.ring(1) - opposite
    meaning = N.Apply(function, tuple(coefficient_tree(space, arg) for arg in args))
    name = space.generator((function, *map(str, args)), meaning)
    if len(args) == 1:
        space.note(name, function, args[0])
    if function in ("abs", "factorial", "factorial2"):
        space.nonnegative.add(name)
    return space.ring[name]


def _unknown_moment(space: Workspace, function: str, variance: Coefficient) -> Coefficient:
    """A moment of an activation that nobody can say more about than that it is this one."""
    shown = f"{described(function)} for {_law(space, variance)}"
    name = space.generator((function, str(variance)), N.Symbol(shown))
    space.unknown[name] = shown
    space.note(name, shown, variance)
    return space.ring[name]


def _law(space: Workspace, variance: Coefficient) -> str:
    """In words: a variance, or the means and covariances that stand beside their places."""
    places = [x for x in space.ring.names if space.is_place(x)]
    parts = [variance.derivative(x) for x in places]
    if all(part.is_zero() for part in parts):
        return f"g of variance {variance}"
    return f"normal g with means and covariances {', '.join(map(str, parts))}"


def _exact(function: str, args: list[Coefficient]) -> Fraction | None:
    values = [to_fraction(arg.leading_coefficient()) if not arg.is_zero() else Fraction(0) for arg in args]
    if any(v.denominator != 1 or not 0 <= v <= 200 for v in values):
        return abs(values[0]) if function == "abs" else None
    first = int(values[0])
    match function:
        case "abs":
            return values[0]
        case "factorial" | "factorial2":
            result = 1
            for k in range(first, 1, -1 if function == "factorial" else -2):
                result *= k
            return Fraction(result)
        case "relu":
            return values[0]
        case "min" | "max":
            return min(values) if function == "min" else max(values)
        case "log":
            return Fraction(0) if first == 1 else None
        case "sin" | "tanh" | "erf" | "gelu" | "silu":
            return Fraction(0) if first == 0 else None
        case "cos":
            return Fraction(1) if first == 0 else None
    return None


def power_of(space: Workspace, base: Sum, exponent: Sum) -> Sum:
    """base ** exponent for an exponent that is no number"""
    if not is_constant(exponent):
        raise Refusal("a power whose exponent is not a scalar symbol")
    if is_constant(base):
        return space.scalar(_power_coefficient(space, constant(base), constant(exponent)))
    times = _whole_times(space, constant(exponent))
    once = space.function(space.power_name(constant(exponent) * space.ring(Fraction(1, times))), base)
    result = once
    for _ in range(times - 1):
        result = result * once
    return result


def _whole_times(space: Workspace, exponent: Coefficient) -> int:
    """k of x**(k*q) = (x**q)**k, for an exponent q that is a whole number."""
    terms = exponent.to_dict()
    names = {name for powers in terms for name, k in zip(space.ring.names, powers, strict=True) if k}
    declared = [space.claim.symbols.get(name) for name in names]
    whole = all(one is not None and isinstance(one.kind, Dimension | Integer | IndexOf) for one in declared)
    amounts = [to_fraction(amount) for amount in terms.values()]
    if not whole or not amounts or any(amount.denominator != 1 for amount in amounts):
        return 1
    common = gcd(*(amount.numerator for amount in amounts))
    return common if 1 < common <= _MOST_TIMES else 1


def _power_coefficient(space: Workspace, base: Coefficient, exponent: Coefficient) -> Coefficient:
    """(a*b)**(2*p - 1) = (a**p)**2 (b**p)**2 / (a b), for positive a, b"""
    unit, factors = base.factor()
    parts = [(space.ring(to_fraction(unit)), 1), *((f, int(k)) for f, k in factors)]
    if not all(space.is_positive(f) for f, _ in parts):
        meaning = N.Power(coefficient_tree(space, base), coefficient_tree(space, exponent))
        return space.ring[space.generator(("power", str(base), str(exponent)), meaning)]
    result = space.ring(1)
    for factor, times in parts:
        if factor != space.ring(1):
            result = result * _positive_power(space, factor, exponent * times)
    return space.ring.reduce(result)


def _positive_power(space: Workspace, base: Coefficient, exponent: Coefficient) -> Coefficient:
    result = space.ring(1)
    for exponents, amount in exponent.to_dict().items():
        ratio = to_fraction(amount)
        if abs(ratio.numerator) > 64:
            raise Refusal("a power beyond 64")
        symbolic = any(exponents)
        if not symbolic:
            factor = _whole_or_half(space, base, Fraction(1, ratio.denominator))
        else:
            term = space.ring(Fraction(1, ratio.denominator))
            for name, times in zip(space.ring.names, exponents, strict=True):
                term = term * space.ring[name] ** int(times)
            meaning = N.Power(coefficient_tree(space, base), coefficient_tree(space, term))
            made = space.generator(("power", str(base), str(term)), meaning)
            space.positive.add(made)
            space.nonnegative.add(made)
            factor = space.ring[made]
        powered = power(space, space.scalar(factor), Fraction(ratio.numerator))
        result = result * constant(powered)
    return result


def _whole_or_half(space: Workspace, base: Coefficient, exponent: Fraction) -> Coefficient:
    if exponent == 1:
        return base
    if exponent == Fraction(1, 2):
        return root_coefficient(space, base)
    raise Refusal(f"the power {exponent}")


def rowwise(space: Workspace, function: str, form: Form) -> Form:
    """softmax, rmsnorm or layernorm of each row."""
    if not form.cols:
        value = space.scalar(1) if function == "softmax" else None
        if value is None:
            raise Refusal(f"{function} of rows of length 1")
        return Form(value, form.rows, form.cols)
    if function == "softmax":
        return Form(softmax(space, form), form.rows, form.cols)
    value = form.value
    if function == "layernorm":
        value = value - _mean(space, form, value)
    scale = _mean(space, form, value * value)
    return Form(value * inverse(space, root(space, scale)), form.rows, form.cols)


def _mean(space: Workspace, form: Form, value: Sum) -> Sum:
    """The mean along each row."""
    labels = [col(k) for k in range(len(form.cols))]
    size = space.scalar(1)
    for axis in form.cols:
        size = size * space.scalar(space.frame.sizes[axis])
    return summed(value, labels, form.cols) * inverse(space, size)


def softmax(space: Workspace, form: Form) -> Sum:
    """softmax(M + v 1') = softmax(M): terms that are equal along a row drop out."""
    along = tuple(col(k) for k in range(len(form.cols)))
    varying = {
        monomial: coefficient
        for monomial, coefficient in form.value.terms.items()
        if set(along) & set(open_labels(Sum(space.frame, {monomial: coefficient})))
    }
    body = Sum(space.frame, varying)
    if not body:
        size = space.scalar(1)
        for axis in form.cols:
            size = size * space.scalar(space.frame.sizes[axis])
        return inverse(space, size)
    if set(along) - set(open_labels(body)):
        raise Refusal("a softmax over pairs of indices")
    return space.function("softmax", body, along)


def reapplied(space: Workspace, opaque: Opaque, argument: Sum) -> Sum:
    """The same function of another argument, over the same slots."""
    if opaque.row_axes:
        head = len(opaque.spaces) - opaque.row_axes
        down = {slot(k): row(k) for k in range(head)}
        across = {slot(head + k): col(k) for k in range(opaque.row_axes)}
        form = Form(argument.rename(down | across), opaque.spaces[:head], opaque.spaces[head:])
        back = {new: old for old, new in (down | across).items()}
        return renamed(softmax(space, form), back)
    match opaque.function:
        case "inv":
            return inverse(space, argument)
        case "root":
            return root(space, argument)
    kept = opaque.function in (space.means or ())
    if kept or opaque.function in space.exponents or opaque.function.endswith("_slope"):
        return space.function(opaque.function, argument)
    return apply(space, opaque.function, [argument])
