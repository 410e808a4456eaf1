"""A document in a few sentences, for its referee: what holds, what does not, what matters most."""

from collections import Counter
from collections.abc import Iterable, Mapping

from verifier.report.rows import Row

MOST_IMPORTANT = 3
# One and many, for each verdict.
WORDS: Mapping[str, tuple[str, str]] = {
    "holds": ("holds", "hold"),
    "fails": ("is false", "are false"),
    "loose": ("bound is true but loose", "bounds are true but loose"),
    "unrefuted": ("is neither proved nor broken", "are neither proved nor broken"),
    "inconclusive": ("could not be decided", "could not be decided"),
    "error": ("could not be judged", "could not be judged"),
}
NUMBERS = ("no", "one", "two", "three")


def in_words(counts: Mapping[str, int], checked: int) -> str:
    """Of 45 statements 33 hold, 9 are false and 3 bounds are true but loose."""
    total = sum(counts.values())
    if total == 0:
        return "Nothing was judged."
    parts = [f"{number} {WORDS[name][number != 1]}" for name in WORDS if (number := counts.get(name, 0))]
    said = " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))
    if len(parts) == 1:
        said = f"all {said.partition(' ')[2]}" if total > 1 else f"that is judged {said.partition(' ')[2]}"
    told = f"The one statement {said}." if total == 1 else f"Of {total} statements {said}."
    return f"{told} {_sure(checked, sum(counts.get(name, 0) for name in ('holds', 'loose', 'fails')))}"


def _sure(checked: int, decided: int) -> str:
    if decided == 0:
        return "No verdict rests on a proof."
    if checked == decided:
        return "Each of these verdicts rests on a proof that the kernel checked."
    others = f"the {'other' if decided - checked == 1 else 'others'} on the word of an engine"
    return f"{checked} of the {decided} verdicts rest on a proof that the kernel checked, {others}."


def most_important(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The failures that a referee reads first: statements before lines of proofs, those of the paper's own
    theorems before remarks, one of each theorem before its second one, in the paper's order; where nothing
    fails, the loose bounds."""
    found: dict[str, list[tuple[tuple[bool, bool, int], Row]]] = {"fails": [], "loose": []}
    before = Counter[tuple[str, bool]]()
    for row in rows:
        if row.verdict in found:
            kind = row.theorem, row.is_argument
            found[row.verdict].append(((row.is_argument, not row.is_numbered, before[kind]), row))
            before[kind] += 1
    first = sorted(found["fails"] or found["loose"], key=lambda item: item[0])
    return tuple(row for _, row in first[:MOST_IMPORTANT])


def heading(important: tuple[Row, ...]) -> str:
    """What stands above them."""
    number, verb = len(important), "matters" if len(important) == 1 else "matter"
    return f"The {NUMBERS[number]} that {verb} most" if number > 1 else f"The one that {verb} most"
