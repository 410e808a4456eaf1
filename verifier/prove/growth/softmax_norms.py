"""Norms of a softmax lie between numbers: rows/cols <= norm(softmax(M))**2 <= rows.

Whatever diverges inside, such a norm and its mean are of the order of 1 as long as the size stays.
"""

from fractions import Fraction

from verifier.claim.model import Claim
from verifier.expr import nodes as n
from verifier.expr.walk import rebuild, walk
from verifier.prove.growth.norm_moments import Surrogate

ONE = n.Number(Fraction(1))
NOTE = "a norm of a softmax lies between two positive numbers that its size gives"


def through_softmax(claim: Claim, left: n.Node, growing: frozenset[str]) -> Surrogate | None:
    """Something of the same order without these norms; None where it is no product, or all sizes count."""
    found = _Pinched(claim, growing).order(left) if growing else None
    return None if found is None or found == left else Surrogate(found, True, (NOTE,))


class _Pinched:
    def __init__(self, claim: Claim, growing: frozenset[str]) -> None:
        assumed = [item.fact for item in claim.assumptions]
        self.random = claim.random
        self.growing = growing
        self.lets = {found[0].name for item in claim.assumptions if (found := item.assumed_value)}
        self.bound = {part.name for fact in assumed for part in walk(fact) if isinstance(part, n.Symbol)}

    def order(self, node: n.Node) -> n.Node | None:
        """The scalar up to constants; None where it is not seen."""
        match node:
            case n.Let(name, body) if name not in self.lets and node.shape.is_scalar:
                return self.order(body)
            case n.Norm(arg, "fro" | "2") if self._is_softmax(arg):
                names = arg.shape.rows.names | arg.shape.cols.names
                return None if names & (self.growing | self.bound) else ONE
            case n.Expectation(body, ()):
                inner = self.order(body)
                return None if inner is None or self._is_random(inner) else inner
            case n.Power(base, n.Number()):
                inner = self.order(base)
                return None if inner is None else n.Power(inner, node.exponent)
            case n.Multiply() | n.Divide() | n.Apply("sqrt", _):
                parts = {part: self.order(part) for part in _factors(node)}
                if any(inner is None for inner in parts.values()):
                    return None
                return rebuild(node, lambda part: parts[part] or part)
        plain = all(part.shape.is_scalar for part in walk(node)) and not self._is_random(node)
        return node if plain and not any(isinstance(part, n.Let | n.After) for part in walk(node)) else None

    def _is_random(self, node: n.Node) -> bool:
        return any(isinstance(part, n.Symbol | n.Member) and part.name in self.random for part in walk(node))

    def _is_softmax(self, node: n.Node) -> bool:
        match node:
            case n.Let(name, body):
                return name not in self.lets and self._is_softmax(body)
            case n.Transpose(arg):
                return self._is_softmax(arg)
            case n.RowWise("softmax"):
                return True
        return False


def _factors(node: n.Node) -> tuple[n.Node, ...]:
    match node:
        case n.Multiply(left, right) | n.Divide(left, right):
            return left, right
        case n.Apply(_, args):
            return args
    return ()
