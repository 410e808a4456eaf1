"""The exponential of a series in powers of L and log(L): a scale of what grows, a series of what vanishes."""

import sympy as sp

from verifier.prove.limits import scale_sums as sc
from verifier.prove.limits.scale_sums import ZERO, Key, Part, Scale, composed


def raised(part: Part, order: int) -> tuple[Scale, Part, list[Scale]]:
    """exp(c_0 L**a log(L)**b + c_1 L**(a - 1) log(L)**b + ...): the scale of the terms that grow, the series
    of the others where b is 0 and a whole, else what bounds them."""
    assert part.scale.key is not None
    top, log = part.scale.key
    scale, small, rest = Scale(), [ZERO] * order, []
    start = ZERO
    for k, c in enumerate(part.series):
        key = (top - k, log)
        if c == 0:
            continue
        if key > (ZERO, ZERO):
            scale = scale * _exponential_scale(key, c)
        elif key == (ZERO, ZERO):
            start = c
        elif log == 0 and top.is_Integer and k - top < order:
            small[int(k - top)] = c
        else:
            rest.append(Scale(p=key[0], q=key[1]))
    if not part.exact:
        rest.append(part.scale.lowered(len(part.series)))
    if not any(small):
        return scale, Part(Scale(), (sp.exp(start),), exact=True), rest
    series = composed(lambda k: 1 / sp.factorial(k), tuple(small))
    return scale, Part(Scale(), tuple(sp.exp(start) * c for c in series)), rest


def _exponential_scale(key: Key, coefficient: sp.Expr) -> Scale:
    """exp(c L**a log(L)**b)."""
    match key:
        case sc.ENTROPY:
            return Scale(s=coefficient)
        case sc.RATE:
            return Scale(r=sp.exp(coefficient))
        case sc.POWER:
            return Scale(p=sp.expand(coefficient))
    return Scale(h=((key, coefficient),))
