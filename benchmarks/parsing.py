"""Parsing 1,000 claims: this program's parser against sympy.parse_expr on the same texts.

    python benchmarks/parsing.py

Both turn a text into a tree with its names resolved: ours into a typed tree with shapes and sizes
checked, SymPy's into its own expressions, in the faster of its two ways. The texts are the two sides
of relations between scalars: those of `claims/` that SymPy can read too, and generated ones to make
up a thousand. No text occurs twice, and our cache of parsed texts is left out.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time

import sympy
from sympy.parsing.sympy_parser import parse_expr

from verifier.expr import nodes as N
from verifier.expr.dims import Shape
from verifier.expr.elaborate import elaborate
from verifier.expr.scope import Scope
from verifier.expr.symbols import Declared, Real
from verifier.expr.syntax import parse
from verifier.expr.text import to_text
from verifier.expr.walk import expand_lets, walk
from verifier.read.specs.load import load_paths

FOLDER = Path(__file__).parents[1] / "claims"
CLAIMS = 1_000
TURN = 50
TARGET = 5.0
NAMES = ("x", "y", "n", "d", "sigma", "alpha_1", "rho", "L")
FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tanh", "erf")
ARITHMETIC = (N.Number, N.Pi, N.Add, N.Subtract, N.Multiply, N.Divide, N.Negate, N.Power)

Sides = tuple[str, str]


def main() -> None:
    claims = list(dict.fromkeys(collected()))
    taken = len(claims)
    generator = random.Random(0)
    while len(claims) < CLAIMS:
        claims.append((generated(generator, 4), generated(generator, 4)))
    texts = [side for sides in claims[:CLAIMS] for side in sides]
    names = {name for text in texts for name in symbols(text)}
    print(f"{CLAIMS:,} claims, {taken} of them from claims/: {sum(map(len, texts)):,} characters")
    known = {name: sympy.Symbol(name) for name in names}
    ours, *others = timed(
        texts,
        partial(our_tree, scope=scope(names)),
        partial(parse_expr, local_dict=known),
        partial(parse_expr, local_dict=known, evaluate=False),
    )
    theirs = min(others)
    print(f"verify      {ours:7.3f} s of processor time")
    print(f"parse_expr  {theirs:7.3f} s of processor time")
    print(f"ratio       {theirs / ours:7.1f} (at least {TARGET:.0f} is wanted)")
    if theirs < TARGET * ours:
        raise SystemExit(1)


def timed(texts: list[str], *runs: Callable[[str], object]) -> list[float]:
    """Processor time of each, in turns of a few texts: what else the machine does falls on all alike."""
    seconds = [0.0] * len(runs)
    for begin in range(0, len(texts), TURN):
        for at, run in enumerate(runs):
            started = process_time()
            for text in texts[begin : begin + TURN]:
                run(text)
            seconds[at] += process_time() - started
    return seconds


def our_tree(text: str, scope: Scope) -> N.Node:
    return elaborate(parse.__wrapped__(text), scope)


def scope(names: set[str]) -> Scope:
    return Scope({name: Declared(name, Real(), Shape()) for name in names})


def symbols(text: str) -> set[str]:
    """The names in a text that are not functions, by way of Python's own grammar."""
    code = compile(text, "<claim>", "eval")
    return set(code.co_names) - set(FUNCTIONS) - {"pi"}


def collected() -> Iterator[Sides]:
    """Relations of `claims/` between scalars in arithmetic and functions that SymPy has."""
    for claim in load_paths([FOLDER]).claims:
        for step in claim.steps:
            if isinstance(step.fact, N.Relation):
                sides = expand_lets(step.fact.left), expand_lets(step.fact.right)
                if all(is_shared(node) for side in sides for node in walk(side)):
                    yield to_text(sides[0]), to_text(sides[1])


def is_shared(node: N.Node) -> bool:
    if isinstance(node, N.Apply):
        return node.function in FUNCTIONS
    return isinstance(node, ARITHMETIC) or (isinstance(node, N.Symbol) and node.shape.is_scalar)


def generated(generator: random.Random, depth: int) -> str:
    """An expression such as a paper has on one side of an equation."""
    if depth == 0 or generator.random() < 0.1:
        return generator.choice([*NAMES, str(generator.randint(1, 20)), f"{generator.random():.3f}"])
    inner = partial(generated, generator, depth - 1)
    match generator.randrange(5):
        case 0:
            return f"{inner()} + {inner()}"
        case 1:
            return f"({inner()} - {inner()})"
        case 2:
            return f"({inner()}) * ({inner()})"
        case 3:
            return f"({inner()})**{generator.randint(2, 4)} / {generator.choice(NAMES)}"
    return f"{generator.choice(FUNCTIONS)}({inner()})"


if __name__ == "__main__":
    main()
