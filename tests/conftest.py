"""Shared by all tests: hypothesis has the same cases everywhere, without deadlines; long files come first."""

import os
from random import SystemRandom

import pytest
from hypothesis import HealthCheck, settings

# A test that judges shall judge: nothing is remembered unless a test asks for it.
os.environ["VERIFY_CACHE"] = ""
# And nothing is left in the home of whoever runs the tests.
os.environ["VERIFY_CACHE_KEY"] = "of the tests"

# Fresh in every run, the same in each process of it, and shown with every failure: set them to repeat it.
for seed in ("SEARCH_SEED", "MUTANTS_SEED"):
    os.environ.setdefault(seed, str(SystemRandom().randrange(10**6)))

# The tests share the cores among themselves; torch's own threads would only get in their way.
os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile(
    "default",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_report_header() -> str:
    """What to set to repeat this run."""
    return " ".join(f"{name}={os.environ[name]}" for name in ("SEARCH_SEED", "MUTANTS_SEED"))


# Files that take long, most of them because they run the whole program: begun last, they would keep one
# process busy while the others have nothing left to do.
LONG = ("mutants", "verdicts", "faults", "run", "gate", "report", "hostile", "metamorphic", "search")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, else in the order of collection, which `--no-loadscope-reorder` keeps."""
    items.sort(key=lambda item: LONG.index(name) if (name := item.path.parent.name) in LONG else len(LONG))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests of processes that hang wait, and need none."""
    return 1 + len(os.sched_getaffinity(0))
