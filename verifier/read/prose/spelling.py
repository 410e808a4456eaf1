r"""Letters as papers print them, and the names that the claim language spells for them.

`\sigma_w` is sigma_w, `\bar{x}` xbar, `\mathbf{W}` W, `x^\star` x_star, `x'` x_prime; in `W_{ij}` and `x_i`
the indices are those of a general entry, unless something else shows that they are part of the name."""

from collections.abc import Sequence
from dataclasses import replace

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.functions import RESERVED, USAGE
from verifier.expr.tex.letters import GREEK, word
from verifier.expr.tex.tokens import Token, group_end
from verifier.expr.tex.untyped import read_untyped
from verifier.read.prose.values import Letter, Unsayable

Tokens = Sequence[Token]

ACCENTS = {
    r"\bar": "bar", r"\overline": "bar", r"\hat": "hat", r"\widehat": "hat", r"\tilde": "tilde",
    r"\widetilde": "tilde", r"\check": "check", r"\dot": "dot",
}  # fmt: skip
_LETTER_FONTS = frozenset(
    {r"\mathbf", r"\boldsymbol", r"\mathrm", r"\mathit", r"\mathsf", r"\mathcal", r"\mathfrak", r"\vec",
     r"\operatorname", r"\text", r"\textbf", r"\textrm", r"\mathds"}
)  # fmt: skip
_WORDS = frozenset({r"\operatorname", r"\mathrm", r"\text", r"\textrm", r"\mathsf"})
FONTS = _LETTER_FONTS | {r"\mathbb"}
STARS = {
    "*": "star", r"\star": "star", r"\ast": "star", "'": "prime", r"\prime": "prime", "+": "plus",
}  # fmt: skip
MAX_LETTER = 12
INDICES = frozenset("ijklt")


def texts(tokens: Tokens) -> list[str]:
    return [token.text for token in tokens]


def group(tokens: Tokens, at: int) -> tuple[list[Token], int]:
    """What stands in braces at this place, or the one token there, and the place after it."""
    if at < len(tokens) and tokens[at].text == "{":
        end = group_end(list(tokens), at)
        return list(tokens[at + 1 : end]), end + 1
    return list(tokens[at : at + 1]), at + 1


def upright(tokens: Tokens) -> str:
    r"""A run of letters with its fonts taken off: `\mathrm{Unif}` is Unif, `\mathcal N` N."""
    return "".join(token.text for token in tokens if token.text not in FONTS | {"{", "}"})


_SIDED = {
    ("‖", "open"): r"\lVert ",
    ("‖", "close"): r"\rVert ",
    ("|", "open"): r"\lvert ",
    ("|", "close"): r"\rvert ",
}


def printed(tokens: Tokens) -> str:
    """Tokens as LaTeX again, to be read once more: bars keep their sides."""
    text, after_command = "", False
    for token in tokens:
        mark = _bar(token)
        text += f" {mark}" if after_command and mark[:1].isalpha() else mark
        after_command = mark.startswith("\\") and mark[-1:].isalpha()
    return text


def _bar(token: Token) -> str:
    if token.side is not None:
        return _SIDED.get((token.text, token.side), token.text)
    return r"\|" if token.text == "‖" else token.text


def letter_at(tokens: Tokens, at: int) -> tuple[Letter, int] | None:
    """The letter that begins at this place, and the place after it."""
    found = _base(tokens, at)
    if found is None:
        return None
    name, place = found
    indices: tuple[str, ...] = ()
    if place < len(tokens) and tokens[place].text == "_":
        script, place = group(tokens, place + 1)
        parts = [word(token) for token in script if token.text not in FONTS | {"{", "}", ","}]
        if not parts or not all(parts):
            return None
        indices = _indices([part for part in parts if part])
        name += "_" + "".join(part for part in parts if part)
    for _ in range(2):
        if place < len(tokens) and tokens[place].text in ("'", r"\prime"):
            name, place = f"{name}_prime", place + 1
        elif place < len(tokens) and tokens[place].text == "^":
            script, after = group(tokens, place + 1)
            marks = texts(script)
            if marks == ["0"] and "_" not in name:  # x^0 is where a sequence begins: no power has a name
                name, place = f"{name}_0", after
                continue
            if len(marks) != 1 or marks[0] not in STARS:
                break
            name, place = f"{name}_{STARS[marks[0]]}", after
    return Letter(name, printed(tokens[at:place]), indices=indices), place


def _base(tokens: Tokens, at: int) -> tuple[str, int] | None:
    if at >= len(tokens):
        return None
    token = tokens[at]
    if token.text in ACCENTS or token.text in _LETTER_FONTS:
        inner, place = group(tokens, at + 1)
        if token.text in _WORDS and len(inner) > 1 and all(part.is_letter for part in inner):
            return "".join(texts(inner)), place
        found = _base(inner, 0)
        if found is None or found[1] != len(inner):
            return None
        return found[0] + ACCENTS.get(token.text, ""), place
    name = word(token)
    if name is None or token.is_digit:
        return None
    return name, at + 1


def _indices(parts: list[str]) -> tuple[str, ...]:
    """W_{ij}, x_i: one or two letters that stand for whole numbers."""
    if len(parts) == 2 and all(len(part) == 1 and part.islower() for part in parts):
        return tuple(parts)
    return tuple(parts) if len(parts) == 1 and parts[0] in INDICES else ()


def whole_letter(tokens: Tokens) -> Letter | None:
    """The letter that these tokens are, if they are one and nothing else."""
    found = letter_at(tokens, 0)
    if found is not None and found[1] == len(tokens):
        return found[0]
    return _bracketed_entry(tokens) or _marked(tokens)


def _bracketed_entry(tokens: Tokens) -> Letter | None:
    """(W_V)_{ij} is a general entry of W_V."""
    found = letter_at(tokens, 1) if texts(tokens[:1]) in (["("], ["["]) else None
    if found is None or texts(tokens[found[1] : found[1] + 2]) not in ([")", "_"], ["]", "_"]):
        return None
    script, end = group(tokens, found[1] + 2)
    indices = _indices([part for part in map(word, script) if part])
    if end != len(tokens) or not indices or len(indices) != len([t for t in script if t.text != ","]):
        return None
    return replace(found[0], name=f"{found[0].name}_{''.join(indices)}", indices=indices)


def _marked(tokens: Tokens) -> Letter | None:
    r"""A letter with a mark that the reader of formulas knows: x_\star, W^{(1)}, x_{\max}."""
    if not 1 < len(tokens) <= MAX_LETTER or _base(tokens, 0) is None:
        return None
    try:
        read = read_untyped(printed(tokens))
    except ExprError:
        return None
    if len(read.statements) != 1 or not isinstance(read.statements[0], S.Name) or len(read.letters) != 1:
        return None
    return Letter(read.statements[0].name, printed(tokens))


def latex_of(name: str) -> str:
    r"""A name as a paper prints it: \sigma_w for sigma_w."""
    base, mark, script = name.partition("_")
    command = f"\\{base}" if f"\\{base}" in GREEK else base
    return f"{command}_{{{script}}}" if mark and len(script) > 1 else f"{command}{mark}{script}"


def entry_of(letter: Letter) -> str:
    """The name of the matrix or vector of which this is an entry: W of W_{ij}."""
    return letter.name.rsplit("_", 1)[0]


def checked(letter: Letter) -> Letter:
    """The letter; where its name is that of a function of the claim language, under another one."""
    if letter.name in USAGE:
        return replace(letter, name=f"{letter.name}_")
    if letter.name in RESERVED:
        raise Unsayable(
            f"the name {letter.name} has a fixed meaning in the claim language",
            f"declare it under another name, and map {letter.latex} to it under `names:`",
        )
    return letter
