"""Pages under test, as those of tests/ui: patient with their models, however busy the machine."""

from tests.ui.conftest import patience

__all__ = ["patience"]
