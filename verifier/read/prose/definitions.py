r"""Relations that say what a letter is: s = a + b, f(x) = x^2, x_{k+1} = x_k - g, \mathbb{E}[X] = 0."""

from collections.abc import Sequence
from dataclasses import replace

from verifier.expr.nodes import UNARY
from verifier.expr.tex.notation import COMMANDS, UPRIGHT, WORDS
from verifier.expr.tex.tokens import Token
from verifier.read.prose.brackets import split
from verifier.read.prose.formulas import Mathematics
from verifier.read.prose.relations import Relation
from verifier.read.prose.scalars import scalar_text
from verifier.read.prose.spelling import checked, group, printed, texts, upright, whole_letter
from verifier.read.prose.values import Facts, Is, Letter, Means, Moments, Named, Number, Recurs, Space


def stands_for(relation: Relation) -> Named | None:
    r"""\phi = \tanh: a letter for a function of the language."""
    letter = whole_letter(relation.left)
    marks = texts(relation.right)
    if letter is None or relation.op not in ("==", ":=") or not marks:
        return None
    word = upright([token for token in relation.right if token.text != r"\operatorname"])
    function = COMMANDS.get(marks[0]) if len(marks) == 1 else WORDS.get(word) if marks[0] in UPRIGHT else None
    return Named(letter, function) if function in UNARY else None


def definition(read: Mathematics, sure: bool = True) -> Facts | None:
    """letter = expression, letter := expression, f(x) = expression, also with the space of x."""
    if len(read.relations) != 1:
        return None
    named = None if read.facts else stands_for(read.relations[0])
    if named is not None:
        return (named,)
    step = None if read.facts else recurs(read.relations[0])
    if step is not None:
        return (step,)
    made = means(read.relations[0], sure)
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
    made = [means(item, True) for item in read.relations]
    return None if None in made else tuple(item for item in made if item is not None)


def means(relation: Relation, sure: bool) -> Means | None:
    if relation.op not in ("==", ":=") or moment(relation) is not None:
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


def moment(relation: Relation) -> Is | None:
    r"""\mathbb{E}[X] = \mu, \mathrm{Var}(X) = \sigma^2"""
    marks = texts(relation.left)
    opened = next((at for at, mark in enumerate(marks) if mark in ("(", "[")), len(marks))
    word = upright([token for token in relation.left[:opened] if token.text != r"\operatorname"])
    letter = whole_letter(relation.left[opened + 1 : -1])
    if relation.op != "==" or letter is None or marks[-1] not in (")", "]") or word not in ("E", "Var", "V"):
        return None
    if set(texts(relation.left[opened + 1 : -1])) & set(texts(relation.right)):
        return None  # Var(x) = \frac{1}{n} \sum_i x_i^2 - ... says what Var is
    value = scalar_text(relation.right)
    return Is(checked(letter), Moments(mean=value) if word == "E" else Moments(var=value))


def recurs(relation: Relation) -> Recurs | None:
    """x_{k+1} = ..., where x_k stands on the right; x_t = ..., where x_{t-1} does; x^{(t+1)} = ..."""
    marks = texts(relation.left)
    at = next((at for at, mark in enumerate(marks) if mark in ("_", "^")), 0)
    if relation.op not in ("==", ":=") or not at:
        return None
    script, after = group(relation.left, at + 1)
    is_above = marks[at] == "^"
    if is_above and texts(script[:1] + script[-1:]) == ["(", ")"]:
        script = script[1:-1]
    head, index = whole_letter(relation.left[:at]), whole_letter(script[:1])
    if after != len(marks) or head is None or index is None:
        return None
    is_back = len(script) == 1
    if not is_back and texts(script)[1:] != ["+", "1"]:
        return None
    right = lowered(relation.right, script[0].text) if is_above else list(relation.right)
    if is_back and not _contains(right, [*marks[:at], "_", "{", *texts(script), "-", "1"]):
        return None
    left = printed([*relation.left[:at], replace(relation.left[at], text="_"), *relation.left[at + 1 :]])
    if is_above and not is_back and not _contains(right, [*marks[:at], "_", *texts(script[:1])]):
        return None
    return Recurs(checked(head), index.name, left, printed(right), is_back, is_above)


def lowered(tokens: Sequence[Token], index: str) -> list[Token]:
    """x_k for x^k and x^{(k)}, where k counts the steps of a sequence that is numbered above."""
    made: list[Token] = []
    at = 0
    while at < len(tokens):
        if tokens[at].text == "^":
            script, after = group(tokens, at + 1)
            inner = script[1:-1] if texts(script[:1] + script[-1:]) == ["(", ")"] else script
            if texts(inner[:1]) == [index]:
                brace = [] if len(inner) == 1 else [replace(tokens[at], text="{")]
                close = [] if len(inner) == 1 else [replace(tokens[at], text="}")]
                made += [replace(tokens[at], text="_"), *brace, *inner, *close]
                at = after
                continue
        made.append(tokens[at])
        at += 1
    return made


def _contains(tokens: Sequence[Token], marks: list[str]) -> bool:
    found = texts(tokens)
    return any(found[at : at + len(marks)] == marks for at in range(len(found)))


def redefines(relation: Relation) -> bool:
    r"""\log(x) = x^2: the right side speaks of the argument of a function that has a meaning already."""
    marks = texts(relation.left)
    if not marks or marks[0] not in COMMANDS or marks[1:2] != ["("] or marks[-1] != ")":
        return False
    argument = whole_letter(relation.left[2:-1])
    return argument is not None and not set(marks[2:-1]).isdisjoint(texts(relation.right))
