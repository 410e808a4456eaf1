"""What it takes to check proofs, beside what it took to find them: `verify check` against `verify --proofs`.

    python benchmarks/checking.py [PATH ...]

Also told: which share of the verdicts has a proof that the kernel accepts, by verdict and by rule, how large
the proofs are, and how many lines the kernel has."""

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]


def timed(*words: str) -> tuple[float, str]:
    """Wall-clock seconds of a command, and what it printed; a claim that is not as expected is no failure."""
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "verifier", *words], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return time.perf_counter() - begun, done.stdout


def main() -> None:
    paths = sys.argv[1:] or [str(ROOT / "claims")]
    with tempfile.TemporaryDirectory() as folder:
        finding, report = timed(*paths, "--no-cache", "--proofs", folder, "--format", "json")
        checking, checked = timed("check", folder, *paths, "--format", "json")
        sizes = sorted(path.stat().st_size for path in Path(folder).glob("*.json"))
    claims = json.loads(report)["claims"]
    decided = [claim for claim in claims if claim["proof"] is not None]
    proved = [claim for claim in decided if claim["proof"]["checked"]]
    accepted = sum(item["outcome"] == "accepted" for item in json.loads(checked)["claims"])
    assert accepted == len(proved), "what was proved in the run is accepted from its file"
    print(f"{len(claims)} claims, {len(decided)} decided, {len(proved)} with a checked proof")
    for verdict in ("holds", "loose", "fails"):
        of = [claim for claim in decided if claim["verdict"] == verdict]
        print(f"  {verdict}: {sum(claim['proof']['checked'] for claim in of)} of {len(of)}")
    rules = Counter(name for claim in proved for name in claim["proof"]["rules"])
    print("  by rule: " + ", ".join(f"{name} {count}" for name, count in rules.most_common()))
    print(f"found in {finding:.0f} s, checked in {checking:.1f} s: {finding / checking:.0f} times faster")
    print(f"files of {sizes[len(sizes) // 2]} bytes in the middle, {sizes[-1]} at most")
    kernel = (ROOT / "verifier" / "kernel").rglob("*.py")
    print(f"{sum(len(path.read_text().splitlines()) for path in kernel)} lines in the kernel")


if __name__ == "__main__":
    main()
