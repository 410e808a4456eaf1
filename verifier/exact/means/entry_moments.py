"""Moments of random entries: what integrates a polynomial, monomial by monomial."""

import operator
from collections.abc import Callable
from itertools import count

from flint import fmpq

from verifier.exact.means.activated_products import activated, entries
from verifier.exact.numbers.constants import ONE, ZERO, integer_power, is_zero
from verifier.exact.numbers.operations import Value, divide
from verifier.exact.numbers.polynomial import Poly, Powers
from verifier.exact.numbers.power_series import Series
from verifier.exact.numbers.refusals import Unsupported
from verifier.exact.numbers.value_matrices import Matrix, build, paired, size
from verifier.expr.nodes import Node
from verifier.expr.symbols import AnyLaw, Bernoulli, Iid, Kind, Normal, Rademacher, Uniform

Evaluate = Callable[[Node], Matrix]
Covariances = Callable[[int, int], Value]
BLOCK = 1 << 20  # entries are numbered block * BLOCK + position, so nested draws never clash
_blocks = count(1)


class Draw:
    """The random entries of one expectation. Each block of entries has one law."""

    def __init__(self) -> None:
        self._laws: dict[int, Callable[[Powers], Value]] = {}
        self._normal: dict[int, Covariances] = {}
        self._independent: set[int] = set()
        self._known: dict[Powers, Value] = {}

    def entries(self, kind: Kind, rows: int, cols: int, evaluate: Evaluate) -> Matrix:
        """A matrix of polynomials for a random symbol: its mean plus a centred variable each
        (uniform entries, masks and signs: the variable itself)."""
        block = next(_blocks)
        variables = build(rows, cols, lambda i, j: Poly.variable(block * BLOCK + i * cols + j))
        if isinstance(kind, Rademacher | Bernoulli | Uniform | Iid):
            self._independent.add(block)
        match kind:
            case Normal():
                std = evaluate(kind.std)
                if any(isinstance(value, Series) for row in std for value in row):
                    # A law that shrinks with a small scale: the scale goes in front of a standard one.
                    variables, std = paired(variables, std, operator.mul), ((ONE,),)
                self._normal[block] = _covariances(kind, std, cols, evaluate)
                self._laws[block] = _gaussian(self._normal[block], block)
                return _shifted(variables, evaluate(kind.mean))
            case Rademacher():
                self._laws[block] = _signs
                return variables
            case Bernoulli(chance):
                ((share,),) = evaluate(chance)
                self._laws[block] = lambda powers: integer_power(share, len(powers))  # x**k = x
                return variables
            case Uniform(low, high):
                ((a,),), ((b,),) = evaluate(low), evaluate(high)
                self._laws[block] = _uniform(a, b)
                return variables
            case Iid(None, _) | AnyLaw(None):
                self._laws[block] = _unstated
                return variables
            case Iid(mean, var):
                assert mean is not None
                self._laws[block] = _two_moments(None if var is None else evaluate(var)[0][0])
                return _shifted(variables, evaluate(mean))
            case AnyLaw(mean):
                assert mean is not None
                self._laws[block] = _mean_only
                return _shifted(variables, evaluate(mean))
        raise Unsupported(f"the law {type(kind).__name__}")

    def integrate(self, value: Value) -> Value:
        """E of a polynomial over this draw's entries; those of an outer draw stay."""
        if isinstance(value, Series):
            return value.map(self.integrate)
        if not isinstance(value, Poly):
            return value
        result: Value = ZERO
        for powers, coefficient in value.terms.items():
            mine = tuple(item for item in powers if self._is_drawn(item[0], value))
            others = tuple(item for item in powers if item not in mine)
            if any(number < 0 for number, _ in mine):
                moment = activated(Poly({mine: ONE}, value.functions), self._covariance, self._moment)
            else:
                moment = self._moment(mine)
            if not is_zero(moment):
                kept = Poly({others: coefficient}, value.functions) if others else coefficient
                result = result + kept * moment
        return result

    def _is_drawn(self, number: int, value: Poly) -> bool:
        """Whether this entry, or all that a function is of, belongs to this draw."""
        if number >= 0:
            return number // BLOCK in self._laws
        inside = [self._is_drawn(n, value) for n in entries(number, value.functions)]
        if any(inside) and not all(inside):
            raise Unsupported("a function of random quantities of two expectations")
        return all(inside)

    def are_independent(self, first: int, second: int) -> bool:
        """Whether nothing is known that ties two entries of this draw to each other."""
        try:
            return first != second and is_zero(self._covariance(first, second))
        except Unsupported:
            return False

    def _covariance(self, first: int, second: int) -> Value:
        """Cov of two entries: distinct symbols are independent, and so are distinct entries of most laws."""
        block, other = first // BLOCK, second // BLOCK
        if block != other or (block in self._independent and first != second):
            return ZERO
        if block not in self._normal:
            raise Unsupported("an expectation of a function of random quantities that are not normal")
        return self._normal[block](first - block * BLOCK, second - block * BLOCK)

    def _moment(self, powers: Powers) -> Value:
        if powers not in self._known:
            blocks: dict[int, list[tuple[int, int]]] = {}
            for number, power in powers:
                blocks.setdefault(number // BLOCK, []).append((number, power))
            result: Value = ONE
            for block, items in blocks.items():
                if is_zero(result):
                    break
                result = result * self._laws[block](tuple(items))
            self._known[powers] = result
        return self._known[powers]


def _shifted(variables: Matrix, mean: Matrix) -> Matrix:
    single = size(mean) == (1, 1)
    rows, cols = size(variables)
    return build(rows, cols, lambda i, j: variables[i][j] + (mean[0][0] if single else mean[i][j]))


def _covariances(kind: Normal, std: Matrix, cols: int, evaluate: Evaluate) -> Covariances:
    """Covariance of two entries by position: std**2 (rho + (1 - rho) [same row]) in one column, or C."""
    if kind.cov is not None:
        matrix = evaluate(kind.cov)
        return lambda a, b: matrix[a][b]

    def scale(a: int) -> Value:
        return std[0][0] if size(std) == (1, 1) else std[a // cols][a % cols]

    ((rho,),) = evaluate(kind.row_corr) if kind.row_corr is not None else ((ZERO,),)

    def covariance(a: int, b: int) -> Value:
        if a == b:
            return scale(a) * scale(a)
        return rho * scale(a) * scale(b) if a % cols == b % cols else ZERO

    return covariance


def _gaussian(covariance: Covariances, block: int) -> Callable[[Powers], Value]:
    """Isserlis by Stein's identity: E(x_a m) = sum_b cov(a, b) E(dm/dx_b)."""
    known: dict[Powers, Value] = {(): ONE}

    def moment(powers: Powers) -> Value:
        if powers not in known:
            known[powers] = expand(powers)
        return known[powers]

    def expand(powers: Powers) -> Value:
        if sum(power for _, power in powers) % 2:
            return ZERO
        first = powers[0][0]
        rest = _lowered(powers, first)
        total: Value = ZERO
        for number, power in rest:
            joined = covariance(first - block * BLOCK, number - block * BLOCK)
            if not is_zero(joined):
                total = total + joined * fmpq(power) * moment(_lowered(rest, number))
        return total

    return moment


def _lowered(powers: Powers, number: int) -> Powers:
    return tuple((k, p - (k == number)) for k, p in powers if p > 1 or k != number)


def _signs(powers: Powers) -> Value:
    return ZERO if any(power % 2 for _, power in powers) else ONE


def _uniform(low: Value, high: Value) -> Callable[[Powers], Value]:
    """E x**k = (b**(k+1) - a**(k+1)) / ((k+1)(b - a)) = sum_i a**i b**(k-i) / (k+1)."""

    def moment(powers: Powers) -> Value:
        result: Value = ONE
        for _, k in powers:
            parts = [integer_power(low, i) * integer_power(high, k - i) for i in range(k + 1)]
            total: Value = ZERO
            for part in parts:
                total = total + part
            result = result * divide(total, fmpq(k + 1))
        return result

    return moment


def _unstated(powers: Powers) -> Value:
    raise Unsupported("the mean of a random symbol, which is not stated")


def _two_moments(variance: Value | None) -> Callable[[Powers], Value]:
    def moment(powers: Powers) -> Value:
        if any(power == 1 for _, power in powers):
            return ZERO
        if variance is None or any(power > 2 for _, power in powers):
            raise Unsupported("a moment beyond the stated mean and variance")
        return integer_power(variance, len(powers))

    return moment


def _mean_only(powers: Powers) -> Value:
    if sum(power for _, power in powers) > 1:
        raise Unsupported("a moment beyond the stated mean")
    return ZERO
