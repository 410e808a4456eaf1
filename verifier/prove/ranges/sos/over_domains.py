"""small <= large over domains and under constraints, by sums of squares."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verifier.exact.enclosures.domains import Domain
from verifier.exact.numbers.refusals import Refusal
from verifier.prove.ranges.sos.lift import Lift
from verifier.timer import held, worked

if TYPE_CHECKING:
    from verifier.prove.ranges.sos.eliminate_roots import Certificate


def by_squares(
    room: Any, domains: Mapping[str, Domain], constraints: tuple[Any, ...], deadline: float
) -> "Certificate | None":
    """Certificates that together show room >= 0; None where they were not found."""
    anywhere = {name: Domain() for name in domains}
    # Over all reals the squares may be simpler; what is false there is seen at a glance.
    if constraints or any(domain != Domain() for domain in domains.values()):
        now = worked()
        found = _over(room, anywhere, (), now + (deadline - now) / 3)
        if found is not None:
            return found
    return _over(room, domains, constraints, deadline)


def _over(
    room: Any, domains: Mapping[str, Domain], constraints: tuple[Any, ...], deadline: float
) -> "Certificate | None":
    with held():  # few claims need NumPy; half of it would be worth nothing
        from verifier.prove.ranges.sos.eliminate_roots import Roots
    try:
        lift = Lift(domains, [room], constraints)
        p = lift.numerator(lift.value(room))
    except (Refusal, OverflowError):
        return None
    return Roots(lift, deadline).proves(p)


def words(certificate: "Certificate") -> str:
    """What a reader is told."""
    count = sum(found.count for found in certificate)
    if not certificate:
        return "every term of the difference is a product of squares"
    factor = any(not found.multiplier.is_constant() for found in certificate)
    what = "the difference times a sum of squares" if factor else "the difference"
    return f"{what} is a sum of at most {count} squares, with rational coefficients, checked exactly"
