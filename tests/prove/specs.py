"""Claims from a few lines of text, and their findings."""

import textwrap

from verifier.claim.model import Claim
from verifier.evidence import Budget, Finding
from verifier.prove.engine import examine
from verifier.read.specs.load import load_text


def claim(says: str, symbols: str, let: str = "", assume: str = "") -> Claim:
    """One claim: `symbols`, `let` and `assume` are lines of `name: text`."""
    parts = [f"schema: 1\ntheorem: test/t\ntitle: t\nsymbols:\n{_block(symbols)}"]
    if let:
        parts.append(f"let:\n{_block(let)}")
    if assume:
        parts.append(f"assumptions:\n{_block(assume)}")
    parts.append(f'claims:\n  c:\n    says: "{says}"\n')
    loaded = load_text("".join(parts))
    assert loaded.claims, loaded
    return loaded.claims[0]


def _block(lines: str) -> str:
    body = textwrap.dedent(lines).strip()
    return "".join(f"  {line.strip()}\n" for line in body.splitlines())


def judged(says: str, symbols: str, let: str = "", assume: str = "", seconds: float = 10.0) -> Finding:
    made = claim(says, symbols, let, assume)
    return examine(made, made.steps[0], Budget(seconds=seconds))
