r"""Macros expanded, files included: a paper as one stream of tokens that keep their origin.

TeX's own rules for what ordinary papers use, bounded everywhere: a macro that calls itself, or that grows
without end, is left as it stands and named as a problem, so that a formula with it is refused and every
other one is read.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from verifier.claim.problems import Problem
from verifier.read.folder import Folder, Refused
from verifier.read.lexer import PARAGRAPH, Lexeme, lex
from verifier.read.macros import ALWAYS, PACKAGES, Environment, Macro
from verifier.read.numbers import Counter

MAX_NESTED = 60  # macros within macros
MAX_CALL = 20_000  # tokens that one call in the paper may become
MAX_TOKENS = 200_000  # tokens that all calls may become
MAX_BRACES = 100
MAX_PROBLEMS = 100
_IFS = "if ifx ifnum ifdim ifdefined iftrue iffalse ifmmode ifcase ifcsname ifodd ifcat ifvmode ifhmode"
_CONDITIONALS = frozenset(f"\\{name}" for name in _IFS.split())


class Malformed(Exception):
    """A command whose arguments are not there."""


@dataclass
class _Call:
    """A macro call that the author wrote: what to go back to if it becomes too long."""

    token: Lexeme
    rest: int
    made: int
    left: int = MAX_CALL


class Stream:
    """Tokens still to come, innermost last, and how arguments are taken from them."""

    def __init__(self) -> None:
        self.pending: list[Lexeme] = []
        self.problems: list[Problem] = []

    def push(self, lexemes: Iterable[Lexeme]) -> None:
        self.pending += reversed(tuple(lexemes))

    def skip_blanks(self) -> None:
        while self.pending and self.pending[-1].is_blank:
            self.pending.pop()

    def meets(self, text: str) -> bool:
        self.skip_blanks()
        return bool(self.pending) and self.pending[-1].text == text

    def star(self) -> bool:
        found = self.meets("*")
        if found:
            self.pending.pop()
        return found

    def argument(self) -> tuple[Lexeme, ...]:
        """A group without its braces, or one token."""
        self.skip_blanks()
        if not self.pending or self.pending[-1].text in ("}", PARAGRAPH):
            raise Malformed("an argument is missing")
        token = self.pending.pop()
        if token.text == "{":
            return self._until("{", "}")
        if not token.is_command and len(token.text) > 1 and token.text[0] != "#":
            self.pending.append(replace(token, text=token.text[1:], at=token.at + (token.depth == 0)))
            return (replace(token, text=token.text[0]),)
        return (token,)

    def bracket(self) -> tuple[Lexeme, ...] | None:
        """What stands in square brackets, if they come next."""
        if not self.meets("["):
            return None
        self.pending.pop()
        return self._until("[", "]")

    def _until(self, opening: str, closing: str) -> tuple[Lexeme, ...]:
        taken: list[Lexeme] = []
        depth = braces = 0
        while self.pending:
            token = self.pending.pop()
            if token.text == closing and depth == 0 and (closing == "}" or braces == 0):
                return tuple(taken)
            depth += {opening: 1, closing: -1}.get(token.text, 0) if closing == "}" else 0
            braces += {"{": 1, "}": -1}.get(token.text, 0)
            taken.append(token)
            if len(taken) > MAX_CALL:
                break
        self.push(taken)
        raise Malformed(f"{opening} is not closed")

    def name(self) -> str:
        """The command that a definition names, with or without braces."""
        named = [token for token in self.argument() if not token.is_blank]
        if len(named) != 1 or not named[0].is_command:
            raise Malformed("the name of a command is missing")
        return named[0].text

    def problem(self, token: Lexeme, message: str, hint: str | None = None) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(token.position, "paper", message, hint))


class Expander(Stream):
    """One paper's macros, and the stream in which they are expanded."""

    def __init__(self, folder: Folder, commands: Mapping[str, Callable[["Expander", Lexeme], None]]) -> None:
        super().__init__()
        self.folder = folder
        self.commands = commands
        self.macros: dict[str, Macro] = dict(ALWAYS)
        self.environments: dict[str, Environment] = {}
        self.theorems: dict[str, str] = {}
        self.counters: dict[str, Counter] = {}
        self.conditionals: set[str] = set()
        self.redefined: set[str] = set()  # macros with more than one meaning in the paper
        self.title: tuple[Lexeme, ...] = ()
        self.made: list[Lexeme] = []
        self.body: int | None = None
        self._undo: list[list[tuple[str, Macro | None]]] = []
        self._call: _Call | None = None
        self._tokens_left = MAX_TOKENS

    # -- scope

    def define(self, name: str, meaning: Macro | None, everywhere: bool = False) -> None:
        """A meaning for the rest of the group, or of the paper."""
        if name in self.macros and name not in ALWAYS and self.macros[name] != meaning:
            self.redefined.add(name)
        if self._undo and not everywhere:
            self._undo[-1].append((name, self.macros.get(name)))
        if meaning is None:
            self.macros.pop(name, None)
        else:
            self.macros[name] = meaning

    def open_group(self, token: Lexeme) -> bool:
        """A group begins; False where they are nested too deep, and then nothing more is read."""
        if len(self._undo) >= MAX_BRACES:
            message = f"braces or environments nested more than {MAX_BRACES} deep: the rest is not read"
            self.problem(token, message, "nest them less")
            self.pending.clear()
            return False
        self._undo.append([])
        return True

    def close_group(self) -> None:
        if self._undo:
            for name, meaning in reversed(self._undo.pop()):
                if meaning is None:
                    self.macros.pop(name, None)
                else:
                    self.macros[name] = meaning

    def load(self, package: str) -> None:
        self.macros |= PACKAGES.get(package, {})

    # -- expansion

    def expand(self, lexemes: Iterable[Lexeme]) -> list[Lexeme]:
        """The tokens with their macros expanded; definitions among them hold from there on."""
        before = self.made, self.pending, self._call
        self.made, self.pending, self._call = [], [], None
        self.push(lexemes)
        while self.pending:
            self._step()
        made = self.made
        self.made, self.pending, self._call = before
        return made

    def _step(self) -> None:
        token = self.pending.pop()
        if self._call is not None and len(self.pending) < self._call.rest:
            self._call = None
        if token.text == "{":
            if self.open_group(token):
                self.made.append(token)
        elif token.text == "}":
            self.close_group()
            self.made.append(token)
        elif not token.is_command:
            self.made.append(token)
        elif token.text in self.macros:
            self._expand(token, self.macros[token.text])
        elif token.text in _CONDITIONALS or token.text in self.conditionals:
            self._skip_conditional(token)
        elif token.text in self.commands:
            try:
                self.commands[token.text](self, token)
            except Malformed as error:
                self.problem(token, f"{token.text}: {error}")
                self.made.append(token)
        else:
            self.made.append(token)

    def _expand(self, token: Lexeme, macro: Macro) -> None:
        if self._call is None:
            self._call = _Call(token, len(self.pending), len(self.made))
        try:
            made = self.called(token, macro)
        except Malformed as error:
            self.problem(token, f"{token.text}: {error}")
            self.made.append(token)
            return
        self._call.left -= len(made)
        self._tokens_left -= len(made)
        if token.depth >= MAX_NESTED or self._call.left < 0 or self._tokens_left < 0:
            self._give_up(self._call)
            return
        self._call.rest = min(self._call.rest, len(self.pending))
        self.push(made)

    def _give_up(self, call: _Call) -> None:
        """The call stays as it was written; what it became is thrown away."""
        if self._tokens_left < 0:
            message = f"the macros become more than {MAX_TOKENS:,} tokens: no more are expanded"
            self.problem(call.token, message)
            self.macros.clear()
        else:
            message = f"{call.token.text} calls itself, or grows without end: it is not expanded"
            self.problem(call.token, message, "write out what it stands for")
        del self.pending[call.rest :]
        del self.made[call.made :]
        self.made.append(call.token)
        self._call = None

    def called(self, token: Lexeme, macro: Macro) -> list[Lexeme]:
        """The body with its arguments in place. What stands in the body has the call's place."""
        if macro.star:
            self.star()
        values: list[tuple[Lexeme, ...]] = []
        if macro.optional is not None:
            given = self.bracket()
            values.append(macro.optional if given is None else given)
        elif macro.star:
            self.bracket()
        while len(values) < macro.arguments:
            values.append(self.argument())
        made: list[Lexeme] = []
        for part in macro.body:
            if part.text[0] != "#":
                made.append(Lexeme(part.text, token.source, token.at, token.depth + 1))
            elif part.text[1:2] == "#":
                made.append(Lexeme(part.text[1:], token.source, token.at, token.depth + 1))
            elif part.text[1:].isdigit() and 1 <= int(part.text[1:]) <= len(values):
                made += values[int(part.text[1:]) - 1]
                if len(made) > MAX_CALL:
                    break
        return made

    # -- conditionals and files

    def _skip_conditional(self, token: Lexeme) -> None:
        depth = 1
        while self.pending and depth:
            text = self.pending.pop().text
            depth += (text in _CONDITIONALS or text in self.conditionals) - (text == r"\fi")
        if token.text != r"\iffalse":
            message = f"what stands between {token.text} and \\fi is not read"
            self.problem(token, message, "leave the condition out of what is to be read")

    def include(self, token: Lexeme, name: str, suffixes: tuple[str, ...], wanted: bool) -> None:
        """The tokens of another file, in place of the command that names it."""
        try:
            source = self.folder.included(name, token.source, suffixes)
        except Refused as error:
            self.problem(token, str(error), error.hint)
            return
        if source is not None:
            self.push(lex(source))
        elif wanted:
            self.problem(token, f"the file {name} is not there", "put it into the paper's folder")
