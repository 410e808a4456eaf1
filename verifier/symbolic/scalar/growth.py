"""left <= O(f), >= Omega(f), == Theta(f), as some symbols grow; constants may depend on the others."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import sympy as sp

from verifier.evidence import Counterexample, Finding, Tightness
from verifier.expr import nodes as n
from verifier.symbolic.scalar.back import from_sympy
from verifier.symbolic.scalar.limits import evaluate, generic, parameter_points, symbolic_limit
from verifier.symbolic.scalar.orders import dominated, escaping_path, leading, newton
from verifier.symbolic.scalar.reading import Reading
from verifier.symbolic.scalar.refuse import Refused
from verifier.symbolic.scalar.signs import sign
from verifier.symbolic.scalar.zero import expand_sums, factored_bases

Kind = Literal["O", "Omega", "Theta"]
Answer = Literal["true", "false", "unknown"]
LADDER = (10, 100, 1000, 10_000)


@dataclass(frozen=True)
class Bound:
    """One direction: is upper = O(lower)? `path` and `at` say along what it fails."""

    answer: Answer
    strict: bool = False
    path: tuple[int, ...] = ()
    at: Mapping[sp.Symbol, sp.Rational] | None = None
    reason: str = ""


def decide(reading: Reading, kind: Kind, sharp: bool) -> Finding:
    """`sharp`: the left side is known up to constants; otherwise only an upper bound of it is."""
    growing = tuple(reading.translator.free(s.name) for s in reading.claim.growing)
    if not growing:
        raise Refused("growth over all values at once")
    left, right = (_plain(side) for side in (reading.left, reading.right))
    above = bounded(reading, left, right, growing) if kind in ("O", "Theta") else Bound("true")
    below = bounded(reading, right, left, growing) if kind in ("Omega", "Theta") else Bound("true")
    if not sharp:
        # Only left <= C * surrogate is known: an upper bound may be proved, nothing refuted.
        above = above if above.answer == "true" else Bound("unknown", reason="only an upper bound is known")
        below = below if kind == "O" else Bound("unknown", reason="only an upper bound is known")
    for bound, over, under in ((above, left, right), (below, right, left)):
        if bound.answer == "false":
            return _fails(reading, bound, left, right, growing, over, under)
    if "unknown" in (above.answer, below.answer):
        reason = next(b.reason for b in (above, below) if b.answer == "unknown")
        return reading.finding("unknown", missing="the leading order of both sides", reason=reason)
    reason = {"O": "the ratio stays bounded", "Omega": "the ratio stays away from 0", "Theta": "both"}[kind]
    tightness = _tightness(reading, kind, above, below, left, right, growing) if sharp else None
    return reading.finding("true", "proved", reason=reason, tightness=tightness)


def _plain(expr: sp.Expr) -> sp.Expr:
    return factored_bases(expand_sums(expr))


# --- one direction ------------------------------------------------------------------------------------


def bounded(reading: Reading, over: sp.Expr, under: sp.Expr, growing: tuple[sp.Symbol, ...]) -> Bound:
    """Whether |over| <= C |under| once the growing symbols are large, for every value of the rest."""
    reading.clock.check()
    if over == 0:
        return Bound("true", strict=True)
    found = _by_monomials(reading, over, under, growing)
    if found.answer == "unknown" and len(growing) == 1:
        found = _by_limit(reading, over, under, growing[0])
    return found


def _by_monomials(
    reading: Reading, over: sp.Expr, under: sp.Expr, growing: tuple[sp.Symbol, ...]
) -> Bound:
    """over <= C under  iff  (over/under)**2k = P/R with P = O(R), polynomials in the roots of the sizes."""
    spans = reading.translator.spans
    ratio = sp.together(sp.powsimp(over / under))
    for power in (1, 2, 4):
        above, below = sp.fraction(sp.together(sp.powdenest(sp.expand_power_base(ratio**power))))
        roots = {s: sp.Dummy(s.name, positive=True) for s in growing}
        raised = [sp.expand(part.subs({s: r**2 for s, r in roots.items()})) for part in (above, below)]
        if all(part.is_polynomial(*roots.values()) for part in raised):
            break
    else:
        return Bound("unknown", reason="not a ratio of polynomials in the growing symbols")
    signs = [sign(part, spans) for part in (over, under)]
    if any(s not in ("positive", "nonnegative") for s in signs) and not _eventually(raised, roots, spans):
        return Bound("unknown", reason="a side whose sign is not clear")
    shapes = [newton(part, tuple(roots.values()), spans) for part in raised]
    if shapes[0] is None or shapes[1] is None:
        return Bound("unknown", reason="terms of unclear sign")
    high, low = shapes
    if dominated(high.monomials, low.sure):
        # little-o: along every path the ratio tends to 0, that is every monomial is strictly below
        strict = all(not dominated([m], [r]) or m != r for m in high.monomials for r in low.sure)
        return Bound("true", strict=strict and len(growing) == 1 or _strictly(high.monomials, low.sure))
    weights = escaping_path(high.sure, low.monomials)
    if weights is not None:
        return Bound("false", path=weights, reason="the ratio grows without bound")
    return Bound("unknown", reason="a coefficient that may vanish decides")


def _eventually(raised: list[sp.Expr], roots: Mapping[sp.Symbol, sp.Symbol], spans: object) -> bool:
    """Both sides are >= 0 once the sizes are large: their coefficients say so."""
    return all(newton(part, tuple(roots.values()), spans) is not None for part in raised)  # type: ignore[arg-type]


def _strictly(high: frozenset[tuple[sp.Rational, ...]], low: frozenset[tuple[sp.Rational, ...]]) -> bool:
    """Every monomial above is exceeded, in some exponent and in none undercut, by one below."""
    return all(any(dominated([m], [r]) and m != r for r in low) and m not in low for m in high)


def _by_limit(reading: Reading, over: sp.Expr, under: sp.Expr, growing: sp.Symbol) -> Bound:
    """The limit of the ratio, where it exists for every value of the parameters."""
    ratio = sp.powsimp(sp.cancel(sp.together(over / under)))
    if growing not in ratio.free_symbols:
        value = ratio
    else:
        generic_points = parameter_points(ratio.free_symbols - {growing}, reading.translator.spans, 4)
        escape = _escapes(reading, ratio, growing, generic_points)
        if escape is not None:
            return escape
        value = _checked_limit(reading, ratio, growing)
    if value in (sp.oo, -sp.oo):
        return Bound("unknown", reason="a ratio without bound that numbers do not show")
    below = sp.fraction(sp.together(ratio))[1]
    if sign(below, reading.translator.spans) not in ("positive", "negative") and not _zeros_match(
        reading, over, below
    ):
        return Bound("unknown", reason="a denominator that may vanish")
    return Bound("true", strict=value == 0)


def _checked_limit(reading: Reading, ratio: sp.Expr, growing: sp.Symbol) -> sp.Expr:
    limiter = reading.translator.limiter
    return limiter(ratio, growing, sp.oo)


def _escapes(
    reading: Reading, ratio: sp.Expr, growing: sp.Symbol, points: list[dict[sp.Symbol, sp.Rational]]
) -> Bound | None:
    """Values of the parameters at which the ratio tends to infinity, seen by limit and by numbers."""
    for at in points:
        reading.clock.check()
        here = ratio.subs(at)
        sizes = [evaluate(here.subs(growing, 10**k)) for k in (2, 3, 4, 5)]
        if any(size is None for size in sizes):
            continue
        steps = [abs(b) > 1.5 * abs(a) for a, b in zip(sizes, sizes[1:], strict=False)]
        if all(steps):
            try:
                limit = symbolic_limit(here, growing, sp.oo)
            except Refused:
                continue
            if limit in (sp.oo, -sp.oo):
                return Bound("false", at=at, reason="the ratio grows without bound")
    return None


def _zeros_match(reading: Reading, over: sp.Expr, below: sp.Expr) -> bool:
    """Where norm(X) = 0 in the denominator, X = 0: then every invariant of X must make `over` 0."""
    atoms = reading.translator.atoms
    zero_of: set[str] = set()
    for base in sp.factor(below).as_powers_dict():
        known = sign(base, reading.translator.spans)
        if known in ("positive", "negative"):
            continue
        match atoms.get(base):
            case n.Norm(n.Symbol(name)):
                zero_of.add(name)
            case _:
                return False
    for name in zero_of:
        gone = {a: 0 for a, node in atoms.items() if _mentions(node, name)}
        if sp.simplify(over.subs(gone)) != 0:
            return False
    return bool(zero_of)


def _mentions(node: n.Node, name: str) -> bool:
    from verifier.expr.walk import walk

    return any(isinstance(part, n.Symbol) and part.name == name for part in walk(node))


# --- what to report -------------------------------------------------------------------------------------


def _fails(
    reading: Reading,
    bound: Bound,
    left: sp.Expr,
    right: sp.Expr,
    growing: tuple[sp.Symbol, ...],
    over: sp.Expr,
    under: sp.Expr,
) -> Finding:
    """The sizes along which the ratio runs away, with the ratios there."""
    weights = bound.path or (1,) * len(growing)
    rest = (over.free_symbols | under.free_symbols) - set(growing)
    at = dict(bound.at or parameter_points(rest, reading.translator.spans, 1)[0])
    values: dict[str, object] = {
        _name(reading, free): _shown(value) for free, value in at.items() if free not in growing
    }
    columns: dict[str, list[int]] = {s.name: [] for s in growing}
    ratios: list[float] = []
    for size in LADDER:
        sizes = {s: size**w for s, w in zip(growing, weights, strict=True)}
        number = evaluate((left / right).subs(at).subs(sizes))
        if number is None:
            continue
        for s, value in sizes.items():
            columns[s.name].append(value)
        ratios.append(float(number))
    example = Counterexample({**values, **columns, "ratio": ratios}, None, None)
    return reading.finding(
        "false",
        "proved",
        reason=bound.reason if over is left else "the ratio tends to 0",
        counterexample=example,
        corrected=_corrected(reading, left, growing),
    )


def _name(reading: Reading, free: sp.Symbol) -> str:
    return str(free.name)


def _shown(value: sp.Rational) -> object:
    return int(value) if value.is_Integer else str(Fraction(int(value.p), int(value.q)))


def _tightness(
    reading: Reading,
    kind: Kind,
    above: Bound,
    below: Bound,
    left: sp.Expr,
    right: sp.Expr,
    growing: tuple[sp.Symbol, ...],
) -> Tightness | None:
    if kind == "Theta":
        return None
    loose = above.strict if kind == "O" else below.strict
    if not loose:
        return Tightness(True)
    better = _corrected(reading, left, growing)
    return Tightness(False, better=None if better is None else f"{kind}({better})")


def _corrected(reading: Reading, left: sp.Expr, growing: tuple[sp.Symbol, ...]) -> str | None:
    """The leading order of the left side, in the growing symbols alone."""
    try:
        terms = _leading_terms(reading, left, growing)
    except Refused:
        terms = None
    return None if terms is None else reading.text(terms)


def _leading_terms(reading: Reading, left: sp.Expr, growing: tuple[sp.Symbol, ...]) -> sp.Expr | None:
    for power in (1, 2, 4):
        above, below = sp.fraction(sp.together(sp.powdenest(sp.expand_power_base(left**power))))
        if above.is_polynomial(*growing) and below.is_polynomial(*growing):
            shapes = [newton(sp.expand(part), growing, reading.translator.spans) for part in (above, below)]
            if shapes[0] is None or shapes[1] is None:
                return None
            tops, bottoms = leading(shapes[0].monomials), leading(shapes[1].monomials)
            if len(bottoms) != 1:
                return None
            monomials = [
                sp.Mul(*(s ** ((a - b) / sp.Integer(power)) for s, a, b in zip(growing, top, bottoms[0], strict=True)))
                for top in tops
            ]
            if power > 1 and len(monomials) > 1:
                return None
            return sp.Add(*monomials)
    return None


__all__ = ["decide", "from_sympy", "generic"]
