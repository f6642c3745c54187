"""Pages under test are patient, as those of tests/ui; time passes where a test moves its clock."""

import pytest

from tests.ui.conftest import patience

__all__ = ["clock", "patience"]


class Clock:
    """A clock that stands still unless it is moved."""

    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()
