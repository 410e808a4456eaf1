"""Claims to start from, as files beside this one: a title in the first line, then the text."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Example:
    """What is offered: its title, and the text that the editor is filled with. A `.txt` is one line."""

    name: str
    title: str
    text: str


@cache
def examples() -> tuple[Example, ...]:
    """In the order of their names."""
    folder = files("verifier.serve.page").joinpath("examples")
    texts = {item.name: item.read_text("utf-8") for item in folder.iterdir()}
    return tuple(_example(name, texts[name]) for name in sorted(texts) if name.endswith((".yaml", ".txt")))


def _example(name: str, text: str) -> Example:
    title, _, rest = text.partition("\n")
    return Example(name, title.removeprefix("#").strip(), rest.strip() + "\n")
