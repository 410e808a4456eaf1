"""Proofs about sequences: by a theorem from an assumption, by moments, or by a sequence that is shown."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.evidence import InWords
from verifier.expr.nodes import Let, Node, Number, Ones, Relation, Zeros
from verifier.expr.walk import distinct
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.proof import Proof
from verifier.kernel.rules.borel_cantelli import POWERS, converging, surely
from verifier.proofs.points import exactly

NUMBERS = ("height", "power", "rarity")
FLAGS = ("nested", "fair")


def follows(fact: Relation) -> Iterator[Proof]:
    yield Proof("converges", Holds(fact))


def almost_surely(fact: Relation) -> Iterator[Proof]:
    """By moments that are summable; of a function of a name, which tends to 0 or to another simple matrix."""
    found = converging(fact)
    if found is None:
        return
    limit, _ = found
    yield from (Proof("borel_cantelli", Holds(fact), (), {"power": power}) for power in POWERS)
    for name in distinct(limit.body):
        if isinstance(name, Let) and name != limit.body:
            shape = name.shape
            simple: tuple[Node, ...] = Zeros(shape), Ones(shape)
            if shape.is_scalar:
                simple = Number(Fraction(0)), Number(Fraction(1))
            for value in simple:
                for known in almost_surely(surely(replace(limit, body=name), value)):
                    yield Proof("mapped", Holds(fact), (known,))


def breaks(fact: Relation, shown: Mapping[str, object]) -> Iterator[Proof]:
    """Values are shown by the names of symbols, those of matrices as `A[1, 1]`."""
    for told in shown.values():
        if isinstance(told, InWords) and told.parts.keys() >= {*NUMBERS, *FLAGS, "limit"}:
            values = {
                name.partition("[")[0]: str(exact)
                for name, value in shown.items()
                if isinstance(exact := exactly(value), Fraction) and not name.startswith("all ")
            }
            numbers = {key: told.parts[key] for key in NUMBERS}
            spike = {**numbers, **{key: told.parts[key] == "True" for key in FLAGS}}
            data = {"values": values, "limit": told.parts["limit"], "spike": spike}
            yield Proof("sequence", Fails(fact), (), data)
