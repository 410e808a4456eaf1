"""A proof is a value: a rule, what it concludes, what it rests on, and what search found for it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from verifier.kernel.judgement import Judgement

Data = Mapping[str, object]  # JSON: numbers, strings, lists and mappings of them


@dataclass(frozen=True)
class Proof:
    """`rule` concludes `conclusion` from the premises' conclusions; `data` is what the rule needs beside."""

    rule: str
    conclusion: Judgement
    premises: tuple["Proof", ...] = ()
    data: Data = field(default_factory=dict)

    def walk(self) -> Iterator["Proof"]:
        """All parts; one that is shared comes once, or a short proof would take forever."""
        todo, seen = [self], set[int]()
        while todo:
            proof = todo.pop()
            if id(proof) not in seen:
                seen.add(id(proof))
                yield proof
                todo += proof.premises

    @property
    def rules(self) -> Counter[str]:
        return Counter(proof.rule for proof in self.walk())
