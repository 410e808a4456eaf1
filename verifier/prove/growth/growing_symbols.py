"""What grows: the symbols that are free to, and the fixed matrices whose sizes do.

One constant serves all values of a matrix, and its norms are no constants where its size grows: norm(X)**2
of an n-by-d matrix X is not O(1) as d -> oo, for X may be a matrix of ones.
"""

from dataclasses import replace

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import symbols_in, walk
from verifier.prove.scalars.scalar_refusal import Refused


def over_matrices(claim: Claim, left: n.Node) -> bool:
    """Growth uniform over fixed matrices: a sup, all values at once, or matrices that grow themselves."""
    if any(isinstance(part, n.Extreme) for part in walk(left)):
        return True
    names = symbols_in(left)
    shapes = [claim.symbols[name].shape for name in names - claim.random]
    moving = {symbol.name for symbol in claim.growing}
    matrices = [shape for shape in shapes if not shape.is_scalar]
    if names & claim.random or not matrices:
        return False
    return not moving or any((shape.rows.names | shape.cols.names) & moving for shape in matrices)


def growing_freely(claim: Claim) -> Claim:
    """Where an assumption writes a growing symbol by another one, as d == 2*n, that one grows."""
    given = {found[0].name: found[1] for a in claim.assumptions if (found := a.substitution) is not None}
    names: list[n.Symbol] = []
    for symbol in claim.growing:
        if symbol.name not in given:
            names.append(symbol)
            continue
        inside = {part for part in walk(given[symbol.name]) if isinstance(part, n.Symbol)}
        if len(inside) != 1 or not _grows_with(given[symbol.name]):
            raise Refused(f"growth in {symbol.name}, which an assumption replaces")
        names += inside
    return replace(claim, growing=tuple(dict.fromkeys(names)))


def _grows_with(value: n.Node) -> bool:
    """Sums, products, roots and logarithms of a size and of numbers >= 0 tend to infinity with it, and only
    then."""
    match value:
        case n.Symbol():
            return True
        case n.Add(n.Number(c), grown) | n.Add(grown, n.Number(c)):
            return c >= 0 and _grows_with(grown)
        case n.Multiply(n.Number(c), grown) | n.Multiply(grown, n.Number(c)) | n.Power(grown, n.Number(c)):
            return c > 0 and _grows_with(grown)
        case n.Divide(grown, n.Number(c)):
            return c > 0 and _grows_with(grown)
        case n.Add(left, right) | n.Multiply(left, right):
            return _grows_with(left) and _grows_with(right)
        case n.Subtract(grown, n.Number()) | n.Apply("sqrt" | "log", (grown,)):
            return _grows_with(grown)
    return False
