"""`verify --init`: a first claim, a configuration and a CI job, in files that are not there yet."""

from pathlib import Path

CLAIM = """\
# yaml-language-server: $schema=schema.json
schema: 1
theorem: paper/forward-variance          # document/slug, unique in a run
title: A linear layer keeps the variance
source: {document: "Our paper", locator: "Lemma 1"}

symbols:
  n: dimension                           # any positive integer
  m: dimension
  sigma: positive
  x: vector(n)                           # fixed and arbitrary: the claim is for every x
  W: normal(m, n, std=sigma)             # random: i.i.d. N(0, sigma**2) entries

claims:
  second-moment:
    says: E(norm(W @ x)**2) == m * sigma**2 * norm(x)**2
    latex: m \\sigma^2 \\|x\\|^2            # as the paper prints it
    names: {}                            # and compared with `says`, letter by letter
    expect: holds
"""

CONFIG = """\
# What `verify` does in this repository; the command line wins over it.
paths = ["claims"]
# fail-on = ["fails"]                    # let what could not be decided pass
# baseline = "verify-baseline.json"      # only what is new or worse fails
# min-coverage = 50                      # per cent of the write-up's statements with a claim

[outputs]
# sarif = "verify.sarif"
# junit = "verify.xml"
"""

WORKFLOW = """\
name: claims
on: [push, pull_request]
permissions:
  contents: read
jobs:
  verify:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {python-version: "3.12"}
      - run: pip install verify-claims --extra-index-url https://download.pytorch.org/whl/cpu
      - uses: actions/cache@v4
        with:
          path: |
            .verify-cache
            ~/.local/state/verify
          key: verify-${{ github.sha }}
          restore-keys: verify-
      - run: verify --format github --output json=verify.json
"""


def scaffold(folder: Path) -> int:
    """Write what is missing; returns the exit status."""
    import json

    from verifier.claim.schema import json_schema

    files = {
        "claims/first.yaml": CLAIM,
        "claims/schema.json": json.dumps(json_schema(), indent=1) + "\n",
        "verify.toml": CONFIG,
        ".github/workflows/verify.yml": WORKFLOW,
    }
    try:
        for name, text in files.items():
            path = folder / name
            if path.exists():
                print(f"kept     {name}")
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"written  {name}")
    except OSError as error:
        print(f"verify: {error}")
        return 2
    print("\nNow run `verify`, and put a claim of yours beside the first one.")
    return 0
