"""Claims as text, and what the engine says of them."""

from collections.abc import Mapping

from verifier.claim.model import Claim
from verifier.evidence import Budget, Finding
from verifier.prove.scalar_engine import examine
from verifier.read.specs.load import load_text

BUDGET = Budget(seconds=60.0)  # a loaded machine must not decide what is true


def claim(
    says: str, symbols: Mapping[str, str], assume: tuple[str, ...] = (), rest: str = "", grow: str = ""
) -> Claim:
    """One claim; `rest` is more of the document (lets, layers), `grow` the `as:` key."""
    lines = ["schema: 1", "theorem: test/claim", "title: a test", "symbols:"]
    lines += [f"  {name}: {kind}" for name, kind in symbols.items()]
    lines += rest.splitlines()
    if assume:
        lines.append("assumptions:")
        lines += [f"  a{k}: {fact}" for k, fact in enumerate(assume)]
    lines += ["claims:", "  c:", f'    says: "{says}"']
    if grow:
        lines.append(f"    as: {grow}")
    loaded = load_text("\n".join(lines))
    assert loaded.claims, loaded
    return loaded.claims[0]


def judge(
    says: str, symbols: Mapping[str, str], assume: tuple[str, ...] = (), rest: str = "", grow: str = ""
) -> Finding:
    made = claim(says, symbols, assume, rest, grow)
    return examine(made, made.steps[0], BUDGET)


def truth(says: str, symbols: Mapping[str, str], *assume: str, grow: str = "") -> str:
    return judge(says, symbols, assume, grow=grow).truth
