"""Spectral norms of multiples of partial isometries.

    G = A A',   G G = c G,   A != 0        then   norm(A, 2) = sqrt(c),   c = tr(G G)/tr(G)

since the eigenvalues of G are 0 and c. Jacobians of normalisations are of this kind, on one row
sqrt(n)/|x| times a projection, and so are projections, outer products and multiples of rotations. A is not
zero where the trace of G is positive; where that is not certain (rows of length 1), nothing is said, unless c
is 0 with A.
"""

from operator import or_

from verifier.symbolic import forms as F
from verifier.symbolic.components import is_positive
from verifier.symbolic.constraints import positive_components, scalar_bounds
from verifier.symbolic.fold import folded
from verifier.symbolic.forms import Form
from verifier.symbolic.lower import Lowering
from verifier.symbolic.network import Sum
from verifier.symbolic.network.tensors import Flat
from verifier.symbolic.nonlinear.quotients import divided
from verifier.symbolic.positive import Signs
from verifier.symbolic.refusal import Refusal
from verifier.symbolic.rules import cleared, settled
from verifier.symbolic.scalars import inverse, root
from verifier.symbolic.workspace import Workspace

_MOST_TERMS = 60


def spectral(lowering: Lowering, form: Form) -> Sum:
    """norm(A, 2), or a refusal."""
    space, turned = lowering.space, F.transpose(form)
    short = len(form.rows) <= len(form.cols)
    gram = F.matmul(form, turned) if short else F.matmul(turned, form)
    value = _tidy(space, gram.value)
    if len(value.terms) > _MOST_TERMS:
        raise Refusal("a closed form of norm(., 2)")
    gram = Form(value, gram.rows, gram.cols)
    size = _tidy(space, F.trace(gram))
    if not size:
        return size
    square = F.matmul(gram, gram)
    ratio = _tidy(space, F.trace(square) * inverse(space, size))
    signs = Signs(space, scalar_bounds(lowering), positive_components(lowering))
    if not _vanishes(space, square.value - value * ratio) or not _is_sure(space, size, ratio, signs):
        raise Refusal("a closed form of norm(., 2)")
    if any(space.opaque[x].function == "inv" for x in ratio.tensors() & space.opaque.keys()):
        return ratio * root(space, inverse(space, ratio))  # as every 1/sqrt(S) is written: sqrt(S)/S
    return root(space, ratio)


def _tidy(space: Workspace, value: Sum) -> Sum:
    return divided(space, folded(space, settled(space, value)))


def _vanishes(space: Workspace, value: Sum) -> bool:
    value = _tidy(space, value)
    return not value or not cleared(space, value)


def _is_sure(space: Workspace, size: Sum, ratio: Sum, signs: Signs) -> bool:
    """Whether the trace, a single term, is positive wherever it is defined, or the ratio is 0 with it."""
    if len(size.terms) != 1:
        return False
    ((monomial, coefficient),) = size.terms.items()
    shared = [all(c in dict(m) for m in ratio.terms) for c, _ in monomial]
    known = [c in signs.positive or _never_zero(space, c, signs) for c, _ in monomial]
    return signs.nonnegative(coefficient, strict=True) and all(map(or_, shared, known))


def _never_zero(space: Workspace, component: Flat, signs: Signs) -> bool:
    """1/S for S that is never negative is positive wherever it is defined."""
    if is_positive(space, component):
        return True
    inverses = [space.opaque.get(name) for name, _ in component]
    return all(o is not None and o.function == "inv" and signs.proves(o.argument) for o in inverses)
