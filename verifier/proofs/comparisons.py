"""How sums of powers grow: by the integrals of their terms."""

from collections.abc import Iterator
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr.nodes import Relation
from verifier.expr.walk import distinct, free_indices
from verifier.kernel.context import Context
from verifier.kernel.proof import Proof
from verifier.kernel.rules.defined import unfolded
from verifier.proofs.linear import ONE, ZERO, at_most
from verifier.proofs.order import first_accepted
from verifier.proofs.surface import replaced


def compared(context: Context, tree: N.Node, upwards: bool) -> Iterator[tuple[N.Node, Proof]]:
    """The tree with a bound in the place of a sum of powers, proved not to be smaller, or larger."""
    tree = unfolded(context, tree)
    for part in dict.fromkeys(distinct(tree)):
        if not isinstance(part, N.Sum) or free_indices(part):
            continue
        for bound in _bounds(part, upwards):
            pair = (part, bound) if upwards else (bound, part)
            known = first_accepted(context, Relation("<=", *pair))
            if known is None:
                continue
            moved = replaced(tree, part, bound)
            ends = (tree, moved) if upwards else (moved, tree)
            yield moved, known if part == tree else Proof("monotone", at_most(*ends), (known,))
            break


def _bounds(total: N.Sum, upwards: bool) -> Iterator[N.Node]:
    """Of sum(c*i**p, i, 1, n): by c, by c*log(n), by c*n**(p + 1), whichever it grows as."""
    match total:
        case N.Sum(body, (N.Range(index, low, n),), ()) if low == ONE:
            power, factor = _power(body, N.Index(index))
        case _:
            return
    if power is None or free_indices(factor):
        return
    numbers = (Fraction(2), Fraction(1)) if upwards else (Fraction(1), Fraction(1, 2), Fraction(1, 4))
    if power == -1:
        log = N.Apply("log", (n,))
        yield N.Multiply(factor, N.Add(ONE, log) if upwards else log)
    for number in numbers if power != -1 else ():
        size = factor if number == 1 else N.Multiply(N.Number(number), factor)
        beyond = power + 1
        grown = N.Apply("sqrt", (n,)) if beyond == Fraction(1, 2) else N.Power(n, N.Number(beyond))
        yield size if beyond < 0 else N.Multiply(size, grown)


def _power(body: N.Node, i: N.Node) -> tuple[Fraction | None, N.Node]:
    """p and c of c*i**p."""
    match body:
        case _ if body == i:
            return Fraction(1), ONE
        case N.Power(base, N.Number(value)) if base == i:
            return value, ONE
        case N.Apply("sqrt", (arg,)):
            power, factor = _power(arg, i)
            return (None, ZERO) if power is None or factor != ONE else (power / 2, ONE)
        case N.Multiply(c, arg) | N.Multiply(arg, c) if not free_indices(c):
            power, factor = _power(arg, i)
            return power, c if factor == ONE else N.Multiply(c, factor)
        case N.Divide(c, arg) if not free_indices(c):
            power, factor = _power(arg, i)
            return (None if power is None else -power), c if factor == ONE else N.Divide(c, factor)
    return None, ZERO
