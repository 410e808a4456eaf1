"""The command `verify`. Heavy modules are imported only by the branch that needs them."""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.gate.options import parser
from verifier.run.interrupt import EXIT_STATUS, interruptible

if TYPE_CHECKING:
    from verifier.gate.config import Config
    from verifier.gate.session import Request
    from verifier.judge.verdict import Run
    from verifier.plan.settings import Settings
    from verifier.report.view import Json

USAGE_ERROR = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    sys.setrecursionlimit(20_000)
    words = sys.argv[1:] if argv is None else argv
    try:
        if words and words[0] == "check":
            from verifier.gate.check import main as check

            return check(words[1:])
        if words and words[0] == "serve":
            from verifier.serve.page.command import main as serve_page

            return serve_page(words[1:])
        if words and words[0] in ("lsp", "mcp"):
            from verifier.serve.start import main as serve

            return serve(words[0], words[1:])
        if words and words[0] == "draft":
            from verifier.gate.draft import main as draft

            return draft(words[1:])
        return _dispatch(parser().parse_args(words))
    except KeyboardInterrupt:
        print("verify: interrupted", file=sys.stderr)
        return EXIT_STATUS
    except BrokenPipeError:
        # The reader of our output left (`verify ... | head`): nothing more to say.
        _leave_stdout()
        return USAGE_ERROR


def _dispatch(args: argparse.Namespace) -> int:
    if args.schema:
        from verifier.read.specs.schema import json_schema

        print(json.dumps(json_schema(), indent=2))
        return 0
    if args.completion:
        from verifier.gate.completion import script

        print(script(args.completion, parser()), end="")
        return 0
    if args.explain and not args.paths:
        from verifier.gate.explain import explain_code, is_code

        if is_code(args.explain):
            return explain_code(args.explain)
    if args.init:
        from verifier.gate.scaffold import scaffold

        return scaffold(Path.cwd())
    from verifier.gate.baseline import BaselineError
    from verifier.gate.config import ConfigError, find_config
    from verifier.plan.settings import NoCluster
    from verifier.report.compare import NotAReport

    try:
        config = find_config(Path.cwd())
        if args.if_claims:
            args.paths = _with_claims(args.paths or list(config.paths))
            if not args.paths:
                return 0
        from verifier.gate.unfiled import is_lean, is_unfiled, trouble_with

        if (wrong := trouble_with(args)) is not None:
            return _trouble(wrong)
        if is_unfiled(args):
            if is_lean(args):
                from verifier.run.process import warm

                warm()
            return _run(args, config)
        if args.explain and not (args.paths or config.paths):
            return explain_code(args.explain)
        if not (args.paths or config.paths):
            return _trouble("no path given; try `verify claims/`, or `verify --init`")
        if args.watch:
            from verifier.gate.watch import watch

            return watch(request(args, config).paths, lambda: _run(args, config))
        return _run(args, config)
    except (ConfigError, BaselineError, NotAReport, NoCluster) as error:
        return _trouble(str(error))


def _with_claims(paths: list[str]) -> list[str]:
    """Those of the files that hold claims at all; folders are walked."""
    from verifier.read.specs.spec_files import files_of, holds_claims, strays_of

    strays = strays_of(map(Path, paths))
    found = [file for path in paths for file in files_of(Path(path)) if file not in strays]
    return [str(file) for file in found if holds_claims(file)]


def _trouble(words: str) -> int:
    print(f"verify: {words}", file=sys.stderr)
    return USAGE_ERROR


# --- what is asked ------------------------------------------------------------------------------------


def request(args: argparse.Namespace, config: "Config") -> "Request":
    """What is to be judged: the command line first, then the configuration."""
    from verifier.gate.choices import settings_of, store_of
    from verifier.gate.session import Request
    from verifier.gate.unfiled import is_lean, is_unfiled, load_drafted, load_unfiled, words_of
    from verifier.plan.settings import LEAN_ENGINES

    unfiled = is_unfiled(args)
    paths = () if unfiled else tuple(map(Path, args.paths or config.paths))
    settings = settings_of(vars(args), config)
    if is_lean(args):
        settings = replace(settings, lean=True, engines=LEAN_ENGINES)
    only = args.explain or args.only
    words = words_of(args) if unfiled else map(str, paths)
    command = shlex.join(["verify", *words, "--seed", str(settings.seed), *_limits(settings)])
    # What is in no file is remembered only where somebody asks for it.
    keep = not args.no_cache and (not unfiled or args.cache is not None)
    store = store_of(args.cache, config) if keep else None
    asked = Request(paths, settings, store, only, args.explain is not None, command)
    loaded = load_unfiled(args) if unfiled else load_drafted(paths)
    return replace(asked, proofs=args.proofs is not None, loaded=loaded)


def _limits(settings: "Settings") -> list[str]:
    """Limits other than the usual ones, for the numbers of draws follow from them."""
    usual = type(settings)()
    said = {
        "--seconds": (settings.seconds, usual.seconds),
        "--draws": (settings.draws, usual.draws),
        "--trust": (settings.trust, usual.trust),
    }
    return [word for name, (here, there) in said.items() if here != there for word in (name, str(here))]


# --- what is done -------------------------------------------------------------------------------------


def _run(args: argparse.Namespace, config: "Config") -> int:
    from verifier.gate.choices import policy_of
    from verifier.gate.notebooks import stopping
    from verifier.gate.policy import judge_run
    from verifier.gate.session import report_of, run_of, unremembered
    from verifier.report.compare import read_report, with_changes
    from verifier.report.view import undecided

    asked = request(args, config)
    if args.list:
        from verifier.gate.listing import list_claims

        return list_claims(asked)
    from verifier.plan.missing_libraries import without_torch

    notice = without_torch()
    if notice is not None and not asked.settings.lean:  # a line that is decided needs no word of it
        print(f"verify: {notice}", file=sys.stderr)
    policy = policy_of(config, args.fail_on, args.require, args.fail_at, args.baseline, args.min_coverage)
    old = read_report(args.against) if args.against else None
    run = None
    with interruptible() as stop:
        asked = replace(asked, stop=stop)
        if args.report or args.explain or args.proofs:
            report, run = run_of(asked)
        else:
            report = report_of(asked)
    if not report["claims"]:
        found = "no claim matches" if asked.only else "no claims were found in"
        what = repr(asked.only) if asked.only else shlex.join(map(str, asked.paths)) or "what was given"
        print(f"verify: {found} {what}", file=sys.stderr)
    report = judge_run(report, policy)
    if old is not None:
        report = with_changes(report, old, str(args.against))
    trouble = _write(args, config, report, run)
    trouble += _show(args, report, run)
    notes = [notice] if notice is not None and asked.settings.lean and undecided(report) else []
    for words in (*trouble, *notes, *unremembered(asked), *stopping(report["claims"])):
        print(f"verify: {words}", file=sys.stderr)
    if report["run"]["interrupted"]:
        return EXIT_STATUS
    return USAGE_ERROR if trouble else int(report["gate"]["status"])


def _write(args: argparse.Namespace, config: "Config", report: "Json", run: "Run | None") -> list[str]:
    """Every file that is asked for, whatever the run says; returns what could not be written."""
    from verifier.gate.outputs import complaining, step_summary, write_all

    trouble = write_all(report, [*config.outputs, *args.output])
    if args.format == "github":
        trouble += step_summary(report, os.environ)
    if args.report and run is not None:
        from verifier.report.compare import changes_of
        from verifier.report.html import write_report

        with complaining("the report cannot be written", trouble):
            write_report(run, args.report, changes_of(report), report.get("coverage"), args.single)
    if args.proofs and run is not None:
        from verifier.gate.outputs import write_proofs

        with complaining("the proofs cannot be written", trouble):
            write_proofs(run, args.proofs)
    return trouble


def _show(args: argparse.Namespace, report: "Json", run: "Run | None") -> list[str]:
    """The run on standard output; returns what could not be written."""
    from verifier.gate.outputs import complaining, show

    trouble: list[str] = []
    with complaining("standard output cannot be written", trouble):
        if args.explain and run is not None and args.format == "text":
            from verifier.report.text import print_explanations

            print_explanations(run)
        else:
            show(args.format, report)
        sys.stdout.flush()
    if trouble:
        _leave_stdout()
    return trouble


def _leave_stdout() -> None:
    """What is still to be written there has no reader; it shall not be tried again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
