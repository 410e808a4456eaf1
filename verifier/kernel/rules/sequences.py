"""Sequences of random variables of any joint law: what follows for all of them, and what one breaks."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.expr import nodes as N
from verifier.expr import symbols as K
from verifier.expr.walk import distinct
from verifier.kernel.budget import Budget
from verifier.kernel.context import Context
from verifier.kernel.judgement import Fails, Holds, Judgement
from verifier.kernel.normal.sign import is_positive
from verifier.kernel.points.admit import Admission, tables
from verifier.kernel.points.data import read_point
from verifier.kernel.points.evaluate import Evaluator
from verifier.kernel.points.values import precision
from verifier.kernel.proof import Data
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import Rule
from verifier.kernel.sequences.modes import Chance, Mode, Reader, Surely, names_of
from verifier.kernel.sequences.spikes import Spike
from verifier.kernel.sequences.theorems import follows, needs_positive
from verifier.kernel.sequences.worlds import World

LARGEST = 64  # powers and rarities


def converges(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{\sum_i P(|Z_i| > t) < \infty \text{ for all } t > 0}{\Gamma \vdash Z_i \to 0 \text{ almost surely}}
    \qquad
    \frac{\sum_i \mathrm{E} |Z_i|^p < \infty}{\Gamma \vdash Z_i \to 0 \text{ almost surely}}

    One assumption about the same gaps Z of a sequence implies what is stated, by one of these theorems, by
    Markov's or Jensen's inequality, since almost sure convergence is convergence in probability, since the
    terms of a convergent series vanish, or since a larger gap is less likely. Thresholds are positive.
    """
    if premises:
        raise Rejected("premises", "this follows from an assumption")
    if not isinstance(goal, Holds):
        raise Rejected("statement", "how a sequence converges")
    reader = _reader(context)
    wanted = _mode(reader, goal.fact)
    for fact in context.assumptions:
        known = reader.mode(fact)
        if known is None or follows(known, wanted) is None:
            continue
        if isinstance(wanted, Surely) or not isinstance(wanted.size, Chance) or wanted.size.above is None:
            return
        if not needs_positive(known, wanted) or reader.positive(wanted.size.above):
            return
    raise Rejected("condition", "no assumption implies this by one theorem")


def sequence(context: Context, goal: Judgement, premises: tuple[Judgement, ...], data: Data) -> None:
    r"""
    \frac{Y \models \Gamma \qquad \neg\, \varphi(Y)}{\Gamma \vdash \varphi \text{ fails}}

    The data give an explicit sequence Y_i = c + Z_i: |Z_i| = h * i**a with chance i**-r, and else 0, the
    events independent or all cut from one uniform number, with or without fair signs of their own. They give
    values of numbers that are not random, and of what has a joint law with Y. Of matrices these are the first
    entry, and all others are 0. Every assumption holds: of numbers as at a point, of the sequence by
    Borel-Cantelli and since a sum of i**e is finite just where e < -1. The statement is false in the same
    way.
    """
    if premises:
        raise Rejected("premises", "a sequence needs no premise")
    if not isinstance(goal, Fails):
        raise Rejected("statement", "a sequence shows that a statement fails")
    reader = _reader(context)
    wanted = _mode(reader, goal.fact)
    plain, spoken = _without_sequences(context)
    assumed = [_mode(reader, fact) for fact in spoken]
    world = _world(context, (wanted, *assumed), data)
    _admit(plain, world)
    if not all(map(world.truth, assumed)):
        raise Rejected("not-allowed", "an assumption is false of this sequence")
    if world.truth(wanted):
        raise Rejected("not-false", "the statement is true of this sequence")


def _reader(context: Context) -> Reader:
    plain, _ = _without_sequences(context)
    return Reader(context.symbols, context.assumptions, lambda node: is_positive(plain, node))


def _mode(reader: Reader, fact: N.Fact) -> Mode:
    mode = reader.mode(fact)
    if mode is None:
        raise Rejected("outside", "something else than a way in which a sequence converges")
    return mode


def _without_sequences(context: Context) -> tuple[Context, tuple[N.Fact, ...]]:
    """The context without its sequences, and what is assumed of them or for every value of a symbol."""
    kinds = K.Sequence | K.JointWith
    endless = {name for name, item in context.symbols.items() if isinstance(item.kind, kinds)}
    spoken = tuple(
        fact for fact in context.assumptions if isinstance(fact, N.Every) or _reaches(fact, endless)
    )
    symbols = {name: item for name, item in context.symbols.items() if name not in endless}
    plain = tuple(fact for fact in context.assumptions if fact not in spoken)
    return replace(context, symbols=symbols, assumptions=plain), spoken


def _reaches(fact: N.Fact, names: set[str]) -> bool:
    return any(isinstance(part, N.Symbol | N.Member) and part.name in names for part in distinct(fact))


def _world(context: Context, modes: tuple[Mode, ...], data: Data) -> World:
    if data.keys() != {"values", "limit", "spike"}:
        raise Rejected("data", "the data are values, a limit and a sequence")
    values, limit, spike = data["values"], data["limit"], data["spike"]
    if not isinstance(values, dict) or not isinstance(spike, dict) or not isinstance(limit, str):
        raise Rejected("data", "values by their names, a number, and what a sequence is")
    try:
        numbers = {name: Fraction(value) for name, value in values.items()}
        made = _spike(spike)
        centre = Fraction(limit)
    except (TypeError, ValueError, ZeroDivisionError):
        raise Rejected("data", "numbers are rational") from None
    members = {part.name for mode in modes for part in distinct(mode.gap) if isinstance(part, N.Member)}
    names = frozenset[str]().union(*map(names_of, modes))
    if len(members) != 1 or not numbers.keys() <= names | context.symbols.keys():
        raise Rejected("outside", "more than one sequence, or a value of something else")
    (name,) = members
    joint = {other for other, item in context.symbols.items() if isinstance(item.kind, K.JointWith)}
    for other in names:
        item = context.symbols.get(other)
        if item is None or (item.is_random and other not in joint):
            raise Rejected("outside", "a gap with something else that is random")
    return World(name, numbers, centre, made)


def _spike(data: Mapping[str, object]) -> Spike:
    if data.keys() != {"height", "power", "rarity", "nested", "fair"}:
        raise Rejected("data", "a height, a power, a rarity, and whether events are nested and signs fair")
    numbers = [data[key] for key in ("height", "power", "rarity")]
    flags = data["nested"], data["fair"]
    if not all(isinstance(number, str) for number in numbers) or not all(
        isinstance(flag, bool) for flag in flags
    ):
        raise Rejected("data", "rational numbers, and yes or no")
    height, power, rarity = (Fraction(str(number)) for number in numbers)
    if height < 0 or rarity < 0 or max(abs(power), rarity) > LARGEST:
        raise Rejected("not-allowed", "a height or a rarity below 0, or an enormous power")
    return Spike(height, power, rarity, flags[0] is True, flags[1] is True)


def _admit(plain: Context, world: World) -> None:
    """Accepts numbers that declarations and the other assumptions allow."""
    own = {name: str(value) for name, value in world.values.items() if name in plain.symbols}
    with precision(None):
        evaluator = Evaluator(plain, tables(plain, read_point(own)), Budget())
        Admission(evaluator).check()


RULES = (Rule("converges", "limits", converges), Rule("sequence", "limits", sequence))
