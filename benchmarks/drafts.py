"""Papers in ordinary style, drafted: how many statements are read right, refused with a reason, or misread.

Beside each paper of `papers/` stands what its theorems say, by label: a list of statements, or null for what
the claim language cannot say, which must be refused. A statement that is read as anything else is a
misreading. Before drafts there was no reading at all: `verify PAPER` found no claims.

    python benchmarks/drafts.py [FOLDER]
"""

import json
import sys
from pathlib import Path

from verifier.read.draft import Draft, draft_paper

HERE = Path(__file__).parent / "papers"


def statements(draft: Draft) -> dict[str, list[str]]:
    """What was read of each theorem, by its label."""
    found: dict[str, list[str]] = {}
    for claim in draft.loaded().claims:
        label = claim.id.partition("#")[0].partition("/")[2]
        found.setdefault(label, []).append(claim.text)
    return found


def measured(answers: dict[str, list[str] | None], draft: Draft) -> tuple[int, int, int, int]:
    """Statements in all, read right, refused, misread."""
    read = statements(draft)
    total = right = wrong = 0
    for label, said in answers.items():
        here = read.pop(label, [])
        meant = said or []
        total += max(len(meant), 1)
        right += sum(text in meant for text in here)
        wrong += sum(text not in meant for text in here)
    wrong += sum(map(len, read.values()))  # claims of theorems that the paper does not have
    return total, right, total - right - wrong, wrong


def main(folder: Path) -> int:
    sums = [0, 0, 0, 0]
    print(f"{'paper':<20} statements   read  refused  misread")
    for answers in sorted(folder.glob("*.json")):
        paper = next(path for path in sorted(folder.glob(f"{answers.stem}.*")) if path != answers)
        draft = draft_paper(paper)
        assert all(note.reason for note in draft.notes), "a refusal without a reason"
        counts = measured(json.loads(answers.read_text(encoding="utf-8")), draft)
        sums = [a + b for a, b in zip(sums, counts, strict=True)]
        print("{:<20} {:>10} {:>6} {:>8} {:>8}".format(paper.name, *counts))
    print("{:<20} {:>10} {:>6} {:>8} {:>8}".format("all", *sums))
    return 1 if sums[3] else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE))
