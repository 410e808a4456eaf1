r"""Productions for what the rows of a matrix are: letters of their own, or things in words."""

from verifier.read.prose.build import a_row, all_rows, both, introduced, said
from verifier.read.prose.grammar import Production
from verifier.read.prose.values import Noun

P = Production

_N = ("n: dimension",)

ROWS = (
    P("FACT", "$row is|denotes the $letter th row of WHO [COLUMNWISE]", a_row,
      r"Let $X \in \mathbb{R}^{n \times d}$, where $x_i^\top$ denotes the $i$-th row of $X$.",
      ("X: matrix(n, d)", "d: dimension", *_N, "rows: x of X")),
    P("COLUMNWISE", "[,] [written|viewed|seen|regarded|taken] as a column [vector]", lambda: True,
      r"Let $X \in \mathbb{R}^{n \times d}$, where $x_i$ denotes the $i$-th row of $X$, as a column vector.",
      ("X: matrix(n, d)", "d: dimension", *_N, "rows: x of X")),
    P("FACT", "$rows are|denote the rows of WHO [COLUMNWISE]", all_rows,
      r"Let $X \in \mathbb{R}^{n \times d}$, where $x_1^\top, \dots, x_n^\top$ denote the rows of $X$.",
      ("X: matrix(n, d)", "d: dimension", *_N, "rows: x of X")),
    P("THING", "WHO have rows $rows [COLUMNWISE]", lambda who, rows, column: all_rows(rows, who, column),
      r"Let $X \in \mathbb{R}^{n \times d}$ have rows $x_1^\top, \dots, x_n^\top$.",
      ("X: matrix(n, d)", "d: dimension", *_N, "rows: x of X")),
    P("THING", "WHO be [DET] [MODS] matrix with rows $rows [COLUMNWISE]",
      lambda who, det, mods, rows, column: both(said(who, mods), all_rows(rows, (who[0], ()), column)),
      r"Let $X \in \mathbb{R}^{n \times d}$ be the matrix with rows $x_1^\top, \dots, x_n^\top$.",
      ("X: matrix(n, d)", "d: dimension", *_N, "rows: x of X")),
    P("THING", "WHOS contain|collect|stack|hold|store|have [the] ROLES as|in [its] rows|columns",
      lambda who, roles: introduced(who, Noun()),
      r"Let $X \in \mathbb{R}^{n \times d}$ contain the tokens as rows.", ("X: matrix(n, d)", "d: dimension",
      *_N)),
    P("ROLES",
      "[input] "
      "data|tokens|inputs|features|samples|embeddings|examples|observations|keys|queries|values|outputs "
      "[points|vectors]", lambda: None,
      r"Let $X \in \mathbb{R}^{n \times d}$ contain the data points as rows.", ("X: matrix(n, d)",
      "d: dimension", *_N)),
)  # fmt: skip
