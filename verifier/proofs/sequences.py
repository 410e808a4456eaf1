"""Proofs about sequences: by a theorem from an assumption, or by the sequence that an engine shows."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from verifier.evidence import InWords
from verifier.expr.nodes import Relation
from verifier.kernel.judgement import Fails, Holds
from verifier.kernel.proof import Proof
from verifier.proofs.points import exactly

NUMBERS = ("height", "power", "rarity")
FLAGS = ("nested", "fair")


def follows(fact: Relation) -> Iterator[Proof]:
    yield Proof("converges", Holds(fact))


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
