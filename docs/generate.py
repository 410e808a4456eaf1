"""Writes the pages that are made from the program: the messages, and the gallery.

python docs/generate.py           writes them
python docs/generate.py --check   says which are out of date; verdicts of the gallery are not judged again
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from verifier.read.specs.message_codes import CODES
from verifier.serve.page.examples import Example, examples

HERE = Path(__file__).parent
VERDICTS = re.compile(r"^```text\n.*?^```$", re.MULTILINE | re.DOTALL)


def messages() -> str:
    """Each code with its words."""
    lines = [
        "# Messages",
        "",
        "Every message ends with a code in brackets; `verify --explain CODE` prints what stands here.",
        "",
    ]
    for code, (title, words) in sorted(CODES.items()):
        lines += [f"## {code}", "", f"**{title}** {_escaped(words)}", ""]
    return "\n".join(lines).rstrip() + "\n"


def _escaped(words: str) -> str:
    """Asterisks outside code would make Markdown of a formula."""
    parts = words.split("`")
    return "`".join(
        part if number % 2 else re.sub(r"([*_<])", r"\\\1", part) for number, part in enumerate(parts)
    )


def gallery(judged: bool) -> str:
    """Each example with its verdicts."""
    lines = [
        "# Gallery",
        "",
        "Small claims of each kind, with what the program says of them; `verify serve` offers the same ones",
        "to start from. [The findings](findings.md) are those of real documents.",
        "",
    ]
    for example in examples():
        lines += [
            f"## {example.title}",
            "",
            "```yaml" if example.name.endswith(".yaml") else "```",
            example.text.rstrip(),
        ]
        lines += ["```", "", "```text", _verdicts(example) if judged else "", "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def _verdicts(example: Example) -> str:
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "verifier", "--no-cache", "--jobs", "1"]
        if example.name.endswith(".txt"):
            words += ["-e", example.text.strip()]
        else:
            file = Path(folder) / "claim.yaml"
            file.write_text(example.text, encoding="utf-8")
            words.append(str(file))
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    *told, summary = done.stdout.splitlines()
    return "\n".join([*told, summary.rpartition(";")[0]])


def main(check: bool) -> int:
    stale = []
    for name, made in {"messages.md": lambda judged: messages(), "gallery.md": gallery}.items():
        page = HERE / name
        here = page.read_text(encoding="utf-8") if page.exists() else ""
        if VERDICTS.sub("", here) == VERDICTS.sub("", made(False)):
            continue
        stale.append(name)
        if not check:
            page.write_text(made(True), encoding="utf-8")
    for name in stale:
        print(f"docs/{name} " + ("is out of date: python docs/generate.py" if check else "is written"))
    return 1 if stale and check else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
