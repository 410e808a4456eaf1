"""docs/trust.md: which verdicts rest on a checked proof, and who is trusted for the others.

    verify claims --trust engines --format json > corpus.json
    verify tests/verdicts --trust engines --format json > truths.json
    python benchmarks/trust.py claims=corpus.json tests/verdicts=truths.json [--check] [--accept]

The ledger is counted from reports of runs. docs/trust.json holds the numbers of trusted leaves that were
reached before: none may rise. `--check` writes nothing, and fails if the page is not what would be
written or if a number rises; without reports it only looks whether the page is whole and within these
numbers. `--accept` writes numbers that rise: the first run, another corpus, a site with another name.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE, CEILING = ROOT / "docs" / "trust.md", ROOT / "docs" / "trust.json"
DECIDED = ("holds", "loose", "fails")
ROW = re.compile(r"^\| (.+?) \| (\d+(?: \| \d+)*) \|$", re.MULTILINE)
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
OPENING = """\
# Who is trusted

Made by `python benchmarks/trust.py` from the reports of runs; see there. A verdict that the kernel has
checked rests on the reading of the claim, the kernel ([rules.md](rules.md)) and python-flint. Every other
decided verdict has leaves that only an engine answers for. They are counted here by site: the engine, and
the kind of reason that it gives. A number may fall and not rise. What is offered beside a verdict (that a
bound is attained or loose, a correction, what an assumption buys, a condition that saves a claim) has
proofs of its own; without one it is called a guess.
"""


@dataclass
class Ledger:
    """What the claims of one report rest on."""

    totals: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    sites: Counter[str] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)
    guesses: Counter[str] = field(default_factory=Counter)


TOTALS = ("claims", "decided", "with a checked proof", "trusted leaves")


def counted(report: Any) -> Ledger:
    """The ledger of one report."""
    found = Ledger()
    for claim in report["claims"]:
        found.totals["claims"] += 1
        if claim["verdict"] in DECIDED:
            proof = claim["proof"]
            found.totals["decided"] += 1
            found.totals["with a checked proof"] += proof["checked"]
            found.totals["trusted leaves"] += proof["trusted"]
            found.rules.update(proof["rules"])
            found.sites.update(proof["sites"])
        found.beside.update(side["kind"] for side in claim.get("beside", ()))
        found.guesses.update(_guesses(claim))
    return found


def _guesses(claim: Any) -> Iterator[str]:
    """The kinds of what is offered beside a verdict, and not proved."""
    kinds = {"tight": "attained", "loose": "loose"}
    for part in claim.get("steps") or [claim]:
        for name in part.get("guesses", ()):
            yield kinds[part["tightness"]] if name == "tightness" else "better" if name == "tight" else name
    yield from (part["status"] for part in claim.get("assumptions", {}).values() if part.get("guess"))
    if claim.get("repair") and claim["repair"].get("guess"):
        yield "repair"


def page(ledgers: dict[str, Ledger]) -> str:
    """The ledgers side by side."""
    totals = {name: [one.totals[name] for one in ledgers.values()] for name in TOTALS}
    parts = [
        ("Totals", "", list(totals.items())),
        ("Rules", "rule", _by_number([one.rules for one in ledgers.values()], "`{}`")),
        ("Proved beside", "kind", _by_number([one.beside for one in ledgers.values()], "{}")),
        ("Guesses", "kind", _by_number([one.guesses for one in ledgers.values()], "{}")),
        ("Trusted", "site", _by_number([one.sites for one in ledgers.values()], "{}")),
    ]
    text = OPENING
    for title, name, rows in parts:
        heads = [name, *ledgers, "in all"]
        text += f"\n## {title}\n\n| {' | '.join(heads)} |\n|{' --- |' * len(heads)}\n"
        text += "".join(
            f"| {row} | {' | '.join(map(str, [*numbers, sum(numbers)]))} |\n" for row, numbers in rows
        )
    return text


def _by_number(counts: list[Counter[str]], form: str) -> list[tuple[str, list[int]]]:
    names = sorted(set().union(*counts), key=lambda name: (-sum(one[name] for one in counts), name))
    return [(form.format(name.replace("|", "/")), [one[name] for one in counts]) for name in names]


def read(text: str) -> dict[str, dict[str, int]]:
    """The last column of each table of a page, by its heading."""
    places = [*((found.start(), found[1]) for found in HEADING.finditer(text)), (len(text), "")]
    return {
        title: {row[1]: int(row[2].split(" | ")[-1]) for row in ROW.finditer(text, start, end)}
        for (start, title), (end, _) in pairwise(places)
    }


def faults(text: str, ceiling: dict[str, int]) -> list[str]:
    """What is wrong with a page: numbers that do not add up, or that rose."""
    tables = read(text)
    if not {"Totals", "Rules", "Trusted"} <= set(tables) or set(tables["Totals"]) != set(TOTALS):
        return ["the page has not its tables"]
    totals, sites = tables["Totals"], tables["Trusted"]
    found = [f"{site}: {count} trusted leaves, {ceiling.get(site, 0)} before"
             for site, count in sites.items() if count > ceiling.get(site, 0)]  # fmt: skip
    if sum(sites.values()) != totals["trusted leaves"]:
        found.append("the sites do not add up to the trusted leaves")
    if not totals["with a checked proof"] <= totals["decided"] <= totals["claims"]:
        found.append("more proofs than verdicts, or more verdicts than claims")
    if list(sites.values()) != sorted(sites.values(), reverse=True):
        found.append("the sites are not in order")
    return found


def main() -> int:
    made = argparse.ArgumentParser(description="write docs/trust.md")
    made.add_argument("reports", nargs="*", metavar="NAME=REPORT.json")
    made.add_argument(
        "--check", action="store_true", help="write nothing; fail if it is out of date or a number rises"
    )
    made.add_argument("--accept", action="store_true", help="write numbers that rise")
    args = made.parse_args()
    if not args.reports and not args.check:
        made.error("give the reports, or --check")
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    ceiling = json.loads(CEILING.read_text(encoding="utf-8")) if CEILING.exists() else {}
    text = old
    if args.reports:
        pairs = (word.partition("=") for word in args.reports)
        text = page(
            {name: counted(json.loads(Path(path).read_text(encoding="utf-8"))) for name, _, path in pairs}
        )
    wrong = faults(text, read(text).get("Trusted", {}) if args.accept else ceiling)
    wrong += ["docs/trust.md is out of date"] if args.check and text != old else []
    for words in wrong:
        print(words)
    if not wrong and not args.check:
        PAGE.write_text(text, encoding="utf-8")
        CEILING.write_text(json.dumps(read(text)["Trusted"], indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
