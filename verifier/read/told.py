"""What is known where a theorem stands, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifier.read.applied import Function
from verifier.read.recursion import Recursion
from verifier.read.stated import Stated


@dataclass(frozen=True)
class Told:
    """Something in the claim language, and the words that it was read from or why it was inferred."""

    says: str
    words: str
    line: int
    inferred: str | None = None
    from_text: bool = False


@dataclass(frozen=True)
class Defined:
    """A name for an expression, or a condition, still as a tree."""

    stated: Stated
    told: Told


@dataclass(frozen=True)
class Environment:
    """What is known where a theorem stands."""

    symbols: Mapping[str, Told] = field(default_factory=dict)
    lets: Mapping[str, Defined] = field(default_factory=dict)
    assumptions: Mapping[str, Defined] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)  # LaTeX: name
    functions: Mapping[str, Function] = field(default_factory=dict)  # f(x) = ...
    shaped: frozenset[str] = frozenset()  # names of vectors and matrices that are defined: a_i is an entry
    rows: Mapping[str, tuple[str, bool]] = field(default_factory=dict)  # x: of X, as columns
    recursions: Mapping[str, Recursion] = field(default_factory=dict)  # x_{k+1} = ...
    prints: Mapping[str, str] = field(default_factory=dict)  # how each letter is printed where it is declared
    growing: str | None = None
    waiting: Mapping[str, int] = field(default_factory=dict)  # letters of conditions that nobody cites: line
    met: Mapping[str, int] = field(default_factory=dict)  # letters of the text before: line
    theirs: Mapping[str, int] = field(default_factory=dict)  # letters that other theorems define: line
    spoiled: Mapping[str, str] = field(default_factory=dict)  # letters whose definitions are not read: why

    @property
    def declared(self) -> dict[str, str]:
        return {name: told.says for name, told in self.symbols.items()}

    def knows(self, name: str) -> bool:
        """Whether it is said what this letter is."""
        return any(name in table for table in (self.symbols, self.lets, self.functions, self.rows))


class Unreadable(Exception):
    """Something that the claims of a theorem rest on cannot be read; says what and why."""
