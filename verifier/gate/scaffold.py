"""`verify --init`: a first claim, a configuration and a CI job, in files that are not there yet.

A paper that lies here is named in the configuration. The CI job installs what is installed now: a release, or
the repository before there is one."""

import json
import re
import shlex
import sys
from pathlib import Path

from verifier.gate.origin import Origin, origin
from verifier.gate.papers import Paper, papers_in

CLAIM = """\
# yaml-language-server: $schema=schema.json
schema: 1
theorem: {slug}/forward-variance  # document/slug, unique in a run
title: A linear layer keeps the variance
source: {{document: {title}, locator: "Lemma 1"}}

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
    names: {{}}                            # and compared with `says`, letter by letter
    expect: holds
"""

CONFIG = """\
# What `verify` does in this repository; the command line wins over it.
paths = {paths}
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
        with: {{python-version: "3.12"}}
      # The second index has builds of torch for the processor alone, without CUDA.
      - run: pip install "{requirement}" --extra-index-url https://download.pytorch.org/whl/cpu
      - uses: actions/cache@v4
        with:
          path: |
            .verify-cache
            ~/.local/state/verify
          key: verify-${{{{ github.sha }}}}
          restore-keys: verify-
      - run: verify --format github --output json=verify.json
"""

CONFIG_FILE = "verify.toml"
WORKFLOW_FILE = ".github/workflows/verify.yml"


def scaffold(folder: Path) -> int:
    """Write what is missing; returns the exit status."""
    try:
        papers, source = papers_in(folder), origin()
        files = _files(papers, source)
        had_config = (folder / CONFIG_FILE).exists()
        for name, text in files.items():
            path = folder / name
            if path.exists():
                print(f"kept     {name}")
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"written  {name}")
    except OSError as error:
        print(f"verify: {error}", file=sys.stderr)
        return 2
    if papers:
        what = "perhaps not yet in" if had_config else "now named in"
        print(f"noticed  {', '.join(paper.path for paper in papers)}, {what} `paths` of {CONFIG_FILE}")
        paper = shlex.quote(papers[0].path)
        print(f"\n`verify draft {paper}` writes down what it states, as claims to begin with.")
    if not source.is_known:
        print(f"\nEdit {WORKFLOW_FILE}: where it says OWNER, put where this program's repository is.")
    print("\nNow run `verify`, and put a claim of yours beside the first one.")
    return 0


def _files(papers: tuple[Paper, ...], source: Origin) -> dict[str, str]:
    """What is written, by its path; words of the paper enter as JSON, which is YAML and TOML too."""
    from verifier.read.specs.schema import json_schema

    title = (papers[0].title if papers else None) or "Our paper"
    paths = ["claims", *(paper.path for paper in papers)]
    return {
        "claims/first.yaml": CLAIM.format(slug=_slug(papers), title=json.dumps(title, ensure_ascii=False)),
        "claims/schema.json": json.dumps(json_schema(), indent=1) + "\n",
        CONFIG_FILE: CONFIG.format(paths=json.dumps(paths, ensure_ascii=False)),
        WORKFLOW_FILE: WORKFLOW.format(requirement=source.requirement),
    }


def _slug(papers: tuple[Paper, ...]) -> str:
    """The name of the document in ids: that of its file, in letters that an id may have."""
    stem = Path(papers[0].path).stem.lower() if papers else ""
    return re.sub(r"[^a-z0-9]+", "-", stem).strip("-")[:40] or "paper"
