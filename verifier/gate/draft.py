"""`verify draft PAPER [-o FILE]`: the claim file of a paper, for its author to read, mend and keep."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from verifier.read.specs.spec_files import WRITEUPS

USAGE_ERROR = 2


# What a converter made of a page is read as Markdown is, for a draft.
TEXT = ".txt"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="verify draft",
        description="Write the claim file of a paper: what its sentences declare, what its theorems claim.",
        epilog="What is inferred is marked, what is refused stands as a comment with the reason.\n"
        "exit status: 0 if a claim was read, 2 if none was or the call is wrong",
        formatter_class=argparse.RawTextHelpFormatter,
    )
    made.add_argument("paper", type=Path, metavar="PAPER", help=f"a write-up ({', '.join(WRITEUPS)})")
    made.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to write it (default: stdout)")
    made.add_argument("--force", action="store_true", help="write over a file that is there")
    made.add_argument(
        "--update", action="store_true",
        help="write a draft that is there anew: what was changed in it by hand stays as it is",
    )  # fmt: skip
    made.add_argument(
        "--fix", action="store_true",
        help="write the claims of FILE (or of PAPER itself) whose formulas drifted anew: the changes are\n"
        "shown first, and written if you agree, or with --yes",
    )  # fmt: skip
    made.add_argument("--yes", action="store_true", help="with --fix: write the changes without asking")
    return made


def main(words: Sequence[str]) -> int:
    """Run `verify draft`; returns the exit status."""
    args = parser().parse_args(words)
    if args.paper.suffix not in (*WRITEUPS, TEXT):
        return _trouble(f"{args.paper} is no write-up; known: {', '.join((*WRITEUPS, TEXT))}")
    if args.fix:
        if args.update or args.force:
            return _trouble("--fix goes without --update and --force")
        return _fix(args.output or args.paper, args.yes)
    if args.update and (args.output is None or args.force):
        return _trouble("--update needs -o FILE, and goes without --force")
    if args.output is not None and args.output.exists() and not args.force and not args.update:
        return _trouble(
            f"{args.output} is there already; --update keeps your changes, --force writes over it"
        )
    from verifier.read.draft import draft_paper
    from verifier.read.update import sealed, updated

    draft = draft_paper(args.paper, args.output)
    text = sealed(draft.text)
    for problem in draft.paper.problems:
        print(problem, file=sys.stderr)
    if draft.paper.problems and not (draft.claims or draft.notes):
        return USAGE_ERROR  # nothing was read that a draft could show
    try:
        if args.output is None:
            sys.stdout.write(text)
        elif args.update and args.output.exists():
            merged = updated(args.output.read_text(encoding="utf-8"), text)
            args.output.write_text(merged.text, encoding="utf-8")
            print(f"verify: {args.output}: {merged.summary}", file=sys.stderr)
        else:
            args.output.write_text(text, encoding="utf-8")
    except OSError as error:
        return _trouble(f"the draft cannot be written: {error.strerror or error}")
    print(f"verify: {draft.summary}", file=sys.stderr)
    return 0 if draft.claims else USAGE_ERROR


def _fix(file: Path, agreed: bool) -> int:
    """Show what the formulas of drifted claims would have them say, and write it if that is wanted."""
    from verifier.read.fix import fixed
    from verifier.read.specs.load import load_text

    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return _trouble(f"{file} cannot be read: {error}")
    made = fixed(text, lambda source: tuple(load_text(source, str(file)).entries))
    for name, reason in made.left:
        print(f"verify: {name} is left as it is: {reason}", file=sys.stderr)
    if not made.fixed:
        print("verify: no claim was written anew", file=sys.stderr)
        return USAGE_ERROR if made.left else 0
    sys.stdout.write(made.diff(str(file)))
    sys.stdout.flush()
    if not agreed and not _asked(f"Write {len(made.fixed)} claims anew?"):
        print("verify: nothing was written; --yes writes it", file=sys.stderr)
        return 1
    try:
        file.write_text(made.text, encoding="utf-8")
    except OSError as error:
        return _trouble(f"{file} cannot be written: {error.strerror or error}")
    print(f"verify: {len(made.fixed)} written anew: {', '.join(made.fixed)}", file=sys.stderr)
    return 0


def _asked(question: str) -> bool:
    """Whether somebody at a terminal agrees."""
    if not sys.stdin.isatty():
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _trouble(words: str) -> int:
    print(f"verify: {words}", file=sys.stderr)
    return USAGE_ERROR
