"""Verdicts as text: one line per claim, up to three more for what is wrong with it.

On a terminal lines are coloured and cut to its width; in a pipe they are plain and whole, so that
`grep` and `diff` work on them.
"""

import sys
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from verifier.claim.model import VerdictName
from verifier.claim.problems import Problem
from verifier.expr.typeset.writing import visible
from verifier.judge.verdict import FailedClaim, Run, Verdict
from verifier.report.explain import explain
from verifier.report.facts import in_one_line, main_step, one_line, reason

STYLES: dict[VerdictName, str] = {
    "holds": "green",
    "loose": "yellow",
    "fails": "bold red",
    "inconclusive": "magenta",
    "error": "bold red",
}
MOST_DETAILS = 3
LONGEST_DETAIL = 300


def print_run(run: Run) -> None:
    """The run on standard output."""
    render(run, standard_console())


def print_explanations(run: Run) -> None:
    """How each claim was read and judged, on standard output."""
    console = standard_console()
    for item in run.verdicts:
        if isinstance(item, Verdict):
            explain(item, console)
        else:
            _print_problems(item.broken.problems, console)
    _print_problems(run.problems, console)


def standard_console() -> Console:
    """Standard output; what its encoding lacks is escaped rather than fatal."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    return Console(highlight=False, markup=False, emoji=False)


def render(run: Run, console: Console) -> None:
    """Every claim, then the problems of files, then the sum."""
    widest = max((len(item.id) for item in run.verdicts), default=0)
    for item in run.verdicts:
        _print(_headline(item, widest), console)
        for name, words in list(_details(item))[:MOST_DETAILS]:
            _print(Text(f"    {name:<15} {_cut(words)}", style="dim" if item.as_expected else ""), console)
        if isinstance(item, FailedClaim):
            _print_problems(item.broken.problems, console)
    _print_problems(run.problems, console)
    _print(Text(summary(run), style="bold"), console)


def summary(run: Run) -> str:
    """3 holds, 1 loose, ... in one line."""
    counts = ", ".join(f"{count} {name}" for name, count in run.summary.items())
    expected = sum(item.as_expected for item in run.verdicts)
    files = f"; {len(run.problems)} unreadable" if run.problems else ""
    return f"{counts}{files}; {expected} of {len(run.verdicts)} as expected; {run.seconds:.1f} s"


def _headline(item: Verdict | FailedClaim, widest: int) -> Text:
    line = Text()
    line.append(f"{item.verdict:<12}", style=STYLES[item.verdict])
    grade = item.evidence if isinstance(item, Verdict) else None
    line.append(f"  {grade or '-':<9}", style="dim")
    line.append(f"  {visible(item.id):<{widest}}")
    line.append(f"  {one_line(reason(item))}{_expectation(item)}")
    return line


def _expectation(item: Verdict | FailedClaim) -> str:
    expect = item.claim.expect if isinstance(item, Verdict) else item.broken.expect
    if expect is None:
        return ""
    return " [as expected]" if item.as_expected else f" [expected {' or '.join(expect)}]"


def _details(item: Verdict | FailedClaim) -> Iterator[tuple[str, str]]:
    """What an author needs first, most important first."""
    if isinstance(item, FailedClaim):
        return
    step = main_step(item)
    if item.disagreement is not None:
        yield "engines differ", item.disagreement
    if item.verdict in ("holds", "loose") and any(part.violated for part in item.assumptions):
        part = next(part for part in item.assumptions if part.violated)
        yield "contradiction", f"{part.name} contradicts the symbols: {part.gap or part.reason}"
    if item.claim.is_chain and item.verdict not in ("holds", "loose"):
        yield "line", f"{step.position.line}: {step.text}"
    if step.counterexample is not None:
        yield "counterexample", in_one_line(step.counterexample)
    if step.corrected is not None:
        yield "corrected", step.corrected
    if step.tight is not None:
        slack = f" (slack {step.slack:.4g})" if step.slack is not None else ""
        yield "could be", f"{step.tight}{slack}"


def _cut(words: str) -> str:
    words = one_line(words)
    return words if len(words) <= LONGEST_DETAIL else f"{words[:LONGEST_DETAIL]}…"


def _print_problems(problems: tuple[Problem, ...], console: Console) -> None:
    for problem in dict.fromkeys(problems):
        for line in str(problem).splitlines():
            _print(Text(visible(line)), console)


def _print(line: Text, console: Console) -> None:
    """A terminal cuts long lines; a pipe keeps them."""
    if console.is_terminal:
        console.print(line, no_wrap=True, overflow="ellipsis")
    else:
        console.print(line, soft_wrap=True)
