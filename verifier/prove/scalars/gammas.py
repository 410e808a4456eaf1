"""Gamma functions of a size: the recursion, and bounds between what differs by them.

gamma(x + m) = x (x + 1) ... (x + m - 1) gamma(x)
gamma(c k + a) / gamma(c k + b) ~ (c k)**(a - b)   as k -> oo

So a share u(k) of such quotients has an algebraic u(k + m)/u(k) and an algebraic limit: if it rises from
each k to k + m it stays below its limit, and if it falls it stays below its first m values.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from verifier.prove.scalars.coefficient_signs import Sign, sign
from verifier.prove.scalars.symbol_ranges import Span, symbol

MOST_STEPS = 60
SIZE = "'size"  # no symbol of a claim has such a name
FROM_ONE = Span(integer=True, low=Fraction(1))


def reduced(expr: sp.Expr) -> sp.Expr:
    """Every gamma(x + m) by gamma(x), for the least x of those that differ by whole numbers."""
    expr = expr.rewrite(sp.gamma) if expr.has(sp.factorial) else expr
    classes: dict[tuple[sp.Expr, sp.Rational], list[sp.Rational]] = defaultdict(list)
    for found in expr.atoms(sp.gamma):
        start, moving = _parts(found)
        if moving != 0 and start.is_Rational:
            classes[moving, start - sp.floor(start)].append(start)
    least = {key: min(starts) for key, starts in classes.items()}

    def lowered(argument: sp.Expr) -> sp.Expr:
        start, moving = _parts(sp.gamma(argument, evaluate=False))
        first = least.get((moving, start - sp.floor(start))) if start.is_Rational else None
        if first is None or start - first > MOST_STEPS:
            return sp.gamma(argument)
        steps = sp.Mul(*(moving + first + i for i in range(int(start - first))))
        return steps * sp.gamma(moving + first)

    return expr.replace(sp.gamma, lowered)


def _parts(gamma: sp.gamma) -> tuple[sp.Expr, sp.Expr]:
    """a and c k of gamma(c k + a)"""
    start, moving = sp.expand(gamma.args[0]).as_coeff_Add()
    return start, moving


@dataclass(frozen=True)
class _Share:
    """What is to be at most 1: a quotient that depends on a whole number `size` through gammas."""

    value: sp.Expr
    size: sp.Symbol
    first: int
    spans: Mapping[str, Span]

    def at(self, size: sp.Expr | int) -> sp.Expr:
        return self.value.subs(self.size, size)

    @property
    def gammas(self) -> dict[sp.Expr, sp.Expr]:
        """The exponent of each gamma."""
        powers = (factor.as_base_exp() for factor in sp.Mul.make_args(self.value))
        return {base: exponent for base, exponent in powers if isinstance(base, sp.gamma)}

    @property
    def slope(self) -> sp.Rational | None:
        """c of gamma(c k + a), where all have the same one."""
        slopes = {_parts(gamma)[1] / self.size for gamma in self.gammas}
        found = slopes.pop() if len(slopes) == 1 else None
        return found if found is not None and found.is_Rational and found > 0 else None


def sign_of_gammas(slack: sp.Expr, spans: Mapping[str, Span]) -> Sign | None:
    """A G - B H >= 0 for products G and H of gammas and positive A, B, if B H/(A G) is at most 1."""
    share = _share(reduced(slack), spans)
    if share is None or share.slope is None:
        return None
    step = int(share.slope.q)
    ratio = sp.simplify(reduced(share.at(share.size + step) / share.value))
    if ratio.has(sp.gamma):
        return None
    growth = sign(sp.together(sp.simplify(ratio**2)) - 1, share.spans)  # squared, for the roots in it
    if growth in ("positive", "nonnegative", "zero"):
        limit = _limit(share)
        if limit is not None and (limit - 1).is_nonpositive:
            return "positive" if growth == "positive" else "nonnegative"
    if growth in ("negative", "nonpositive", "zero"):
        firsts = [sp.simplify(share.at(share.first + i)) for i in range(step)]
        if all((value - 1).is_nonpositive for value in firsts):
            return "nonnegative"
    return None


def _share(slack: sp.Expr, spans: Mapping[str, Span]) -> _Share | None:
    """B H/(A G) of a slack A G - B H."""
    sizes = {_parts(gamma)[1].as_coeff_Mul()[1] for gamma in slack.atoms(sp.gamma)} - {sp.Integer(1)}
    if len(sizes) != 1:
        return None
    (size,) = sizes
    known = {symbol(name, span): span for name, span in spans.items()}
    lows = [span.low for s in size.free_symbols if (span := known.get(s)) is not None and span.integer]
    if len(lows) != len(size.free_symbols) or any(low is None or low < 1 for low in lows):
        return None
    first = int(lows[0] or 1) if size.is_Symbol else 1
    if not size.is_Symbol:  # a product of sizes is a size
        one = symbol(SIZE, FROM_ONE)
        slack, size, spans = slack.subs(size, one), one, {**spans, SIZE: FROM_ONE}
    groups = _by_gammas(slack)
    signs = {product: sign(rest, spans) for product, rest in groups.items()}
    large = [product for product, known_sign in signs.items() if known_sign == "positive"]
    small = [product for product, known_sign in signs.items() if known_sign in ("negative", "nonpositive")]
    if len(groups) != 2 or len(large) != 1 or len(small) != 1:
        return None
    value = -groups[small[0]] * small[0] / (groups[large[0]] * large[0])
    return _Share(value, size, first, spans)


def _by_gammas(slack: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """What stands before each product of gammas."""
    groups: dict[sp.Expr, sp.Expr] = defaultdict(lambda: sp.Integer(0))
    for term in sp.Add.make_args(sp.expand(slack)):
        factors = sp.Mul.make_args(term)
        inside = [factor for factor in factors if isinstance(factor.as_base_exp()[0], sp.gamma)]
        groups[sp.Mul(*inside)] += sp.Mul(*(factor for factor in factors if factor not in inside))
    return {product: sp.factor(rest) for product, rest in groups.items()}


def _limit(share: _Share) -> sp.Expr | None:
    """By gamma(c k + a)**e ~ (c k)**(a e), where the exponents e add up to 0."""
    slope, gammas = share.slope, share.gammas
    if slope is None or sum(gammas.values()) != 0 or not all(e.is_Rational for e in gammas.values()):
        return None
    power = sum((_parts(gamma)[0] * e for gamma, e in gammas.items()), sp.Integer(0))
    rest = sp.simplify(share.value / sp.Mul(*(gamma**e for gamma, e in gammas.items())))
    if rest.free_symbols - {share.size}:
        return None
    found = sp.limit(sp.simplify(rest * (slope * share.size) ** power), share.size, sp.oo)
    return found if found.is_number and found.is_finite else None
