"""The command `verify`. Heavy modules are imported only by the branch that needs them."""

import argparse
import fnmatch
import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from verifier import __version__

if TYPE_CHECKING:
    from verifier.claim.load import Loaded
    from verifier.judge.verdict import Run
    from verifier.run.settings import Settings

FORMATS = ["text", "json", "junit", "sarif", "github"]
USAGE_ERROR = 2
INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="verify",
        description="Judge whether the claims of a write-up are true.",
        epilog="Exit status: 0 every claim is as expected; 1 some claim is not; "
        "2 a spec or the call is wrong, nothing was collected, or engines disagree.",
    )
    add = made.add_argument
    add("paths", nargs="*", metavar="PATH", help="folders, .yaml files, or write-ups (.md, .tex)")
    add("--format", choices=FORMATS, default="text", help="what stdout holds")
    add("--report", metavar="DIR", type=Path, help="write an HTML report into DIR")
    add("-k", "--only", metavar="PATTERN", help="only claims whose id matches (a part of it, or * and ?)")
    add("--list", action="store_true", help="list the claims and judge none")
    add("--explain", metavar="ID", help="how one claim was read and how it was judged")
    add("--schema", action="store_true", help="print the JSON Schema of claim files, for editors")
    add("--seed", type=int, default=0, help="seed of all random draws (default 0)")
    add("--device", choices=["auto", "cpu", "cuda", "mps"], default="auto", help="where to sample")
    add("--jobs", type=_positive_int, metavar="N", help="worker processes (default: one per core)")
    add("--seconds", type=_positive, default=10.0, metavar="S", help="limit per claim (default 10)")
    add("--memory", type=_positive, default=3.0, metavar="GIB", help="limit per claim (default 3)")
    add("--version", action="version", version=f"verify {__version__}")
    return made


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError("must be positive")
    return value


def _positive_int(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    sys.setrecursionlimit(20_000)
    args = parser().parse_args(argv)
    try:
        return _schema() if args.schema else _run(args)
    except KeyboardInterrupt:
        print("verify: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output left (`verify ... | head`): nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return USAGE_ERROR


def _schema() -> int:
    from verifier.claim.schema import json_schema

    print(json.dumps(json_schema(), indent=2))
    return 0


def _settings(args: argparse.Namespace) -> "Settings":
    from verifier.run.settings import Settings

    made = Settings(
        seed=args.seed, device=args.device, seconds=args.seconds, memory_bytes=int(args.memory * 2**30)
    )
    return replace(made, jobs=args.jobs) if args.jobs else made


def _run(args: argparse.Namespace) -> int:
    from verifier.claim.load import load_paths

    if not args.paths:
        print("verify: no path given; try `verify claims/`", file=sys.stderr)
        return USAGE_ERROR
    loaded = load_paths(Path(path) for path in args.paths)
    if not loaded.entries:
        print(f"verify: no claims were found in {shlex.join(args.paths)}", file=sys.stderr)
    wanted = args.explain or args.only
    if wanted and loaded.entries:
        loaded = select(loaded, wanted, exactly=args.explain is not None)
        if not loaded.entries:
            print(f"verify: no claim matches {wanted!r}", file=sys.stderr)
    if args.list:
        return _list(loaded)
    return _judge(args, loaded)


def select(loaded: "Loaded", pattern: str, exactly: bool = False) -> "Loaded":
    """Claims whose id contains the pattern, or matches it as a glob; file problems stay.

    `exactly`: where an id is the pattern, that claim alone."""
    from verifier.claim.load import Ready

    ids = [(entry.claim.id if isinstance(entry, Ready) else entry.id) for entry in loaded.entries]
    alone = exactly and pattern in ids

    def matches(name: str) -> bool:
        return name == pattern if alone else pattern in name or fnmatch.fnmatchcase(name, pattern)

    kept = tuple(entry for entry, name in zip(loaded.entries, ids, strict=True) if matches(name))
    return replace(loaded, entries=kept)


def _list(loaded: "Loaded") -> int:
    from verifier.claim.load import Ready

    for entry in loaded.entries:
        if isinstance(entry, Ready):
            print(f"{entry.claim.id}  {entry.claim.position.file}:{entry.claim.position.line}")
    broken = [
        problem for entry in loaded.entries if not isinstance(entry, Ready) for problem in entry.problems
    ]
    problems = [*broken, *loaded.problems]
    for problem in dict.fromkeys(problems):
        print(problem, file=sys.stderr)
    return USAGE_ERROR if problems or not loaded.entries else 0


def _judge(args: argparse.Namespace, loaded: "Loaded") -> int:
    from verifier.report.progress import watching
    from verifier.run.verify import verify

    command = shlex.join(["verify", *map(str, args.paths), "--seed", str(args.seed)])
    with watching(len(loaded.claims)) as progress:
        run = verify(loaded, _settings(args), progress, command)
    if args.report:
        from verifier.report.html import write_report

        try:
            write_report(run, args.report)
        except OSError as error:
            print(f"verify: the report cannot be written: {error}", file=sys.stderr)
            _show(args, run)
            return USAGE_ERROR
    _show(args, run)
    return run.exit_status


def _show(args: argparse.Namespace, run: "Run") -> None:
    if args.format != "text":
        sys.stdout.write(_rendered(args.format, run))
        return
    from verifier.report import text

    if args.explain:
        text.print_explanations(run)
    else:
        text.print_run(run)


def _rendered(form: str, run: "Run") -> str:
    """The run in a format for machines."""
    if form == "junit":
        from verifier.report.junit import to_junit

        return to_junit(run)
    if form == "github":
        from verifier.report.github import to_github

        return to_github(run)
    if form == "sarif":
        from verifier.report.sarif import to_sarif as to_data
    else:
        from verifier.report.json import to_json as to_data
    return json.dumps(to_data(run), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
