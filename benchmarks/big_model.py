"""The gradients of a DeiT-B block in every parameter and activation, measured from a claim file.

One run of draws serves all: each draw is one forward and one backward pass. Norms and their ratios to that of
the queries' weights are shown in total and per entry, with their intervals (approximate ones marked ~).

    python benchmarks/big_model.py [--seconds 60] [--small]
"""

import argparse
import resource
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import torch

from verifier.claim.model import Claim
from verifier.evidence import Budget, Sample
from verifier.expr import nodes as N
from verifier.read.specs.load import load_text
from verifier.sample.interface import measure
from verifier.sample.tuning import Settings

SPEC = Path(__file__).with_name("vit_block.yaml")
BASE = {"n": 197, "d": 768, "d_h": 64, "H": 12, "m": 3072}
SMALL = {"n": 5, "d": 6, "d_h": 3, "H": 2, "m": 12}


@dataclass(frozen=True)
class Part:
    """What a gradient is taken in: its norm in the language, and how many entries it has."""

    name: str
    norm: str
    entries: str


PARTS = (
    Part("W_Q", "g_Q", "d*d_h*H"),
    Part("W_K", "g_K", "d*d_h*H"),
    Part("W_V", "g_V", "d*d_h*H"),
    Part("W_O", "g_O", "d*d_h*H"),
    Part("W_1", "g_1", "d*m"),
    Part("W_2", "g_2", "d*m"),
    Part("input X", "norm(D(Loss, X))", "n*d"),
    Part("normed input U", "norm(D(Loss, U))", "n*d"),
    Part("attention A", "norm(D(Loss, A))", "n*d"),
    Part("residual Z", "norm(D(Loss, Z))", "n*d"),
    Part("normed residual V", "norm(D(Loss, V))", "n*d"),
    Part("hidden B", "norm(D(Loss, B))", "n*m"),
    Part("MLP output F", "norm(D(Loss, F))", "n*d"),
)


def expressions(part: Part) -> tuple[str, str, str, str]:
    """Its norm in total and per entry, and the same against the queries' weights."""
    total, base = f"E({part.norm})", "E(g_Q)"
    scale = f"sqrt(d*d_h*H / ({part.entries}))"
    return total, f"{total} / sqrt({part.entries})", f"{total} / {base}", f"{scale} * {total} / {base}"


def claim_and_nodes(sizes: dict[str, int]) -> tuple[Claim, list[N.Node]]:
    """The block at these sizes, and all that is to be measured."""
    lines = [SPEC.read_text()]
    for row, part in enumerate(PARTS):
        lines += [
            f"  table-{row}-{col}: {{says: '{text} == 0'}}" for col, text in enumerate(expressions(part))
        ]
    loaded = load_text("\n".join(lines) + "\n", SPEC.name)
    assert not loaded.problems, loaded.problems
    table = [claim for claim in loaded.claims if "#table-" in claim.id]
    facts = [claim.steps[0].fact for claim in table]
    nodes = [fact.left for fact in facts if isinstance(fact, N.Relation)]
    return replace(table[0], where={name: Fraction(size) for name, size in sizes.items()}), nodes


def shown(sample: Sample | None) -> str:
    if sample is None:
        return "?"
    half = (sample.high - sample.low) / 2 / abs(sample.estimate)
    return f"{'' if sample.rigorous else '~'}{sample.estimate:.3g} +-{100 * half:.1f}%"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="sizes of the tests")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    sizes = SMALL if options.small else BASE
    claim, nodes = claim_and_nodes(sizes)
    start, cpu = time.monotonic(), time.process_time()
    found = measure(claim, nodes, Budget(seconds=options.seconds), Settings())
    seconds, busy = time.monotonic() - start, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    draws = next((sample.draws for sample in found if sample is not None), 0)
    print(f"sizes {sizes}")
    print(f"{draws} draws, {seconds:.1f} s ({busy:.1f} s of CPU), {memory:.2f} GiB at most\n")
    print(f"{'gradient in':18} {'norm':>16} {'per entry':>18} {'/ W_Q':>16} {'/ W_Q, per entry':>18}")
    for row, part in enumerate(PARTS):
        total, entry, ratio, both = (shown(item) for item in found[4 * row : 4 * row + 4])
        print(f"{part.name:18} {total:>16} {entry:>18} {ratio:>16} {both:>18}")


if __name__ == "__main__":
    main()
