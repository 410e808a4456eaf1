"""Spectral norms of multiples of partial isometries.

    G = A A',   G G = c G,   A != 0        then   norm(A, 2) = sqrt(c),   c = tr(G G)/tr(G)

since the eigenvalues of G are 0 and c. Jacobians of normalisations are of this kind, on one row
sqrt(n)/|x| times a projection, and so are projections, outer products and multiples of rotations. A is not
zero where the trace of G is positive; where that is not certain (rows of length 1), nothing is said, unless c
is 0 with A.
"""

from operator import or_

from verifier.prove.bounds.positive_sums import Signs
from verifier.prove.forms import matrix_forms as F
from verifier.prove.forms.component_signs import is_positive
from verifier.prove.forms.function_identities import cleared, settled
from verifier.prove.forms.matrix_forms import Form
from verifier.prove.forms.refusal import Refusal
from verifier.prove.forms.scalar_sums import inverse, root
from verifier.prove.forms.softmax_weights import folded
from verifier.prove.forms.workspace import Workspace
from verifier.prove.integrate.inverse_sums import divided
from verifier.prove.lower.assumption_rules import positive_components, scalar_bounds
from verifier.prove.lower.lower import Lowering
from verifier.prove.networks import Sum
from verifier.prove.networks.network_tensors import Flat

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
