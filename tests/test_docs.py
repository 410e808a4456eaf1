"""The reference is true: its examples load, and it leaves nothing out."""

import re
from pathlib import Path

import pytest

from verifier.expr.declare import KINDS
from verifier.expr.functions import USAGE
from verifier.expr.syntax import COMPARISONS
from verifier.read.specs.load import load_paths, load_text
from verifier.read.specs.loaded import Broken
from verifier.read.specs.schema import CLAIM_KEYS, LAYER_KEYS, SEVERITIES, SOURCE_KEYS, THEOREM_KEYS, VERDICTS
from verifier.read.specs.yaml_document import lines_of

REFERENCE = Path(__file__).parents[1] / "docs" / "claim-language.md"
TEXT = REFERENCE.read_text(encoding="utf-8")
FENCE = re.compile(r"^```(yaml|claim|tex)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(TEXT[: match.start()].count("\n") + 1, match[1], match[2]) for match in FENCE.finditer(TEXT)]
EXAMPLES = "\n".join(block for _, _, block in BLOCKS)


@pytest.mark.parametrize(("line", "kind", "block"), BLOCKS, ids=[f"line-{line}" for line, _, _ in BLOCKS])
def test_every_example_loads(line: int, kind: str, block: str) -> None:
    loaded = load_text(block, f"{REFERENCE.name} from line {line}", ".tex" if kind == "tex" else ".yaml")
    broken = [problem for entry in loaded.entries if isinstance(entry, Broken) for problem in entry.problems]
    assert not [str(problem) for problem in (*loaded.problems, *broken)]
    assert loaded.claims


def test_the_page_itself_is_a_write_up() -> None:
    loaded = load_paths([REFERENCE])
    assert [claim.id for claim in loaded.claims] == ["notes/in-markdown#mean-inequality"]
    (claim,) = loaded.claims
    assert lines_of(TEXT)[claim.position.line - 1].strip().startswith("mean-inequality:")


@pytest.mark.parametrize("name", USAGE)
def test_every_function_has_an_example(name: str) -> None:
    assert re.search(rf"(?<![A-Za-z_]){name}\(", EXAMPLES)
    assert f"`{name}" in TEXT


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_symbol_has_an_example(kind: str) -> None:
    assert re.search(rf":\s+\"?{kind}\b", EXAMPLES)
    assert f"`{kind}" in TEXT


@pytest.mark.parametrize("key", [*THEOREM_KEYS, *CLAIM_KEYS, *LAYER_KEYS, *SOURCE_KEYS])
def test_every_key_has_an_example(key: str) -> None:
    assert re.search(rf"(?<![A-Za-z_]){key}:", EXAMPLES)
    assert re.search(rf"`[^`]*\b{key}\b[^`]*`", TEXT)


@pytest.mark.parametrize("word", [*VERDICTS, *SEVERITIES, *COMPARISONS, "error", "oo", "pi"])
def test_every_fixed_word_is_told(word: str) -> None:
    assert f"`{word}`" in TEXT


def test_the_limits_are_the_real_ones() -> None:
    from verifier.expr import sizes, syntax, tokens
    from verifier.read.specs import (
        chain,
    )
    from verifier.read.specs import (
        spec_files as files,
    )
    from verifier.read.specs import (
        theorem_scope as ground,
    )
    from verifier.read.specs import (
        theorems as read,
    )
    from verifier.read.specs import (
        yaml_document as document,
    )

    page = re.sub(r"\s+", " ", TEXT)
    told = [
        f"{files.MAX_BYTES // 1_000_000} MB per file",
        f"{document.MAX_CHARACTERS:,} characters and {document.MAX_NODES:,} values",
        f"{document.MAX_DEPTH} levels of nesting",
        f"{tokens.MAX_LENGTH:,} characters per expression",
        f"{syntax.MAX_DEPTH} levels of brackets and {syntax.MAX_HEIGHT} of operations",
        f"{read.MAX_NAMES:,} names under one key",
        f"{read.MAX_EACH:,} claims from one `each`",
        f"{chain.MAX_STEPS} steps",
        f"constant exponents up to {sizes.MAX_EXPONENT:,}",
        f"{ground.MAX_EXPANDED:,} operations",
    ]
    assert [words for words in told if words not in page] == []
