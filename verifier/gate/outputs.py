"""A run in every format that is asked for: one on standard output, any number in files.

Files are written whatever the run says, each beside its place first and then moved there at once, so
that a reader never sees half of one. One that cannot be written does not keep the others from it.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from verifier.report.pieces import json_pieces
from verifier.report.view import Json

if TYPE_CHECKING:
    from verifier.judge.verdict import Run

FORMATS = ("text", "json", "junit", "sarif", "github", "markdown", "badge")


def write(form: str, report: Json, file: TextIO) -> None:
    """The run in one format, piece by piece. Each format is imported only where it is asked for."""
    if form == "text":
        from verifier.report.text import write_text

        write_text(report, file)
    else:
        file.writelines(_pieces(form, report))


def _pieces(form: str, report: Json) -> Iterable[str]:
    match form:
        case "junit":
            from verifier.report.junit import to_junit

            return to_junit(report)
        case "github":
            from verifier.report.github import to_github

            return to_github(report)
        case "markdown":
            from verifier.report.markdown import to_markdown

            return [to_markdown(report)]
        case "badge":
            from verifier.report.badge import to_badge

            return [to_badge(report)]
        case "sarif":
            from verifier.report.sarif import to_sarif

            return json_pieces(to_sarif(report))
        case "json":
            return json_pieces(report)
    raise ValueError(f"no format {form!r}")


def write_all(report: Json, outputs: Sequence[tuple[str, Path]]) -> list[str]:
    """Write every file; returns what could not be written, in words."""
    trouble: list[str] = []
    for form, path in outputs:
        with complaining(f"{form} cannot be written to {path}", trouble):
            replace_file(path, partial(write, form, report))
    return trouble


def show(form: str, report: Json) -> None:
    """The run on standard output."""
    if form == "text":
        from verifier.report.text import print_run

        print_run(report)
    else:
        write(form, report, sys.stdout)


def step_summary(report: Json, environment: Mapping[str, str]) -> list[str]:
    """Inside a GitHub job, annotations come with a summary of the step; returns trouble, in words."""
    path = environment.get("GITHUB_STEP_SUMMARY")
    if not path:
        return []
    trouble: list[str] = []
    with (
        complaining("the step summary cannot be written", trouble),
        open(path, "a", encoding="utf-8") as file,
    ):
        write("markdown", report, file)
    return trouble


@contextmanager
def complaining(words: str, trouble: list[str]) -> Iterator[None]:
    """What fails in here is told in words and keeps nothing else from being written. A reader who
    leaves is no trouble."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        trouble.append(f"{words}: {error.strerror or error}")
    except Exception as error:
        trouble.append(f"{words}: it failed with {type(error).__name__}: {error}")


def write_proofs(run: "Run", folder: Path) -> None:
    """One file for each claim that could be judged; what nobody decided is said there too."""
    from verifier.judge.verdict import Verdict
    from verifier.proofs.store import name_of, written

    for item in run.verdicts:
        if isinstance(item, Verdict):
            steps = [step.proof.text if step.proof is not None else None for step in item.steps]
            made = partial(_put, written(item.claim, item.verdict, steps, item.sides))
            replace_file(folder / name_of(item.id), made)


def _put(text: str, file: TextIO) -> None:
    file.write(text)


def replace_file(path: Path, write: Callable[[TextIO], None]) -> None:
    """Write beside the file, then put it in its place at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            write(file)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
