"""Proofs that an expression vanishes identically, by rewriting alone.

Each rule below turns an expression into an equal one. A zero at the end is a proof, up to mistakes
of SymPy, which is why the caller confirms it at points in exact or interval arithmetic.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

import sympy as sp

from verifier.prove.scalars.gammas import reduced
from verifier.prove.scalars.many_digits import is_nonzero_somewhere
from verifier.prove.scalars.scalar_refusal import Clock, Refused

MAX_KINKS = 4
MAX_OPERATIONS = 400
Rule = Callable[[sp.Expr], sp.Expr]


def vanishes(expr: sp.Expr, clock: Clock) -> bool:
    """Whether every case of the expression simplifies to 0."""
    return all(_is_zero(case, clock) for case in cases(expr))


# --- cases ------------------------------------------------------------------------------------------


def cases(expr: sp.Expr) -> Iterator[sp.Expr]:
    """abs(u) is u or -u, a sum that SymPy knows under a condition is taken on both sides of it.

    At u = 0 both choices agree with abs(u), and a derivative is not asked for there: two suffice."""
    expr = expand_sums(expr)
    kinks = sorted(_kinks(expr), key=sp.default_sort_key)
    if len(kinks) > MAX_KINKS:
        yield expr
        return
    if kinks:
        inner = min(kinks, key=lambda u: sp.count_ops(u))
        for direction in (1, -1):
            yield from cases(_signed(expr, inner, direction))
        return
    yield from _conditional(expr)


def _kinks(expr: sp.Expr) -> set[sp.Expr]:
    return {part.args[0] for part in expr.atoms(sp.Abs) | expr.atoms(sp.sign)}


def _signed(expr: sp.Expr, inner: sp.Expr, direction: int) -> sp.Expr:
    values = {sp.Abs(inner, evaluate=False): direction * inner, sp.sign(inner, evaluate=False): direction}
    values |= {sp.Abs(inner): direction * inner, sp.sign(inner): sp.Integer(direction)}
    return expr.xreplace(values)


def _conditional(expr: sp.Expr) -> Iterator[sp.Expr]:
    """A geometric sum is (1 - r**n)/(1 - r), or n where r == 1."""
    found = next(iter(expr.atoms(sp.Piecewise)), None)
    if found is None:
        yield expr
        return
    for value, condition in found.args:
        chosen = expr.xreplace({found: value})
        if isinstance(condition, sp.Eq):
            yield from _where(chosen, condition)
        elif condition in (sp.true, True) or isinstance(condition, sp.Ne):
            yield from cases(chosen)
        else:
            yield expr  # a condition nobody here can use: not proved
            return


def _where(expr: sp.Expr, condition: sp.Eq) -> Iterator[sp.Expr]:
    """The expression under an equation, solved for one of its symbols."""
    free = sorted(condition.free_symbols, key=sp.default_sort_key)
    for variable in free:
        for value in sp.solve(condition.lhs - condition.rhs, variable):
            special = expr.subs(variable, value)
            if not special.has(sp.nan, sp.zoo):  # undefined there: such points are left out
                yield from cases(special)
        return
    yield expr


def generic_branch(expr: sp.Expr) -> sp.Expr:
    """The expression away from the zeros of its parameters: a geometric sum with r = 1 + a, a != 0.

    Refused where a condition is anything but `some parameter is 0`; who calls this looks at zero
    parameters separately."""
    expr, conditions = generic_case(expr)
    for equation in conditions:
        if not any(sp.solve(equation, s) in ([], [0]) for s in equation.free_symbols):
            raise Refused("an expression given by cases")
    return expr


def generic_case(expr: sp.Expr) -> tuple[sp.Expr, list[sp.Expr]]:
    """The expression where none of the returned ones is 0."""
    expr, conditions = expand_sums(expr), []
    for found in expr.atoms(sp.Piecewise):
        (_, condition), *rest = found.args
        if not isinstance(condition, sp.Eq) or len(rest) != 1 or rest[0][1] != sp.true:
            raise Refused("an expression given by cases")
        conditions.append(condition.lhs - condition.rhs)
        expr = expr.xreplace({found: rest[0][0]})
    return expr, conditions


# --- rewriting --------------------------------------------------------------------------------------


def expand_sums(expr: sp.Expr) -> sp.Expr:
    return expr.doit() if expr.has(sp.Sum, sp.Product) else expr


def double_factorials(expr: sp.Expr) -> sp.Expr:
    """(2m)!! = 2**m m!, (2m - 1)!! = (2m)!/(2**m m!)."""

    def rewritten(arg: sp.Expr) -> sp.Expr:
        if arg.is_even:
            half = arg / 2
            return 2**half * sp.factorial(half)
        if arg.is_odd:
            half = (arg + 1) / 2
            return sp.factorial(2 * half) / (2**half * sp.factorial(half))
        return sp.factorial2(arg)

    return expr.replace(sp.factorial2, rewritten)


def _gammas(expr: sp.Expr) -> sp.Expr:
    """Factorials and binomials by the recursion and the duplication of the gamma function."""
    if not expr.has(sp.factorial, sp.factorial2, sp.binomial, sp.gamma):
        return expr
    return sp.gammasimp(reduced(double_factorials(expr).rewrite(sp.gamma)))


@lru_cache(maxsize=512)
def _factored(base: sp.Expr) -> sp.Expr:
    return sp.factor(base)


def factored_bases(expr: sp.Expr) -> sp.Expr:
    """(a*b + a)**L = a**L (b + 1)**L, where signs allow; b**(L+1) = b b**L; exp(a+b) = exp(a) exp(b)."""

    def split(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        if exponent.is_Integer:
            return base**exponent
        return sp.expand_power_exp(sp.expand_power_base(_factored(base) ** exponent))

    return sp.expand_power_exp(expr.replace(sp.Pow, split))


def even_powers(expr: sp.Expr) -> sp.Expr:
    """(-b)**(2*L) = b**(2*L), with the sign that b has in its other powers."""
    bound = {power.base for power in expr.atoms(sp.Pow) if not power.exp.is_even}

    def turned(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        free = exponent.is_even and not exponent.is_Integer and base not in bound
        return (-base if free and (-base in bound or base.could_extract_minus_sign()) else base) ** exponent

    return expr.replace(sp.Pow, turned)


def one_rational(expr: sp.Expr) -> sp.Expr:
    """One fraction in lowest terms, powers and functions taken as unknowns."""
    return sp.cancel(sp.together(factored_bases(even_powers(expr))))


def by_exponentials(expr: sp.Expr) -> sp.Expr:
    """tanh, sinh and cosh by exponentials."""
    return one_rational(expr.rewrite([sp.tanh, sp.sinh, sp.cosh], sp.exp))


def _logarithms(expr: sp.Expr) -> sp.Expr:
    """log(a*b) = log a + log b, log(a**k) = k log a for positive a, b."""
    expr = expr.replace(sp.log, lambda arg: sp.log(sp.factor(sp.together(arg))))
    return one_rational(sp.expand_log(expr))


RULES: tuple[tuple[str, Rule], ...] = (
    ("one fraction", one_rational),
    ("gamma functions", lambda expr: one_rational(_gammas(expr))),
    ("hyperbolic functions by exponentials", by_exponentials),
    ("logarithms of products", _logarithms),
    ("roots in denominators", lambda expr: sp.radsimp(sp.expand(expr))),
    ("trigonometric identities", lambda expr: sp.trigsimp(sp.expand_trig(expr))),
    ("logarithms of exponentials", lambda expr: sp.logcombine(by_exponentials(expr))),
    ("simplification", sp.simplify),
)


def _is_zero(expr: sp.Expr, clock: Clock) -> bool:
    if expr == 0:
        return True
    if expr.has(sp.nan, sp.zoo, sp.oo) or sp.count_ops(expr) > 20 * MAX_OPERATIONS:
        return False
    if is_nonzero_somewhere(expr):
        return False
    for _, rule in RULES:
        clock.check()
        if rule is not one_rational and sp.count_ops(expr) > MAX_OPERATIONS:
            return False
        if rule(expr) == 0:
            return True
    return False


def simplest(expr: sp.Expr) -> sp.Expr:
    """The shortest of a few equal forms, for people to read."""
    extreme = next(_as_extreme(expr), None)
    if extreme is not None and _effort(extreme) < _effort(expr):
        return extreme
    forms = [expr]
    if any(power.exp.free_symbols for power in expr.atoms(sp.Pow)):
        forms.append(_factored_in_powers(expr))
    if sp.count_ops(expr) <= MAX_OPERATIONS:
        rules: tuple[Rule, ...] = (one_rational, lambda e: sp.factor(one_rational(e)), sp.simplify)
        forms += [rule(expand_sums(expr)) for rule in rules]
    plain = [form for form in forms if not form.has(sp.Piecewise)]
    return min(plain or forms, key=_effort)


def _effort(form: sp.Expr) -> tuple[bool, bool, int, int]:
    """How much there is to read; a factorial of p - 1/2 is what nobody writes."""
    factorials = form.atoms(sp.factorial, sp.gamma)
    halves = any(not f.args[0].as_coeff_Add()[0].is_Integer for f in factorials)
    return form.has(sp.Sum), halves, sp.count_ops(form), len(str(form))


def _as_extreme(expr: sp.Expr) -> Iterator[sp.Expr]:
    """r + c*|u| = max(r + c*u, r - c*u) for a number c > 0, with min for c < 0"""
    expanded = sp.expand(expr)
    sizes = [term for term in sp.Add.make_args(expanded) if term.has(sp.Abs)]
    if len(sizes) != 1:
        return
    scale, size = sizes[0].as_coeff_Mul()
    if isinstance(size, sp.Abs) and not size.args[0].has(sp.Abs) and size.args[0].is_real:
        rest, moved = expanded - sizes[0], scale * size.args[0]
        yield (sp.Max if scale > 0 else sp.Min)(sp.expand(rest + moved), sp.expand(rest - moved))


def _factored_in_powers(expr: sp.Expr) -> sp.Expr:
    """Factored as a polynomial in b**L, which b**(2*L + 1) is one in, too."""
    names: dict[tuple[sp.Expr, sp.Expr], sp.Symbol] = {}

    def named(base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        added, scaled = exponent.as_coeff_Add()
        times, free = scaled.as_coeff_Mul()
        if not free.free_symbols or not (added.is_Integer and times.is_Integer):
            return base**exponent
        name = names.setdefault((base, free), sp.Dummy(positive=base.is_positive or None))
        return name**times * base**added

    made = sp.factor(factored_bases(expr).replace(sp.Pow, named))
    return made.xreplace({name: base**free for (base, free), name in names.items()})
