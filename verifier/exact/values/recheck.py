"""Re-check a counterexample that somebody else found: is the point allowed, is the relation false?"""

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from flint import arb, ctx, fmpq

from verifier.claim.mentioned_names import names_under
from verifier.claim.model import Claim
from verifier.evidence import Counterexample, Grade
from verifier.exact.numbers.constants import ONE, Closed, enclose, is_zero, sign
from verifier.exact.numbers.operations import Value
from verifier.exact.numbers.refusals import Imprecise, Refusal, Undefined, Unsupported
from verifier.exact.numbers.value_matrices import Matrix, entries, eye, matmul, size, total, transpose
from verifier.exact.values.compare_at_point import Compared, Outcome, compare, relate
from verifier.exact.values.evaluate import Evaluator
from verifier.exact.values.law_existence import exists, psd, second_moment
from verifier.exact.values.point_context import Context, Point
from verifier.exact.values.unnamed_symbols import absent, companies, ties
from verifier.expr import nodes as n
from verifier.expr import symbols as kinds
from verifier.expr.sizes import float_or_inf
from verifier.expr.walk import walk

MAX_TEXT, FEW = 120, 4


@dataclass(frozen=True)
class Rechecked:
    """`false`: the point is allowed and breaks the relation; then `counterexample` is filled and
    `grade` is `proved` (their difference is an exact rational) or `certified` (enclosures apart)."""

    outcome: Outcome
    reason: str = ""
    grade: Grade | None = None
    counterexample: Counterexample | None = None
    excluded: bool = False  # it is certain that the point is not allowed

    @property
    def is_equality(self) -> bool:
        """Both sides have values there that a thousand bits do not tell apart."""
        return self.outcome == "undecided" and not self.reason


def recheck(claim: Claim, fact: n.Relation | n.Within, point: Point) -> Rechecked:
    """The fact at the point, in exact or interval arithmetic."""
    allowed = admissible(claim, point)
    if allowed.outcome != "true":
        outcome: Outcome = "undecided" if allowed.outcome == "undecided" else "unsupported"
        reason = f"the point is not known to be allowed: {allowed.reason}"
        return Rechecked(outcome, reason, excluded=allowed.outcome == "false")
    found = compare(fact, point, Context.of(claim))
    if found.outcome != "false":
        return Rechecked(found.outcome, found.reason)
    assert found.left is not None
    assert found.right is not None
    assert found.entry is not None
    left, right = _at(found.left, found.entry), _at(found.right, found.entry)
    exact = isinstance(left - right, fmpq)
    values = {name: shown(value) for name, value in _as_used(claim, fact, point).items()}
    example = Counterexample(
        values, as_float(left), as_float(right), exact_text(left), exact_text(right), _where(found)
    )
    return Rechecked("false", grade="proved" if exact else "certified", counterexample=example)


def recheck_in_company(claim: Claim, fact: n.Relation | n.Within, point: Point) -> Rechecked:
    """The same at a point that leaves out symbols of the fact, since a form of it does without them: with
    simple values of these beside."""
    found = recheck(claim, fact, point)
    spoken = names_under([fact], claim.symbols) & claim.symbols.keys()
    names = sorted(spoken - claim.random - point.keys() - claim.where.keys())
    if found.outcome in ("true", "false") or not names:
        return found
    offered = companies(claim, names, Evaluator(Context.of(claim), point))
    tried = (recheck(claim, fact, {**point, **company}) for company in islice(offered, FEW))
    return next((other for other in tried if other.outcome in ("true", "false")), found)


def _as_used(claim: Claim, fact: n.Relation | n.Within, point: Point) -> Point:
    """The point with what was evaluated: a symbol that an assumption replaces has the value assumed, one that
    an equality was solved for is shown beside the others."""
    replaced = {a.substitution[0].name: a.substitution[0] for a in claim.assumptions if a.substitution}
    spoken = {node.name for node in walk(fact) if isinstance(node, n.Symbol)}
    solved = {a.substitution[0].name for a in claim.assumptions if a.substitution and a.written} & spoken
    used = dict(point)
    for name in sorted(replaced.keys() & (point.keys() | solved)):
        try:
            value = Evaluator(Context.of(claim), point).scalar(replaced[name])
        except (Refusal, ValueError):  # ValueError: it is no scalar
            value = None
        if isinstance(value, fmpq):
            used[name] = int(value.p) if value.q == 1 else value
        else:
            used.pop(name, None)
    return used


def admissible(claim: Claim, point: Point) -> Compared:
    """Whether the symbols' declarations and the assumed constraints allow the point, and leave values to the
    symbols that it does not speak of."""
    found = _allowed(claim, point)
    names = absent(claim, point) if found.outcome == "true" else []
    if not names:
        return found
    offered = companies(claim, names, Evaluator(Context.of(claim), point))
    if any(_allowed(claim, {**point, **company}).outcome == "true" for company in offered):
        return found
    return Compared("unsupported", reason=f"no value of {', '.join(names)} was found beside it")


def _allowed(claim: Claim, point: Point) -> Compared:
    context = Context.of(claim)
    before = ctx.prec
    ctx.prec = 256
    try:
        for outcome, reason in _conditions(claim, point, Evaluator(context, point)):
            if outcome != "true":
                return Compared(outcome, reason=reason)
    except Undefined as refusal:
        return Compared("false", reason=refusal.reason)
    except Imprecise as refusal:
        return Compared("undecided", reason=refusal.reason)
    except Refusal as refusal:
        return Compared("unsupported", reason=refusal.reason)
    finally:
        ctx.prec = before
    return Compared("true")


def _conditions(claim: Claim, point: Point, evaluator: Evaluator) -> Iterator[tuple[Outcome, str]]:
    replaced = list(_replaced(claim, point))
    known = {*point, *replaced}
    bounded = [name for name in claim.where if _is_tied(claim, name, known)]
    for name in [*point, *replaced, *bounded]:
        declared = claim.symbols.get(name)
        if declared is None or declared.copies is not None:
            continue
        value = evaluator.value(n.Symbol(name, declared.shape))
        shape = evaluator.dim(declared.shape.rows), evaluator.dim(declared.shape.cols)
        yield _says(size(value) == shape), f"{name} is not {shape[0]}-by-{shape[1]}"
        yield _says(_is_of_kind(declared.kind, value, evaluator)), f"{name} is not as declared"
    for name, declared in claim.symbols.items():
        yield _says(exists(declared, evaluator)), f"{name} has no such law"
    for assumption in claim.assumptions:
        moment = second_moment(claim, assumption.fact)
        if moment is not None and _touches(assumption.fact, point.keys()):
            yield _says(psd(evaluator.value(moment))), f"no law is as {assumption.name} says"
        elif assumption.constraint is not None and _touches(assumption.constraint, known):
            found = compare(assumption.constraint, point, evaluator.context)
            yield found.outcome, f"the assumption {assumption.name} is {found.outcome} ({found.reason})"


def _is_tied(claim: Claim, name: str, known: Set[str]) -> bool:
    """Whether what the point says must leave room for a value that the claim fixes: i = 4 of index(n)."""
    declared = claim.symbols.get(name)
    tied = ties(declared) if declared is not None else set()
    return bool(tied) and tied <= known | claim.where.keys()


def _replaced(claim: Claim, point: Point) -> Iterator[str]:
    """Symbols that an assumption replaces by something at this point: they keep their declaration."""
    for assumption in claim.assumptions:
        match assumption.substitution:
            case (symbol, value) if symbol.name not in point and (
                _touches(assumption.fact, point.keys()) or isinstance(value, n.Number)
            ):
                yield symbol.name


def _touches(fact: n.Fact, known: Set[str]) -> bool:
    """Whether the fact speaks of a symbol that is known, or of nothing but its sizes, as ones(n, n) == eye(n)
    does; else it does not bear on it."""
    nodes = list(walk(fact))
    names = {node.name for node in nodes if isinstance(node, n.Symbol | n.Member)}
    sizes = {name for node in nodes for name in node.shape.rows.names | node.shape.cols.names}
    return bool(names & known) if names else sizes <= known


def _says(truth: bool) -> Outcome:
    return "true" if truth else "false"


def _is_of_kind(kind: kinds.Kind, value: Matrix, evaluator: Evaluator) -> bool:
    match kind:
        case kinds.Dimension():
            return _integer(value) and value[0][0] >= 1
        case kinds.IndexOf(bound):
            return _integer(value) and 1 <= value[0][0] <= evaluator.dim(bound)
        case kinds.Integer():
            return _integer(value)
        case kinds.Positive():
            return sign(value[0][0]) > 0
        case kinds.Interval(low, high):
            return _between(value, low, high, evaluator)
        case kinds.FixedMatrix(family):
            return FAMILIES[family](value)
        case kinds.Rademacher():
            return all(is_zero(x * x - ONE) for x in entries(value))
        case kinds.Bernoulli():
            return all(is_zero(x * (x - ONE)) for x in entries(value))
        case kinds.Uniform(low, high):
            return _between(value, low, high, evaluator)
        case kinds.Real() | kinds.Normal() | kinds.Iid() | kinds.AnyLaw():
            return True
        case kinds.Sequence() | kinds.JointWith():
            raise Unsupported("a sequence at a point")
    raise AssertionError(type(kind))


def _integer(value: Matrix) -> bool:
    return isinstance(value[0][0], fmpq) and value[0][0].q == 1


def _between(value: Matrix, low: n.Node, high: n.Node, evaluator: Evaluator) -> bool:
    for op, end in ((">=", low), ("<=", high)):
        if isinstance(end, n.Infinity) or (isinstance(end, n.Negate) and isinstance(end.arg, n.Infinity)):
            continue
        if relate(op, value, evaluator.value(end)).outcome != "true":
            return False
    return True


def _stochastic(value: Matrix) -> bool:
    return all(is_zero(total(list(row)) - ONE) and all(sign(x) >= 0 for x in row) for row in value)


def _symmetric(value: Matrix) -> bool:
    return relate("==", value, transpose(value)).outcome == "true"


def _orthogonal(value: Matrix) -> bool:
    return relate("==", matmul(value, transpose(value)), eye(len(value))).outcome == "true"


FAMILIES: dict[str, Callable[[Matrix], bool]] = {
    "matrix": lambda value: True,
    "vector": lambda value: True,
    "simplex": lambda value: _stochastic(transpose(value)),
    "stochastic": _stochastic,
    "symmetric": _symmetric,
    "psd": psd,
    "orthogonal": _orthogonal,
}


def _at(matrix: Matrix, entry: tuple[int, int]) -> Value:
    return matrix[0][0] if size(matrix) == (1, 1) else matrix[entry[0]][entry[1]]


def _where(found: Compared) -> tuple[str, ...]:
    assert found.left is not None
    assert found.right is not None
    assert found.entry is not None
    if size(found.left) == size(found.right) == (1, 1):
        return ()
    return (f"at entry [{found.entry[0] + 1}, {found.entry[1] + 1}]",)


def as_float(value: object) -> float:
    """The nearest double, for display alone."""
    assert isinstance(value, fmpq | Closed | arb)
    if isinstance(value, fmpq):
        return float_or_inf(Fraction(int(value.p), int(value.q)))
    return float(enclose(value).mid())


def exact_text(value: object) -> str | None:
    """A closed form in the language, where there is one that can be read."""
    text = str(value) if isinstance(value, fmpq | Closed) else None
    return text if text is not None and len(text) <= MAX_TEXT else None


def shown(value: object) -> object:
    """Integers as they are, other scalars as text, matrices as nested rows."""
    if isinstance(value, list | tuple):
        return [shown(item) for item in value]
    return value if isinstance(value, int) else str(value)
