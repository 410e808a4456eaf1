"""Whether the mean of |f| is finite.

What grows slower than exp(|x|**2) and has no poles has every moment. Else sums are taken apart, and products
into parts that share no random symbol; in each part an exponential is held against the density, a pole
against how rarely what is below the line is close to 0.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.claim.integrability.answer import FINITE, Answer, every, infinite, open_, under
from verifier.claim.integrability.gaussian_exponents import (
    Rest,
    exponent,
    is_one_sided,
    mean_of_exponential,
    polynomial,
)
from verifier.claim.integrability.small_balls import count, vanishing
from verifier.claim.integrability.tree_growth import Scene
from verifier.expr import nodes as N
from verifier.expr.affine import ONE, ZERO, less, plus
from verifier.expr.scaling import scaling
from verifier.expr.symbols import Bernoulli, Normal, Rademacher, Uniform
from verifier.expr.text import to_text
from verifier.expr.walk import substitute


@dataclass(frozen=True)
class Factor:
    """base**power"""

    base: N.Node
    power: Fraction


def finite(scene: Scene, body: N.Node) -> Answer:
    """Whether |body| has a finite mean over what is random in the scene."""
    if not scene.random(body) or scene.size(body).both.is_tame:
        return FINITE
    match body:
        case N.Let(name, inner):
            return finite(scene, scene.values.get(name, inner))
        case N.Negate(arg) | N.Transpose(arg) | N.Apply("abs", (arg,)) | N.VecR(arg):
            return finite(scene, arg)
        case N.Add(left, right) | N.Subtract(left, right):
            return _of_sum(scene, [left, right], isinstance(body, N.Add))
        case N.Sum(inner, _, _) | N.Trace(inner) | N.Entry(inner, _, _) | N.Row(inner, _):
            return _at_least(finite(scene, inner), "terms that may cancel")
        case N.Apply("max" | "min", (left, right)):
            return _at_least(every([finite(scene, left), finite(scene, right)]), "which of two is taken")
        case N.Apply("log", (arg,)) if (close := vanishing(scene, arg)) is not None and close.order == ZERO:
            return infinite(f"{to_text(arg)} is 0 with a positive chance")
    return _of_product(scene, factors(scene, body))


def _at_least(found: Answer, why: str) -> Answer:
    """Of what is at most as large as something: finite where that is."""
    return replace(found, exact=found == FINITE) if found.known == "finite" else open_(why)


def _of_sum(scene: Scene, parts: list[N.Node], added: bool) -> Answer:
    found = [finite(scene, part) for part in parts]
    if sum(answer != FINITE for answer in found) <= 1:
        return every(found)
    alike = added and all(scene.size(part).low >= 0 for part in parts)
    whole = every(found)
    if alike or whole == FINITE:
        return whole
    return replace(whole, exact=False) if whole.known == "finite" else open_("terms that may cancel")


def factors(scene: Scene, node: N.Node, power: Fraction = Fraction(1)) -> list[Factor]:
    """What is multiplied, but for signs."""
    match node:
        case N.Let(name, body) if scene.random(node):
            return factors(scene, scene.values.get(name, body), power)
        case N.Negate(arg) | N.Apply("abs", (arg,)):
            return factors(scene, arg, power)
        case N.Norm(arg) if arg.shape.is_scalar:
            return factors(scene, arg, power)
        case N.Multiply(left, right):
            return factors(scene, left, power) + factors(scene, right, power)
        case N.Divide(left, right):
            return factors(scene, left, power) + factors(scene, right, -power)
        case N.Power(base, N.Number(k)):
            return factors(scene, base, power * k)
        case N.Apply("sqrt", (arg,)):
            return factors(scene, arg, power / 2)
    return [Factor(node, power)]


def _of_product(scene: Scene, items: list[Factor]) -> Answer:
    """Parts without a common random symbol are independent: the mean is the product of theirs."""
    merged: dict[N.Node, Fraction] = {}
    for item in items:
        merged[item.base] = merged.get(item.base, Fraction(0)) + item.power
    fixed = [base for base in merged if not scene.random(base)]
    groups: list[list[Factor]] = []
    for base, power in merged.items():
        if base in fixed or power == 0:
            continue
        names = scene.random(base)
        near = [group for group in groups if any(scene.random(item.base) & names for item in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(item for group in near for item in group), Factor(base, power)])
    answers = [_of_group(scene, group) for group in groups]
    found = every(answers)
    if found == FINITE:
        return FINITE
    # 0 times something is 0: what is infinite must meet nothing that vanishes.
    others = [
        part
        for part, one in zip(groups, answers, strict=True)
        if one.known != "infinite" and not one.conditions
    ]
    whole = all(scene.span(base).is_nonzero for base in fixed) and all(
        any_value(scene, item.base) for part in others for item in part
    )
    if found.known == "finite":
        return replace(found, exact=found.exact and whole)
    return found if whole or found.known == "open" else open_("a factor that may be 0")


def any_value(scene: Scene, node: N.Node) -> bool:
    """Whether something random is not 0 with a positive chance, seen from its form."""
    match node:
        case N.Let(name, body):
            return any_value(scene, scene.values.get(name, body))
        case N.Symbol(name) | N.Member(name) | N.Entry(N.Symbol(name) | N.Member(name), _, _):
            if name in scene.values or not scene.random(node):
                return scene.span(node).is_nonzero
            match scene.declared[name].kind:
                case Rademacher():
                    return True
                case Bernoulli(chance):
                    return scene.span(chance).is_positive
                case Normal(_, std, _, None):
                    return scene.span(std).is_positive
                case Uniform(N.Number(low), N.Number(high)):
                    return low < high
            return False
        case N.Apply("exp" | "sigmoid" | "softplus" | "Phi" | "phi", _) | N.RowWise("softmax"):
            return True
        case N.Apply("tanh" | "abs" | "erf" | "sqrt", (arg,)) | N.Norm(arg) | N.Power(arg, N.Number()):
            return any_value(scene, arg)
        case N.Multiply(left, right) if not scene.random(left) & scene.random(right):
            return any_value(scene, left) and any_value(scene, right)
    return scene.span(node).is_nonzero if not scene.random(node) else scene.size(node).low > 0


def _of_group(scene: Scene, group: list[Factor]) -> Answer:
    tame = [item for item in group if _rate_is_tame(scene, item)]
    if len(tame) == len(group):
        return FINITE
    steep = {item: exponent(scene, item.base, item.power) for item in group}
    if all(steep[item] is not None for item in group if item not in tame):
        return _of_exponentials(scene, steep)
    wild = [item for item in group if item not in tame]
    if len(wild) == 1 and wild[0].power < 0:
        return _of_pole(scene, wild[0], tame)
    if len(group) == 1 and (order := _slope_of_normalised(scene, wild[0].base)) is not None:
        return under(N.Relation(">", order, N.Number(wild[0].power)), exact=False)
    if len(group) == 1 and group[0].power == 1:
        return open_(f"how fast {to_text(group[0].base)} grows")
    return open_(f"how large {to_text(wild[0].base)} is beside the other factors")


def _rate_is_tame(scene: Scene, item: Factor) -> bool:
    size = scene.size(item.base)
    return (size.both if item.power > 0 else size.inverse).is_tame


def _of_exponentials(scene: Scene, steep: dict[Factor, N.Node | None]) -> Answer:
    total: N.Node = ZERO
    for node in steep.values():
        total = total if node is None else plus(total, node)
    others = [item for item, node in steep.items() if node is None]
    both_sides = not any(is_one_sided(item.base) for item, node in steep.items() if node is not None)
    lasting = all(_lasts(scene, item, total) for item in others)
    slow = lasting and sum(_decay(scene, item) for item in others if item.power < 0) <= 1
    return mean_of_exponential(scene, total, Rest(lasting, slow), both_sides)


def _lasts(scene: Scene, item: Factor, exponent: N.Node) -> bool:
    """Whether it stays away from 0 far out: a polynomial, or something independent."""
    if not scene.random(item.base) & scene.random(exponent):
        return any_value(scene, item.base)
    found = polynomial(scene, item.base)
    return found is not None and all(scene.span(value).is_nonzero for value in found.values())


def _decay(scene: Scene, item: Factor) -> Fraction:
    """The degree of a polynomial below a line."""
    found = polynomial(scene, item.base) or {}
    return max((sum(k for _, k in monomial) for monomial in found), default=0) * -item.power


def _of_pole(scene: Scene, pole: Factor, others: list[Factor]) -> Answer:
    """|f|**-p against P(|f| <= e) ~ e**order; a numerator that vanishes there takes away from p."""
    close = vanishing(scene, pole.base)
    if close is None:
        return open_(f"how rarely {to_text(pole.base)} is close to 0")
    if close.order == ZERO:
        return infinite(f"{to_text(pole.base)} is 0 with a positive chance")
    names = scene.random(pole.base)
    depth, known = -pole.power, True
    for item in others:
        if not scene.random(item.base) & names:
            known = known and any_value(scene, item.base)
            continue
        way, whole = scaling(item.base, names), _degree(pole.base)
        if way is not None and whole and way.degree > 0 and item.power > 0:
            depth -= way.degree * item.power / whole
            known = known and _is_form(item.base)
        else:
            known = known and item.power > 0 and _remains(scene, item.base, pole.base)
    return _against(scene, pole, close.order, close.exact and known, depth)


def _against(scene: Scene, pole: Factor, order: N.Node, exact: bool, depth: Fraction) -> Answer:
    if depth <= 0:
        return FINITE
    if isinstance(order, N.Number):
        if depth < order.value:
            return FINITE
        return (
            infinite(f"{to_text(pole.base)} is close to 0 too often")
            if exact
            else open_("what is above a pole")
        )
    return under(N.Relation(">", order, N.Number(depth)), exact)


def _slope_of_normalised(scene: Scene, node: N.Node) -> N.Node | None:
    """The slope of rows of length 1 is one over their length, that of centred ones one over the distance from
    their mean: how rarely these are close to 0."""
    match node:
        case N.Norm(N.Derivative(N.RowWise("rmsnorm" | "layernorm" as function, arg), by)):
            close = vanishing(scene, N.Entry(by, ONE, ONE)) if isinstance(by, N.Symbol) else None
            if arg in (by, N.Transpose(by)) and close is not None and close.dense:
                return less(count(arg.shape.cols), ONE if function == "layernorm" else ZERO)
    return None


def _degree(pole: N.Node) -> int:
    """Of a number or the length of a vector, which are 0 only where all of it is, 1; of its square 2; else
    0."""
    match pole:
        case N.Symbol() | N.Member():
            return 1 if pole.shape.is_scalar else 0
        case N.Norm(N.Symbol() | N.Member(), "fro"):
            return 1
        case N.Inner(N.Symbol() as left, right):
            return 2 if left == right else 0
    return 0


def _is_form(node: N.Node) -> bool:
    """A part of a vector, or its product with something fixed: no direction but a few makes it 0."""
    match node:
        case N.Symbol() | N.Entry(N.Symbol(), _, _) | N.Member() | N.Norm(N.Symbol(), _):
            return True
    return False


def _remains(scene: Scene, node: N.Node, pole: N.Node) -> bool:
    """Whether it is not 0 where the pole is, for a pole at 0 of one number."""
    if not isinstance(pole, N.Symbol) or not pole.shape.is_scalar:
        return False
    there = substitute(node, {pole: ZERO})
    return scene.span(there).is_positive or any_value(scene, there) if there != node else False
