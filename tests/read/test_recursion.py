"""Sequences that a paper defines step by step are layers; what is no layer leaves their claims unread."""

from pathlib import Path

from verifier.claim.model import Claim
from verifier.read.draft import Draft, draft_paper

PAPER = r"""\documentclass{article}
\newtheorem{lemma}{Lemma}
\begin{document}
\begin{lemma}\label{rec} Let $a_0 \geq 0$, $0 < \rho < 1$, $c > 0$ and $a_{t+1} = (1 - \rho) a_t + c$ for all
$t \ge 0$. Then $a_t \le (1-\rho)^t a_0 + c/\rho$ for all $t \geq 0$. \end{lemma}
\begin{lemma}\label{half} Let $u_{t+1} = u_t/2$ for all $t \ge 0$. Let $u_0 > 0$. Then $u_T \le u_0 / 2^T$ for
every integer $T \ge 1$. \end{lemma}
\begin{lemma}\label{next} Let $u_{t+1} = u_t/2$. Let $u_0 > 0$. Then $u_{t+1} < u_t$ for all $t \ge 0$.
\end{lemma}
\begin{lemma}\label{noise} Let $b_{t+1} = b_t + g_t$. Then $b_t \ge 0$. \end{lemma}
\begin{lemma}\label{number} Let $b_{t+1} = b_t + t$. Then $b_t \ge 0$. \end{lemma}
\begin{lemma}\label{later} Let $b_{t+1} = 2 b_t$ for all $t \ge 3$. Then $b_t \ge 0$. \end{lemma}
\begin{lemma}\label{two} Let $b_{t+1} = 2 b_t$. Then $b_s \le b_t$. \end{lemma}
\begin{lemma}\label{other} Let $b_{t+1} = 2 b_t$. Then $b_{2t} \le 4 b_t$. \end{lemma}
Let $\eta > 0$, let $A \in \mathbb{R}^{d \times d}$ be symmetric and $x_0 \in \mathbb{R}^d$.
We define the iterates by
\[ x_{k+1} = x_k - \eta A x_k. \]
\begin{lemma}\label{gd} For all $k \ge 1$, $\|x_k\| \le \|I - \eta A\|_2^k \|x_0\|$. \end{lemma}
\end{document}
"""


def drafted(tmp_path: Path) -> tuple[Draft, dict[str, list[Claim]]]:
    path = tmp_path / "paper.tex"
    path.write_text(PAPER, encoding="utf-8")
    draft = draft_paper(path)
    found: dict[str, list[Claim]] = {}
    for claim in draft.loaded().claims:
        found.setdefault(claim.id.partition("#")[0].partition("/")[2], []).append(claim)
    return draft, found


def test_steps_are_layers_and_the_start_is_a_claim_of_its_own(tmp_path: Path) -> None:
    _, found = drafted(tmp_path)
    assert {label: [claim.text for claim in claims] for label, claims in found.items()} == {
        "rec": ["after(a, t) <= (1 - rho)**t * a + c / rho", "a <= (1 - rho)**0 * a + c / rho"],
        "half": ["after(u, T) <= u / 2**T"],
        "next": ["after(u, t + 1) < after(u, t)", "after(u, 1) < u"],
        "gd": ["norm(after(x, k)) <= norm(eye(d) - eta * A, 2)**k * norm(x)"],
    }


def test_what_is_said_of_the_start_is_said_of_the_state(tmp_path: Path) -> None:
    _, found = drafted(tmp_path)
    rec, gd = found["rec"][0], found["gd"][0]
    assert {name: rec.origins[name].says for name in ("a", "c")} == {"a": "interval(0, oo)", "c": "positive"}
    assert sorted(item.text for item in rec.assumptions) == ["rho < 1", "rho > 0"]
    assert gd.origins["x"].says == "vector(d)"
    assert gd.layers is not None


def test_what_is_no_layer_is_refused_with_the_reason(tmp_path: Path) -> None:
    draft, found = drafted(tmp_path)
    assert not {"noise", "number", "later", "two", "other"} & found.keys()
    reasons = " ".join(note.reason for note in draft.notes)
    assert "a step of b depends on g_t" in reasons
    assert "a step of b depends on t" in reasons
    assert "which step of b is meant" in reasons
