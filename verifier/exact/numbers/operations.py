"""Division, powers and functions of every kind of value.

A value is an exact rational (fmpq), an exact constant (Closed), a ball (arb), a function of
variables (Term), a polynomial in random entries (Poly), a power series in a small scale (Series) or a jet
of any of these (Jet). `+ - *` are the operators; what needs care at zeros and kinks is here.
"""

from typing import Any

from flint import arb, fmpq

from verifier.exact.numbers import balls, elementary
from verifier.exact.numbers import constants as closed
from verifier.exact.numbers import scalar_terms as terms
from verifier.exact.numbers.constants import HALF, ONE, PI, TWO, ZERO, Closed, constant, sign
from verifier.exact.numbers.jets import Jet, base_value
from verifier.exact.numbers.polynomial import Poly
from verifier.exact.numbers.power_series import Series, certain_sign, line_at, number_at, require_tempered
from verifier.exact.numbers.refusals import Imprecise, Undefined, Unsupported
from verifier.exact.numbers.scalar_terms import Term

Value = Any  # fmpq | Closed | arb | Term | Poly | Series | Jet
MAX_FACTORIAL = 3000
MAX_GAMMA = 10**12  # beyond the first, a ball
SQRT_HALF = closed.power(HALF, HALF)
PI_VALUE = constant(PI)
INVERSE_SQRT_2PI = closed.power(TWO * PI_VALUE, -HALF)
TWO_OVER_SQRT_PI = TWO * constant(PI, -HALF)


def divide(left: Value, right: Value) -> Value:
    """left / right."""
    return left * inverse(right)


def inverse(value: Value) -> Value:
    """1 / value; the derivative of 1/u is -1/u**2."""
    match value:
        case fmpq() | Closed():
            return closed.inverse(value)
        case arb():
            if value.is_zero():
                raise Undefined("a division by zero")
            if not value != 0:
                raise Imprecise("a denominator whose enclosure holds zero")
            return 1 / value
        case Term():
            return terms.raise_to(value, fmpq(-1))
        case Jet():
            inner = inverse(value.value)
            return value.chain(inner, -(inner * inner))
        case Poly():  # 1/(1 + exp(x)) = sigmoid(-x)
            if (found := value.logistic) is not None:
                return closed.integer_power((-found[0]).apply("sigmoid"), found[1])
            raise Unsupported("an expectation of a quotient of random quantities")
        case Series():
            return power(value, fmpq(-1))
    raise AssertionError(type(value))


def power(base: Value, exponent: Value) -> Value:
    """base ** exponent: repeated products for integers, roots for fractions, else exp(k log b)."""
    exponent = _plain(exponent)
    if not isinstance(exponent, fmpq):
        _check_base(base, exponent)
        return apply("exp", exponent * apply("log", base))
    if exponent.q == 1 and exponent >= 0 and not isinstance(base, Term | arb):
        if isinstance(base, fmpq | Closed):
            return closed.power(base, exponent)
        return closed.integer_power(base, _small(exponent))
    match base:
        case fmpq() | Closed():
            return closed.power(base, exponent)
        case Term():
            return terms.raise_to(base, exponent)
        case arb():
            return _ball_power(base, exponent)
        case Jet():
            slope = exponent * power(base.value, exponent - 1)
            return base.chain(power(base.value, exponent), slope)
        case Poly():
            return _root_of_square(base, exponent)
        case Series():
            shift, rest = base.certain.without_scale(exponent)
            return rest.raised(exponent, power(rest.head, exponent), inverse(rest.head)).times_scale(shift)
    raise AssertionError(type(base))


def _root_of_square(base: Poly, exponent: fmpq) -> Value:
    """(l**2 / c)**(k/2) = abs(l)**k / c**(k/2), where the base is the square of one form l."""
    found = base.square if exponent.q == 2 and exponent > 0 else None
    if found is None:
        raise Unsupported("an expectation of a negative or fractional power of random quantities")
    form, scale = found
    size = closed.integer_power(kinked("abs", form), _small(TWO * exponent))
    return size * power(inverse(scale), exponent)


def _check_base(base: Value, exponent: Value) -> None:
    """x**n is defined for x < 0 at integers n; exp(n log x) is not. Only x > 0 may be rewritten."""
    base, exponent = base_value(base), base_value(exponent)
    if isinstance(base, Term):
        positive = terms.is_positive(base)
    elif isinstance(base, fmpq | Closed | arb):
        positive = not isinstance(exponent, Term) or sign(base) > 0
    else:
        positive = False
    if not positive:
        raise Unsupported("a variable power of something that may be negative or zero")


def _plain(exponent: Value) -> Value:
    return exponent.constant if isinstance(exponent, Poly) and exponent.constant is not None else exponent


def _small(exponent: fmpq) -> int:
    if exponent > 64:
        raise Unsupported("a power above 64 of a quantity that is not a number")
    return int(exponent.p)


def _ball_power(base: arb, exponent: fmpq) -> arb:
    if exponent < 0:
        return inverse(_ball_power(base, -exponent))  # type: ignore[no-any-return]
    if exponent.q == 1:
        return base ** arb(int(exponent.p))
    if base < 0:
        raise Undefined("a fractional power of a negative number")
    if not base >= 0:
        raise Imprecise("a root of a number whose enclosure holds negative ones")
    return base.sqrt() ** arb(int(exponent.p)) if exponent.q == 2 else base**exponent


def apply(name: str, x: Value) -> Value:
    """A function of one value, by its name in the language."""
    match name:
        case "sqrt":
            return power(x, HALF)
        case "Phi":  # P(Z <= x) = erfc(-x/sqrt 2)/2
            return HALF * smooth("erfc", -(x * SQRT_HALF))
        case "phi":
            return INVERSE_SQRT_2PI * smooth("exp", -(HALF * (x * x)))
        case "gelu":
            return x * apply("Phi", x)
        case "silu":
            return x * smooth("sigmoid", x)
        case "abs" | "relu":
            return kinked(name, x)
        case "factorial" | "factorial2":
            return _factorial(name, x)
        case "acos":  # acos(x) = pi/2 - asin(x)
            return HALF * PI_VALUE - smooth("asin", x)
        case (
            "exp" | "log" | "sin" | "cos" | "tanh" | "sigmoid" | "softplus" | "erf" | "erfc" | "asin" | "atan"
        ):
            return smooth(name, x)
    raise Unsupported(f"the function {name}")


def smooth(name: str, x: Value) -> Value:
    """An analytic function."""
    match x:
        case fmpq() | Closed():
            return elementary.exact_function(name, x)
        case arb():
            if name == "log" and not x > 0:
                if x <= 0:
                    raise Undefined("a logarithm of a number that is not positive")
                raise Imprecise("a logarithm of a number whose enclosure holds zero")
            if name == "asin" and not abs(x) <= 1:
                if abs(x) > 1:
                    raise Undefined("an arc sine of a number beyond 1")
                raise Imprecise("an arc sine of a number whose enclosure reaches beyond 1")
            return balls.enclose_function(name, x)
        case Term():
            return terms.call(name, x)
        case Jet():
            return x.chain(smooth(name, x.value), derivative(name, x.value))
        case Poly():
            return x.apply(name)
        case Series():
            return _along(name, x)
    raise AssertionError(type(x))


def _along(name: str, x: Series) -> Value:
    """f(x): through its slope, or, of a random x, by the Taylor coefficients of f at the head."""
    if x.is_random:
        require_tempered(name)
        return x.composed(smooth(name, line_at(x)))
    head = smooth(name, number_at(x))
    if name == "exp":
        return x.exponential(head)
    return x.integrated(head, derivative(name, x.cut)) if x.order else Series((head,))


def derivative(name: str, u: Value) -> Value:
    """f'(u), written so that nothing cancels far out."""
    if isinstance(u, Series) and u.is_random:
        require_tempered(name)
        return u.composed(derivative(name, line_at(u)))
    match name:
        case "exp":
            return smooth("exp", u)
        case "log":
            return inverse(u)
        case "sin":
            return smooth("cos", u)
        case "cos":
            return -smooth("sin", u)
        case "tanh":  # 1 - tanh(u)**2 = 4 s(2u) s(-2u)
            return fmpq(4) * smooth("sigmoid", TWO * u) * smooth("sigmoid", fmpq(-2) * u)
        case "sigmoid":
            return smooth("sigmoid", u) * smooth("sigmoid", -u)
        case "softplus":
            return smooth("sigmoid", u)
        case "asin":
            return power(ONE - u * u, -HALF)
        case "atan":
            return inverse(ONE + u * u)
        case "erf" | "erfc":
            density = TWO_OVER_SQRT_PI * smooth("exp", -(u * u))
            return density if name == "erf" else -density
    raise AssertionError(name)


def kinked(name: str, x: Value) -> Value:
    """abs or relu; the derivative exists off the kink only."""
    match x:
        case Term():
            return terms.call(name, x)
        case Poly():
            return x.apply(name)
        case arb():
            return abs(x) if name == "abs" else x.max(arb(0))
        case fmpq() | Closed():
            return x if sign(x) >= 0 else (-x if name == "abs" else ZERO)
        case Series():
            side = certain_sign(x)
            return x if side > 0 else (-x if name == "abs" else ZERO)
        case Jet():
            base = base_value(x)
            if isinstance(base, Term | Poly):
                return x.chain(kinked(name, x.value), _kink_slope(name, base))
            side = certain_sign(base) if isinstance(base, Series) else sign(base)
            if side == 0:
                raise Undefined(f"the derivative of {name} at its kink")
            return x if side > 0 else (-x if name == "abs" else ZERO)
    raise AssertionError(type(x))


def _kink_slope(name: str, u: Value) -> Value:
    """sign(u) for abs, step(u) = (1 + sign(u))/2 for relu."""
    side = u.apply("sign") if isinstance(u, Poly) else terms.call("sign", base_value(u))
    return side if name == "abs" else HALF * (ONE + side)


def extreme(name: str, left: Value, right: Value) -> Value:
    """min or max of two: (a + b -+ |a - b|)/2 where the order is not known."""
    if isinstance(left, arb) or isinstance(right, arb):
        a, b = closed.enclose(left), closed.enclose(right)
        return a.min(b) if name == "min" else a.max(b)
    gap = left - right
    if isinstance(gap, fmpq | Closed):
        first = sign(gap) >= 0
        return left if first == (name == "max") else right
    spread = kinked("abs", gap)
    return HALF * (left + right + (spread if name == "max" else -spread))


def _factorial(name: str, x: Value) -> Value:
    if not isinstance(x, fmpq):
        raise Unsupported(f"{name} of something that is not a number")
    if MAX_FACTORIAL < x < MAX_GAMMA and name == "factorial":
        return arb(x + 1).gamma()
    if x > MAX_FACTORIAL:
        raise Unsupported(f"{name} above {MAX_FACTORIAL}")
    if name == "factorial" and x.q != 1 and x > -1:
        return _between_factorials(x)
    if x.q != 1 or x < (0 if name == "factorial" else -1):  # (-1)!! = 1, the empty product
        raise Undefined(f"{name} of {x}")
    product = 1
    for factor in range(int(x.p), 0, -1 if name == "factorial" else -2):
        product *= factor
    return fmpq(product)


def _between_factorials(x: fmpq) -> Value:
    """x! = gamma(x + 1): x (x - 1) ... 1/2 sqrt(pi) at halves, a ball elsewhere."""
    if x.q != 2:
        return arb(x + 1).gamma()
    product = power(PI_VALUE, HALF)
    while x > 0:
        product, x = product * x, x - 1
    return product


def binomial(n: Value, k: Value) -> Value:
    """n (n-1) ... (n-k+1) / k!, zero for k > n."""
    if not isinstance(k, fmpq) or not isinstance(n, fmpq):
        raise Unsupported("binomial of something that is not a number")
    if k.q != 1 or n.q != 1 or k < 0 or n < 0:
        raise Undefined(f"binomial({n}, {k})")
    if k > MAX_FACTORIAL:
        raise Unsupported(f"binomial with more than {MAX_FACTORIAL} factors")
    product = ONE
    for step in range(int(k.p)):
        product = product * (n - step) / (step + 1)
    return product
