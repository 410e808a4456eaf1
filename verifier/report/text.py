"""Verdicts as text: one line per claim, up to three more for what is wrong with it.

On a terminal lines are coloured; a claim's own line is cut to its width, and what is wrong with the claim is
folded there, so that its counterexample can be read. In a pipe lines are plain and whole, so that `grep` and
`diff` work on them.
"""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.text import Text

from verifier.expr.unseen import inert
from verifier.report import view
from verifier.report.compare import changes_of
from verifier.report.compare import words as compared
from verifier.report.view import Json

if TYPE_CHECKING:
    from verifier.claim.problems import Problem
    from verifier.judge.verdict import Run

STYLES = {
    "holds": "green",
    "loose": "yellow",
    "fails": "bold red",
    "unrefuted": "cyan",
    "inconclusive": "magenta",
    "error": "bold red",
}
MOST_DETAILS = 3
WIDEST_NAME = 60
LONGEST_DETAIL, KEPT_END = 300, 100
NARROWEST = 20


def print_run(report: Json) -> None:
    """The run on standard output."""
    render(report, standard_console())


def write_text(report: Json, file: TextIO) -> None:
    """The run as it looks in a pipe."""
    render(report, Console(file=file, highlight=False, markup=False, emoji=False))


def print_explanations(run: "Run") -> None:
    """How each claim was read and judged, on standard output."""
    from verifier.judge.verdict import Verdict
    from verifier.report.explain import explain

    console = standard_console()
    for item in run.verdicts:
        if isinstance(item, Verdict):
            explain(item, console)
        else:
            _print_problems(item.problems, console)
    _print_problems(run.problems, console)


def standard_console() -> Console:
    """Standard output; what its encoding lacks is escaped rather than fatal."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    return Console(highlight=False, markup=False, emoji=False)


def render(report: Json, console: Console) -> None:
    """Every claim, then the problems of files, what the gate says, what changed, and the sum."""
    short = console.is_terminal  # which shows the theorem above its claims
    widest = min(max((len(_name(claim, short)) for claim in report["claims"]), default=0), WIDEST_NAME)
    theorem = ""
    told: list[Json] = []  # what is wrong with a declaration is wrong for each of its claims: it is said once
    for claim in report["claims"]:
        if short and claim["id"].partition("#")[0] != theorem:
            theorem = claim["id"].partition("#")[0]
            _print(Text(f"{inert(theorem)}  {_one_line(claim['title'] or '')}", style="bold"), console)
        line = _headline(claim, _name(claim, short), widest)
        _print(line, console)
        details = list(view.details(claim))[:MOST_DETAILS]
        if (
            short
            and not details
            and line.cell_len > console.width
            and claim["verdict"] not in ("holds", "loose")
        ):
            details = [("why", claim["disagreement"] or claim["reason"])]  # which was cut
        for name, words in details:
            style = "dim" if claim["as_expected"] else ""
            _print_detail(f"    {name:<15} ", Text(_cut(words), style=style), console)
        for name, words in view.reading(claim):
            _print_detail(f"    {name:<15} ", Text(_one_line(words), style="dim"), console)
        _print_wrong([problem for problem in claim["errors"] if problem not in told], console)
        told += claim["errors"]
    _print_wrong([problem for problem in report["errors"] if problem not in told], console)
    for words in report.get("gate", {}).get("notes", []):
        _print(Text(_one_line(words)), console)
    changes = changes_of(report)
    for words in compared(changes) if changes is not None else ():
        _print(Text(inert(words)), console)
    console.print(
        Text(summary(report), style="bold"), soft_wrap=True
    )  # whole, however narrow the terminal is


def summary(report: Json) -> str:
    """3 holds, 1 loose, ... in one line."""
    remembered = report["run"].get("remembered") or 0
    known = f" ({remembered} remembered)" if remembered else ""
    return f"{view.summary(report)}; {report['run']['seconds'] or 0:.1f} s{known}"


def _name(claim: Json, short: bool) -> str:
    return str(claim["id"].rpartition("#")[2] if short else claim["id"])


def _headline(claim: Json, name: str, widest: int) -> Text:
    line = Text()
    line.append(f"{claim['verdict']:<12}", style=STYLES[claim["verdict"]])
    line.append(f"  {claim['evidence'] or '-':<9}", style="dim")
    line.append(f"  {inert(name):<{widest}}")
    line.append(f"  {_one_line(claim['reason'])}{_expectation(claim)}")
    return line


def _expectation(claim: Json) -> str:
    """[as expected], [expected holds], [known]: nothing where nothing was said and all is well."""
    if claim["gate"] in ("known", "tolerated"):
        return f" [{claim['gate']}]"
    expect = view.expected(claim)
    if not expect:
        return ""
    return " [as expected]" if claim["as_expected"] else f" [expected {' or '.join(expect)}]"


def _cut(words: str) -> str:
    """The middle goes first: at the end of a long point stand the values of the two sides."""
    words = _one_line(words)
    if len(words) <= LONGEST_DETAIL:
        return words
    return f"{words[: LONGEST_DETAIL - KEPT_END]} … {words[-KEPT_END:]}"


def _one_line(text: str) -> str:
    return inert(" ".join(text.split()))


def _print_wrong(data: list[Json], console: Console) -> None:
    if data:
        # Trees come with it: a run that is remembered, and in order, is shown without.
        from verifier.report.problems import problem_from_json

        _print_problems([problem_from_json(item) for item in data], console)


def _print_problems(problems: "Iterable[Problem]", console: Console) -> None:
    for problem in dict.fromkeys(problems):
        lines = [Text(inert(line)) for line in str(problem).splitlines()]
        quoted = range(1, 3) if problem.line_text is not None else ()  # the line, and the caret below it
        for number, line in enumerate(lines):
            if number in quoted:
                _print(line, console)
            else:
                console.print(line, soft_wrap=True)  # message and remedy are whole


def _print_detail(name: str, words: Text, console: Console) -> None:
    """A terminal folds long words below themselves; a pipe keeps them in one line."""
    room = console.width - len(name)
    lines = words.wrap(console, room) if console.is_terminal and room > NARROWEST else [words]
    for number, line in enumerate(lines):
        line.rstrip()
        text = Text(" " * len(name) if number else name, style=words.style).append_text(line)
        console.print(text, soft_wrap=True)


def _print(line: Text, console: Console) -> None:
    """A terminal cuts long lines; a pipe keeps them."""
    if console.is_terminal:
        console.print(line, no_wrap=True, overflow="ellipsis")
    else:
        console.print(line, soft_wrap=True)
