"""Coq files: one for each claim, below one folder."""

from pathlib import Path

from verifier.proofs.coq.leaf import Found, quoted
from verifier.proofs.store import name_of

# What a division leaves to show: that a product is not 0, factor by factor.
OPENING = """\
Require Import Reals.
Open Scope R_scope.
Ltac nonzero := repeat first [ assumption | apply pow_nonzero
  | apply Rmult_integral_contrapositive_currified | apply Rinv_neq_0_compat | progress discrR ].
"""
INTERVALS = """\
From Interval Require Import Tactic.
"""
# Proved once in each file, so that a file is complete in itself.
LEMMAS = """\
Lemma from_gap (a b g : R) : b - a = g -> 0 <= g -> a <= b.
Proof. intros H G. rewrite <- H in G. apply Rge_le, Rminus_ge, Rle_ge, G. Qed.
Lemma no_gap (c a b : R) : a = b -> 0 <= c * (b - a).
Proof. intros H. rewrite H. apply Req_le. ring. Qed.
Lemma some_gap (c a b : R) : 0 <= c -> a <= b -> 0 <= c * (b - a).
Proof. intros C H. apply Rmult_le_pos; [exact C | apply Rge_le, Rge_minus, Rle_ge, H]. Qed.
Lemma even_power (x : R) (n : nat) : 0 <= x ^ (2 * n).
Proof. rewrite pow_mult. apply pow_le, pow2_ge_0. Qed.
Lemma inverse_sign (x : R) : 0 <= x -> x <> 0 -> 0 <= / x.
Proof. intros H N. apply Rlt_le, Rinv_0_lt_compat. destruct H; [assumption | now elim N]. Qed.
Lemma ratio_sign (p q : R) : 0 <= p -> 0 < q -> 0 <= p / q.
Proof. intros P Q. apply Rmult_le_pos; [exact P | now apply Rlt_le, Rinv_0_lt_compat]. Qed.
"""
# A sum of products is never negative if no factor is: each step is the only one that fits.
NONNEGATIVE = """\
Ltac even := match goal with |- 0 <= ?x ^ ?n =>
  let h := eval compute in (Nat.div2 n) in change (0 <= x ^ (2 * h)); apply even_power end.
Ltac nonnegative := repeat first [ assumption | apply Rle_refl | apply (IZR_le 0); discriminate
  | apply (IZR_lt 0); reflexivity | apply no_gap; assumption | apply some_gap; [ | assumption ]
  | apply Rplus_le_le_0_compat | even | apply pow_le | apply inverse_sign; [ | solve [nonzero] ]
  | apply ratio_sign; [ | apply (IZR_lt 0); reflexivity ] | apply Rmult_le_pos ].
"""


def text_of(claim_id: str, found: Found) -> str:
    kinds = {theorem.kind for theorem in found.theorems}
    parts = [f"(* {quoted(claim_id)} *)\n", OPENING]
    parts += [INTERVALS] if "interval" in kinds else []
    parts += [LEMMAS, NONNEGATIVE] if "cone" in kinds else []
    parts += ["\n" + theorem.written(f"leaf_{at}") for at, theorem in enumerate(found.theorems, 1)]
    return "".join(parts)


def write(folder: Path, claim_id: str, found: Found) -> Path:
    """Coq's names of files are identifiers."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"P{name_of(claim_id).removesuffix('.json').replace('-', '_')}.v"
    path.write_text(text_of(claim_id, found), encoding="ascii")
    return path
