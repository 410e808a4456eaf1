"""The largest singular value of what is a multiple of an isometry where it is not 0."""

from collections.abc import Iterator

from verifier.expr import nodes as N
from verifier.kernel.asymptotic.scale import sign_of
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.judgement import Holds, Judgement
from verifier.kernel.normal.atoms import Inverse, Poly, of_atom
from verifier.kernel.normal.equal import equal_entries
from verifier.kernel.normal.factors import factors
from verifier.kernel.normal.sign import is_nonnegative
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.rules.norms import square_of


def isometry(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\mathrm{nf}((A^T A)^2 - c^2 A^T A) = 0 \qquad A \ne 0 \qquad c \ge 0}
    {\Gamma \vdash \|A\|_2 = c}

    The eigenvalues of A.T @ A are 0 or c**2 then, and not all are 0. A is not 0 since the sum of the squares
    of its entries is a product of factors that are positive by their declarations or by an assumption, or
    that the author divides by.
    """
    match goal:
        case Holds(N.Relation("==", N.Norm(arg, "2"), c)) if not premises and not data:
            pass
        case _:
            raise Rejected("statement", "the largest singular value of a matrix")
    if not is_nonnegative(context, c):
        raise Rejected("condition", "a number that may be negative")
    gram = N.MatMul(N.Transpose(arg), arg)
    equal_entries(context, N.Relation("==", N.MatMul(gram, gram), N.Multiply(square_of(c), gram)))
    algebra = ZeroTest(context)
    algebra.know_signs()
    squares, size = (settled(algebra.reader, algebra.reader.scalar(e)) for e in (square_of(N.Norm(arg)), c))
    for term in (squares, size):
        algebra.know_divided(term, frozenset())
    found = algebra.without_inverses(algebra.normal(squares))
    if not found.terms or not all(_is_apart(algebra, part) for part in _factors(algebra, found)):
        raise Rejected("condition", "a matrix that may be 0")


def _factors(algebra: ZeroTest, poly: Poly) -> Iterator[Poly]:
    outer, inner = algebra.content(poly)
    ((powers, _),) = outer.terms.items()  # what is divided by is not 0
    atoms = (atom for atom, power in powers if power > 0 and not isinstance(atom, Inverse))
    yield from map(of_atom, atoms)
    yield from (part for part, _ in factors(inner, algebra.is_nonnegative_poly) if part.constant is None)


def _is_apart(algebra: ZeroTest, factor: Poly) -> bool:
    return algebra.is_not_zero(factor) or sign_of(algebra, factor) in ("<", ">")


RULES = (Rule("isometry", "order", isometry),)
