"""Components and sums as text in the claim language."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.prove.networks.network_tensors import Flat, Frame, Label, Monomial, block_size, derived
from verifier.prove.networks.ring import Coefficient
from verifier.prove.networks.skeleton import Skeleton, Word, read


def show_terms(frame: Frame, terms: Mapping[Monomial, Coefficient]) -> str:
    """Terms in a fixed order: `2*d*n*tr(A.T @ A) + ...`, or 0."""
    shown = sorted((show_monomial(frame, m), str(c)) for m, c in terms.items())
    return " + ".join(_term(m, c) for m, c in shown) or "0"


def _term(monomial: str, coefficient: str) -> str:
    coefficient = coefficient.replace("^", "**")
    if monomial == "1":
        return coefficient
    if coefficient == "1":
        return monomial
    if any(sign in coefficient[1:] for sign in "+-"):
        coefficient = f"({coefficient})"
    return f"{coefficient}*{monomial}"


def show_monomial(frame: Frame, monomial: Monomial) -> str:
    shown = sorted((show(frame, component), power) for component, power in monomial)
    return "*".join(text if power == 1 else f"{text}**{power}" for text, power in shown) or "1"


def show(frame: Frame, component: Flat) -> str:
    """tr(X.T @ X), x.T @ A @ y, ones(n).T @ A @ ones(n), X[i, j], or a sum over entries."""
    name, labels = component[0]
    if name.startswith("delta:"):
        return f"delta({', '.join(_letter(x) for x in labels)})"
    if not labels:
        return name
    shape = read(frame, component)
    if not isinstance(shape, Skeleton):
        return f"tr({_product(shape)})"
    ends = _path(frame, shape)
    return ends if ends is not None else _entries(frame, component)


def _product(word: Word) -> str:
    return " @ ".join(letter[:-1] + ".T" if letter.endswith("'") else letter for letter in word)


def _path(frame: Frame, shape: Skeleton) -> str | None:
    """A product of matrices between two vectors, if the component is no more than that."""
    closed = all(not label and len(xs) < 2 and not loops for label, xs, loops in shape.vertices)
    if not closed or shape.hyper or len(shape.edges) != 1 or len(shape.vertices) != 2:
        return None
    word = shape.edges[0][2]
    left = _end(shape.vertices[0][1], _space(frame, word[0], 0))
    right = _end(shape.vertices[1][1], _space(frame, word[-1], 1))
    return f"({left}.T @ {_product(word)} @ {right})"


def _end(vectors: Word, space: str) -> str:
    return vectors[0] if vectors else f"ones({space})"


def _space(frame: Frame, letter: str, side: int) -> str:
    """The size of the space at one side of a letter."""
    backwards = letter.endswith("'")
    spaces = frame.spaces(letter[:-1] if backwards else letter)
    return str(frame.sizes[spaces[1 - side if backwards else side]]).replace("^", "**")


def _entries(frame: Frame, component: Flat) -> str:
    """sum(X[a, b]*X[a, c], a, 1, n, ...)"""
    spaces: dict[Label, str] = {}
    counts: dict[str, int] = {}
    for name, labels in component:
        spaces.update(zip(labels, frame.spaces(name), strict=True))
    for name, labels in component:
        entry = _entry(name, [_letter(x) for x in labels])
        counts[entry] = counts.get(entry, 0) + 1
    product = "*".join(e if power == 1 else f"{e}**{power}" for e, power in counts.items())
    ranges = [
        f"{_letter(x)}, 1, {str(frame.sizes[space]).replace('^', '**')}"
        for x, space in spaces.items()
        if isinstance(x, int)
    ]
    return f"sum({product}, {', '.join(ranges)})" if ranges else product


def _entry(name: str, labels: list[str]) -> str:
    if derived(name)[0] == "block":
        return f"{derived(name)[1]}[{', '.join(labels)}]**{block_size(name)}"
    return f"{name}[{', '.join(labels)}]"


def _letter(label: Label) -> str:
    """Names for summed indices that no open index is likely to have: a_, b_, ..."""
    if isinstance(label, str):
        return label.partition("@")[0]
    first, rest = label % 26, label // 26
    return chr(ord("a") + first) + "_" + (str(rest) if rest else "")
