"""What follows from what, whatever the sequence: each case is a theorem, named in its words."""

from verifier.kernel.sequences.modes import Chance, Mode, Moment, Sums, Surely, Vanishes

ASSUMED = "it is assumed"
BOREL_CANTELLI = "for every t > 0 almost surely finitely many gaps exceed t (Borel-Cantelli)"
MARKOV = "P(|Z| > t) <= E|Z|**p / t**p (Markov)"
TERMS = "the terms of a convergent series tend to 0"
EVENTUALLY = "what converges almost surely converges in probability"
JENSEN = "E|Z|**q <= (E|Z|**p)**(q/p) for q <= p (Jensen)"
LARGER = "a larger gap is less likely"
ABSOLUTELY = "a series that converges absolutely converges, and so does its tail"


def follows(known: Mode, wanted: Mode) -> tuple[str, ...] | None:
    """The theorems that lead from one to the other, if the threshold that is wanted is positive, or the known
    one; None if these do not."""
    if known.gap != wanted.gap:
        return None
    match known, wanted:
        case _ if known == wanted:
            return (ASSUMED,)
        case Sums(Chance(above=None)), Surely():
            return (BOREL_CANTELLI,)
        case Sums(Moment(signed=False)), Surely():
            return MARKOV, BOREL_CANTELLI
        case Surely(), Vanishes(Chance()):
            return (EVENTUALLY,)
        case Sums(Chance() as chance), Sums(Chance() as asked) if covers(chance, asked):
            return (LARGER,)
        case Vanishes(Chance() as chance), Vanishes(Chance() as asked) if covers(chance, asked):
            return (LARGER,)
        case Sums(Chance() as chance), Vanishes(Chance() as asked) if covers(chance, asked):
            return (TERMS,)
        case (Sums(Moment(signed=False)), Sums(Chance())) | (
            Vanishes(Moment(signed=False)),
            Vanishes(Chance()),
        ):
            return (MARKOV,)
        case Sums(Moment(signed=False)), Vanishes(Chance()):
            return MARKOV, TERMS
        case Vanishes(Moment(_, power, False)), Vanishes(Moment(_, asked)) if asked <= power:
            return (JENSEN,)
        case Sums(Moment(_, power, False)), Vanishes(Moment(_, asked)) if asked <= power:
            return TERMS, JENSEN
        case Sums(Moment(_, power, False), start), Sums(Moment(_, asked), later):
            return (ABSOLUTELY,) if asked == power and start <= later else None
    return None


def covers(known: Chance, asked: Chance) -> bool:
    """Whether the chance asked about is at most the known one, or one of the known ones."""
    same = known.above == asked.above and known.norm == asked.norm
    return known.above is None or (same and (asked.strict or not known.strict))


def needs_positive(known: Mode, wanted: Mode) -> bool:
    """Whether the theorems speak of positive thresholds only, and one is wanted."""
    if isinstance(wanted, Surely) or not isinstance(wanted.size, Chance):
        return False
    same = not isinstance(known, Surely) and isinstance(known.size, Chance) and known.size.above is not None
    return wanted.size.above is not None and not same
