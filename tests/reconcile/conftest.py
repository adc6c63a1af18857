"""What the tests of this room share."""

from tests.reconcile.fakes import holding, walks

__all__ = ["holding", "walks"]
