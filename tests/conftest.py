"""Shared by all tests: hypothesis runs the same cases everywhere, without deadlines."""

import os

from hypothesis import HealthCheck, settings

# A test that judges shall judge: nothing is remembered unless a test asks for it.
os.environ["VERIFY_CACHE"] = ""

settings.register_profile(
    "default",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
