r"""What is said for all values of a letter: of every step of a sequence, of a function's argument, at every
index.

`x_{k+1} = ...$ for all $k \ge 0` is what a sequence is, and `$x_i \le c$ for $i = 1, \dots, n` is a condition
on each entry."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from verifier.read.prose.spelling import entry_of
from verifier.read.prose.table import Said
from verifier.read.prose.values import (
    Fact,
    Family,
    Holds,
    Is,
    Letter,
    Means,
    Number,
    Ranges,
    Recurs,
    Space,
)


def shaped_in(facts: Iterable[Fact]) -> Iterator[str]:
    """The letters whose space is told."""
    for fact in facts:
        if isinstance(fact, Is) and isinstance(fact.attribute, Space | Family) and not fact.letter.indices:
            yield fact.letter.name


def owner(letter: Letter) -> str:
    return entry_of(letter) if letter.indices else letter.name


def over_arguments(said: Said) -> Said:
    """Let $f(x) = ...$ for $x > 0$: x is positive wherever f is known."""
    defined = [fact for fact in said.facts if isinstance(fact, Means)]
    arguments = {letter.name for fact in defined for letter in fact.arguments}
    over = {fact.letter.name for fact in said.facts if isinstance(fact, Is) and fact.bound}
    others = any(isinstance(fact, Holds | Ranges) for fact in said.facts)
    if (
        said.claims
        or others
        or not over
        or not over <= arguments
        or not all(fact.arguments for fact in defined)
    ):
        return said
    facts = (replace(fact, bound=False) if isinstance(fact, Is) else fact for fact in said.facts)
    return replace(said, facts=tuple(facts))


def over_steps(said: Said) -> Said:
    """$x_{k+1} = ...$ for all $k \\ge 0$, $x_t = ...$ for $t \\ge 1$: every step, which is what a sequence
    is."""
    counted = {fact.index: fact.is_back for fact in said.facts if isinstance(fact, Recurs)}
    over = [fact for fact in said.facts if _counting(fact) is not None]
    if said.claims or not counted or any(_counting(fact) not in counted for fact in over):
        return said
    if not all(_is_every_step(fact, counted[_counting(fact) or ""]) for fact in over):
        return said
    return replace(said, facts=tuple(fact for fact in said.facts if fact not in over))


def _counting(fact: Fact) -> str | None:
    """The letter of which something is said for the steps alone."""
    match fact:
        case Is(letter, bound=True) | Ranges(letter):
            return letter.name
        case Holds(left, bound=True):
            return left
    return None


def _is_every_step(fact: Fact, is_back: bool) -> bool:
    """From k = 0 on, where x_{k+1} is said; from t = 1 on, where x_t is."""
    first = "1" if is_back else "0"
    match fact:
        case Is(attribute=Number("integer" | "dimension" as kind)):
            return kind == "integer" or is_back
        case Is(attribute=Number("interval(0, oo)", condition="{x} >= 0")):
            return not is_back
        case Holds(_, op, right):
            return (op, right) == (">=", first)
        case Ranges(low=low):
            return low == first
    return False


def at_every_index(read: Sequence[Said], known: Iterable[str]) -> tuple[Said, ...]:
    """$\\|x_i\\| \\le 1$ for $i = 1, \\dots, n$, where nothing is claimed: a condition on each of them."""
    shaped = {*known, *shaped_in([fact for said in read for fact in said.facts])}
    return tuple(_at_every_index(said, shaped) for said in read)


def _at_every_index(said: Said, shaped: Set[str]) -> Said:
    runs = [run for fact in said.facts if (run := _run_of(fact)) is not None]
    if said.claims or len(runs) != 1:
        return said
    index = runs[0][0]
    letter = re.compile(rf"(?<![A-Za-z\\]){re.escape(index)}(?![A-Za-z])")
    facts: list[Fact] = []
    for fact in said.facts:
        facts += (
            _of_entries(fact, index) if isinstance(fact, Is) and owner(fact.letter) in shaped else (fact,)
        )
    conditions = [fact for fact in facts if isinstance(fact, Holds)]
    if not conditions or not all(letter.search(f"{fact.left} {fact.right}") for fact in conditions):
        return said
    kept = (fact for fact in facts if _run_of(fact) is None)
    return replace(
        said, facts=tuple(replace(fact, over=runs[0]) if isinstance(fact, Holds) else fact for fact in kept)
    )


def _of_entries(fact: Is, index: str) -> tuple[Fact, ...]:
    """p_i > 0, said of an entry as of a letter, as a condition."""
    if fact.letter.indices != (index,) or not isinstance(fact.attribute, Number):
        return (fact,)
    parts = [part.split() for part in fact.attribute.condition.split(" and ") if part]
    return tuple(Holds(fact.letter.latex, op, " ".join(right), fact.bound) for _, op, *right in parts)


def _run_of(fact: Fact) -> tuple[str, str, str] | None:
    """The letter that a sentence lets run over whole numbers, and from where to where."""
    match fact:
        case Ranges(letter, low, high, True):
            return letter.name, low, high
        case Is(letter, Number(kind), bound=True) if kind.startswith("index("):
            return letter.name, "1", kind[len("index(") : -1]
    return None
