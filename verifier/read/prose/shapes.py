"""The shapes of formulas that patterns name with `$`, and what their relations say.

The same relation is a definition after `where`, a condition after `such that`, and a kind of number after
`let`."""

from dataclasses import replace

from verifier.expr import syntax as S
from verifier.read.prose.brackets import split
from verifier.read.prose.formulas import Mathematics
from verifier.read.prose.laws import uniform_on
from verifier.read.prose.notation import notation
from verifier.read.prose.relations import Relation
from verifier.read.prose.scalars import scalar, scalar_text
from verifier.read.prose.sets import POSITIVE_DEFINITE, interval
from verifier.read.prose.spelling import checked, printed, texts, whole_letter
from verifier.read.prose.values import (
    Fact,
    Facts,
    Family,
    Grows,
    Holds,
    Is,
    Letter,
    Means,
    Number,
    Ranges,
    Space,
    Unsayable,
)

_MIRRORED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "==", "!=": "!=", ":=": ":="}
_STRICT = ("<", ">")


# --- conditions and definitions -----------------------------------------------------------------------------


def given(read: Mathematics) -> Facts | None:
    """What a formula says where it introduces things: kinds of numbers, definitions, conditions."""
    if not read.facts and not read.relations:
        return None
    return (*read.facts, *_bounds(read.relations, defining=True))


def condition(read: Mathematics) -> Facts | None:
    """What a formula says where it restricts things."""
    if not read.facts and not read.relations:
        return None
    return (*read.facts, *_bounds(read.relations, defining=False))


def bare_condition(read: Mathematics) -> Facts | None:
    """What a formula says after `if`: relations, and nothing that makes a letter something for good."""
    if read.facts or not read.relations:
        return None
    return tuple(_valued(item) or holds(item) for item in read.relations)


def _valued(relation: Relation) -> Means | None:
    """f(x) = ... says what f is, wherever it stands."""
    made = _means(relation, False)
    return made if made is not None and made.arguments else None


def holds(relation: Relation) -> Fact:
    """The relation as an assumption; of the Loewner order, what the language has a kind for."""
    match relation.op:
        case "psd" | "pd" | "psd of" | "pd of":
            return _definite(relation)
        case ":=":
            raise Unsayable("this defines a letter and assumes nothing", "write `where` or `let`")
    return Holds(printed(relation.left), relation.op, printed(relation.right))


def _definite(relation: Relation) -> Fact:
    matrix, zero = relation.left, relation.right
    if relation.op.endswith("of"):
        matrix, zero = zero, matrix
    letter = whole_letter(matrix)
    if relation.op.startswith("pd"):
        raise Unsayable(*POSITIVE_DEFINITE)
    if letter is None or texts(zero) != ["0"]:
        raise Unsayable(
            "the claim language has no Loewner order between matrices",
            "declare one matrix as positive semidefinite",
        )
    return Is(checked(letter), Family("psd"))


def definition(read: Mathematics, sure: bool = True) -> Facts | None:
    """letter = expression, letter := expression, f(x) = expression, also with the space of x."""
    if len(read.relations) != 1:
        return None
    made = _means(read.relations[0], sure)
    return None if made is None or not _of_arguments(read.facts, made) else (made,)


def _of_arguments(facts: Facts, made: Means) -> bool:
    """Whether nothing is said but of which shape the arguments of a function are."""
    for fact in facts:
        if not isinstance(fact, Is) or fact.letter not in made.arguments:
            return False
        if not isinstance(fact.attribute, Space) and fact.attribute != Number("real"):
            return False
    return True


def definitions(read: Mathematics) -> Facts | None:
    """Several of them, between commas."""
    if read.facts or len(read.relations) < 2:
        return None
    made = [_means(item, True) for item in read.relations]
    return None if None in made else tuple(item for item in made if item is not None)


def _means(relation: Relation, sure: bool) -> Means | None:
    if relation.op not in ("==", ":="):
        return None
    found = _defined(relation)
    if found is None:
        return None
    sure = sure or relation.op == ":="
    return Means(found[0], printed(relation.left), printed(relation.right), sure, found[1])


def _defined(relation: Relation) -> tuple[Letter, tuple[Letter, ...]] | None:
    """The letter on the left, alone or with letters as its arguments: f(x), g(x, y)."""
    letter = whole_letter(relation.left)
    if letter is not None:
        return checked(letter), ()
    marks = texts(relation.left)
    if marks[-1:] != [")"] or "(" not in marks:
        return None
    opened = marks.index("(")
    head = whole_letter(relation.left[:opened])
    arguments = [whole_letter(part) for part in split(relation.left[opened + 1 : -1], ",", ";")]
    known = tuple(checked(item) for item in arguments if item is not None)
    return None if head is None or len(known) != len(arguments) else (checked(head), known)


def _bounds(relations: tuple[Relation, ...], defining: bool) -> Facts:
    """Relations as facts; a letter between two numbers is in an interval, above 0 it is positive."""
    facts: list[Fact] = []
    at = 0
    while at < len(relations):
        first = relations[at]
        second = relations[at + 1] if at + 1 < len(relations) else None
        between = _between(first, second)
        if between is not None:
            facts += between
            at += 2
            continue
        at += 1
        made = _means(first, sure=False) if defining else None
        facts += (made,) if made is not None else _from_zero(first) or (holds(first),)
    return tuple(facts)


def _between(first: Relation, second: Relation | None) -> Facts | None:
    """a < x <= b, and the same from above."""
    if second is None or first.right != second.left:
        return None
    letter = whole_letter(first.right)
    if letter is None or first.op not in ("<", "<=", ">", ">=") or second.op not in ("<", "<=", ">", ">="):
        return None
    if first.op[0] != second.op[0]:
        return None
    if first.op[0] == ">":
        turned = replace(second, left=second.right, right=second.left, op=_MIRRORED[second.op])
        first, second = turned, replace(first, left=first.right, right=first.left, op=_MIRRORED[first.op])
    low, high = scalar_text(first.left), scalar_text(second.right)
    attributes = interval(low, high, first.op == "<=", second.op == "<=")
    conditions = f"{{x}} {'>=' if first.op == '<=' else '>'} {low}", f"{{x}} {second.op} {high}"
    made: list[Fact] = []
    for item in attributes:
        if isinstance(item, Number):
            both = " and ".join(conditions)
            made.append(Is(checked(letter), replace(item, condition=both)))
        else:
            made.append(Is(checked(letter), item))
    return tuple(made)


def _from_zero(relation: Relation) -> Facts:
    """x > 0, x >= 0, 0 < x."""
    left, op, right = relation.left, relation.op, relation.right
    if texts(left) == ["0"] and op in _MIRRORED:
        left, op, right = right, _MIRRORED[op], left
    letter = whole_letter(left)
    if letter is None or texts(right) != ["0"] or op not in (">", ">="):
        return ()
    kind = "positive" if op == ">" else "interval(0, oo)"
    return (Is(checked(letter), Number(kind, condition=f"{{x}} {op} 0")),)


# --- single shapes ------------------------------------------------------------------------------------------


def letters(read: Mathematics) -> tuple[Letter, ...] | None:
    return read.letters if read.bare and read.letters else None


def one_letter(read: Mathematics) -> Letter | None:
    return read.letters[0] if read.bare and len(read.letters) == 1 else None


def member(read: Mathematics) -> tuple[tuple[Letter, ...], Facts] | None:
    r"""Letters with \in, \sim, or as a function: x, y \in \mathbb{R}^d."""
    is_member = read.facts and not read.relations and all(isinstance(fact, Is) for fact in read.facts)
    return (read.letters, read.facts) if is_member else None


def introduced(read: Mathematics) -> tuple[tuple[Letter, ...], Facts] | None:
    """Letters with what their formula says of them, of any shape: n >= 2, x in R^d."""
    facts = given(read)
    if facts is None or any(isinstance(fact, Grows | Ranges) for fact in facts):
        return None
    return (read.letters, facts)


def _is_bound(relation: Relation) -> bool:
    """A letter against a number, and no definition."""
    if relation.op in ("==", ":=") or relation.op not in _MIRRORED:
        return False
    sides = (relation.left, relation.right)
    numbers = [all(token.is_digit or token.text in (".", "/", "-") for token in side) for side in sides]
    return any(number and whole_letter(side) for number, side in zip(numbers, reversed(sides), strict=True))


def bounded(read: Mathematics) -> Facts | None:
    """Members of sets, and letters against numbers: what may be quantified over in a list."""
    if not all(_is_bound(relation) for relation in read.relations):
        return None
    return condition(read)


def claim(read: Mathematics) -> Facts | None:
    """A relation that is neither a definition nor a bound on a letter: it can only be a claim or a
    condition."""
    plain = [item for item in read.relations if not _is_bound(item) and _means(item, True) is None]
    return () if plain else None


def tends(read: Mathematics) -> Facts | None:
    return read.facts if read.facts and all(isinstance(fact, Grows) for fact in read.facts) else None


def ranges(read: Mathematics) -> Facts | None:
    return read.facts if read.facts and all(isinstance(fact, Ranges) for fact in read.facts) else None


def number(read: Mathematics) -> S.Syntax | None:
    """An expression that is a number."""
    if read.relations or read.facts or read.law or read.set or read.sizes or len(read.letters) > 1:
        return None
    return scalar(read.tokens) if read.tokens else None


def expression(read: Mathematics) -> str | None:
    """Any expression, not read here."""
    if read.relations or read.facts or read.law or read.set or not read.tokens or len(read.letters) > 1:
        return None
    return read.latex


def norm_bars(read: Mathematics) -> bool | None:
    r"""\|\cdot\|"""
    return True if [token.text for token in read.tokens] == ["‖", r"\cdot", "‖"] else None


SHAPES = {
    "letters": letters,
    "letter": one_letter,
    "member": member,
    "introduced": introduced,
    "given": given,
    "condition": condition,
    "if": bare_condition,
    "definition": definition,
    "tends": tends,
    "range": ranges,
    "number": number,
    "expression": expression,
    "set": lambda read: read.set or None,
    "law": lambda read: read.law,
    "sizes": lambda read: read.sizes or None,
    "bars": norm_bars,
    "uniform": lambda read: uniform_on(read.tokens) if read.set else None,
    "bounded": bounded,
    "claim": claim,
    "asserted": lambda read: None if member(read) else read,
    "notation": notation,
    "definitions": definitions,
    "any": lambda read: read,
}
