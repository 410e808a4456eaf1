"""Inference rules on one line, from their LaTeX."""

import pytest

from verifier.kernel.rules import Rule, rules
from verifier.report.inference import conditions, formula, one_line


def rule(text: str) -> Rule:
    def check(*_: object) -> None: ...

    check.__doc__ = text
    return Rule("r", "structure", check)


@pytest.mark.parametrize(
    ("latex", "line"),
    [
        (r"\frac{\Gamma \vdash a < b}{\Gamma \vdash a \le b}", "Γ ⊢ a < b  ⟹  Γ ⊢ a ≤ b"),
        (r"\frac{}{\Gamma \vdash a = a}", "⟹ Γ ⊢ a = a"),
        (r"\frac{x \in \{1, 2\}}{\Gamma \vdash \frac{a}{b} = \sum_i c}", "x ∈ 1, 2  ⟹  Γ ⊢ a/b = Σ_i c"),
        (
            r"\frac{0 \le x \quad x \ne 1}{\Gamma \vdash \|A B\| \le x \|A\|}",
            "0 ≤ x, x ≠ 1 ⟹ Γ ⊢ ‖A B‖ ≤ x ‖A‖",
        ),
        (r"\frac{}{\Gamma \vdash (\frac{x + y}{n})^{n + 1} = \sqrt n}", "⟹ Γ ⊢ ((x + y)/n)^(n + 1) = √n"),
        (r"\frac{}{\Gamma \vdash \sqrt{d - \tfrac12} \le \tfrac1m \mathbf{1}}", "⟹ Γ ⊢ √(d - 1/2) ≤ 1/m 𝟏"),
        (r"\frac{A}{\Gamma \vdash B} \qquad \frac{C}{\Gamma \vdash D}", "A  ⟹  Γ ⊢ B; C  ⟹  Γ ⊢ D"),
        (r"\frac{A", "A/"),
    ],
)
def test_one_line(latex: str, line: str) -> None:
    assert one_line(rule(f"\n    {latex}\n\n    Words.")).split() == line.split()


def test_conditions_are_the_paragraphs_after_the_formula() -> None:
    made = rule("\n    \\frac{A}{B}\n\n    One\n    line.\n\n    Another.\n    ")
    assert formula(made) == "\\frac{A}{B}"
    assert conditions(made) == ["One line.", "Another."]


@pytest.mark.parametrize("name", rules())
def test_every_rule_can_be_told(name: str) -> None:
    told = one_line(rules()[name])
    assert "⟹" in told
    assert not set("\\{}$") & set(told)
    assert conditions(rules()[name])
