"""What is said of one letter, by kind, and the sizes that it tells."""

from dataclasses import dataclass, field

from verifier.read.prose.values import (
    Always,
    ApartFrom,
    Attribute,
    Family,
    Form,
    Function,
    Independent,
    Law,
    Moments,
    Number,
    Random,
    Space,
    Unsayable,
)

SQUARE = ("symmetric", "psd", "orthogonal")
_RANK = {"symmetric": 2, "psd": 2, "orthogonal": 2, "stochastic": 2, "simplex": 1}


@dataclass(frozen=True)
class Symbol:
    """A declaration and what comes with it."""

    says: str
    sizes: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    covariance: tuple[str, str] | None = None
    random: bool = False
    chance: str | None = None

    @property
    def rank(self) -> int:
        return len(self.sizes)


@dataclass
class Said:
    """The attributes of a letter, by kind."""

    spaces: list[tuple[str, ...]] = field(default_factory=list)
    forms: list[int] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    families: list[Family] = field(default_factory=list)
    laws: list[Law] = field(default_factory=list)
    moments: list[Moments] = field(default_factory=list)
    independence: list[Independent] = field(default_factory=list)
    always: list[Always] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    random: bool = False

    def add(self, item: Attribute) -> None:
        match item:
            case Space(sizes):
                self.spaces.append(sizes)
            case Form(rank):
                self.forms.append(rank)
            case Number():
                self.numbers.append(item)
            case Family():
                self.families.append(item)
            case Law():
                self.laws.append(item)
            case Moments():
                self.moments.append(item)
            case Independent():
                self.independence.append(item)
            case Always():
                self.always.append(item)
            case Function():
                self.functions.append(item)
            case Random():
                self.random = True
            case ApartFrom():
                raise AssertionError("independence of other letters is a fact of its own")


# --- sizes --------------------------------------------------------------------------------------------------


def told_sizes(found: Said, copies: str | None, known: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The sizes that are told, by whatever tells them; () for a number; None if nothing does."""
    told = set(found.spaces)
    for family in found.families:
        if family.sizes is not None:
            told.add(family.sizes * 2 if family.kind in SQUARE else family.sizes)
    told |= {law.sizes for law in found.laws if law.sizes is not None}
    told |= {() for _ in found.numbers}
    if len(told) > 1:
        raise Unsayable("two different shapes are said of it", "say one")
    sizes = next(iter(told), known)
    ranks = {*found.forms, *(_RANK[family.kind] for family in found.families)}
    if sizes is None and ranks == {0}:
        sizes = ()
    if sizes is None:
        return None
    if any(rank != len(sizes) for rank in ranks):
        raise Unsayable(
            "its shape is not that of what it is said to be", "a vector has one size, a matrix two"
        )
    return sizes


def demanded(sizes: tuple[str, ...] | None, what: str) -> tuple[str, ...]:
    if sizes is None:
        raise Unsayable(
            f"the size of {what} is not said",
            r"say it: $x \in \mathbb{R}^n$, $W \in \mathbb{R}^{m \times n}$",
        )
    return sizes


def called(kind: str, arguments: tuple[str, ...], copies: str | None) -> str:
    options = (*arguments, *((f"copies={copies}",) if copies is not None else ()))
    return f"{kind}({', '.join(options)})"
