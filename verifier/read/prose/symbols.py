"""All that is said of one letter, put together: the symbol's declaration in the claim language.

Every attribute must find its place in the declaration. What is left over, contradicts, or is missing is refused.
"""

from dataclasses import dataclass, field, replace

from verifier.expr.declare import KINDS
from verifier.read.prose.scalars import root, squared_names
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
from verifier.expr import syntax as S

_SQUARE = ("symmetric", "psd", "orthogonal")
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

    @property
    def rank(self) -> int:
        return len(self.sizes)


@dataclass
class _Gathered:
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


def symbol(
    attributes: tuple[Attribute, ...], copies: str | None, known: tuple[str, ...] | None, is_size: bool
) -> Symbol | None:
    """The declaration of a letter; None where only conditions are said of one that is not declared here.

    `known` are its sizes as an earlier passage told them; `is_size`: it is the size of something."""
    found = _Gathered()
    for item in dict.fromkeys(attributes):
        found.add(item)
    if found.functions:
        return _function(found, copies)
    if found.laws or found.moments or found.independence or found.random:
        return _random(found, copies, known)
    return _fixed(found, copies, known, is_size)


# --- sizes -------------------------------------------------------------------------------------------------------


def _sizes(found: _Gathered, copies: str | None, known: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The sizes that are told, by whatever tells them; () for a number; None if nothing does."""
    told = {sizes for sizes in found.spaces}
    for family in found.families:
        if family.sizes is not None:
            told.add(family.sizes * 2 if family.kind in _SQUARE else family.sizes)
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


def _demanded(sizes: tuple[str, ...] | None, what: str) -> tuple[str, ...]:
    if sizes is None:
        raise Unsayable(
            f"the size of {what} is not said",
            r"say it: $x \in \mathbb{R}^n$, $W \in \mathbb{R}^{m \times n}$",
        )
    return sizes


def _call(kind: str, arguments: tuple[str, ...], copies: str | None) -> str:
    options = (*arguments, *((f"copies={copies}",) if copies is not None else ()))
    return f"{kind}({', '.join(options)})"


# --- fixed symbols -----------------------------------------------------------------------------------------------


def _fixed(
    found: _Gathered, copies: str | None, known: tuple[str, ...] | None, is_size: bool
) -> Symbol | None:
    sizes = _sizes(found, copies, known)
    families = _one_family(found)
    if not (found.spaces or found.numbers or families or found.forms) and known is None:
        return None if found.always else Symbol("", ())
    if families is None and not found.spaces and found.numbers:
        return _number(found, copies, is_size)
    sizes = _demanded(sizes, "it")
    conditions, notes = _conditions(found, sizes)
    if not sizes:
        if copies is None:
            return Symbol("real", (), conditions, notes)
        return Symbol(f"vector({copies})", (copies,), _for_family(conditions, copies), notes)
    if families is not None:
        if families.kind in _SQUARE and sizes[0] != sizes[-1]:
            raise Unsayable(f"a matrix that is {families.kind} is square", "give it two equal sizes")
        arguments = sizes[:1] if families.kind in (*_SQUARE, "simplex") else sizes
        return Symbol(
            _call(families.kind, arguments, copies), sizes, _for_family(conditions, copies), notes
        )
    kind = "vector" if len(sizes) == 1 else "matrix"
    return Symbol(_call(kind, sizes, copies), sizes, _for_family(conditions, copies), notes)


def _for_family(conditions: tuple[str, ...], copies: str | None) -> tuple[str, ...]:
    """A condition on a family is one on each member."""
    if copies is None:
        return conditions
    if any("{i}" in text for text in conditions):
        raise Unsayable("a condition on the entries of each member of a family is not read", "write it as a relation")
    return tuple(f"all({text.replace('{x}', '{x}[{i}]')}, {{i}}, 1, {copies})" for text in conditions)


def _one_family(found: _Gathered) -> Family | None:
    """One class; symmetric and positive semidefinite is the latter."""
    kinds = {family.kind for family in found.families}
    if "psd" in kinds:
        kinds.discard("symmetric")
    if len(kinds) > 1:
        raise Unsayable(
            "the claim language has no kind that is all of these", "declare one, assume the other"
        )
    return next((family for family in found.families if family.kind in kinds), None)


def _number(found: _Gathered, copies: str | None, is_size: bool) -> Symbol:
    conditions, notes = _conditions(found, ())
    kinds = list(dict.fromkeys(item.kind for item in found.numbers))
    notes += tuple(item.note for item in found.numbers if item.note)
    if copies is not None:
        if kinds != ["real"]:
            raise Unsayable(
                "a family of such numbers is not read", r"write $x \in \mathbb{R}^n$ and its condition"
            )
        return Symbol(f"vector({copies})", (copies,), _for_family(conditions, copies), notes)
    best: str | None = next((kind for kind in ("dimension", "integer") if kind in kinds), None)
    if is_size and best != "dimension":
        best = "dimension"
        notes += ("a size",)
    if best is None and len(kinds) == 2 and "real" in kinds:
        best = next(kind for kind in kinds if kind != "real")
    if best is None and len(kinds) > 1:
        raise Unsayable("it is said to be two different kinds of number", "say one")
    chosen = best or kinds[0]
    extra = [item.condition for item in found.numbers if item.kind != chosen and item.condition]
    for item in found.numbers:
        if item.kind not in (chosen, "real", "integer", "dimension") and not item.condition:
            extra += _as_conditions(item.kind)
    if is_size or chosen == "dimension":
        extra = [item for item in extra if item not in ("{x} > 0", "{x} >= 0", "{x} >= 1")]
    split = tuple(part for item in extra for part in item.split(" and "))
    return Symbol(chosen, (), (*split, *conditions), notes)


def _as_conditions(kind: str) -> list[str]:
    """A kind of number as conditions on one that is declared as something else."""
    if kind == "positive":
        return ["{x} > 0"]
    tree = S.parse(kind)
    if not isinstance(tree, S.Call) or tree.function not in ("interval", "index"):
        raise Unsayable("it is said to be two different kinds of number", "say one")
    ends = kind[kind.index("(") + 1 : -1]
    if tree.function == "index":
        return ["{x} >= 1", f"{{x}} <= {ends}"]
    low, _, high = ends.partition(", ")
    return [f"{{x}} >= {low}"] * (low != "-oo") + [f"{{x}} <= {high}"] * (high != "oo")


def _conditions(found: _Gathered, sizes: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    for item in found.always:
        if "{cols}" in item.text and len(sizes) != 2 or "{rows}" in item.text and not sizes:
            raise Unsayable("the condition does not fit the shape")
        if item.text.startswith("norm") and len(sizes) != 1:
            raise Unsayable("a unit vector is a vector", r"say in which space: $u \in \mathbb{R}^n$")
    return tuple(item.text for item in found.always), tuple(item.note for item in found.always if item.note)


# --- functions -----------------------------------------------------------------------------------------------------


def _function(found: _Gathered, copies: str | None) -> Symbol:
    others = (found.spaces, found.numbers, found.families, found.laws, found.moments, found.always)
    if any(others) or copies is not None or found.random:
        raise Unsayable("a function is not read together with this", "declare it in a sentence of its own")
    told = {item.sizes for item in found.functions if item.sizes is not None}
    flags = list(dict.fromkeys(flag for item in found.functions for flag in item.flags))
    foreign = [
        flag for flag in flags if flag != "differentiable" and flag.split("=")[0] not in KINDS["function"]
    ]
    if foreign:
        raise Unsayable(
            f"the claim language has no functions of a class yet ({', '.join(foreign)})",
            "function(d) is any differentiable function: the claim as it stands is about fewer",
        )
    if len(told) != 1:
        raise Unsayable("the domain of the function is not said", r"write $f : \mathbb{R}^d \to \mathbb{R}$")
    if not flags:
        raise Unsayable(
            "function(d) is any differentiable function, and this one need not be", "say `differentiable`"
        )
    kept = tuple(flag for flag in flags if flag != "differentiable")
    return Symbol(f"function({', '.join((*next(iter(told)), *kept))})", ())


# --- random symbols ------------------------------------------------------------------------------------------------


def _random(found: _Gathered, copies: str | None, known: tuple[str, ...] | None) -> Symbol:
    if found.laws and found.laws[0].kind == "rademacher":
        found.always = [item for item in found.always if "**2 == 1" not in item.text]
    if found.families or found.always or any(item.kind != "real" for item in found.numbers):
        raise Unsayable(
            "the claim language has no random symbol of such a class or with such a condition",
            "declare the law, and the condition as an assumption",
        )
    if len(found.laws) > 1:
        raise Unsayable("two laws are said of it", "say one")
    if not found.laws:
        return _any_law(found, copies, known)
    law = _with_moments(found.laws[0], found.moments)
    sizes = _sizes(found, copies, known)
    if sizes is None and (
        law.entrywise or law.covariance is not None or 1 in found.forms or 2 in found.forms
    ):
        sizes = (copies,) if copies is not None and law.covariance is None else _demanded(None, "it")
        copies = None if sizes == (copies,) else copies
    sizes = sizes or ()
    notes: tuple[str, ...] = ()
    if not sizes and copies is not None:
        sizes, copies, law = (copies,), None, replace(law, entrywise=True)
        if not found.independence:
            notes = ("its members are read as independent",)
    if sizes and not law.entrywise and law.covariance is None and law.sizes is None:
        raise Unsayable(
            "this is the law of a number, and it is said of a vector or a matrix",
            r"say `i.i.d. entries`, or print the covariance: $\mathcal{N}(0, \sigma^2 I_n)$",
        )
    if law.covariance is not None and len(sizes) != 1:
        raise Unsayable("a covariance matrix is that of a vector", r"say $x \in \mathbb{R}^n$")
    if law.entrywise and sizes and not found.independence and not law.independent:
        notes = ("its entries are read as independent",)
    _check_length(law, sizes)
    arguments = (*sizes, *law.options)
    return Symbol(_call(law.kind, arguments, copies), sizes, (), notes, law.scales, law.covariance, True)


def _check_length(law: Law, sizes: tuple[str, ...]) -> None:
    """Rows of an m-by-n matrix have length n, columns m."""
    if law.along is None:
        return
    which, length = law.along
    if len(sizes) != 2:
        raise Unsayable(f"{which} are those of a matrix", r"say its sizes: $W \in \mathbb{R}^{m \times n}$")
    if length is not None and length != sizes[1 if which == "rows" else 0]:
        raise Unsayable(f"the {which} have another length than the covariance says", "check the sizes")


def _with_moments(law: Law, moments: list[Moments]) -> Law:
    """Gaussian, with mean and variance stated apart."""
    if law.kind != "gaussian":
        if moments:
            raise Unsayable("a law and its moments are both said", "say one of them")
        return law
    stated = _one_moment(moments)
    if stated is None or stated.var is None:
        raise Unsayable("the variance of the Gaussian is not said", r"for example $\mathcal{N}(0, \sigma^2)$")
    variance = S.parse(stated.var)
    std = root(variance)
    mean = () if stated.mean == "0" else (f"mean={stated.mean}",)
    if stated.mean is None:
        raise Unsayable("the mean of the Gaussian is not said", "say `with mean zero and variance ...`")
    options = (*mean, *(() if std == "1" else (f"std={std}",)))
    return replace(law, kind="normal", options=options, scales=squared_names(variance))


def _one_moment(moments: list[Moments]) -> Moments | None:
    """What is said of mean and variance, maybe in two places."""
    means = {item.mean for item in moments if item.mean is not None}
    variances = {item.var for item in moments if item.var is not None}
    if len(means) > 1 or len(variances) > 1:
        raise Unsayable("two values are said of one moment", "say one")
    return Moments(next(iter(means), None), next(iter(variances), None)) if moments else None


def _any_law(found: _Gathered, copies: str | None, known: tuple[str, ...] | None) -> Symbol:
    """Of which only moments are known: i.i.d. entries, or any joint law."""
    stated = _one_moment(found.moments) or Moments()
    sizes = _sizes(found, copies, known)
    of_entries = any(item.of_entries for item in found.independence)
    if sizes is None and copies is None:
        sizes = _demanded(None, "it")
    if not sizes and copies is not None:
        sizes, copies, of_entries = (copies,), None, bool(found.independence)
    assert sizes is not None
    options: tuple[str, ...] = () if stated.mean is None else (f"mean={stated.mean}",)
    if of_entries:
        if not all(item.identical for item in found.independence):
            raise Unsayable(
                "independent entries need not have one law, and iid(...) has", "say i.i.d., or say the law"
            )
        if stated.var is not None:
            options += (f"var={stated.var}",)
        return Symbol(_call("iid", (*sizes, *options), copies), sizes, random=True)
    if any(item.identical for item in found.independence) or (found.independence and copies is not None):
        raise Unsayable("the claim language has no independent copies of an unknown law", "say the law")
    if stated.var is not None and sizes:
        raise Unsayable(
            "a variance is that of a number, and nothing says that the entries are i.i.d.", "say i.i.d."
        )
    if stated.var is not None:
        return Symbol(_call("iid", (*options, f"var={stated.var}"), copies), sizes, random=True)
    if not found.random:
        raise Unsayable("a mean is said of something that is not said to be random", "say `random`")
    return Symbol(_call("random", (*sizes, *options), copies), sizes, random=True)
