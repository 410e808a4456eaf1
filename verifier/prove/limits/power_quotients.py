"""One fraction out of powers f**L whose bases may grow with L, in a form whose parts have limits.

(1 + a/L)**L and ((L + a)*(L + b)/L**2)**L share the generators L**L, (L + a)**L, (L + b)**L. In these
the expression is a rational function, which is brought to lowest terms; then numerator and
denominator are divided by one monomial, and quotients such as (L + a)**L/L**L are joined again.
"""

import sympy as sp

MAX_OPERATIONS = 600
Generators = dict[sp.Expr, sp.Symbol]


def one_fraction(body: sp.Expr, variable: sp.Symbol) -> sp.Expr:
    """The same function as a single fraction in lowest terms."""
    powers: Generators = {}
    rational = body.replace(sp.Pow, lambda base, exponent: _split(base, exponent, variable, powers))
    if sp.count_ops(rational) > MAX_OPERATIONS:
        return body
    above, below = (sp.expand(part) for part in sp.fraction(sp.cancel(sp.together(rational))))
    if not powers:
        return above / below
    symbols = set(powers.values())
    reference = sp.Mul(
        *(f for f in sp.Add.make_args(below)[0].as_ordered_factors() if f.free_symbols & symbols)
    )
    sides = [_joined(part, reference, powers, variable) for part in (above, below)]
    # Inside a root or a function a power is no factor of its own: there it is what it was.
    hidden = {symbol: base**variable for base, symbol in powers.items()}
    return (sides[0] / sides[1]).xreplace(hidden)


def _split(base: sp.Expr, exponent: sp.Expr, variable: sp.Symbol, powers: Generators) -> sp.Expr:
    """(f**j g**k)**(m L + c) = (f**L)**(j m) (g**L)**(k m) times a power that does not depend on L.

    Only for factors that are known to be positive: for others (f g)**L need not be f**L g**L."""
    power = base**exponent
    if variable not in exponent.free_symbols or not isinstance(power, sp.Pow):
        return power
    steps = sp.Poly(exponent, variable).all_coeffs() if exponent.is_polynomial(variable) else []
    if len(steps) != 2 or not steps[0].is_Integer:
        return power
    factors = sp.factor(sp.together(base)).as_powers_dict()
    if not all(factor.is_positive and times.is_Integer for factor, times in factors.items()):
        return power
    product = base ** steps[1]
    for factor, times in factors.items():
        generator = powers.setdefault(factor, sp.Dummy("g", positive=True))
        product *= generator ** (times * steps[0])
    return product


def _joined(side: sp.Expr, reference: sp.Expr, powers: Generators, variable: sp.Symbol) -> sp.Expr:
    """Each term over the reference, with the powers whose bases depend on L under one exponent."""
    bases = {symbol: base for base, symbol in powers.items()}
    total = sp.Integer(0)
    for term in sp.Add.make_args(side):
        rest, moving = sp.Integer(1), sp.Integer(1)
        for factor, times in (term / reference).as_powers_dict().items():
            if factor not in bases:
                rest *= factor**times
            elif variable in bases[factor].free_symbols:
                moving *= bases[factor] ** times
            else:
                rest *= bases[factor] ** (times * variable)
        total += rest * sp.cancel(moving) ** variable
    return total
