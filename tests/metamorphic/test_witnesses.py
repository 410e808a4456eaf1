"""The two witnesses over claims made up at random, other ones every time."""

from itertools import islice
from random import SystemRandom

import torch

from tests.metamorphic.generate import both_asked, claims


def test_the_witnesses_never_contradict_each_other() -> None:
    torch.set_num_threads(1)
    seed = SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    found = [both_asked(left, 1024) for left in islice(claims(seed), 12)]
    assert not [asked for asked in found if asked.outcome == "CONTRADICT"]
    assert sum(asked.closed is not None for asked in found) >= 6
    assert any(asked.outcome == "agree" for asked in found)
