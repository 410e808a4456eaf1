"""Missing moments, open indices, rules of tensors, coefficients, derivations, printing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from verifier.prove.networks import (
    Arbitrary,
    Determined,
    Factor,
    Frame,
    Iid,
    Index,
    Law,
    Network,
    Normal,
    Rademacher,
    Ring,
    Sum,
    Tensor,
    Undetermined,
    expectation,
    missing_moments,
)

RING = Ring(("n", "d", "v"))
FRAME = Frame.of(
    RING,
    {"n": RING["n"], "d": RING["d"], "1": 1},
    [
        Tensor("W", ("n", "d")),
        Tensor("A", ("n", "n")),
        Tensor("M", ("n", "d")),
        Tensor("O", ("n", "n"), isometry=(0, 1)),
        Tensor("P", ("n", "n"), symmetric=True, idempotent=True),
        Tensor("N", ("n", "n"), idempotent=True),
        Tensor("F", ("n", "n"), unit_sum=(1,)),
        Tensor("c", ("n", "1")),
    ],
)
A, B, C, E_ = (Index(x, "n") for x in "abce")
K, L = Index("k", "d"), Index("l", "d")
ROW, J = Index("i", "n", open=True), Index("j", "n", open=True)
ONE, TWO = Index("1", "n", open=True), Index("2", "n", open=True)
P = Index("p", "d", open=True)


def total(*factors: tuple[str, tuple[Index, ...]], **more: object) -> Sum:
    return Sum.of(FRAME, Network(tuple(Factor(*f) for f in factors), **more))  # type: ignore[arg-type]


def scalar(name: str | int) -> Sum:
    return Sum.scalar(FRAME, RING[name] if isinstance(name, str) else name)


NORM = total(("W", (A, K)), ("W", (A, K)))


class TestMissingMoments:
    def test_the_second_moment_is_enough_for_a_square(self) -> None:
        answer = expectation(NORM, {"W": Iid(0, RING["v"])})
        assert answer == Determined(scalar("n") * scalar("d") * scalar("v"))

    def test_a_fourth_moment_is_named(self) -> None:
        answer = expectation(NORM * NORM, {"W": Iid(0, RING["v"])})
        assert isinstance(answer, Undetermined)
        assert answer.missing == ("E(W[i,j]**4)",)

    def test_a_stated_fourth_moment_is_used(self) -> None:
        n, d, v = RING["n"], RING["d"], RING["v"]
        answer = expectation(NORM * NORM, {"W": Iid(0, v, {3: 0, 4: 5})})
        assert answer == Determined(Sum.scalar(FRAME, n * d * (n * d - 1) * v**2 + 5 * n * d))

    def test_a_third_moment_that_a_mean_brings_in(self) -> None:
        answer = expectation(NORM * total(("W", (B, L))), {"W": Iid(1, RING["v"])})
        assert isinstance(answer, Undetermined)
        assert answer.missing == ("E(W[i,j]**3)",)

    def test_what_cancels_is_not_missing(self) -> None:
        law = {"W": Iid(0, RING["v"])}
        fourth = total(*[("W", (A, K))] * 4)
        rest = expectation(NORM * NORM - fourth, law)
        assert isinstance(rest, Determined)
        both = expectation(NORM * NORM, law).value - expectation(fourth, law).value
        assert both == rest.value
        assert missing_moments(both) == ()

    def test_any_joint_law_is_integrated_where_it_is_linear(self) -> None:
        linear = total(("W", (A, K)), ("M", (A, K)))
        assert expectation(linear, {"W": Arbitrary()}) == Determined(scalar(0))
        centre = total(("M", (A, K)), ("M", (A, K)))
        assert expectation(linear, {"W": Arbitrary(mean="M")}) == Determined(centre)

    def test_any_joint_law_names_the_joint_moment(self) -> None:
        answer = expectation(NORM, {"W": Arbitrary()})
        assert isinstance(answer, Undetermined)
        assert answer.missing == ("E(W[i1,j1]*W[i2,j2])",)

    def test_a_moment_of_a_product_is_not_a_product_of_moments(self) -> None:
        together = expectation(NORM * NORM, {"W": Arbitrary()}).value
        apart = expectation(NORM, {"W": Arbitrary()}).value
        assert together != apart * apart


class TestOpenIndices:
    def test_a_delta_between_symbols_stays(self) -> None:
        product = total(("W", (ROW, P)), ("W", (J, P)))
        assert str(expectation(product, {"W": Normal()}).value) == "delta(i, j)"

    def test_a_delta_that_two_pairings_leave_is_one(self) -> None:
        squares = total(("W", (ROW, P)), ("W", (ROW, P)), ("W", (J, P)), ("W", (J, P)))
        assert str(expectation(squares, {"W": Normal()}).value) == "1 + 2*delta(i, j)"

    def test_positions_decide_a_delta(self) -> None:
        same = total(("W", (ONE, P)), ("W", (ONE, P)))
        other = total(("W", (ONE, P)), ("W", (TWO, P)))
        assert expectation(same, {"W": Normal()}).value == scalar(1)
        assert expectation(other, {"W": Normal()}).value == scalar(0)

    def test_deltas_merge_and_substitute(self) -> None:
        first = total(equal=((ROW, J),))
        assert first * first == first
        assert first * total(("A", (J, J))) == first * total(("A", (ROW, J)))
        assert first * total(equal=((J, ONE),)) == total(equal=((ROW, ONE), (ONE, J)))
        assert total(equal=((ROW, ONE),)) * total(equal=((ROW, TWO),)) == scalar(0)
        assert first.bind(Index("j", "n")) == scalar(1)
        assert first.bind(Index("i", "n"), Index("j", "n")) == scalar("n")

    def test_deltas_of_several_pairings_are_one(self) -> None:
        """E[W_ip^2 W_jp^2] = 1 + 2 delta(i, j): what two pairings equate is equated once."""
        squares = total(*[("W", (row, P)) for row in (ROW, ROW, J, J)])
        same = total(equal=((ROW, J),))
        assert expectation(squares, {"W": Normal()}).value == scalar(1) + scalar(2) * same
        assert expectation(squares, {"W": Rademacher()}).value == scalar(1)
        product = squares * total(("A", (ROW, J)))
        expected = total(("A", (ROW, J))) + scalar(2) * same * total(("A", (J, J)))
        assert expectation(product, {"W": Normal()}).value == expected

    def test_apart_drops_the_terms_where_two_are_equal(self) -> None:
        both = total(("A", (ROW, J))) + total(equal=((ROW, J),))
        assert both.apart("i", "j") == total(("A", (ROW, J)))

    def test_distinct_open_indices(self) -> None:
        off = total(("A", (ROW, J)), distinct=((ROW, J),))
        assert off + total(("A", (ROW, J)), equal=((ROW, J),)) == total(("A", (ROW, J)))
        assert off.bind(Index("j", "n")) == total(("A", (ROW, A))) - total(("A", (ROW, ROW)))

    def test_three_distinct_indices(self) -> None:
        """sum over a, b, c all different of 1 = n (n - 1) (n - 2)"""
        n = RING["n"]
        count = total(summed=(A, B, C), distinct=((A, B), (B, C), (A, C)))
        assert count == Sum.scalar(FRAME, n * (n - 1) * (n - 2))

    def test_the_same_number_in_two_spaces_is_two_positions(self) -> None:
        entry = total(("W", (ONE, Index("1", "d", open=True))), ("W", (A, K)))
        assert expectation(entry, {"W": Normal()}).value == scalar(1)


class TestRules:
    def test_isometry(self) -> None:
        assert total(("O", (A, B)), ("O", (A, C)), ("A", (B, C))) == total(("A", (A, A)))
        assert total(("O", (A, B)), ("O", (A, B))) == scalar("n")
        assert total(("O", (A, B)), ("O", (B, C))) != scalar("n")

    def test_idempotent(self) -> None:
        assert total(("P", (A, B)), ("P", (C, B)), ("P", (C, A))) == total(("P", (A, A)))

    def test_idempotent_without_symmetry(self) -> None:
        projected = total(("N", (A, C)), ("A", (A, C)))
        assert total(("N", (A, B)), ("N", (B, C)), ("A", (A, C))) == projected
        assert total(("N", (B, C)), ("N", (A, B)), ("A", (A, C))) == projected
        assert total(("N", (B, A)), ("N", (C, B)), ("A", (A, C))) == total(("N", (C, A)), ("A", (A, C)))
        assert total(("N", (A, B)), ("N", (C, B)), ("A", (A, C))) != projected

    def test_unit_sum(self) -> None:
        assert total(("F", (A, B)), ("A", (A, C))) == total(("A", (A, C)))
        assert total(("F", (A, B))) == scalar("n")
        assert total(("F", (A, B)), ("F", (B, C)), ("F", (C, E_))) == scalar("n")
        assert total(("F", (A, B)), ("A", (B, C))) != total(("A", (B, C)))

    def test_an_index_of_size_one_joins_nothing(self) -> None:
        x, y = Index("x", "1"), Index("y", "1")
        assert total(("c", (A, x)), ("c", (B, x))) == total(("c", (A, x))) * total(("c", (B, y)))

    def test_positions_in_a_space_of_size_one_are_equal(self) -> None:
        p, q = Index("p", "1", open=True), Index("q", "1", open=True)
        assert total(equal=((p, q),)) == scalar(1)
        assert total(("c", (A, p))) == total(("c", (A, q)))

    def test_a_random_tensor_has_no_rules(self) -> None:
        with pytest.raises(ValueError, match="random"):
            expectation(total(("P", (A, A))), {"P": Normal()})


class TestCoefficients:
    def test_relations_give_one_normal_form(self) -> None:
        ring = Ring(("n", "inv_n", "s", "r"))
        n, inv_n, s, r = (ring[name] for name in ring.names)
        ring = ring.modulo(n * inv_n - 1, s**2 - n, s * r - 1)
        assert ring(r**2) == ring(inv_n)
        assert ring(s * inv_n) == ring(r)
        assert ring(s**2 * r**2 * Fraction(1).denominator) == ring(1)

    def test_contradictions_are_refused(self) -> None:
        ring = Ring(("n",))
        with pytest.raises(ValueError, match="contradict"):
            ring.modulo(ring["n"], ring["n"] - 1)

    def test_a_family_is_independent_across_its_index(self) -> None:
        ring = Ring(("h", "n"))
        frame = Frame.of(ring, {"h": ring["h"], "n": ring["n"]}, [Tensor("W", ("h", "n"))])
        a, b, i = Index("a", "h"), Index("b", "h"), Index("i", "n")
        cross = Sum.of(frame, Network((Factor("W", (a, i)), Factor("W", (b, i)))))
        value = expectation(cross, {"W": Rademacher()}).value
        assert value == Sum.scalar(frame, ring["h"] * ring["n"])


class TestBadInput:
    def test_messages(self) -> None:
        with pytest.raises(ValueError, match="no axes"):
            total(("W", (A, B)))
        with pytest.raises(ValueError, match="cannot equal"):
            total(equal=((A, K),))
        with pytest.raises(ValueError, match="two spaces"):
            total(("W", (ROW, Index("i", "d", open=True))))
        with pytest.raises(ValueError, match="unknown tensor"):
            expectation(NORM, {"nobody": Normal()})
        with pytest.raises(ValueError, match="neither a name nor a position"):
            Index("0", "n", open=True)
        with pytest.raises(ValueError, match="not both"):
            Normal(row_corr=0, cov="A")

    @pytest.mark.parametrize(
        "law",
        [
            Normal(mean="A"),
            Normal(mean="nobody"),
            Normal(cov="A"),
            Normal(cov="P", cov_axis=1),
            Normal(cov="P", cov_axis=2),
            Normal(row_corr=1, row_axis=2),
            Arbitrary(mean="A"),
        ],
    )
    def test_a_law_must_fit_its_tensor(self, law: Law) -> None:
        with pytest.raises(ValueError, match="W"):
            expectation(NORM, {"W": law})

    def test_a_random_mean_is_refused(self) -> None:
        with pytest.raises(ValueError, match="random too"):
            expectation(NORM, {"W": Normal(mean="M"), "M": Normal()})

    def test_sums_of_different_frames_do_not_meet(self) -> None:
        other = Frame.of(RING, {"n": RING["n"]}, [])
        with pytest.raises(ValueError, match="different frames"):
            _ = Sum.scalar(other, 1) == NORM


class TestPrinting:
    def test_derivation(self) -> None:
        answer = expectation(NORM * NORM, {"W": Normal()}, record=True)
        assert str(answer.derivation).splitlines() == [
            "E over W: tr(W @ W.T)**2",
            "  contract one W of tr(W @ W.T):",
            "  3 -> (n*d + 2) * tr(W @ W.T)",
            "E over W: tr(W @ W.T)",
            "  contract one W of tr(W @ W.T):",
            "  1 -> (n*d) * 1",
            "3 pairings of W merged",
        ]

    def test_sums_in_the_claim_language(self) -> None:
        assert str(scalar(0)) == "0"
        assert str(total(("A", (A, B)), ("A", (C, B)))) == "(ones(n).T @ A @ A.T @ ones(n))"
        assert str(total(("A", (ROW, J)))) == "A[i, j]"
        assert str(total(("A", (A, B)), ("A", (A, B)), ("A", (A, B)))) == (
            "sum(A[a_, b_]**3, a_, 1, n, b_, 1, n)"
        )
        both = total(("A", (A, A))) * (RING["n"] + 2) - scalar("d")
        assert str(both) == "-d + (n + 2)*tr(A)"
