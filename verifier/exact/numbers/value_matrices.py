"""Matrices of values: tuples of rows, entries of any kind of value."""

from collections.abc import Callable, Sequence

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from verifier.exact.numbers.constants import HALF, ONE, ZERO, Closed, enclose, is_zero
from verifier.exact.numbers.guess_constants import rational_near
from verifier.exact.numbers.jets import Jet, base_value
from verifier.exact.numbers.operations import Value, apply, inverse, power
from verifier.exact.numbers.power_series import Series, small_softmax
from verifier.exact.numbers.refusals import Imprecise, Undefined, Unsupported

Matrix = tuple[tuple[Value, ...], ...]
MAX_ENTRIES = 250_000


def build(rows: int, cols: int, entry: Callable[[int, int], Value]) -> Matrix:
    """The rows-by-cols matrix of entry(i, j), counted from 0."""
    if rows * cols > MAX_ENTRIES:
        raise Unsupported(f"a {rows}-by-{cols} matrix at a concrete point")
    return tuple(tuple(entry(i, j) for j in range(cols)) for i in range(rows))


def scalar(value: Value) -> Matrix:
    return ((value,),)


def size(a: Matrix) -> tuple[int, int]:
    return len(a), len(a[0]) if a else 0


def entries(a: Matrix) -> list[Value]:
    return [value for row in a for value in row]


def total(values: list[Value]) -> Value:
    """The sum of a list, zero if it is empty."""
    result: Value = ZERO
    for value in values:
        result = result + value
    return result


def entrywise(a: Matrix, f: Callable[[Value], Value]) -> Matrix:
    return tuple(tuple(f(value) for value in row) for row in a)


def paired(a: Matrix, b: Matrix, f: Callable[[Value, Value], Value]) -> Matrix:
    """f entry by entry, a scalar broadcast against anything."""
    if size(a) == size(b):
        return tuple(tuple(map(f, x, y)) for x, y in zip(a, b, strict=True))
    if size(b) == (1, 1):
        return entrywise(a, lambda x: f(x, b[0][0]))
    return entrywise(b, lambda y: f(a[0][0], y))


def transpose(a: Matrix) -> Matrix:
    return tuple(zip(*a, strict=True)) if a else a


def matmul(a: Matrix, b: Matrix) -> Matrix:
    """sum_k a[i, k] b[k, j], zeros skipped."""
    columns = transpose(b)

    def entry(i: int, j: int) -> Value:
        result: Value = ZERO
        for x, y in zip(a[i], columns[j], strict=True):
            if not is_zero(x) and not is_zero(y):
                result = result + x * y
        return result

    return build(len(a), len(columns), entry)


def eye(n: int) -> Matrix:
    return build(n, n, lambda i, j: ONE if i == j else ZERO)


def matpower(a: Matrix, exponent: fmpq) -> Matrix:
    """a @ a @ ... @ a, of the inverse for a negative exponent."""
    if exponent.q != 1:
        raise Unsupported("a matrix power that is not a whole number")
    if exponent < 0:
        return matpower(_inverse(a), -exponent)
    steps = int(exponent.p)
    if steps > 4096:
        raise Unsupported("a matrix power above 4096")
    result, square = eye(len(a)), a
    while steps:
        if steps & 1:
            result = matmul(result, square)
        square = matmul(square, square) if steps > 1 else square
        steps >>= 1
    return result


def _inverse(a: Matrix) -> Matrix:
    """The inverse of a matrix of rational numbers."""
    values = entries(a)
    if not all(isinstance(x, fmpq) for x in values):
        raise Unsupported("the inverse of a matrix that is not rational")
    try:
        found = fmpq_mat(len(a), len(a), values).inv()
    except ZeroDivisionError:
        raise Undefined("the inverse of a singular matrix") from None
    return build(len(a), len(a), lambda i, j: found[i, j])


def kron(a: Matrix, b: Matrix) -> Matrix:
    (rows, cols), (p, q) = size(a), size(b)
    return build(rows * p, cols * q, lambda i, j: a[i // p][j // q] * b[i % p][j % q])


def commutation(m: int, n: int) -> Matrix:
    """K with K vec_r(B.T) = vec_r(B): row i*n + j picks entry j*m + i."""
    return build(m * n, m * n, lambda r, c: ONE if c == (r % n) * m + r // n else ZERO)


def block_diagonal(blocks: list[Matrix]) -> Matrix:
    rows, cols = (size(blocks[0])) if blocks else (0, 0)

    def entry(i: int, j: int) -> Value:
        return blocks[i // rows][i % rows][j % cols] if i // rows == j // cols else ZERO

    return build(rows * len(blocks), cols * len(blocks), entry)


def sum_of_squares(a: Matrix) -> Value:
    return total([_square(value) for value in entries(a) if not is_zero(value)])


def _square(x: Value) -> Value:
    return power(x, fmpq(2)) if isinstance(x, arb) else x * x


def frobenius(a: Matrix) -> Value:
    """sqrt of the sum of squares."""
    squares = sum_of_squares(a)
    if isinstance(squares, arb):
        return squares.nonnegative_part().sqrt()
    return power(squares, HALF)


def softmax(a: Matrix) -> Matrix:
    """exp(x_j) / sum_k exp(x_k) in each row, shifted by an entry where that is exact."""
    return tuple(_softmax_row(row) for row in a)


def _softmax_row(row: tuple[Value, ...]) -> tuple[Value, ...]:
    heads = [base_value(value) for value in row]
    if any(isinstance(head, Series) for head in heads):
        return _carried(small_softmax(heads, lambda x: apply("exp", x), inverse), row)
    shift = row[0] if isinstance(row[0], fmpq | Closed | Jet) else ZERO
    weights = [apply("exp", value - shift) for value in row]
    scale = inverse(total(weights))
    return tuple(weight * scale for weight in weights)


def assumed_softmax(value: Matrix, logits: Matrix) -> Matrix:
    """A softmax whose value is assumed: a_j exp(m_j) / sum_k a_k exp(m_k) with m = logits - their
    value, so that the derivatives are those of softmax at a: diag(a) - a a.T."""
    return tuple(_assumed_row(a, row) for a, row in zip(value, logits, strict=True))


def _assumed_row(a: tuple[Value, ...], row: tuple[Value, ...]) -> tuple[Value, ...]:
    gap = total(list(a)) - ONE
    if not is_zero(gap) and not (isinstance(gap, arb) and gap.contains(0)):
        raise Unsupported("an assumed softmax whose rows do not sum to one")
    return _carried(a, row)


def _carried(a: Sequence[Value], row: Sequence[Value]) -> tuple[Value, ...]:
    """a softmax with the value a, and the slopes of its logits carried through it"""
    weights = [_lift(x, logit) for x, logit in zip(a, row, strict=True)]
    mass = total(weights)
    scale = inverse(ONE + (mass - base_value(mass)))
    return tuple(weight * scale for weight in weights)


def _lift(a: Value, logit: Value) -> Value:
    return a * apply("exp", logit - base_value(logit)) if isinstance(logit, Jet) else a


def rmsnorm(a: Matrix) -> Matrix:
    """x / sqrt(mean(x**2)) in each row."""
    return tuple(_unit_scale(row) for row in a)


def layernorm(a: Matrix) -> Matrix:
    """(x - mean(x)) / sqrt(mean((x - mean(x))**2)) in each row."""

    def centred(row: tuple[Value, ...]) -> tuple[Value, ...]:
        mean = total(list(row)) * fmpq(1, len(row))
        return tuple(value - mean for value in row)

    return tuple(_unit_scale(centred(row)) for row in a)


def _unit_scale(row: tuple[Value, ...]) -> tuple[Value, ...]:
    scale = power(sum_of_squares((row,)) * fmpq(1, len(row)), -HALF)
    return tuple(value * scale for value in row)


def spectral(a: Matrix) -> Value:
    """The largest singular value: exact for one row, one column or two of either, else enclosed."""
    gram = matmul(a, transpose(a)) if len(a) <= len(a[0]) else matmul(transpose(a), a)
    if len(gram) == 1:
        return frobenius(a)
    if len(gram) == 2:
        return power(_largest_of_two(gram), HALF)
    if not all(isinstance(value, fmpq | Closed | arb) for value in entries(gram)):
        raise Unsupported("a spectral norm of a matrix that is not a number")
    ball = _largest_eigenvalue(gram).nonnegative_part()
    exact = _exact_largest(gram, ball)
    return ball.sqrt() if exact is None else power(exact, HALF)


def _exact_largest(gram: Matrix, ball: arb) -> fmpq | None:
    """A rational r in the ball with r I - G singular and positive semidefinite is the largest eigenvalue."""
    r = rational_near(ball)
    if r is None or not all(isinstance(value, fmpq) for value in entries(gram)):
        return None
    found = pivots(build(len(gram), len(gram), lambda i, j: (r if i == j else ZERO) - gram[i][j]))
    is_largest = found is not None and all(pivot >= 0 for pivot in found) and ZERO in found
    return r if is_largest else None


def pivots(a: Matrix) -> list[fmpq] | None:
    """The pivots of symmetric elimination; None where a zero pivot has a row that is not zero, so that
    the matrix takes both signs. It is positive semidefinite when there are pivots and none is negative."""
    rows, found = [list(row) for row in a], []
    while rows:
        pivot, rest = rows[0][0], rows[0][1:]
        if not pivot and any(rest):
            return None
        scale = 1 / pivot if pivot else ZERO
        rows = [[x - row[0] * scale * y for x, y in zip(row[1:], rest, strict=True)] for row in rows[1:]]
        found.append(pivot)
    return found


def _largest_of_two(gram: Matrix) -> Value:
    """((p + q) + sqrt((p - q)**2 + 4 r**2)) / 2."""
    (p, r), (_, q) = gram
    spread = _square(p - q) + fmpq(4) * _square(r)
    root = spread.nonnegative_part().sqrt() if isinstance(spread, arb) else power(spread, HALF)
    return HALF * (p + q + root)


def _largest_eigenvalue(gram: Matrix) -> arb:
    """For G positive semidefinite, n-by-n, and m = 2**s: (tr(G**m)/n)**(1/m) <= lambda <= tr(G**m)**(1/m).

    G is squared s times, scaled to trace one; the logarithms of the scales add up to log(lambda).
    Repeated eigenvalues, where enclosures of eigenvectors fail, do no harm. Squaring widens the entries, and
    the root narrows the bracket: each s has its enclosure, and the narrowest counts."""
    n, bits = len(gram), ctx.prec
    ctx.prec = 2 * bits + 32
    found = arb("+/- inf")
    try:
        power = arb_mat([[enclose(value) for value in row] for row in gram])
        total_log, weight = arb(0), arb(1)
        for _ in range(bits + 9):
            trace = power.trace()
            if not trace > 0:
                if not found.is_finite():
                    return arb(0).union(trace.upper())
                break
            bracket = total_log + weight * (trace / n).log().union(trace.log())
            if found.is_finite() and not bracket.rad() < found.rad():
                break
            found = bracket
            power = power * (1 / trace.mid())
            total_log += trace.mid().log() * weight
            power = power * power
            weight = weight / 2
        found = found.exp()
    finally:
        ctx.prec = bits
    if not found.is_finite():
        raise Imprecise("a spectral norm")
    return found
