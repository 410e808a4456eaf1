"""A second opinion: what Coq says of the leaves of checked proofs.

    verify claims --proofs proofs
    python benchmarks/coq.py proofs claims > benchmarks/coq.log

Each identity, combination of inequalities and box of an accepted proof is written as a theorem, compiled by
coqc, in which no tactic searches. Then each theorem is made wrong (1/1000 is added on one side) and must
be refused: `Fail` compiles only where the tactic fails. Debian's coq and libcoq-interval are installed if
they are missing.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.pieces import commit  # noqa: E402
from verifier.proofs.audit import audit  # noqa: E402
from verifier.proofs.coq.files import text_of  # noqa: E402
from verifier.proofs.coq.leaf import Found, Theorem, of_claim  # noqa: E402
from verifier.read.specs.load import load_paths  # noqa: E402

SECONDS = 300


def main() -> int:
    args = _arguments()
    if shutil.which("coqc") is None:
        packages = ["coq", "libcoq-interval"]
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], check=True)
    loaded = load_paths(args.paths)
    accepted = [entry for entry in loaded.ready if audit(entry.claim, args.proofs).outcome == "accepted"]
    found = {entry.id: of_claim(entry.claim, args.proofs) for entry in accepted}
    found = {claim: made for claim, made in found.items() if made.theorems}
    kinds = Counter(theorem.kind for made in found.values() for theorem in made.theorems)
    print(f"at {commit()}: {len(accepted)} accepted proofs; {len(found)} claims with theorems for Coq")
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(kinds.items())))
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        jobs = [(Path(folder), at, claim, made) for at, (claim, made) in enumerate(found.items())]
        said = list(pool.map(lambda job: _compiled(*job), jobs))
    for claim, true, false in said:
        for words in filter(None, (true, false)):
            print(f"REFUSED {claim}: {words}")
    proved, refused = sum(not true for _, true, _ in said), sum(not false for _, _, false in said)
    print(f"{proved} of {len(said)} claims have all their theorems proved by Coq")
    print(f"{refused} of {len(said)} claims have all their theorems refused once they are made wrong")
    print(f"{time.monotonic() - started:.0f} s with two compilers")
    return int(proved < len(said) or refused < len(said))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("proofs", type=Path)
    parser.add_argument("paths", type=Path, nargs="+")
    return parser.parse_args()


def _compiled(folder: Path, at: int, claim: str, made: Found) -> tuple[str, str, str]:
    """What Coq says of the theorems, and of the wrong ones; nothing, where all is as it should be."""
    wrong = [
        theorem.written(f"wrong_{k}").replace(
            f"Proof. {theorem.tactic}. Qed.", f"Fail ({theorem.tactic}). Abort."
        )
        for k, theorem in enumerate(map(_made_wrong, made.theorems), 1)
    ]
    text = text_of(claim, made)
    return (
        claim,
        _coqc(folder / f"true_{at}.v", text),
        _coqc(folder / f"wrong_{at}.v", text + "\n".join(wrong)),
    )


def _made_wrong(theorem: Theorem) -> Theorem:
    """An equation and a bound get 1/1000 on their right; a function that is never negative is turned over."""
    if theorem.kind == "interval":
        sign, _, body = theorem.conclusion.removeprefix("0 ").partition(" ")
        return replace(theorem, conclusion=f"0 {sign} - ({body}) - 1 / 1000")
    part = "+" if theorem.kind == "ring" else "-"
    return replace(theorem, conclusion=f"{theorem.conclusion} {part} 1 / 1000")


def _coqc(path: Path, text: str) -> str:
    path.write_text(text, encoding="ascii")
    try:
        done = subprocess.run(
            ["coqc", "-q", path.name], cwd=path.parent, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"not done after {SECONDS} s"
    return "" if done.returncode == 0 else " ".join(done.stderr.split())[:300] or "refused"


if __name__ == "__main__":
    sys.exit(main())
