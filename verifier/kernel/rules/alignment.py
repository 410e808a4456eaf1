"""When the inequality of Cauchy and Schwarz is an equation."""

from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.dims import ONE
from verifier.expr.walk import walk
from verifier.kernel.context import Context
from verifier.kernel.core.draws import draws
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.norms import TWO, of_size

UNIT = N.Number(Fraction(1))
NAMES = ("k", "m", "l", "r", "s", "t", "row_1", "row_2")  # of rows; those that no symbol has


def aligned(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\Gamma \vdash \frac{\langle x, y\rangle}{\sqrt{\|x\|^2 \|y\|^2}} = 1}
    {\Gamma \vdash \langle x, y\rangle = \|x\| \|y\|} \qquad
    \frac{\Gamma \vdash \frac{E\langle x, y\rangle}{\sqrt{E\|x\|^2 \, E\|y\|^2}} = 1}
    {\Gamma \vdash \langle x, y\rangle = \|x\| \|y\|} \qquad
    \frac{\Gamma \vdash \frac{1}{n(n-1)}\sum_{k \ne m} c_{km} = 1}
    {\Gamma \vdash \langle x_i, x_j\rangle = \|x_i\| \|x_j\|}

    Correlation 1 leaves almost surely no other vectors than multiples of one with one sign. A correlation is
    at most 1, so if those of all pairs of different rows of a matrix are 1 on average, each is; a row is
    aligned with itself. With draws in x or y the premise is about means, over all of them.
    """
    match goal, premises:
        case (
            Holds(N.Relation("==", N.Inner(x, y), N.Multiply(N.Norm(a, "fro"), N.Norm(b, "fro")))),
            (Holds(N.Relation("==", left, right)),),
        ) if (a, b) == (x, y) and right == UNIT:
            if left not in (correlation(context, x, y), average(context, x, y)):
                raise Rejected("premises", "this follows from a correlation of these vectors that is 1")
        case _:
            raise Rejected("statement", "this shows that two vectors are aligned")


def correlation(context: Context, x: N.Node, y: N.Node) -> N.Node:
    """The cosine of two vectors, or their correlation."""
    inner, squares = N.Inner(x, y), [N.Power(N.Norm(part, "fro"), TWO) for part in (x, y)]
    if not draws(context, inner):
        return N.Divide(inner, N.Apply("sqrt", (N.Multiply(*squares),)))
    first, second = (N.Expectation(square) for square in squares)
    return N.Divide(N.Expectation(inner), N.Apply("sqrt", (N.Multiply(first, second),)))


def average(context: Context, x: N.Node, y: N.Node) -> N.Node | None:
    """The average correlation of two different rows of a matrix of which these are rows."""
    match x, y:
        case N.Row(matrix, _), N.Row(other, _) if matrix == other and not _has_index(matrix):
            size = of_size(matrix.shape.rows)
            if size is None or matrix.shape.rows == ONE:
                return None
            free = [name for name in NAMES if name not in context.symbols][:2]
            if len(free) < 2:
                return None
            names = [N.Index(name) for name in free]
            rows = [N.Row(matrix, name) for name in names]
            ranges = tuple(N.Range(name, UNIT, size) for name in free)
            total = N.Sum(correlation(context, *rows), ranges, (N.Condition("!=", *names),))
            return N.Divide(total, N.Multiply(size, N.Subtract(size, UNIT)))
    return None


def _has_index(node: N.Node) -> bool:
    return any(isinstance(part, N.Index) for part in walk(node))


RULES = (Rule("aligned", "order", aligned),)
