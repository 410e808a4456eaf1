"""Order, entry by entry: the sign of a normal form, read off its terms."""

from verifier.expr.nodes import Relation
from verifier.kernel.context import Context
from verifier.kernel.core.settle import settled
from verifier.kernel.normal.equal import difference
from verifier.kernel.normal.shift import is_signed
from verifier.kernel.normal.zero import ZeroTest
from verifier.kernel.rejected import Rejected


def signed_entries(context: Context, fact: Relation) -> None:
    """Accepts an inequality whose larger side less the smaller is a sum of terms that are never negative; one
    of these is positive where the inequality is strict."""
    small, large = (fact.left, fact.right) if fact.op in ("<", "<=") else (fact.right, fact.left)
    for expands in (False, True):
        algebra = ZeroTest(context, expands=expands)
        gap = algebra.normal(settled(algebra.reader, difference(algebra, large, small)))
        if is_signed(algebra, gap, fact.op in ("<", ">")):
            return
    raise Rejected("differs", "a term of the difference is not known to have the right sign")
