"""Covers by boxes: on each part Coq's own interval arithmetic bounds the larger side less the smaller."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from flint import arb, ctx, fmpq

from verifier.expr.nodes import Relation
from verifier.kernel.boxes.evaluate import Key, key_of, written
from verifier.kernel.boxes.interval import INFINITE, MINUS_INFINITE, Interval
from verifier.kernel.boxes.region import Region, bounded
from verifier.kernel.context import Context
from verifier.kernel.core import terms as T
from verifier.kernel.judgement import Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules.intervals import BITS, gap_of
from verifier.kernel.rules.signs import ordered
from verifier.proofs.coq import real
from verifier.proofs.coq.leaf import Theorem

# What libcoq-interval bounds, and what is written by it.
FUNCTIONS: Mapping[str, str] = {
    "exp": "exp {0}", "log": "ln {0}", "sin": "sin {0}", "cos": "cos {0}", "atan": "atan {0}",
    "abs": "Rabs {0}", "pi": "PI", "relu": "(({0} + Rabs {0}) / 2)", "sigmoid": "(/ (1 + exp (- {0})))",
    "tanh": "(1 - 2 / (exp (2 * {0}) + 1))", "softplus": "ln (1 + exp {0})",
    "max": "(({0} + {1} + Rabs ({0} - {1})) / 2)", "min": "(({0} + {1} - Rabs ({0} - {1})) / 2)",
}  # fmt: skip


def of_cover(context: Context, step: Proof) -> Iterator[Theorem]:
    """One theorem for each part that is `bound` and finite; parts that run to infinity, and those where a
    minimum of 0 is met, are the kernel's alone."""
    small, large, strict = ordered(step.conclusion)
    facts = [part.conclusion.fact for part in step.premises if isinstance(part.conclusion, Holds)]
    before, ctx.prec = ctx.prec, BITS
    try:
        gap, region = gap_of(context, Relation("<=", small, large))
        relations = [fact for fact in facts if isinstance(fact, Relation)]
        cut = bounded(context, region, relations, gap.budget)
        parts = step.data["cover"]
        assert isinstance(parts, list), "an accepted step"
        yield from _parts(gap.forms, cut, parts, strict)
    finally:
        ctx.prec = before


def _parts(
    forms: list[T.Term], region: Region | None, parts: list[object], strict: bool
) -> Iterator[Theorem]:
    todo = [region]
    for part in parts:
        here = todo.pop()
        match part:
            case {"split": [str() as name, str() as at]}:
                todo += _halves(here, name, Fraction(at))
            case "bound" if here is not None:
                ends = {key: (_end(box.low), _end(box.high)) for key, box in here.box.items()}
                if all(low is not None and high is not None for low, high in ends.values()):
                    yield _bound(forms[0], ends, strict)


def _halves(here: Region | None, name: str, at: Fraction) -> list[Region | None]:
    """The second half first: the first is looked at next."""
    if here is None:
        return [None, None]
    (key,) = (key for key in here.box if written(key) == name)
    middle = arb(fmpq(at.numerator, at.denominator))
    return [here.within(key, Interval(middle, INFINITE)), here.within(key, Interval(MINUS_INFINITE, middle))]


def _end(ball: arb) -> Fraction | None:
    if not (ball.is_finite() and ball.is_exact()):
        return None
    value = ball.fmpq()
    return Fraction(int(value.p), int(value.q))


def _bound(
    term: T.Term, ends: Mapping[Key, tuple[Fraction | None, Fraction | None]], strict: bool
) -> Theorem:
    names = {key: f"x{at}" for at, key in enumerate(ends, 1)}
    body = real.bounded(_written(term, names))
    given = tuple(
        (f"B{at}", f"{real.number(low or 0)} <= {names[key]} <= {real.number(high or 0)}")
        for at, (key, (low, high)) in enumerate(ends.items(), 1)
    )
    slope = f", i_autodiff {names[next(iter(ends))]}" if len(ends) == 1 else ""
    comments = tuple(f"{name} is {written(key)}" for key, name in names.items())
    return Theorem(
        "interval", "cover", tuple(names.values()), given, f"0 {'<' if strict else '<='} {body}",
        f"interval with (i_prec {BITS}{slope})", comments,
    )  # fmt: skip


def _written(term: T.Term, names: Mapping[Key, str]) -> str:
    match term:
        case T.Num(value):
            return real.number(value)
        case T.Var():
            return names[key_of(term)]
        case T.Plus(parts):
            return f"({' + '.join(_written(part, names) for part in parts)})"
        case T.Times(parts):
            return f"({' * '.join(_written(part, names) for part in parts)})"
        case T.Pow(base, T.Num(power)) if power.denominator == 1:
            text = f"({_written(base, names)}) ^ {abs(int(power))}"
            return f"({text})" if power >= 0 else f"(/ ({text}))"
        case T.Pow(base, T.Num(power)) if power.denominator == 2:
            root = f"(sqrt {_written(base, names)})"
            return f"({root} ^ {power.numerator})" if power > 0 else f"(/ ({root} ^ {-power.numerator}))"
        case T.Fn(name, args) if name in FUNCTIONS:
            return f"({FUNCTIONS[name].format(*(f'({_written(arg, names)})' for arg in args))})"
    raise Rejected("outside", "what libcoq-interval has no function for")
