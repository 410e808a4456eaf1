r"""Papers with a few characters changed: they are read, problems are named, and nothing crashes."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier.expr import syntax as S
from verifier.expr.errors import ExprError
from verifier.expr.tex.plain import applied, plain, to_source
from verifier.expr.tex.untyped import read_untyped
from verifier.read.paper import read_paper

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.rglob("*") if path.suffix in (".tex", ".md", ".qmd", ".ipynb"))
WORDS = r"""
{ } $ $$ \begin{align} \end{align} \\ & \left \right [ ] ^ _ \newcommand \def #1 % ` ``` ::: \input{x} |
\| \text{
\verb| \footnote{ \item \label{a} \tag{ \ifx \fi \end{document} \'
"""
PIECES = ["\n\n", "\\", *WORDS.split()]
CHANGE = st.tuples(st.floats(0, 1), st.integers(0, 20), st.sampled_from(PIECES))
CHANGES = st.lists(CHANGE, min_size=1, max_size=6)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FILES), CHANGES)
def test_a_damaged_paper_is_read(tmp_path: Path, file: Path, changes: list[tuple[float, int, str]]) -> None:
    text = file.read_text(encoding="utf-8")
    for place, gone, piece in changes:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + gone :]
    path = tmp_path / f"paper{file.suffix}"
    path.write_text(text, encoding="utf-8")
    lines = text.count("\n") + 1
    for part in read_paper(path).formulas:
        assert 1 <= part.line <= lines
        assert part.latex
        check(part.latex)


def check(latex: str) -> None:
    """What is read is text of the claim language."""
    try:
        found = read_untyped(latex).statements
        trees = [plain(applied(tree, frozenset()), lambda _: "scalar") for tree in found]
    except ExprError as refusal:
        assert refusal.message
        return
    for tree in trees:
        assert to_source(S.parse(to_source(tree))) == to_source(tree)
