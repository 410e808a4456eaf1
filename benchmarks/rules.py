"""docs/rules.md: every rule of the kernel with its inference rule, its conditions and two examples.

    python benchmarks/rules.py [--check]

The rules come from the registry, the text from their docstrings, the examples from the cases of the
tests: for each rule the first proof that is accepted and the first that is rejected. `--check` writes
nothing, and fails if the page is not what would be written.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.kernel.cases import Case, cases  # noqa: E402
from verifier.kernel import rejected  # noqa: E402
from verifier.kernel.rules import Family, Rule, rules  # noqa: E402
from verifier.report.inference import conditions, formula  # noqa: E402

PAGE = ROOT / "docs" / "rules.md"
OPENING = """\
# The rules of the kernel

Made by `python benchmarks/rules.py` from `verifier/kernel/rules/` and `tests/kernel/cases/`.

A proof is a list of steps. Each names a rule, what it concludes and the steps that it rests on; `data`
holds what a search found for it. Γ is what the statement is made under: the declared symbols with their
laws, and the assumptions in force. The kernel accepts a step if its conclusion follows by the rule, and
rejects it with a reason otherwise:
"""


def page() -> str:
    """The whole page."""
    return "\n".join([OPENING, *_reasons(), *_families()]).rstrip() + "\n"


def _reasons() -> Iterator[str]:
    yield "| reason | what is wrong |\n| --- | --- |"
    source = Path(rejected.__file__).read_text(encoding="utf-8")
    told = dict(re.findall(r'^    "([\w-]+)",(?:  # (.*))?$', source, re.MULTILINE))
    yield from (
        f"| `{reason}` | {told.get(reason) or 'there is no such rule'} |" for reason in rejected.REASONS
    )
    yield "\nA leaf `trust` names who answers for what is not checked; a proof with one proves nothing"
    yield "([trust.md](trust.md)).\n"


def _families() -> Iterator[str]:
    examples = cases()
    for family in get_args(Family):
        members = [rule for rule in rules().values() if rule.family == family]
        if members:
            yield f"## {family.capitalize()}\n"
        for rule in members:
            yield from _rule(rule, [case for case in examples if case.rule == rule.name])


def _rule(rule: Rule, examples: list[Case]) -> Iterator[str]:
    yield f"### `{rule.name}`\n\n$$\n{formula(rule)}\n$$\n"
    yield from (f"{words}\n" for words in conditions(rule))
    if not rule.exact:
        yield "By enclosures in interval arithmetic: what rests on it is `certified`.\n"
    for wanted in (True, False):
        found = [case for case in examples if (case.outcome == "accepted") == wanted]
        if not found:
            lacking = "accepted" if wanted else "rejected"
            sys.exit(f"tests/kernel/cases has no {lacking} example of the rule {rule.name}")
        yield from _example(found[0])


def _example(case: Case) -> Iterator[str]:
    outcome = "Accepted" if case.outcome == "accepted" else f"Rejected, `{case.outcome}`"
    yield f"{outcome}: {case.name}.\n\n```"
    for name, value in case.written.items():
        inside = ", ".join(value) if isinstance(value, list) else value
        shown = "; ".join(f"{a}: {b}" for a, b in value.items()) if isinstance(value, dict) else inside
        yield f"{name:<12} {shown}"
    yield f"{'to prove':<12} {'it holds' if case.goal == 'holds' else 'it fails'}"
    for at, step in enumerate(case.proof):
        ((kind, text),) = step["concludes"].items()
        rests = f" from {', '.join(map(str, step['premises']))}" if step.get("premises") else ""
        data = f" with {step['data']}" if step.get("data") else ""
        yield f"step {at:<7} {kind} {text}, by {step['rule']}{rests}{data}"
    yield "```\n"


def main() -> int:
    made = argparse.ArgumentParser(description="write docs/rules.md")
    made.add_argument("--check", action="store_true", help="fail if the page is out of date")
    text = page()
    if made.parse_args().check:
        fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        print(
            "docs/rules.md is " + ("up to date" if fresh else "out of date: run python benchmarks/rules.py")
        )
        return 0 if fresh else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
