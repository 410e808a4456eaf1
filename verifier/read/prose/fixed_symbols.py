"""Declarations of fixed symbols and of functions."""

from verifier.expr import syntax as S
from verifier.expr.declare import KINDS
from verifier.read.prose.attributes import SQUARE, Said, Symbol, called, demanded, told_sizes
from verifier.read.prose.sets import NONZERO
from verifier.read.prose.values import Family, Unsayable

# --- fixed symbols ------------------------------------------------------------------------------------------


def fixed_symbol(
    found: Said, copies: str | None, known: tuple[str, ...] | None, is_size: bool
) -> Symbol | None:
    sizes = told_sizes(found, copies, known)
    families = _one_family(found)
    if not (found.spaces or found.numbers or families or found.forms) and known is None:
        return None if found.always else Symbol("", ())
    if families is None and not found.spaces and found.numbers:
        return _number(found, copies, is_size)
    sizes = demanded(sizes, "it")
    conditions, notes = _conditions(found, sizes)
    if not sizes:
        if copies is None:
            return Symbol("real", (), conditions, notes)
        return Symbol(f"vector({copies})", (copies,), _for_family(conditions, copies), notes)
    if families is not None:
        if families.kind in SQUARE and sizes[0] != sizes[-1]:
            raise Unsayable(f"a matrix that is {families.kind} is square", "give it two equal sizes")
        arguments = sizes[:1] if families.kind in (*SQUARE, "simplex") else sizes
        return Symbol(called(families.kind, arguments, copies), sizes, _for_family(conditions, copies), notes)
    kind = "vector" if len(sizes) == 1 else "matrix"
    return Symbol(called(kind, sizes, copies), sizes, _for_family(conditions, copies), notes)


def _for_family(conditions: tuple[str, ...], copies: str | None) -> tuple[str, ...]:
    """A condition on a family is one on each member."""
    if copies is None:
        return conditions
    if any("{i}" in text for text in conditions):
        raise Unsayable(
            "a condition on the entries of each member of a family is not read", "write it as a relation"
        )
    return tuple(f"all({text.replace('{x}', '{x}[{i}]')}, {{i}}, 1, {copies})" for text in conditions)


def _one_family(found: Said) -> Family | None:
    """One class; symmetric and positive semidefinite is the latter."""
    kinds = {family.kind for family in found.families}
    if "psd" in kinds:
        kinds.discard("symmetric")
    if len(kinds) > 1:
        raise Unsayable(
            "the claim language has no kind that is all of these", "declare one, assume the other"
        )
    return next((family for family in found.families if family.kind in kinds), None)


def _number(found: Said, copies: str | None, is_size: bool) -> Symbol:
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
    if is_size:
        best = "dimension"
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


def _conditions(found: Said, sizes: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    for item in found.always:
        if ("{cols}" in item.text and len(sizes) != 2) or ("{rows}" in item.text and not sizes):
            raise Unsayable("the condition does not fit the shape")
        if item.text.startswith("norm") and len(sizes) != 1 and item != NONZERO:
            raise Unsayable("this is a condition on a vector", r"say in which space: $u \in \mathbb{R}^n$")
    texts = (item.text if item != NONZERO or sizes else "{x} != 0" for item in found.always)
    return tuple(texts), tuple(item.note for item in found.always if item.note)


# --- functions ----------------------------------------------------------------------------------------------


def function_symbol(found: Said, copies: str | None) -> Symbol:
    others = (found.spaces, found.numbers, found.families, found.laws, found.moments, found.always)
    if any(others) or copies is not None or found.random:
        raise Unsayable("a function is not read together with this", "declare it in a sentence of its own")
    told = {item.sizes for item in found.functions if item.sizes is not None}
    flags = list(dict.fromkeys(flag for item in found.functions for flag in item.flags))
    foreign = [
        flag for flag in flags if flag != "differentiable" and flag.split("=")[0] not in KINDS["function"]
    ]
    if not told and not any(flag == "differentiable" for flag in flags):
        shown = ", ".join(flags)
        hint = r"write $f : \mathbb{R}^d \to \mathbb{R}$"
        raise Unsayable(f"`{shown}` is read of functions, and no domain is said", hint)
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
