"""Claims whose names tell the stand-in engine what to do, and runs of them."""

from collections.abc import Sequence

from verifier.judge.verdict import Run, Verdict
from verifier.plan.asking import Case
from verifier.plan.settings import Engine, Settings
from verifier.plan.table import ROWS
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Loaded
from verifier.run.verify import verify

STAND_IN = (Engine("symbolic", "tests.run.engines", 1),)


def theorem(slugs: Sequence[str], **more: str) -> Loaded:
    claims = "\n".join(f"  {slug}: {{says: 'x + 1 == 1 + x'}}" for slug in slugs)
    rest = "\n".join(f"{key}: {value}" for key, value in more.items())
    return load_text(f"theorem: run/test\nsymbols: {{x: real}}\n{rest}\nclaims:\n{claims}\n")


def judged(loaded: Loaded, jobs: int = 2, seconds: float = 20.0, memory_bytes: int = 2**30) -> Run:
    return verify(
        loaded,
        Settings(
            jobs=jobs,
            seconds=seconds,
            memory_bytes=memory_bytes,
            engines=STAND_IN,
            alone=False,
            trust="engines",
        ),
    )


def by_name(run: Run) -> dict[str, Verdict]:
    found = {}
    for verdict in run.verdicts:
        assert isinstance(verdict, Verdict)
        found[verdict.id.partition("#")[2]] = verdict
    return found


def ask_row(name: str, case: Case, seconds: float) -> None:
    """As the scheduler does: only where what is known of the case gives it a turn."""
    row = next(row for row in ROWS if row.name == name)
    if row.missing(case) is None:
        row.run(case, seconds)
