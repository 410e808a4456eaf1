r"""Letters before anybody has declared them: every letter is a name, spelled as the claim language would.

`\sigma_w` is sigma_w, `\bar x` is xbar, `x'` is x_prime, `\mathbf{W}` is W. A letter before a bracket may be
a function or a factor: that is a mark of its own (`APPLIED`), settled by whoever knows the whole paper.
"""

from verifier.expr import syntax as S
from verifier.expr.functions import USAGE
from verifier.expr.tex.naming import PRIMES, STARS, TAKEN, Naming
from verifier.expr.tex.notation import BRACKETS, HEAVY
from verifier.expr.tex.stream import shown
from verifier.expr.tex.sums import EXTENT
from verifier.expr.tex.tokens import END, Token

APPLIED = "applied"
_AFTER_LETTER = ("_", "^", "'", r"\prime")
_SPECTRAL = {"lambda_max": "eigmax", "lambda_min": "eigmin", "sigma_max": "norm"}
_HIDDEN = frozenset({"o", "Otilde", "Omegatilde", "Thetatilde", "O_star"})


class OpenReader(Naming):
    """The grammar, with names for all letters."""

    is_open = True

    def is_known(self, name: str) -> bool:
        return name in self.bound

    def atom(self) -> S.Syntax:
        if self.meets(r"\dot", r"\ddot"):
            raise self.refusal("a dot above a letter: a derivative in time?", "name it by another letter")
        if self.meets(r"\pi") and self.after().text == "(":
            raise self.refusal(r"\pi before a bracket: the number or a function?", r"write \pi \cdot (...)")
        if self.meets(r"\pi") and self.after().text in ("_", "'"):
            return self.letter()
        if self.meets(r"\Delta") and self.after().is_letter:
            hint = r"write \Delta \cdot x for a product, or name the difference by a letter"
            raise self.refusal(r"\Delta before a letter: a product or a difference?", hint)
        return super().atom()

    def function_name(self) -> str | None:
        r"""\Phi and \phi are letters here: that they are the normal law's is for `names:` to say."""
        if self.meets(r"\Phi", r"\phi"):
            self.take()
            return None
        return super().function_name()

    def constant(self) -> S.Syntax | None:
        """e to a power is exp, but for a power that a letter may have too."""
        if self.meets("e") and self.after().text == "^":
            place = self.at
            self.take(), self.take()
            texts = [token.text for token in self.argument()]
            self.at = place
            if set(texts) <= {r"\top", "T", *STARS, *PRIMES}:
                return None
            if all(text.isdigit() for text in texts):
                message = "e to a whole power: the number or a letter?"
                raise self.refusal(message, r"write \exp(...), or name the letter otherwise")
            self.letters.exponentials.append(self.next.span)
        return self.identity() or super().constant()

    def identity(self) -> S.Syntax | None:
        """I alone: the identity matrix that its place needs."""
        heavy = self.meets(*HEAVY)
        token, behind = (self.after(), self.after(2)) if heavy else (self.next, self.after())
        if token.text == "I" and behind.text == "_" and self.after(3 if heavy else 2).text == "1":
            hint = "declare the letter"
            raise self.refusal("I_1: the identity of one row, or a letter?", hint, token.span)
        if token.text != "I" or behind.text in (*_AFTER_LETTER, *BRACKETS):
            return None
        start = self.take()
        if heavy:
            self.take()
        span = self.from_here(start.span)
        return S.Call(span, "eye", span, (S.Call(span, EXTENT, span, (), ()),), ())

    def bracketed(self) -> S.Syntax:
        opened = self.next
        tree = super().bracketed()
        if opened.text == "[" and isinstance(tree, S.Subscript | S.Name):
            message = "square brackets around a letter: a matrix by its entries?"
            raise self.refusal(message, "leave them out", opened.span)
        return tree

    def named(self, name: str, length: int) -> S.Syntax:
        """A declared piece; with a mark or a subscript more it is another letter, or an entry."""
        start, place = self.next, self.at
        self.at += length
        if name in USAGE and self.meets("("):
            return self.call(name, start)
        marked = self.suffixes(name)
        if self.meets("_") or self._sub_after_power():
            return self.subscripted(marked, start, place)
        if marked != name:
            return self.finished(marked, start, place)
        self.letters.met.setdefault(name, shown(self.tokens[place : self.at]))  # two prints may be declared
        return self.scripted(S.Name(self.from_here(start.span), name), start)

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
        if name in TAKEN:
            name = f"{name}_"
        name = self.meet(name, self.tokens[place : self.at])
        return self.scripted(S.Name(self.from_here(start.span), name), start)

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
        script = self.script()
        words, indices = self.divided_script(script)
        if not indices and self.picks(name, script):
            words, indices = [], [[token] for token in script]
        full = "_".join([name, *words])
        if not indices and len(words) == 1:
            self.letters.scripts[full] = name, words[0]
        if power is None:
            full = self.suffixes(full)
        full = f"{full}_" if full in TAKEN else full
        if not (indices and not words and name in self.letters.entries and letter[0].is_letter):
            self.meet(full, letter if indices and not words else [*letter, *self.tokens[under : self.at]])
        else:
            self.letters.met.setdefault(full, shown(letter))  # x_i is an entry of \mathbf{x}
        tree: S.Syntax = S.Name(self.from_here(start.span), full)
        if indices:
            parts = tuple(self.within(part) for part in indices)
            tree = S.Subscript(self.from_here(start.span), tree, parts)
        tree = self.scripted(tree, start)
        return tree if power is None else self.raised(tree, start, power)

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
        if isinstance(name, S.Subscript) and isinstance(name.arg, S.Name):
            self.letters.before_brackets.add(name.arg.name)
        if isinstance(name, S.Name):
            is_value = self.is_function(name.name)
            if name.name.endswith("_prime") and not is_value:
                hint = r"print a derivative as \frac{\partial f}{\partial x}, or name the function otherwise"
                raise self.refusal("a prime before a bracket: a derivative or a name?", hint, name.span)
            if name.name in _HIDDEN:
                raise self.refusal("growth of this kind is not in the claim language", None, name.span)
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
        if isinstance(name, S.Name) and (len(args) > 1 or self.is_function(name.name)):
            return S.Call(span, name.name, name.span, tuple(args), ())
        if len(args) > 1:
            raise self.refusal("a comma between brackets", "name the function by one letter", opened.span)
        return S.Call(span, APPLIED, name.span, (name, args[0]), ())

    def is_function(self, name: str) -> bool:
        """f, and its derivatives f', f''."""
        while name not in self.letters.functions and name.endswith("_prime"):
            name = name.removesuffix("_prime")
        return name in self.letters.functions

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
        is_power = self.letters.is_number("T") and self.is_of_numbers(tree)
        if [token.text for token in script] == ["T"] and not is_power:
            self.letters.transposed_by_letter.append(script[0].span)
        if isinstance(tree, S.Name) and self.meets("("):
            texts = [token.text for token in script]
            if texts[:1] == ["-"] or tree.name in self.letters.functions:
                message = f"{tree.name} to a power before a bracket: of a function, or a product?"
                raise self.refusal(message, r"write \cdot, or the power after the bracket", start.span)
        return super().raised(tree, start, script)
