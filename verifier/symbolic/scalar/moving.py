"""Fixed matrices whose sizes grow: one constant serves all their values, and their norms are no constants.

norm(X)**2 of an n-by-d matrix X is not O(1) as d -> oo: X may be a matrix of ones.
"""

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import walk


def over_matrices(claim: Claim, left: n.Node) -> bool:
    """Growth uniform over fixed matrices: a sup, all values at once, or matrices that grow themselves."""
    if any(isinstance(part, n.Extreme) for part in walk(left)):
        return True
    names = {part.name for part in walk(left) if isinstance(part, n.Symbol | n.Member)}
    shapes = [claim.symbols[name].shape for name in names - claim.random]
    moving = {symbol.name for symbol in claim.growing}
    matrices = [shape for shape in shapes if not shape.is_scalar]
    if names & claim.random or not matrices:
        return False
    return not moving or any((shape.rows.names | shape.cols.names) & moving for shape in matrices)
