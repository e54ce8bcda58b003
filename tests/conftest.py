"""What holds for every test: the same examples on each run, and no test that hides by skipping."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

# The examples depend on the test alone, not on the clock or on an earlier run.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure: every optional part is installed where the tests run."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and a skipped test proves nothing"
    return report
