r"""Letters before anybody has declared them: every letter is a name, spelled as the claim language would.

`\sigma_w` is sigma_w, `\bar x` is xbar, `x'` is x_prime, `\mathbf{W}` is W. A letter before a bracket may be
a function or a factor: that is a mark of its own (`APPLIED`), settled by whoever knows the whole paper.
"""

from collections.abc import Set
from dataclasses import dataclass, field

from verifier.expr import syntax as S
from verifier.expr.errors import Span
from verifier.expr.functions import USAGE
from verifier.expr.tex.letters import GREEK, Letters, word
from verifier.expr.tex.reader import Reader
from verifier.expr.tex.stream import shown
from verifier.expr.tex.tokens import END, Token

APPLIED = "applied"
_ACCENTS = {
    r"\bar": "bar", r"\overline": "bar", r"\hat": "hat", r"\widehat": "hat", r"\tilde": "tilde",
    r"\widetilde": "tilde", r"\vec": "", r"\dot": "dot", r"\ddot": "ddot", r"\check": "check",
    r"\breve": "breve", r"\underline": "under", r"\mathring": "ring",
}  # fmt: skip
_FONTS = frozenset(
    {r"\mathbf", r"\boldsymbol", r"\mathrm", r"\mathit", r"\mathsf", r"\mathcal", r"\mathfrak", r"\mathscr",
     r"\operatorname", r"\text", r"\textrm", r"\mathtt", r"\mathnormal", r"\mathbb", r"\textbf"}
)  # fmt: skip
_STARS = frozenset({"*", r"\star", r"\ast"})
_PRIMES = frozenset({"'", r"\prime"})
_SPECTRAL = {"lambda_max": "eigmax", "lambda_min": "eigmin", "sigma_max": "norm"}
_TAKEN = frozenset(USAGE) | {"oo", "pi", "in", "given"}


@dataclass(frozen=True)
class OpenLetters(Letters):
    """What was met: each name with its print, and the names that stand before a bracket."""

    functions: Set[str] = frozenset()
    met: dict[str, str] = field(default_factory=dict)
    before_brackets: set[str] = field(default_factory=set)
    scripts: dict[str, tuple[str, str]] = field(default_factory=dict)
    transposed_by_letter: list[Span] = field(default_factory=list)

    def knows(self, name: str) -> bool:
        return False


class OpenReader(Reader):
    """The grammar, with names for all letters."""

    letters: OpenLetters
    is_open = True

    def is_known(self, name: str) -> bool:
        return name in self.bound

    def named(self, name: str, length: int) -> S.Syntax:
        start = self.next
        self.at += length
        if name in USAGE and self.meets("("):
            return self.call(name, start)
        self.meet(name, self.tokens[self.at - length : self.at])
        return self.scripted(S.Name(self.from_here(start.span), name), start)

    def meet(self, name: str, tokens: list[Token]) -> str:
        """A name with its print; two prints of one name are two things."""
        printed = shown(tokens)
        before = self.letters.met.setdefault(name, printed)
        if before != printed:
            hint = "give one of them a name of its own under `names:`"
            raise self.refusal(f"{before} and {printed} would both be called {name}", hint, tokens[0].span)
        return name

    def letter(self) -> S.Syntax:
        start, place = self.next, self.at
        name = self.core()
        name = self.suffixes(name)
        if self.meets("_") or self._sub_after_power():
            return self.subscripted(name, start, place)
        return self.finished(name, start, place)

    def finished(self, name: str, start: Token, place: int) -> S.Syntax:
        if name in self.bound:
            return S.Name(self.from_here(start.span), name)
        if name in _TAKEN:
            name = f"{name}_"
        name = self.meet(name, self.tokens[place : self.at])
        return self.scripted(S.Name(self.from_here(start.span), name), start)

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
            return self.inner_name(inner, token)
        name = word(token)
        if name is None or token.is_digit:
            raise self.unreadable(token)
        self.take()
        return name

    def inner_name(self, tokens: list[Token], sign: Token) -> str:
        """What stands under a mark or in a type: a letter with its own scripts, or a word."""
        if tokens and all(token.is_letter or token.is_digit for token in tokens) and tokens[0].is_letter:
            return "".join(token.text for token in tokens)
        inner = OpenReader(tokens, OpenLetters((), self.letters.scope), frozenset())
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
            if self.next.text in _PRIMES:
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
        if texts and set(texts) <= _STARS:
            return "_star" * len(texts)
        if texts and set(texts) <= _PRIMES:
            return "_prime" * len(texts)
        if len(texts) == 3 and texts[0] == "(" and texts[2] == ")" and texts[1].isdigit():
            return f"_{texts[1]}"
        self.at = place
        return None

    def _sub_after_power(self) -> bool:
        r"""W^\top_Q is W_Q^\top."""
        if not self.meets("^"):
            return False
        place = self.at
        self.take()
        found = not self.meets(END, "^", "_", "}") and bool(self.argument()) and self.meets("_")
        self.at = place
        return found

    def subscripted(self, name: str, start: Token, place: int) -> S.Syntax:
        power: list[Token] | None = None
        letter = self.tokens[place : self.at]
        if self.meets("^"):
            self.take()
            power = self.argument()
        under = self.at
        self.take()
        words, indices = self.divided_script(self.script())
        full = "_".join([name, *words])
        if not indices and len(words) == 1:
            self.letters.scripts[full] = name, words[0]
        if power is None:
            full = self.suffixes(full)
        full = f"{full}_" if full in _TAKEN else full
        self.meet(full, letter if indices and not words else [*letter, *self.tokens[under : self.at]])
        tree: S.Syntax = S.Name(self.from_here(start.span), full)
        if indices:
            parts = tuple(self.within(part) for part in indices)
            tree = S.Subscript(self.from_here(start.span), tree, parts)
        tree = self.scripted(tree, start)
        return tree if power is None else self.raised(tree, start, power)

    def divided_script(self, script: list[Token]) -> tuple[list[str], list[list[Token]]]:
        """What of a subscript belongs to the name, and what picks an entry."""
        parts: list[list[Token]] = [[]]
        for token in script:
            if token.text == ",":
                parts.append([])
            else:
                parts[-1].append(token)
        if len(parts) > 1 and [token.text for token in parts[-1]] == [":"]:
            return [], parts[:-1]
        pair = (
            len(parts) == 1
            and len(script) == 2
            and all(token.is_letter or token.is_digit for token in script)
        )
        if pair and any(token.text in self.bound for token in script):
            return [], [[token] for token in script]
        names = [self.plain_word(part) for part in parts]
        bound = [any(token.text in self.bound for token in part) for part in parts]
        if not any(bound) and all(name is not None for name in names):
            return [name for name in names if name], []
        words: list[str] = []
        while parts and (len(parts[0]) > 1 or parts[0][0].text in _FONTS) and names[0] and not bound[0]:
            words.append(names.pop(0) or "")
            parts.pop(0), bound.pop(0)
        return words, parts

    def plain_word(self, part: list[Token]) -> str | None:
        """Letters, digits, Greek letters and words: a part of a name."""
        texts = [token for token in part if token.text not in _FONTS and token.text not in ("{", "}")]
        if len(texts) == 1 and texts[0].text in _STARS:
            return "star"
        known = {r"\max": "max", r"\min": "min", r"\infty": "oo", r"\sup": "sup", r"\inf": "inf"}
        words = [known.get(token.text) or word(token) for token in texts]
        if not words or not all(words) or any(token.text in GREEK for token in texts[1:]):
            return None
        return "".join(item for item in words if item)

    def scripted(self, tree: S.Syntax, start: Token) -> S.Syntax:
        r"""An upper index in brackets, W^{(l)}; and what may be an argument, f(x)."""
        if self.meets("^") and self.after().text == "{" and self.after(2).text == "(":
            place = self.at
            self.take()
            inner = self.argument()
            if len(inner) > 2 and inner[-1].text == ")" and len(inner) <= 7:
                tree = S.Subscript(self.from_here(start.span), tree, (self.within(inner[1:-1]),))
            else:
                self.at = place
        if self.meets("_"):
            return self.indexed(tree, start)
        return self.applied(tree, start) if self.meets("(") else tree

    def applied(self, name: S.Syntax, start: Token) -> S.Syntax:
        """f(x) or f times (x)."""
        if not self.meets("("):
            return name
        if isinstance(name, S.Name):
            if name.name.endswith("_prime"):
                hint = r"print a derivative as \frac{\partial f}{\partial x}, or name the function otherwise"
                raise self.refusal("a prime before a bracket: a derivative or a name?", hint, name.span)
            if name.name in _SPECTRAL:
                return self.spectral(name)
            self.letters.before_brackets.add(name.name)
        opened = self.take()
        args = [self.sum()]
        while self.meets(",", ";"):
            self.take()
            args.append(self.sum())
        self.demand(")", opened)
        span = self.from_here(start.span)
        if isinstance(name, S.Name) and (len(args) > 1 or name.name in self.letters.functions):
            return S.Call(span, name.name, name.span, tuple(args), ())
        if len(args) > 1:
            raise self.refusal("a comma between brackets", "name the function by one letter", opened.span)
        return S.Call(span, APPLIED, name.span, (name, args[0]), ())

    def spectral(self, name: S.Name) -> S.Syntax:
        r"""\lambda_{\max}(A), \sigma_{\max}(A)."""
        function = _SPECTRAL[name.name]
        if function not in USAGE:
            raise self.refusal("the claim language has no eigenvalues yet", span=name.span)
        del self.letters.met[name.name]
        opened = self.take()
        arg = self.sum()
        self.demand(")", opened)
        span = self.from_here(name.span)
        order = (S.Literal(span, "2"),) if function == "norm" else ()
        return S.Call(span, function, name.span, (arg, *order), ())

    def indexed(self, tree: S.Syntax, start: Token) -> S.Syntax:
        self.take()
        words, indices = self.divided_script(self.script())
        if words or not indices:
            indices = [*([Token(name, start.span)] for name in words), *indices]
        parts = tuple(self.within(part) for part in indices)
        return S.Subscript(self.from_here(start.span), tree, parts)

    def raised(self, tree: S.Syntax, start: Token, script: list[Token]) -> S.Syntax:
        if [token.text for token in script] == ["T"]:
            self.letters.transposed_by_letter.append(script[0].span)
        return super().raised(tree, start, script)
