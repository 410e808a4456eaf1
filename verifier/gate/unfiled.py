"""Claims that are in no file: lines of the command, a claim file on standard input, and papers without any
claims of their own, of which a draft is judged."""

import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.read.specs.spec_files import MAX_BYTES, WRITEUPS, holds_claims

if TYPE_CHECKING:
    from verifier.read.specs.loaded import Loaded

STDIN = "-"
NAME = "<stdin>"


def is_unfiled(args: Namespace) -> bool:
    return bool(args.lines) or args.paths == [STDIN]


def is_lean(args: Namespace) -> bool:
    """Whether a verdict on one line is all that is asked for, and no pages that show every witness."""
    return len(args.lines) == 1 and not (args.report or args.explain or args.list or args.cluster)


def trouble_with(args: Namespace) -> str | None:
    """Why the call makes no sense, if it does not."""
    if args.given and not args.lines:
        return "--with goes with -e: it declares the symbols of a line"
    if args.lines and args.paths:
        return "-e judges a line: give no path with it"
    if STDIN in args.paths and args.paths != [STDIN]:
        return "- is standard input: give no other path with it"
    if args.watch and is_unfiled(args):
        return "--watch looks at files, and there is none here"
    return None


def load_unfiled(args: Namespace) -> "Loaded":
    if args.lines:
        from verifier.read.line import load_lines

        return load_lines(args.lines, args.given)
    from verifier.claim.model import Position
    from verifier.claim.problems import Problem
    from verifier.read.specs.load import load_text
    from verifier.read.specs.loaded import Loaded

    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        problem = Problem(Position(NAME, 1), "too-long", f"more than {MAX_BYTES:,} bytes on standard input")
        return Loaded((), (problem,))
    try:
        return load_text(content.decode("utf-8"), NAME)
    except UnicodeDecodeError:
        return Loaded((), (Problem(Position(NAME, 1), "encoding", "these bytes are not UTF-8"),))


def words_of(args: Namespace) -> Iterator[str]:
    """The words of the command that ask for the same claims again."""
    for line in args.lines:
        yield from ("-e", line)
    for item in args.given:
        yield from ("--with", item)
    if not args.lines:
        yield STDIN


def load_drafted(paths: Sequence[Path]) -> "Loaded | None":
    """The claims of these paths where a write-up without claims is among them, by its name: it is drafted.
    None where there is none. Pages that are met in a folder are nobody's papers."""
    papers = [path for path in paths if path.suffix in WRITEUPS and path.is_file() and not holds_claims(path)]
    if not papers:
        return None
    from verifier.read.draft import draft_paper
    from verifier.read.specs.load import load_paths
    from verifier.read.specs.loaded import Loaded

    others = load_paths([path for path in paths if path not in papers])
    entries, problems = list(others.entries), list(others.problems)
    for paper in papers:
        draft = draft_paper(paper)
        found = draft.loaded()
        entries += found.entries
        problems += found.problems
        words = f"{draft.summary} (verify draft {shlex.quote(str(paper))} shows them)"
        print(f"verify: {paper} has no claims of its own; {words}", file=sys.stderr)
    return Loaded(tuple(entries), tuple(problems), others.needs)
