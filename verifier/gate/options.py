"""The options of the command, in groups."""

import argparse
from pathlib import Path

from verifier import __version__
from verifier.gate.completion import SHELLS
from verifier.gate.config import DEVICES
from verifier.gate.outputs import FORMATS
from verifier.gate.policy import MAY_FAIL_ON, REQUIRED, SEVERITIES
from verifier.plan.settings import DEFAULT_TRUST, TRUSTED

DESCRIPTION = "Judge whether the claims of a write-up are true."
EPILOG = """\
exit status:
  0  every claim is as expected
  1  some claim is not, or too little of the write-up has a claim
  2  a spec or the call is wrong, nothing was collected, or engines disagree
  130  interrupted: what is known is written, the rest is inconclusive

examples:
  verify claims/ paper.tex              judge claims and write-ups
  verify -e "norm(A @ B) <= norm(A) * norm(B)"
                                        judge one line
  verify draft paper.tex -o claims.yaml  write the claims of a paper without any, to be mended
  verify --output sarif=out.sarif --output junit=out.xml
                                        several outputs at once, also when claims fail
  verify --output json=baseline.json    then: verify --baseline baseline.json
  verify claims/ --proofs proofs/       then: verify check proofs/ claims/
  verify --explain drift                what a message means
  verify serve                          a page in the browser that judges what you type
  verify lsp, verify mcp                servers for editors and for agents (extras: editor, agents)
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="verify",
        usage="verify [PATH ...] [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    made.add_argument(
        "paths", nargs="*", metavar="PATH",
        help="folders, .yaml files, or write-ups (.md, .qmd, .tex, .ipynb); - is a claim file on stdin;\n"
        "without one, `paths` of verify.toml or [tool.verify] in pyproject.toml",
    )  # fmt: skip
    _what(made)
    _outputs(made)
    _gate(made)
    _limits(made)
    _more(made)
    return made


def _what(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("what is judged").add_argument
    add("-e", dest="lines", metavar="LINE", action="append", default=[],
        help="judge one line, as \"norm(A @ B) <= norm(A) * norm(B)\" or '$\\|AB\\|_F \\le 1$';\n"
        "shapes are inferred, and said")  # fmt: skip
    add("--with", dest="given", metavar="TEXT", action="append", default=[],
        help="for -e: a declaration \"A: matrix(n, m)\", an assumption \"rho < 1\",\n"
        "or what grows, \"n -> oo\"")  # fmt: skip
    add("-k", "--only", metavar="PATTERN", help="only claims whose id matches (a part of it, or * and ?)")
    add("--list", action="store_true", help="list the claims and judge none")
    add("--if-claims", action="store_true", help="leave out files that hold no claims; none at all is fine")
    add("--watch", action="store_true", help="judge again whenever a file changes")


def _outputs(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("outputs").add_argument
    add("--format", choices=FORMATS, default="text", help=f"what stdout holds: {', '.join(FORMATS)}",
        metavar="FORMAT")  # fmt: skip
    add("--output", metavar="FORMAT=FILE", type=output, action="append", default=[],
        help="write a format into a file as well; may be given several times")  # fmt: skip
    add("--report", metavar="DIR", type=Path, help="write an HTML report into DIR")
    add("--single", action="store_true", help="with --report: also one file per document, complete in itself")
    add("--proofs", metavar="DIR", type=Path,
        help="write each claim's proof into DIR; `verify check DIR PATH ...` checks them")  # fmt: skip
    add("--against", metavar="OLD.json", type=Path, help="show what changed since an earlier report")
    add("--explain", metavar="ID|CODE",
        help="how one claim was read and how it was judged,\n"
        "or what the [code] of a message means")  # fmt: skip


def _gate(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("gate").add_argument
    add("--fail-on", metavar="VERDICTS", type=verdicts,
        help="verdicts that fail a claim without `expect`, as fails,loose,inconclusive\n"
        "(default: fails,inconclusive)")  # fmt: skip
    add("--require", choices=tuple(REQUIRED),
        help="what a claim without `expect` must rest on: a proof, a proof or a certificate,\n"
        "or that nothing broke it (searched, the default: unrefuted passes with a warning)")  # fmt: skip
    add("--trust", choices=TRUSTED,
        help="whose word a verdict may rest on: checked (proofs that the kernel accepts) or\n"
        f"that of engines, too (default: {DEFAULT_TRUST})")  # fmt: skip
    add("--fail-at", choices=SEVERITIES, help="the mildest severity that turns the run red (default: note)")
    add("--baseline", metavar="FILE", type=Path,
        help="a JSON report of an earlier run: only what is new or worse fails")  # fmt: skip
    add("--min-coverage", metavar="PERCENT", type=percent,
        help="how many of the write-up's theorems and numbered equations need a claim")  # fmt: skip


def _limits(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("limits").add_argument
    add("--seconds", type=positive, metavar="S", help="computing time per claim (default 10)")
    add("--memory", type=positive, metavar="GIB", help="limit per claim (default 3)")
    add("--jobs", type=positive_int, metavar="N", help="worker processes (default: one per core)")
    add(
        "--draws", type=positive_int, metavar="N", help="most draws of one estimate (default: as time allows)"
    )
    add("--cluster", metavar="ADDRESS", help="run on this scheduler of dask.distributed (extra: cluster)")
    add("--seed", type=int, help="seed of all random draws (default 0)")
    add("--device", choices=DEVICES, help="where to sample (default auto)")
    add("--cache", metavar="DIR", type=Path, help="where verdicts are remembered (default .verify-cache)")
    add("--no-cache", action="store_true", help="remember nothing and judge everything")


def _more(made: argparse.ArgumentParser) -> None:
    add = made.add_argument_group("setting up").add_argument
    add("--init", action="store_true", help="write a first claim, a configuration and a CI job here")
    add("--schema", action="store_true", help="print the JSON Schema of claim files, for editors")
    add(
        "--completion",
        choices=SHELLS,
        metavar="SHELL",
        help=f"print a script that completes: {', '.join(SHELLS)}",
    )
    add("--version", action="version", version=f"verify {__version__}")


# --- values -----------------------------------------------------------------------------------------


def positive(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError("must be positive")
    return value


def positive_int(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def percent(text: str) -> float:
    value = float(text.removesuffix("%"))
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError("must be between 0 and 100")
    return value


def verdicts(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    for word in words:
        if word not in MAY_FAIL_ON:
            raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(MAY_FAIL_ON)}")
    return words


def output(text: str) -> tuple[str, Path]:
    form, equals, place = text.partition("=")
    if form not in FORMATS or not equals or not place:
        raise argparse.ArgumentTypeError(f"write FORMAT=FILE, with one of {', '.join(FORMATS)}")
    return form, Path(place)
