"""The search as it went: who tried what, at which cost, and why it ended."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from verifier.evidence import Attempt, Outcome

WIDTH, NAMES, INDENT = 76, 24, 4
SILENT = "nothing came of"
SAID: dict[Outcome, str] = {
    "proved": "proved",
    "refuted": "refuted",
    "told": "found",
    "nothing": "nothing",
    "cut": "cut by its limit",
    "not asked": "not asked",
}


def search_tree(tried: Iterable[Attempt]) -> Iterator[str]:
    """One line for each who was asked and found something, or says why not; the others folded into one, and
    those who were not asked by the reason. Costs are seconds of work."""
    silent, passed = [], []
    for one in tried:
        if one.outcome == "not asked":
            passed.append(one)
        elif one.outcome == "nothing" and not one.words and not one.inside:
            silent.append(one)
        else:
            yield from _lines(one)
    if silent:
        cost = sum(one.work for one in silent)
        yield from _wrapped(f"{SILENT} ({cost:.2f} s): {', '.join(one.who for one in silent)}")
    for one in passed:
        yield from _wrapped(f"not asked, since {one.words}: {one.who}")


def _lines(one: Attempt, depth: int = 0) -> Iterator[str]:
    margin = " " * (INDENT * depth)
    who = f"{one.who}, {one.times} times" if one.times > 1 else one.who
    words = SAID[one.outcome]
    if one.words and not (depth and one.outcome == "nothing"):
        words = f"{words}: {' '.join(one.words.split())}"
    head = f"{margin}{who:<{NAMES - len(margin)}} {one.work:>5.2f} s  "
    first, *more = wrap(words, WIDTH - len(head)) or [""]
    yield head + first
    yield from (" " * len(head) + line for line in more[:1])
    for inner in one.inside:
        yield from _lines(inner, depth + 1)


def _wrapped(words: str) -> Iterator[str]:
    yield from wrap(words, WIDTH, subsequent_indent=" " * INDENT)
