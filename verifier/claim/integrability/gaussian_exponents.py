"""exp of a polynomial in normal numbers, against their density exp(-x**2/(2*std**2)).

A degree beyond 2 wins wherever its highest part is positive. Of degree 2, the mean is finite exactly if
S**-1 - 2*Q is positive definite: for one number, if 2*a*std**2 < 1. At equality what is left is a polynomial
over the whole line. 1/phi(x) is exp(x**2/2) but for a factor, and 1/Phi(x) grows like |x|*exp(x**2/2) far to
the left.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from verifier.claim.integrability.answer import FINITE, Answer, infinite, open_, under
from verifier.claim.integrability.tree_growth import Scene
from verifier.expr import nodes as N
from verifier.expr.affine import ONE, ZERO, over, plus, times
from verifier.expr.symbols import Normal

Monomial = tuple[tuple[N.Node, int], ...]
Polynomial = Mapping[Monomial, N.Node]
MOST_TERMS, MOST_ATOMS, HIGHEST = 40, 4, 8
TRIED = (1, -1, 2, -3)
_HALF = Fraction(1, 2)


def exponent(scene: Scene, node: N.Node, power: Fraction) -> N.Node | None:
    """The x in exp(x), where node**power is that up to a factor of polynomial growth, or is as large on one
    side; None where it is of another form."""
    match node:
        case N.Let(name, body):
            return exponent(scene, scene.values.get(name, body), power)
        case N.Apply("exp", (arg,)):
            return times(N.Number(power), arg)
        case N.Power(base, N.Number(k)):
            return exponent(scene, base, power * k)
        case N.Power(N.Number(base), arg) if base > 1:
            return times(N.Apply("log", (N.Number(base),)), times(N.Number(power), arg))
        case N.Apply("phi", (arg,)):
            return times(N.Number(-power * _HALF), N.Multiply(arg, arg))
        case N.Apply("Phi", (arg,)) if power < 0:
            return times(N.Number(-power * _HALF), N.Multiply(arg, arg))
    return None


def is_one_sided(node: N.Node) -> bool:
    """Whether it is as large as its exponent says on one side only."""
    match node:
        case N.Let(_, body) | N.Power(body, N.Number()):
            return is_one_sided(body)
        case N.Apply("Phi", _):
            return True
    return False


@dataclass(frozen=True)
class Rest:
    """The other factors: whether they stay away from 0 far out, and are then at least 1/|x|."""

    lasting: bool
    slow: bool


def mean_of_exponential(scene: Scene, node: N.Node, rest: Rest, both_sides: bool) -> Answer:
    """Whether exp(node) times the rest, of polynomial growth, has a mean."""
    found = polynomial(scene, node)
    if found is None:
        return open_("the exponent is no polynomial in independent normal numbers")
    degrees = {monomial: sum(k for _, k in monomial) for monomial in found}
    atoms = sorted({atom for monomial in found for atom, _ in monomial}, key=repr)
    degree = max(degrees.values(), default=0)
    if degree < 2:
        return FINITE
    top = {monomial: value for monomial, value in found.items() if degrees[monomial] == degree}
    if degree > 2:
        return _of_high_degree(scene, top, atoms, rest.lasting and both_sides)
    if len(atoms) == 1:
        return _of_one_square(scene, found, atoms[0], rest, both_sides)
    return _of_form(scene, top, atoms, rest, both_sides)


def _of_high_degree(scene: Scene, top: Polynomial, atoms: list[N.Node], lasting: bool) -> Answer:
    spread = all(
        std is not None and scene.span(std).is_positive for std in (_std(scene, atom) for atom in atoms)
    )
    if is_positive_somewhere(scene, top):
        lasting = lasting and spread
        why = "how the other factors decay"
        return infinite("an exponent of degree above 2 outgrows the density") if lasting else open_(why)
    if len(top) == 1:
        (((_, degree), *others), value), *_ = top.items()
        if len(atoms) == 1 and degree % 2 == 0 and not others and scene.span(value).is_negative:
            return FINITE
    return open_("the sign of an exponent of degree above 2")


def is_positive_somewhere(scene: Scene, form: Polynomial) -> bool:
    """Whether a form takes a positive value, and so does on a cone."""
    if len(form) == 1:
        ((monomial, value),) = form.items()
        odd = any(k % 2 and not isinstance(atom, N.Norm) for atom, k in monomial)
        return scene.span(value).is_positive or (odd and scene.span(value).is_nonzero)
    atoms = sorted({atom for monomial in form for atom, _ in monomial}, key=repr)
    if any(not isinstance(value, N.Number) for value in form.values()) or len(atoms) > MOST_ATOMS:
        return False
    for point in product(TRIED, repeat=len(atoms)):
        at = dict(zip(atoms, point, strict=True))
        if any(isinstance(atom, N.Norm) and k < 0 for atom, k in at.items()):
            continue
        if sum(_value(value) * _monomial(monomial, at) for monomial, value in form.items()) > 0:
            return True
    return False


def _of_one_square(scene: Scene, found: Polynomial, atom: N.Node, rest: Rest, both_sides: bool) -> Answer:
    """Finite if 2*a*std**2 < 1."""
    std = _std(scene, atom)
    if std is None or not scene.span(std).is_positive:
        return open_("the deviation may be 0")
    square = times(N.Number(Fraction(2)), found[((atom, 2),)])
    linear = any(monomial == ((atom, 1),) for monomial in found)
    doubtful = linear and not both_sides
    against = over(ONE, times(std, std)) if isinstance(std, N.Number) else N.Divide(ONE, N.Multiply(std, std))
    if isinstance(square, N.Number) and isinstance(std, N.Number):
        if square.value * std.value**2 < 1:
            return FINITE
        equal = square.value * std.value**2 == 1
        if rest.lasting and not (equal and (doubtful or not rest.slow)):
            return infinite("the square in the exponent outgrows the density")
        return open_("how the other factors decay where the exponent meets the density")
    if scene.span(square).is_nonpositive:
        return FINITE
    if not rest.lasting or not rest.slow or doubtful:
        return open_("how the other factors decay where the exponent meets the density")
    return under(N.Relation("<", square, against))


def _of_form(scene: Scene, top: Polynomial, atoms: list[N.Node], rest: Rest, both_sides: bool) -> Answer:
    """Finite if S**-1 - 2*Q is positive definite."""
    deviations = [_std(scene, atom) for atom in atoms]
    if len(atoms) > MOST_ATOMS or not all(isinstance(value, N.Number) for value in top.values()):
        return _of_one_product(scene, top, atoms, deviations, rest, both_sides)
    matrix = [[Fraction(0)] * len(atoms) for _ in atoms]
    for i, std in enumerate(deviations):
        if not isinstance(std, N.Number) or std.value <= 0:
            return open_("the deviation is no number")
        matrix[i][i] = 1 / std.value**2
    for monomial, value in top.items():
        places = [atoms.index(atom) for atom, k in monomial for _ in range(k)]
        matrix[places[0]][places[1]] -= _value(value)
        matrix[places[1]][places[0]] -= _value(value)
    least = _least_pivot(matrix)
    if least > 0:
        return FINITE
    settled = rest.lasting and both_sides and (least < 0 or rest.slow)
    return infinite("the exponent outgrows the density") if settled else open_("how other factors decay")


def _of_one_product(
    scene: Scene,
    top: Polynomial,
    atoms: list[N.Node],
    stds: list[N.Node | None],
    rest: Rest,
    both_sides: bool,
) -> Answer:
    """exp(c*g*h): finite if abs(c)*std_g*std_h < 1."""
    squares = [monomial for monomial in top if len(monomial) == 1]
    if len(top) != 1 or squares or not all(s is not None and scene.span(s).is_positive for s in stds):
        return open_("the exponent is a quadratic form with symbols in it")
    if not (rest.lasting and rest.slow and both_sides) or any(isinstance(atom, N.Norm) for atom in atoms):
        return open_("how the other factors decay")
    ((_, value),) = top.items()
    scale: N.Node = N.Apply("abs", (value,))
    for std in stds:
        scale = times(scale, std) if std is not None else scale
    return under(N.Relation("<", scale, ONE))


def _least_pivot(matrix: list[list[Fraction]]) -> Fraction:
    """Negative or 0 exactly if the symmetric matrix is not positive definite."""
    rows, least = [list(row) for row in matrix], Fraction(1)
    for k in range(len(rows)):
        least = min(least, rows[k][k])
        if rows[k][k] <= 0:
            return least
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return least


def _std(scene: Scene, atom: N.Node) -> N.Node | None:
    (name,) = scene.random(atom)
    kind = scene.declared[name].kind
    return kind.std if isinstance(kind, Normal) else None


def _value(node: N.Node) -> Fraction:
    assert isinstance(node, N.Number)
    return node.value


def _monomial(monomial: Monomial, at: Mapping[N.Node, int]) -> int:
    value = 1
    for atom, k in monomial:
        value *= at[atom] ** k
    return value


def polynomial(scene: Scene, node: N.Node) -> Polynomial | None:
    """The tree as a polynomial in independent normal numbers: scalars, entries, and the length of a vector of
    which nothing else is spoken."""
    found = _read(scene, node)
    if found is None:
        return None
    atoms = {atom for monomial in found for atom, _ in monomial}
    names = [name for atom in atoms for name in scene.random(atom)]
    loose = {name for atom in atoms if not _is_placed(atom) for name in scene.random(atom)}
    if any(names.count(name) > 1 for name in loose):
        return None
    return {monomial: value for monomial, value in found.items() if value != ZERO}


def _is_placed(atom: N.Node) -> bool:
    """An entry at a given place: others of the same matrix are independent of it."""
    match atom:
        case N.Entry(N.Symbol(), N.Number(), N.Number()):
            return True
    return False


def _read(scene: Scene, node: N.Node) -> dict[Monomial, N.Node] | None:
    if not scene.random(node):
        return {(): node}
    match node:
        case N.Let(name, body):
            return _read(scene, scene.values.get(name, body))
        case N.Symbol() | N.Member() | N.Entry(N.Symbol() | N.Member(), _, _):
            return {((node, 1),): ONE} if _is_normal(scene, node) else None
        case N.Norm(N.Symbol() | N.Member(), "fro"):
            return {((node, 1),): ONE} if _is_normal(scene, node) else None
        case N.Inner(N.Symbol() as left, right) if left == right:
            return _read(scene, N.Power(N.Norm(left), N.Number(Fraction(2))))
        case N.Negate(arg):
            return _scaled(_read(scene, arg), N.Number(Fraction(-1)))
        case N.Add(left, right):
            return _added(_read(scene, left), _read(scene, right))
        case N.Subtract(left, right):
            return _added(_read(scene, left), _scaled(_read(scene, right), N.Number(Fraction(-1))))
        case N.Multiply(left, right):
            return _multiplied(_read(scene, left), _read(scene, right))
        case N.Divide(left, right) if not scene.random(right):
            return _scaled(_read(scene, left), over(ONE, right))
        case N.Power(base, N.Number(k)) if k.denominator == 1 and 0 < k <= HIGHEST:
            one = _read(scene, base)
            found = one
            for _ in range(int(k) - 1):
                found = _multiplied(found, one)
            return found
    return None


def _is_normal(scene: Scene, node: N.Node) -> bool:
    """Normal, and the entries independent."""
    (name,) = scene.random(node)
    match scene.declared[name].kind:
        case Normal(_, _, None, None):
            return name not in scene.values
    return False


def _added(
    f: dict[Monomial, N.Node] | None, g: dict[Monomial, N.Node] | None
) -> dict[Monomial, N.Node] | None:
    if f is None or g is None or len(f) + len(g) > MOST_TERMS:
        return None
    return {key: plus(f.get(key, ZERO), g.get(key, ZERO)) for key in {**f, **g}}


def _scaled(f: dict[Monomial, N.Node] | None, factor: N.Node) -> dict[Monomial, N.Node] | None:
    return None if f is None else {key: times(factor, value) for key, value in f.items()}


def _multiplied(
    f: dict[Monomial, N.Node] | None, g: dict[Monomial, N.Node] | None
) -> dict[Monomial, N.Node] | None:
    if f is None or g is None or len(f) * len(g) > MOST_TERMS:
        return None
    found: dict[Monomial, N.Node] = {}
    for (left, a), (right, b) in product(f.items(), g.items()):
        powers: dict[N.Node, int] = dict(left)
        for atom, k in right:
            powers[atom] = powers.get(atom, 0) + k
        key = tuple(sorted(powers.items(), key=repr))
        found[key] = plus(found.get(key, ZERO), times(a, b))
    return found
