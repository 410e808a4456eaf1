"""What sentences say, as values: what is handed out, and what the grammar's rules make on the way there."""

from dataclasses import dataclass
from typing import Literal

from verifier.read.paper import Formula

What = Literal["symbol", "assumption", "definition", "growth", "independence", "recursion", "rows", "taken"]
Scope = Literal["passage", "sentence"]


@dataclass(frozen=True)
class Declared:
    r"""One thing that a sentence says.

    `says` is in the words of the claim language: `normal(m, n, std=sigma)`, `norm(x) == 1`, `n -> oo`. Of a
    definition or an assumption it is empty where the kind of a product depends on shapes that the sentences
    do not tell; `formula` is then what to read once they are known. `note` tells what was chosen among two
    readings or follows without being said (that m is a size). `scope` is "sentence" for what is true of one
    sentence only: a condition after `if`, what `for all` binds."""

    what: What
    name: str | None  # as the claim language spells it: sigma_w, W_Q, xbar
    says: str
    latex: str  # the letter as the paper prints it
    sentence: str
    file: str
    line: int
    formula: str = ""
    note: str = ""
    scope: Scope = "passage"
    formulas: tuple[Formula, ...] = ()  # those of the sentences: what is of one sentence is of its formulas
    arguments: tuple[str, ...] = ()  # of a definition f(x) = ...: the names of x
    stated: bool = False  # a definition by a bare sentence: of a letter that nobody knows yet


@dataclass(frozen=True)
class Refused:
    """A sentence that declares something which cannot be stated, why, and what to write instead.

    `formulas` are those of the sentence: what they claim may rest on the words that were not understood.
    """

    sentence: str
    reason: str
    hint: str
    file: str
    line: int
    formulas: tuple[Formula, ...] = ()


class Unsayable(Exception):
    """What a rule of the grammar raises for a thing that has been understood and cannot be stated."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


# --- what is said of a letter ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Letter:
    r"""A letter as it is printed and as the language spells it.

    `copies` is the size of a family x_1, ..., x_n; `indices` are those of a general entry: W_{ij}, x_i.
    """

    name: str
    latex: str
    copies: str | None = None
    indices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Space:
    """The real vectors or matrices of these sizes; of none, the reals."""

    sizes: tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """A vector or a matrix of which only that is said: 1 or 2 sizes, not told; 0 for a number."""

    rank: int


@dataclass(frozen=True)
class Number:
    """A kind of number: dimension, integer, real, positive, interval(a, b), index(n).

    `condition` says the same of a letter that is declared as something else."""

    kind: str
    note: str = ""
    condition: str = ""


@dataclass(frozen=True)
class Family:
    """A class of matrices or vectors: symmetric, psd, orthogonal, simplex, stochastic; its sizes where
    said."""

    kind: str
    sizes: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Law:
    """A law. `entrywise`: it is that of one entry, all independent; otherwise that of the whole, which must
    be a number, or a vector whose covariance is given. `options` are written behind the sizes."""

    kind: str
    options: tuple[str, ...] = ()
    entrywise: bool = False
    independent: bool = False
    sizes: tuple[str, ...] | None = None
    scales: tuple[str, ...] = ()  # letters whose squares are factors of the variance
    covariance: tuple[str, str] | None = None  # the letter (name, latex) that is the covariance matrix
    along: tuple[str, str | None] | None = None  # of each "rows" or "columns", and their length
    chance: str | None = None  # the letter that is a probability


@dataclass(frozen=True)
class Moments:
    """What is stated of the mean and the variance of a law of which nothing else is known."""

    mean: str | None = None
    var: str | None = None
    std: str | None = None  # stated instead of the variance


@dataclass(frozen=True)
class Independent:
    """Independent of each other, if `identical` with one law: the letters, or the entries of each."""

    identical: bool
    of_entries: bool = False


@dataclass(frozen=True)
class Always:
    """A condition on the letter, written with {x} for its name, {rows} and {cols} for its sizes, {i} and {j}
    for indices."""

    text: str
    note: str = ""


@dataclass(frozen=True)
class Function:
    """A real function of numbers (no size), vectors or matrices; None where that is not said. Flags are what
    else is said of it, as the language has it: differentiable, convex, smooth=L."""

    sizes: tuple[str, ...] | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Random:
    """Random, and no more than that is said."""


@dataclass(frozen=True)
class ApartFrom:
    """Independent of these letters."""

    letters: tuple[Letter, ...]


Attribute = (
    ApartFrom | Space | Form | Number | Family | Law | Moments | Independent | Always | Function | Random
)


# --- facts: what one clause says ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Is:
    """An attribute of a letter. `stated`: by a bare sentence, which may be a claim."""

    letter: Letter
    attribute: Attribute
    stated: bool = False
    bound: bool = False


@dataclass(frozen=True)
class Holds:
    """A relation that is assumed: the two sides as printed, and the relation of the claim language; what it
    says of the law of a letter, if it is its mean or its variance."""

    left: str
    op: str
    right: str
    bound: bool = False
    moment: Is | None = None
    over: tuple[str, str, str] | None = None  # at every index of a range: the letter, and its ends


@dataclass(frozen=True)
class Means:
    r"""A letter that stands for an expression; its `printed` form is f(x) in f(x) = ... Where it is not
    `sure`, it is a condition if something else declares the letter: d_k = d_v."""

    letter: Letter
    printed: str
    formula: str
    sure: bool = False
    arguments: tuple[Letter, ...] = ()
    stated: bool = False  # by a bare sentence, which may be a claim
    bound: bool = False  # if it is a condition, one of its sentence alone
    entrywise: bool = False  # a function of numbers, applied to each entry


@dataclass(frozen=True)
class Recurs:
    r"""A sequence by its steps: $x_{k+1} = ...$, with the letter that counts them."""

    letter: Letter
    index: str
    printed: str
    formula: str
    is_back: bool = False  # $x_t = ...$ of x_{t-1}
    is_above: bool = False  # printed as $x^t$ or $x^{(t)}$


@dataclass(frozen=True)
class Grows:
    """A letter that goes to infinity."""

    letter: Letter
    loosely: bool = False  # "for large n"


@dataclass(frozen=True)
class Apart:
    """These letters are independent of each other."""

    letters: tuple[Letter, ...]


@dataclass(frozen=True)
class Ranges:
    """An index that runs from low to high."""

    letter: Letter
    low: str
    high: str
    bound: bool = False


@dataclass(frozen=True)
class Bars:
    r"""What \|.\| is said to be."""

    norm: str


@dataclass(frozen=True)
class Named:
    """A letter that is printed for a function of the claim language."""

    letter: Letter
    function: str


@dataclass(frozen=True)
class Rows:
    """x_i is the i-th row of a matrix; `column`: written as a column."""

    letter: Letter
    of: Letter
    column: bool


@dataclass(frozen=True)
class Taken:
    """A letter that is what it is elsewhere: `as in Definition 1`."""

    letter: Letter


Fact = Rows | Taken | Named | Recurs | Is | Holds | Means | Grows | Apart | Ranges | Bars
Facts = tuple[Fact, ...]


@dataclass(frozen=True)
class Noun:
    """What a noun phrase says of whatever it is said of, and the facts that it states beside that; `one`: it
    is said of one thing (a, an)."""

    attributes: tuple[Attribute, ...] = ()
    facts: Facts = ()
    one: bool = False

    def __add__(self, other: "Noun | None") -> "Noun":
        if other is None:
            return self
        return Noun(self.attributes + other.attributes, self.facts + other.facts, self.one or other.one)
