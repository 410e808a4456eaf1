"""Whether a proof is one."""

from collections import Counter
from dataclasses import dataclass, field

from verifier.kernel.context import Context
from verifier.kernel.judgement import Judgement
from verifier.kernel.proof import Proof
from verifier.kernel.rejected import Rejected
from verifier.kernel.rules import rules

TRUST = "trust"  # the leaf of a proof that only its engine answers for: its data names the site
MOST_STEPS = 100_000


@dataclass(frozen=True)
class Checked:
    """What an accepted proof rests on; `trusted`: the sites that nobody checks."""

    rules: Counter[str] = field(default_factory=Counter)
    trusted: tuple[str, ...] = ()
    exact: bool = True

    @property
    def is_proof(self) -> bool:
        return not self.trusted


def check(context: Context, proof: Proof, goal: Judgement) -> Checked:
    """Accepts a proof of the goal, step by step, or raises `Rejected`. Trusted leaves are told, not accepted:
    a proof with one of them proves nothing."""
    if proof.conclusion != goal:
        raise Rejected("statement", "the proof concludes something else than what is stated")
    known, used, trusted, exact = rules(), Counter[str](), [], True
    for count, step in enumerate(proof.walk()):
        if count >= MOST_STEPS:
            raise Rejected("too-large", f"a proof of more than {MOST_STEPS} steps")
        used[step.rule] += 1
        if step.rule == TRUST:
            trusted.append(str(step.data.get("site", "unnamed")))
            continue
        if step.rule not in known:
            raise Rejected("unknown-rule", f"there is no rule {step.rule!r}")
        rule = known[step.rule]
        exact &= rule.is_exact(step.data)
        rule.check(context, step.conclusion, tuple(part.conclusion for part in step.premises), step.data)
    return Checked(used, tuple(trusted), exact)
