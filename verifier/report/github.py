"""GitHub workflow commands: an annotation at the line of each claim that is not as expected."""

from verifier.claim.model import Position
from verifier.claim.problems import Problem
from verifier.judge.verdict import FailedClaim, Run, Verdict

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def to_github(run: Run) -> str:
    """One command per line."""
    lines = []
    for item in run.verdicts:
        if isinstance(item, FailedClaim):
            lines += [_of_problem(problem) for problem in item.broken.problems]
        elif item.disagreement or not item.as_expected:
            lines.append(_of_verdict(item))
    lines += [_of_problem(problem) for problem in run.problems]
    return "".join(f"{line}\n" for line in lines)


def _of_verdict(item: Verdict) -> str:
    worst = next((step for step in item.steps if step.verdict == item.verdict), item.steps[0])
    text = item.disagreement or item.reason
    if worst.corrected:
        text += f"\ncorrect: {worst.corrected}"
    title = f"{item.id}: {item.verdict}"
    return _command(_COMMANDS[item.claim.severity], worst.position, title, text)


def _of_problem(problem: Problem) -> str:
    text = problem.message + (f"\n{problem.hint}" if problem.hint else "")
    return _command("error", problem.position, f"wrong spec: {problem.code}", text)


def _command(command: str, position: Position, title: str, text: str) -> str:
    place = f"file={_value(position.file)},line={position.line},col={position.column}"
    return f"::{command} {place},title={_value(title)}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
