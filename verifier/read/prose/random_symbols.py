"""Declarations of random symbols."""

from dataclasses import replace

from verifier.expr import syntax as S
from verifier.read.prose.attributes import Said, Symbol, called, demanded, told_sizes
from verifier.read.prose.scalars import root, squared_names
from verifier.read.prose.values import Law, Moments, Unsayable


def random_symbol(found: Said, copies: str | None, known: tuple[str, ...] | None) -> Symbol:
    implied = (
        {"rademacher": "**2 == 1", "bernoulli": "**2 == {x}"}.get(found.laws[0].kind) if found.laws else None
    )
    if implied is not None:
        found.always = [item for item in found.always if implied not in item.text]
    if found.families or found.always or any(item.kind != "real" for item in found.numbers):
        raise Unsayable(
            "the claim language has no random symbol of such a class or with such a condition",
            "declare the law, and the condition as an assumption",
        )
    if not found.laws:
        return _any_law(found, copies, known)
    law = _with_moments(_one_law(found.laws), found.moments)
    sizes = told_sizes(found, copies, known)
    if sizes is None and (
        law.entrywise or law.covariance is not None or 1 in found.forms or 2 in found.forms
    ):
        sizes = (copies,) if copies is not None and law.covariance is None else demanded(None, "it")
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
    return Symbol(
        called(law.kind, arguments, copies), sizes, (), notes, law.scales, law.covariance, True, law.chance
    )


def _one_law(laws: list[Law]) -> Law:
    """A law that is said twice: $g \\sim \\mathcal{N}(0, 1)$ be a standard normal random variable."""
    first = laws[0]
    for law in laws[1:]:
        if replace(law, sizes=None, entrywise=True, independent=True) != replace(
            first, sizes=None, entrywise=True, independent=True
        ) or (law.sizes and first.sizes and law.sizes != first.sizes):
            raise Unsayable("two laws are said of it", "say one")
        entrywise, independent = first.entrywise or law.entrywise, first.independent or law.independent
        first = replace(first, sizes=first.sizes or law.sizes, entrywise=entrywise, independent=independent)
    return first


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
    if stated is None or (stated.var is None and stated.std is None):
        raise Unsayable("the variance of the Gaussian is not said", r"for example $\mathcal{N}(0, \sigma^2)$")
    std, scales = stated.std or "", tuple(names_of(stated.std))
    if stated.var is not None:
        variance = S.parse(stated.var)
        std, scales = root(variance), squared_names(variance)
    mean = () if stated.mean == "0" else (f"mean={stated.mean}",)
    if stated.mean is None:
        raise Unsayable("the mean of the Gaussian is not said", "say `with mean zero and variance ...`")
    options = (*mean, *(() if std == "1" else (f"std={std}",)))
    return replace(law, kind="normal", options=options, scales=scales)


def names_of(std: str | None) -> tuple[str, ...]:
    """The letter, if the standard deviation is one."""
    return (std,) if std is not None and std.isidentifier() else ()


def _one_moment(moments: list[Moments]) -> Moments | None:
    """What is said of mean and variance, maybe in two places."""
    means = {item.mean for item in moments if item.mean is not None}
    variances = {item.var for item in moments if item.var is not None}
    deviations = {item.std for item in moments if item.std is not None}
    if len(means) > 1 or len(variances) + len(deviations) > 1:
        raise Unsayable("two values are said of one moment", "say one")
    if not moments:
        return None
    return Moments(next(iter(means), None), next(iter(variances), None), next(iter(deviations), None))


def _any_law(found: Said, copies: str | None, known: tuple[str, ...] | None) -> Symbol:
    """Of which only moments are known: i.i.d. entries, or any joint law."""
    stated = _one_moment(found.moments) or Moments()
    if stated.std is not None:
        stated = replace(stated, var=f"({stated.std})**2")
    sizes = told_sizes(found, copies, known)
    of_entries = any(item.of_entries for item in found.independence)
    if sizes is None and copies is None:
        sizes = demanded(None, "it")
    if not sizes and copies is not None:
        sizes, copies, of_entries = (copies,), None, bool(found.independence)
    assert sizes is not None
    options: tuple[str, ...] = () if stated.mean is None else (f"mean={stated.mean}",)
    if of_entries:
        apart = [item for item in found.independence if item.of_entries] or found.independence
        if not all(item.identical for item in apart):
            raise Unsayable(
                "independent entries need not have one law, and iid(...) has", "say i.i.d., or say the law"
            )
        if stated.var is not None:
            options += (f"var={stated.var}",)
        return Symbol(called("iid", (*sizes, *options), copies), sizes, random=True)
    if any(item.identical for item in found.independence) or (found.independence and copies is not None):
        raise Unsayable("the claim language has no independent copies of an unknown law", "say the law")
    if stated.var is not None and sizes:
        raise Unsayable(
            "a variance is that of a number, and nothing says that the entries are i.i.d.", "say i.i.d."
        )
    if stated.var is not None:
        return Symbol(called("iid", (*options, f"var={stated.var}"), copies), sizes, random=True)
    if not found.random:
        raise Unsayable("a mean is said of something that is not said to be random", "say `random`")
    return Symbol(called("random", (*sizes, *options), copies), sizes, random=True)
