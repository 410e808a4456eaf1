"""Proofs with what the kernel must say of them, as data: `*.yaml` beside this file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from verifier.claim.model import Claim
from verifier.read.specs.load import load_text

FOLDER = Path(__file__).parent
STATEMENT = ("says", "under", "as")


@dataclass(frozen=True)
class Case:
    """A proof of a claim's statement, or of its contrary, and what becomes of it."""

    name: str
    rule: str | None
    written: dict[str, Any]
    goal: str
    proof: Any
    outcome: str

    @property
    def claim(self) -> Claim:
        loaded = load_text(self.document)
        (claim,) = loaded.claims
        return claim

    @property
    def document(self) -> str:
        """A claim file."""
        theorem = {name: value for name, value in self.written.items() if name not in STATEMENT}
        statement = {name: value for name, value in self.written.items() if name in STATEMENT}
        lines = ["theorem: example/rule", *_lines(theorem), "claims:", "  statement:"]
        return "\n".join([*lines, *(f"    {line}" for line in _lines(statement))])


def _lines(values: dict[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield f"{name}:"
            yield from (f"  {inner}: {text}" for inner, text in value.items())
        else:
            yield f"{name}: [{', '.join(value)}]" if isinstance(value, list) else f"{name}: {value}"


def cases() -> list[Case]:
    """All of them, file by file."""
    reader = YAML(typ="safe", pure=True)
    return [
        Case(
            item["name"],
            item.get("rule"),
            item["claim"],
            item.get("goal", "holds"),
            item["proof"],
            item["outcome"],
        )
        for path in sorted(FOLDER.glob("*.yaml"))
        for item in reader.load(path)
    ]
