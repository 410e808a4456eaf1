"""What the author is asked where a claim of a paper fails as it was read, and a part of that was guessed."""

from collections.abc import Set

from verifier.claim.mentioned_names import names_in
from verifier.claim.model import Claim, Origin
from verifier.expr import syntax as S
from verifier.judge.verdict import Verdict

# Sizes are what the formulas make them; what is said of them beside that is a guess too.
_SIZES = ("it is a size", "a size of ", "an index")


def question(item: Verdict) -> str | None:
    """What was guessed, and whether the claim is true where the guess is another one; None if nothing was."""
    claim = item.claim
    guessed = _guessed(claim)
    if item.verdict != "fails" or claim.printed is None or not guessed:
        return None
    kinds: dict[tuple[str, str | None], list[str]] = {}
    for name, origin in guessed.items():
        kinds.setdefault((origin.says, origin.inferred), []).append(name)
    taken = (f"{', '.join(names)} taken for {says} ({why})" for (says, why), names in kinds.items())
    told = f"fails as read: {'; '.join(taken)}"
    if item.repair is None or not _is_about(item.repair.condition, guessed.keys()):
        return told
    return f"{told}; true if {item.repair.condition}. Is that meant? Then the paper should say so"


def _guessed(claim: Claim) -> dict[str, Origin]:
    """The symbols of the claim that nobody declared, or in a sentence of which a part was chosen."""
    used = names_in(claim)
    return {
        name: origin
        for name, origin in claim.origins.items()
        if name in used and origin.inferred is not None and not origin.inferred.startswith(_SIZES)
    }


def _is_about(condition: str, guessed: Set[str]) -> bool:
    """Whether a condition restricts what was guessed and nothing else; an equation is another statement."""
    tree = S.parse(condition)
    names, todo = set[str](), [tree]
    while todo:
        part = todo.pop()
        names |= {part.name} if isinstance(part, S.Name) else set()
        todo += S.parts(part)
    return isinstance(tree, S.Compare) and tree.op != "==" and bool(names) and names <= guessed
