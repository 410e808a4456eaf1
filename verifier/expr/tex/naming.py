r"""How letters that nobody has declared are spelled: `\sigma_w` as sigma_w, `\bar x` as xbar."""

from abc import abstractmethod
from collections.abc import Set
from dataclasses import dataclass, field

from verifier.expr import syntax as S
from verifier.expr.errors import Span
from verifier.expr.functions import USAGE
from verifier.expr.tex.letters import GREEK, Letters, word
from verifier.expr.tex.reader import Reader
from verifier.expr.tex.stream import shown
from verifier.expr.tex.tokens import END, Token

_ACCENTS = {
    r"\bar": "bar", r"\overline": "bar", r"\hat": "hat", r"\widehat": "hat", r"\tilde": "tilde",
    r"\widetilde": "tilde", r"\vec": "", r"\check": "check", r"\breve": "breve",
    r"\underline": "under", r"\mathring": "ring",
}  # fmt: skip
_FONTS = frozenset(
    {r"\mathbf", r"\boldsymbol", r"\mathrm", r"\mathit", r"\mathsf", r"\mathcal", r"\mathfrak", r"\mathscr",
     r"\operatorname", r"\text", r"\textrm", r"\mathtt", r"\mathnormal", r"\mathbb", r"\textbf"}
)  # fmt: skip
_OPERATORS = frozenset({"argmin", "argmax", "min", "max", "sup", "inf", "lim", "limsup", "liminf"})
STARS = frozenset({"*", r"\star", r"\ast"})
PRIMES = frozenset({"'", r"\prime"})
TAKEN = frozenset(USAGE) | {"oo", "pi", "in", "given"}


@dataclass(frozen=True)
class OpenLetters(Letters):
    """What was met: each name with its print, and the names that stand before a bracket."""

    functions: Set[str] = frozenset()
    entries: Set[str] = frozenset()  # letters that are vectors or matrices
    numbers: Set[str] = frozenset()  # letters that are known to be numbers
    met: dict[str, str] = field(default_factory=dict)
    before_brackets: set[str] = field(default_factory=set)
    scripts: dict[str, tuple[str, str]] = field(default_factory=dict)
    transposed_by_letter: list[Span] = field(default_factory=list)
    exponentials: list[Span] = field(default_factory=list)
    paired: dict[str, Span] = field(default_factory=dict)  # i and j of \sum_{i \ne j}

    def pairs(self, names: list[S.Name]) -> bool:
        r"""Both indices of \sum_{i \ne j} run, unless one of them stands elsewhere: that is seen later."""
        self.paired.update((name.name, name.span) for name in names)
        return True

    def knows(self, name: str) -> bool:
        return False

    def is_number(self, name: str) -> bool:
        return name in self.numbers


class Naming(Reader):
    """The rules that make a name of print."""

    letters: OpenLetters

    @abstractmethod
    def letter(self) -> S.Syntax: ...

    def meet(self, name: str, tokens: list[Token]) -> str:
        """A name with its print; two prints of one name are two things."""
        printed = shown(tokens)
        before = self.letters.met.setdefault(name, printed)
        if before != printed:
            hint = "give one of them a name of its own under `names:`"
            raise self.refusal(f"{before} and {printed} would both be called {name}", hint, tokens[0].span)
        return name

    def core(self) -> str:
        """The letter itself, with what stands above it."""
        token = self.next
        if token.text in _ACCENTS:
            self.take()
            return self.inner_name(self.argument(), token) + _ACCENTS[token.text]
        if token.text in _FONTS:
            self.take()
            inner = self.argument()
            if token.text == r"\mathbb" and inner and inner[0].text in ("R", "N", "Z", "C", "1"):
                raise self.refusal(f"{shown([token, *inner])} is not a value", span=token.span)
            spelled = self.inner_name(inner, token)
            if len(inner) > 1 and all(part.is_letter for part in inner):
                self.check_word(spelled, token)
            return spelled
        name = "pi" if token.text == r"\pi" else word(token)
        if name is None or token.is_digit:
            raise self.unreadable(token)
        self.take()
        return name

    def check_word(self, name: str, sign: Token) -> None:
        """A word is a function where a bracket follows, and a name where no factor does."""
        place = self.at
        while self.meets("_", "^"):
            self.take()
            self.argument()
        takes = self.begins_factor() and not self.meets("(")
        has_scripts = self.at > place
        bare = sign.text == r"\operatorname" and not self.meets("(")
        self.at = place
        if takes or bare or (name in _OPERATORS and has_scripts):
            raise self.refusal(f"what {name} takes is not said", r"write brackets, or \cdot", sign.span)

    def inner_name(self, tokens: list[Token], sign: Token) -> str:
        """What stands under a mark or in a type: a letter with its own scripts, or a word."""
        if tokens and all(token.is_letter or token.is_digit for token in tokens) and tokens[0].is_letter:
            return "".join(word(token) or "" for token in tokens)
        inner = type(self)(tokens, OpenLetters((), self.letters.scope), frozenset())
        inner.depth = self.depth + 1
        if inner.depth > 20 or not tokens:
            raise self.refusal(f"{sign.text} over nothing that is a letter", span=sign.span)
        tree = inner.letter()
        if not isinstance(tree, S.Name) or not inner.meets(END):
            raise self.refusal(
                f"{sign.text} over more than one letter", "write it as a definition", sign.span
            )
        return tree.name

    def suffixes(self, name: str) -> str:
        r"""Primes and stars: x', x'', x^*, x^\star, x^{\prime}."""
        while True:
            if self.next.text in PRIMES:
                self.take()
                name += "_prime"
            elif self.meets("^") and (marks := self._marks()) is not None:
                name += marks
            else:
                return name

    def _marks(self) -> str | None:
        """The suffix that a superscript stands for, if it is one; it is taken then."""
        place = self.at
        self.take()
        texts = [token.text for token in self.argument()] if not self.meets(END, "^", "_", "}") else []
        if texts and set(texts) <= STARS:
            return "_star" * len(texts)
        if texts and set(texts) <= PRIMES:
            return "_prime" * len(texts)
        if len(texts) == 3 and texts[0] == "(" and texts[2] == ")" and texts[1].isdigit():
            return f"_{texts[1]}"
        if "," in texts and not set(texts) & {"(", "[", "+", "-", ":"}:
            words = [self.plain_word(part) for part in self.split(self.tokens[place + 1 : self.at])]
            if all(words):
                return "".join(f"_{item}" for item in words)
        self.at = place
        return None

    def picks(self, name: str, script: list[Token]) -> bool:
        """Whether a subscript of free letters picks an entry: i and j do, of what has entries."""
        has_entries = name in self.letters.entries
        if all(token.is_letter and token.text[0] in "ijkl" for token in script) and len(script) <= 2:
            return has_entries or len(script) == 2
        single = len(script) == 1 and (script[0].is_digit or script[0].text.islower())
        if has_entries and single:
            message = f"{name}_{shown(script)}: an entry of {name}, or a letter of its own?"
            raise self.refusal(message, "declare it, under `names:` or in the text", script[0].span)
        return False

    def divided_script(self, script: list[Token]) -> tuple[list[str], list[list[Token]]]:
        """What of a subscript belongs to the name, and what picks an entry."""
        parts = self.split(script)
        if not all(parts):
            raise self.refusal("a subscript with an empty place")
        if len(parts) > 1 and [token.text for token in parts[-1]] == [":"]:
            return [], parts[:-1]
        if len(parts) == 1 and len(script) == 2 and script[1].text == ":":
            return [], [script[:1]]
        pair = (
            len(parts) == 1
            and len(script) == 2
            and all(token.is_letter or token.is_digit for token in script)
        )
        if pair and any(word(token) in self.bound for token in script):
            return [], [[token] for token in script]
        names = [self.plain_word(part) for part in parts]
        bound = [any(word(token) in self.bound for token in part) for part in parts]
        if not any(bound) and all(name is not None for name in names):
            return [name for name in names if name], []
        words: list[str] = []
        while parts and (len(parts[0]) > 1 or parts[0][0].text in _FONTS) and names[0] and not bound[0]:
            words.append(names.pop(0) or "")
            parts.pop(0), bound.pop(0)
        return words, parts

    def plain_word(self, part: list[Token]) -> str | None:
        """Letters, digits, Greek letters and words: a part of a name."""
        if any(word(token) in self.bound for token in part if token.is_letter):
            return None
        texts = [token for token in part if token.text not in _FONTS and token.text not in ("{", "}")]
        if len(texts) == 1 and texts[0].text in STARS:
            return "star"
        known = {r"\max": "max", r"\min": "min", r"\infty": "oo", r"\sup": "sup", r"\inf": "inf"}
        words = [known.get(token.text) or word(token) for token in texts]
        if not words or not all(words) or any(token.text in GREEK for token in texts[1:]):
            return None
        return "".join(item for item in words if item)
