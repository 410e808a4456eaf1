"""The documentation as a site: it builds offline, every link leads somewhere, and its examples are true."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from lxml import html

from verifier.gate.config import read_config
from verifier.gate.options import parser
from verifier.read.specs.load import load_text
from verifier.read.specs.loaded import Broken
from verifier.serve.page.examples import examples

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PROSE = ("index", "tutorial", "install", "author", "referee", "lab", "page")
TEXT = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in PROSE}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = [
    (name, line.partition("  #")[0].partition(" > ")[0].partition(" >> ")[0])
    for name, text in TEXT.items()
    for line in [*re.findall(r"^(verify .*)$", text, re.MULTILINE), *re.findall(r"`(verify [^`]*)`", text)]
]
OTHERS = ("check", "serve", "lsp", "mcp", "draft")


def build(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    words = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-f",
        str(source / "mkdocs.yml"),
        "-d",
        str(out),
    ]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    done = build(ROOT, out)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = sorted(set(site.rglob("*.html")) - {site / "404.html"})  # which a server shows from its root
    assert len(pages) > 20
    for page in pages:
        tree = html.fromstring(page.read_bytes())
        loaded = [
            *tree.xpath("//script/@src | //img/@src | //iframe/@src"),
            *tree.xpath("//link[@rel='stylesheet' or contains(@rel, 'icon') or @rel='preconnect']/@href"),
        ]
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == []
        assert all((page.parent / address.partition("?")[0]).exists() for address in loaded)


def test_a_broken_link_is_refused(tmp_path: Path) -> None:
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    page = tmp_path / "docs" / "index.md"
    page.write_text(page.read_text() + "\n[gone](gone.md) [no such part](tutorial.md#nowhere)\n")
    done = build(tmp_path, tmp_path / "out")
    assert done.returncode != 0
    assert "gone.md" in done.stderr
    assert "#nowhere" in done.stderr


def test_the_pages_made_from_the_program_are_up_to_date() -> None:
    words = [sys.executable, str(DOCS / "generate.py"), "--check"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    gallery = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert gallery.count("as expected") == len(examples())


@pytest.mark.parametrize(("page", "command"), COMMANDS, ids=[f"{page}: {words}" for page, words in COMMANDS])
def test_every_command_on_the_pages_is_one(page: str, command: str) -> None:
    words = shlex.split(command)[1:]
    if words[0] not in OTHERS and "..." not in words:
        parser().parse_args([word.replace("ADDRESS", "a:1") for word in words if word not in ("CODE",)])


def test_the_claims_on_the_pages_load() -> None:
    found = 0
    for text in TEXT.values():
        for kind, block in FENCE.findall(text):
            if kind in ("yaml", "tex"):
                printed = (
                    "\\begin{equation}\\label{eq:cauchy} \\|x\\|_1 \\le \\sqrt{n} \\|x\\| \\end{equation}\n"
                )
                loaded = load_text(block + (printed if kind == "tex" else ""), "page", f".{kind}")
                assert not loaded.problems
                assert [str(entry.problems) for entry in loaded.entries if isinstance(entry, Broken)] == []
                found += len(loaded.claims)
            elif kind == "toml":
                read_config(tomllib.loads(block), Path("verify.toml"))
    assert found >= 2
