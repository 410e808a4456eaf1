"""Canonical forms against brute force over all relabelings, in both directions."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product
from random import Random

from verifier.prove.networks import Factor, Frame, Index, Network, Ring, Sum, Tensor, canonical
from verifier.prove.networks.canonical_forms import _Search
from verifier.prove.networks.network_sums import monomial_of
from verifier.prove.networks.network_tensors import Flat
from verifier.prove.networks.skeleton import Skeleton, read

RING = Ring(("n",))
FRAME = Frame.of(
    RING,
    {"n": RING["n"]},
    [
        Tensor("A", ("n", "n")),
        Tensor("B", ("n", "n")),
        Tensor("S", ("n", "n"), symmetric=True),
        Tensor("v", ("n",)),
        Tensor("T", ("n", "n", "n")),
        Tensor("U", ("n", "n", "n"), symmetric=True),
    ],
)
OPEN = ("i", "j")


def least_relabeling(factors: list[tuple[str, tuple[int, ...]]], opens: int) -> tuple:
    """The least sorted list of factors over all permutations of the summed indices.

    Labels below `opens` are the open indices and stay.
    """
    used = sorted({x for _, xs in factors for x in xs if x >= opens})
    best = None
    for order in permutations(range(opens, opens + len(used))):
        new = dict(zip(used, order, strict=True)) | {x: x for x in range(opens)}
        listed = []
        for name, xs in factors:
            ys = tuple(new[x] for x in xs)
            listed.append((name, tuple(sorted(ys)) if FRAME.is_symmetric(name) else ys))
        listed.sort()
        if best is None or listed < best:
            best = listed
    return tuple(best or ())


def form(factors: list[tuple[str, tuple[int, ...]]], opens: int) -> frozenset:
    def index(x: int) -> Index:
        return Index(OPEN[x], "n", open=True) if x < opens else Index(f"x{x}", "n")

    listed = tuple(Factor(name, tuple(index(x) for x in xs)) for name, xs in factors)
    (monomial,) = Sum.of(FRAME, Network(listed)).terms
    return monomial


def assert_same_partition(cases: list[list[tuple[str, tuple[int, ...]]]], opens: int) -> None:
    """Equal canonical forms exactly where brute force finds an isomorphism."""
    to_form: dict[tuple, frozenset] = {}
    to_least: dict[frozenset, tuple] = {}
    for factors in cases:
        least, found = least_relabeling(factors, opens), form(factors, opens)
        assert to_form.setdefault(least, found) == found, factors
        assert to_least.setdefault(found, least) == least, factors


def all_networks(names: tuple[str, ...], labels: int) -> list[list[tuple[str, tuple[int, ...]]]]:
    arities = [len(FRAME.tensors[name].spaces) for name in names]
    found = []
    for flat in product(range(labels), repeat=sum(arities)):
        factors, start = [], 0
        for name, arity in zip(names, arities, strict=True):
            factors.append((name, flat[start : start + arity]))
            start += arity
        found.append(factors)
    return found


def test_every_network_of_three_matrices() -> None:
    assert_same_partition(all_networks(("A", "A", "A"), 4), 0)
    assert_same_partition(all_networks(("A", "B", "S"), 4), 0)


def test_every_network_with_open_indices() -> None:
    for names in [("A", "S"), ("A", "A", "v"), ("A", "v", "v"), ("T", "v"), ("U", "v", "v")]:
        assert_same_partition(all_networks(names, 4), 2)


def test_every_network_of_three_axes() -> None:
    assert_same_partition(all_networks(("T", "A"), 4), 0)
    assert_same_partition(all_networks(("U", "S"), 4), 0)
    assert_same_partition(all_networks(("U", "U"), 3), 0)


def test_random_networks_of_every_kind() -> None:
    random = Random(1)
    names = sorted(FRAME.tensors)
    for opens in (0, 1):
        for kinds in combinations_with_replacement(names, 3):
            cases = []
            for _ in range(12):
                factors = []
                for name in kinds * random.choice((1, 1, 2)):
                    arity = len(FRAME.tensors[name].spaces)
                    factors.append((name, tuple(random.randrange(5) for _ in range(arity))))
                cases.append(factors)
            assert_same_partition(cases, opens)


def shuffled(component: Flat, random: Random) -> Flat:
    labels = sorted({x for _, xs in component for x in xs if isinstance(x, int)})
    new = dict(zip(labels, random.sample(labels, len(labels)), strict=True))
    factors = []
    for name, xs in component:
        ys = [new.get(x, x) for x in xs]
        if FRAME.is_symmetric(name):
            random.shuffle(ys)
        factors.append((name, tuple(ys)))
    random.shuffle(factors)
    return tuple(factors)


def graph(edges: list[tuple[int, int]], name: str = "S") -> Flat:
    """Every index gets a vector, so that none only continues a product."""
    points = sorted({x for edge in edges for x in edge})
    return tuple([(name, edge) for edge in edges] + [("v", (x,)) for x in points])


def differences(steps: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The graph on the 4-by-4 torus where two points are joined if they differ by a step."""
    points = list(product(range(4), repeat=2))
    return [
        (4 * a + b, 4 * c + e)
        for (a, b), (c, e) in product(points, repeat=2)
        if (a, b) < (c, e) and ((c - a) % 4, (e - b) % 4) in steps
    ]


def test_regular_graphs_that_refinement_cannot_split() -> None:
    """All vertices look alike in each; only the search tells the graphs apart."""
    prism = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
    k33 = [(a, b) for a in (0, 1, 2) for b in (3, 4, 5)]
    cube = [(a, a ^ bit) for a in range(8) for bit in (1, 2, 4) if a < a ^ bit]
    wagner = [(a, (a + 1) % 8) for a in range(8)] + [(a, a + 4) for a in range(4)]
    petersen = [(a, (a + 1) % 5) for a in range(5)] + [(a, a + 5) for a in range(5)]
    petersen += [(5 + a, 5 + (a + 2) % 5) for a in range(5)]
    rook = differences({(0, i) for i in (1, 2, 3)} | {(i, 0) for i in (1, 2, 3)})
    shrikhande = differences({(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)})
    random = Random(2)
    forms = set()
    for edges in (prism, k33, cube, wagner, petersen, rook, shrikhande):
        first = canonical(FRAME, graph(edges))
        assert all(canonical(FRAME, shuffled(graph(edges), random)) == first for _ in range(10))
        forms.add(first)
    assert len(forms) == 7


def test_relabeled_networks_of_many_axes() -> None:
    random = Random(5)
    for _ in range(150):
        names = random.choices(["U", "U", "U", "T", "S", "A"], k=random.randint(3, 7))
        factors = []
        for name in names:
            factors.append((name, tuple(random.randrange(6) for _ in FRAME.tensors[name].spaces)))
        # One factor at every index keeps the network connected.
        whole = (*factors, *(("S", (x, x + 1)) for x in range(5)))
        assert canonical(FRAME, shuffled(whole, random)) == canonical(FRAME, whole)


def test_only_automorphisms_that_keep_the_fixed_vertices_prune() -> None:
    """A square: the quarter turn maps any vertex to any other, the reflection keeps 0 and 2."""
    square = read(FRAME, graph([(0, 1), (1, 2), (2, 3), (3, 0)]))
    assert isinstance(square, Skeleton)
    turn, reflection = [1, 2, 3, 0], [0, 3, 2, 1]
    search = _Search(FRAME, square, automorphisms=[turn, reflection])
    assert search._orbit(1, ()) == {0, 1, 2, 3}
    assert search._orbit(1, (0,)) == {1, 3}
    assert search._orbit(1, (0, 3)) == {1}


def test_twins_do_not_make_the_search_explode() -> None:
    """A star of 12 equal branches has 12! automorphisms."""
    star = tuple(("A", (0, 1 + t)) for t in range(12) for _ in range(2))
    random = Random(3)
    assert canonical(FRAME, shuffled(star, random)) == canonical(FRAME, star)


def test_cycles_are_cyclic_and_transposable() -> None:
    def trace(*letters: str) -> Flat:
        size = len(letters)
        ends = [(i, (i + 1) % size) for i in range(size)]
        return tuple((x[0], e[::-1] if x.endswith("'") else e) for x, e in zip(letters, ends, strict=True))

    def same(first: Flat, second: Flat) -> bool:
        return canonical(FRAME, first) == canonical(FRAME, second)

    assert same(trace("A", "B", "S"), trace("B", "S", "A"))
    assert same(trace("A", "B", "S"), trace("S", "B'", "A'"))
    assert not same(trace("A", "B", "S"), trace("A", "B'", "S"))
    assert not same(trace("A", "A"), trace("A", "A'"))
    assert same(trace("A"), trace("A'"))
    assert not same(trace("A", "A", "B", "B"), trace("A", "B", "A", "B"))


def test_a_form_is_its_own_form() -> None:
    random = Random(4)
    for _ in range(200):
        kinds = random.choices(sorted(FRAME.tensors), k=random.randint(1, 5))
        factors = [(name, tuple(random.randrange(4) for _ in FRAME.tensors[name].spaces)) for name in kinds]
        for component, _ in form(factors, 0):
            assert canonical(FRAME, component) == component
            assert monomial_of([component]) == frozenset({(component, 1)})
