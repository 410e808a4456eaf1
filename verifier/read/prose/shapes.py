"""The shapes of formulas that patterns name with `$`, and what their relations say.

The same relation is a definition after `where`, a condition after `such that`, and a kind of number after
`let`."""

from collections.abc import Sequence
from dataclasses import replace

from verifier.expr import syntax as S
from verifier.expr.tex.tokens import Token
from verifier.read.prose.definitions import (
    definition,
    definitions,
    means,
    moment,
    recurs,
    redefines,
    stands_for,
)
from verifier.read.prose.formulas import Mathematics, read_mathematics
from verifier.read.prose.laws import bernoulli, uniform_on
from verifier.read.prose.notation import notation
from verifier.read.prose.relations import Relation
from verifier.read.prose.scalars import scalar, scalar_text
from verifier.read.prose.sets import POSITIVE_DEFINITE, bits, interval, signs
from verifier.read.prose.spelling import checked, entry_of, printed, texts, whole_letter
from verifier.read.prose.values import (
    Fact,
    Facts,
    Family,
    Grows,
    Holds,
    Is,
    Law,
    Letter,
    Means,
    Number,
    Ranges,
    Space,
    Unsayable,
)

_MIRRORED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "==", "!=": "!=", ":=": ":="}


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


def corners(read: Mathematics) -> Facts | None:
    r"""s \in \{-1, 1\}^n, b \in \{0, 1\}^n: with independent entries, if it is uniform there."""
    made = member(read)
    spaces = [
        fact.attribute for fact in read.facts if isinstance(fact, Is) and isinstance(fact.attribute, Space)
    ]
    rank = len(spaces[0].sizes) if len(spaces) == 1 else 0
    said = {fact.attribute for fact in read.facts if isinstance(fact, Is)}
    if made is None or len(made[0]) != 1 or not said & {signs(rank), bits(rank)}:
        return None
    law = Law("rademacher") if signs(rank) in said else bernoulli("1/2")
    return (*read.facts, Is(made[0][0], replace(law, entrywise=True, independent=True)))


def bare_condition(read: Mathematics) -> Facts | None:
    """What a formula says after `if`: relations, and nothing that makes a letter something for good."""
    if read.facts or not read.relations:
        return None
    return tuple(_valued(item) or holds(item) for item in read.relations)


def _valued(relation: Relation) -> Means | None:
    """f(x) = ... says what f is, wherever it stands."""
    made = means(relation, False)
    return made if made is not None and made.arguments else None


def holds(relation: Relation) -> Fact:
    """The relation as an assumption; of the Loewner order, what the language has a kind for."""
    match relation.op:
        case "psd" | "pd" | "psd of" | "pd of":
            return _definite(relation)
        case ":=":
            raise Unsayable("this defines a letter and assumes nothing", "write `where` or `let`")
        case "==" if redefines(relation):
            raise Unsayable("this gives a known function another meaning", "name the function by a letter")
    return Holds(printed(relation.left), relation.op, printed(relation.right), moment=moment(relation))


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
        named = stands_for(first) if defining else None
        if named is not None:
            facts.append(named)
            continue
        made = recurs(first) or (means(first, sure=False) if defining else None)
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
    numbers = [_is_number(side) for side in sides]
    return any(number and whole_letter(side) for number, side in zip(numbers, reversed(sides), strict=True))


def _is_number(side: Sequence[Token]) -> bool:
    return all(token.is_digit or token.text in (".", "/", "-") for token in side)


def bounded(read: Mathematics) -> Facts | None:
    """Members of sets, and letters against numbers: what may be quantified over in a list."""
    if not all(_is_bound(relation) for relation in read.relations):
        return None
    return condition(read)


def claim(read: Mathematics) -> Facts | None:
    """A relation that is neither a definition nor a bound on a letter: it can only be a claim or a
    condition."""
    plain = [item for item in read.relations if not _is_bound(item) and means(item, True) is None]
    return () if plain else None


def row_letter(read: Mathematics) -> tuple[Letter, str, bool] | None:
    r"""x_i, x_i^\top: the letter, its index, and whether it is printed transposed."""
    tokens, transposed = read.tokens, texts(read.tokens[-2:]) in (["^", r"\top"], ["^", "T"])
    letter = whole_letter(tokens[:-2] if transposed else tokens) if tokens else None
    if letter is None or len(letter.indices) != 1:
        return None
    base = replace(letter, name=entry_of(letter), latex=letter.latex.rpartition("_")[0], indices=())
    return checked(base), letter.indices[0], transposed


def row_letters(read: Mathematics) -> tuple[Letter, str, bool] | None:
    r"""x_1, \dots, x_n and x_1^\top, \dots, x_n^\top: the letter, how many, and whether transposed."""
    marks = texts(read.tokens)
    transposed = marks.count(r"\top") == 2 and marks[-2:] == ["^", r"\top"]
    kept = [token for at, token in enumerate(read.tokens)
            if not (transposed and (token.text == r"\top" or marks[at : at + 2] == ["^",
            r"\top"]))]  # fmt: skip
    plain = read_mathematics(printed(kept)) if transposed else read
    if not plain.bare or len(plain.letters) != 1 or plain.letters[0].copies is None:
        return None
    return replace(plain.letters[0], copies=None), plain.letters[0].copies, transposed


def tends(read: Mathematics) -> Facts | None:
    return read.facts if read.facts and all(isinstance(fact, Grows) for fact in read.facts) else None


def ranges(read: Mathematics) -> Facts | None:
    return read.facts if read.facts and all(isinstance(fact, Ranges) for fact in read.facts) else None


def number(read: Mathematics) -> S.Syntax | None:
    """An expression that is a number."""
    if read.relations or read.facts or read.law or read.set or read.sizes or len(read.letters) > 1:
        return None
    return scalar(read.tokens) if read.tokens else None


def quantity(read: Mathematics) -> tuple[S.Syntax, Facts] | None:
    r"""A number, maybe with what is said of it: \sigma^2 > 0, \sigma^2 < \infty, p \in (0, 1)."""
    if not read.relations and not read.facts:
        made = number(read)
        return None if made is None else (made, ())
    if read.facts:
        named = member(read)
        is_plain = (
            named is not None and len(named[0]) == 1 and not (named[0][0].indices or named[0][0].copies)
        )
        return (S.parse(named[0][0].name), named[1]) if named is not None and is_plain else None
    first = read.relations[0]
    if len(read.relations) == 1 and first.op == "==" and definition(read) is None:
        return scalar(first.right), (holds(first),)
    if len(read.relations) > 1 or first.op not in ("<", "<=", ">", ">="):
        return None
    if texts(first.right) == [r"\infty"] and first.op == "<":
        return scalar(first.left), ()
    return (scalar(first.left), _bounds(read.relations, defining=False)) if _is_number(first.right) else None


def expression(read: Mathematics) -> str | None:
    """Any expression, not read here."""
    if read.relations or read.facts or read.law or read.set or not read.tokens or len(read.letters) > 1:
        return None
    return read.latex


def norm_bars(read: Mathematics) -> bool | None:
    r"""\|\cdot\|"""
    return True if [token.text for token in read.tokens] == ["‖", r"\cdot", "‖"] else None


def nonzero(read: Mathematics) -> bool | None:
    r"""a \ne 0: where a quotient has no value it says nothing."""
    found = read.relations
    is_one = len(found) == 1 and not read.facts and found[0].op == "!=" and texts(found[0].right) == ["0"]
    return True if is_one else None


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
    "quantity": quantity,
    "nonzero": nonzero,
    "row": row_letter,
    "rows": row_letters,
    "expression": expression,
    "set": lambda read: read.set or None,
    "law": lambda read: read.law,
    "sizes": lambda read: read.sizes or None,
    "bars": norm_bars,
    "uniform": lambda read: uniform_on(read.tokens) if read.set else None,
    "bounded": bounded,
    "corners": corners,
    "claim": claim,
    "asserted": lambda read: None if member(read) else read,
    "notation": notation,
    "definitions": definitions,
    "any": lambda read: read,
}
