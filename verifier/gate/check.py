"""`verify check DIR PATH...`: proofs that were written, held against the statements in the author's files.

No engine is asked, and none is loaded: what is trusted is the reading of the files and the kernel.
"""

import argparse
import json
import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from verifier.claim.problems import Problem
from verifier.expr.unseen import inert
from verifier.proofs.audit import Audit, Outcome, audit
from verifier.read.specs.load import load_paths
from verifier.read.specs.loaded import Broken, Loaded, Ready

WIDTH = 80
UNREADABLE = 2
EPILOG = """\
exit status:
  0  every proof is accepted
  1  some is not, or a claim has none
  2  a claim, a proof or the call cannot be read

To judge the claims of a path that is called `check`, write ./check.
"""

Json = dict[str, Any]


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="verify check",
        usage="verify check DIR PATH ... [--format FORMAT] [--coq FOLDER]",
        description="Check proofs against the statements in the author's own files.",
        epilog=EPILOG,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    made.add_argument("folder", metavar="DIR", type=Path, help="what `verify PATH ... --proofs DIR` wrote")
    made.add_argument("paths", nargs="+", metavar="PATH", type=Path, help="the files that state the claims")
    made.add_argument("--format", choices=("text", "json"), default="text", metavar="FORMAT",
                      help="what stdout holds: text, json")  # fmt: skip
    made.add_argument("--coq", type=Path, metavar="FOLDER",
                      help="write what Coq can check of accepted proofs into FOLDER")  # fmt: skip
    return made


def main(argv: Sequence[str]) -> int:
    """Check every claim's proof; returns the exit status."""
    args = parser().parse_args(argv)
    if not args.folder.is_dir():
        print(f"verify: there is no folder {args.folder}", file=sys.stderr)
        return UNREADABLE
    loaded = load_paths(args.paths)
    found = [(entry, audit(entry.claim, args.folder, entry.draft)) for entry in loaded.ready]
    problems = list(dict.fromkeys(_problems(loaded)))
    if args.coq is not None and not _write_coq(found, args.folder, args.coq):
        return UNREADABLE
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    if args.format == "json":
        print(json.dumps(_to_json(found, problems), indent=1))
    else:
        _show(found, problems)
    if problems or not found or any(item.outcome == "unreadable" for _, item in found):
        return UNREADABLE
    return int(any(item.outcome != "accepted" for _, item in found))


def _write_coq(found: Sequence[tuple[Ready, Audit]], folder: Path, target: Path) -> bool:
    """A Coq file for each accepted proof that has something for it, and a line that counts them."""
    from verifier.proofs.coq.files import write
    from verifier.proofs.coq.leaf import of_claim

    files = theorems = missing = 0
    try:
        for entry, item in found:
            made = of_claim(entry.claim, folder) if item.outcome == "accepted" else None
            if made is not None and made.theorems:
                write(target, entry.id, made)
                files += 1
            theorems += 0 if made is None else len(made.theorems)
            missing += 0 if made is None else made.missing
    except OSError as error:
        print(f"verify: {target} cannot be written: {error.strerror or error}", file=sys.stderr)
        return False
    told = f"{theorems} theorems for Coq in {files} files; {missing} steps use more than it is asked about"
    print(f"verify: {told}", file=sys.stderr)
    return True


def _problems(loaded: Loaded) -> list[Problem]:
    wrong = [problem for entry in loaded.entries if isinstance(entry, Broken) for problem in entry.problems]
    return [*wrong, *loaded.problems]


def _summary(found: Sequence[tuple[Ready, Audit]]) -> dict[str, int]:
    counts = Counter(item.outcome for _, item in found)
    return {name: counts[name] for name in get_args(Outcome)}


def _show(found: Sequence[tuple[Ready, Audit]], problems: Sequence[Problem]) -> None:
    for entry, item in found:
        head = f"{item.outcome:<10}  {item.verdict or item.reason or '-':<9}  {inert(entry.id)}"
        words = inert(" ".join((item.words or _counted(item)).split()))
        if len(head) + len(words) + 2 <= WIDTH:
            print(f"{head}  {words}".rstrip())
        else:
            print(
                head, *textwrap.wrap(words, WIDTH, initial_indent="    ", subsequent_indent="    "), sep="\n"
            )
    for problem in problems:
        print(inert(str(problem)), file=sys.stderr)
    print(", ".join(f"{count} {name}" for name, count in _summary(found).items()))


def _counted(item: Audit) -> str:
    """contract 2, point 1; and what else is proved."""
    rules = ", ".join(f"{name} {count}" for name, count in sorted(item.rules.items()))
    return "; ".join(filter(None, [rules, *item.beside]))


def _to_json(found: Sequence[tuple[Ready, Audit]], problems: Sequence[Problem]) -> Json:
    return {
        "schema": 1,
        "summary": _summary(found),
        "claims": [_claim(entry, item) for entry, item in found],
        "errors": [_problem(problem) for problem in problems],
    }


def _claim(entry: Ready, item: Audit) -> Json:
    return {
        "id": entry.id,
        "file": entry.position.file,
        "line": entry.position.line,
        "outcome": item.outcome,
        "verdict": item.verdict,
        "reason": item.reason,
        "words": item.words,
        "rules": dict(sorted(item.rules.items())),
        "sites": list(item.sites),
        "beside": list(item.beside),
    }


def _problem(problem: Problem) -> Json:
    place = problem.position
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
    }
