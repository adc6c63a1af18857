"""The cache's values, in the table that Django's `createcachetable` makes."""

from typing import ClassVar

from django.db import models


class CachedValue(models.Model):
    """A value and its key (`core/signed_cache.py`)."""

    key = models.CharField(max_length=255, primary_key=True, db_column="cache_key")
    value = models.TextField()
    """A signature and JSON."""
    expires = models.DateTimeField(db_index=True)

    objects: ClassVar["models.Manager[CachedValue]"] = models.Manager()

    class Meta:
        # No migration makes this table.
        app_label = "cache"
        managed = False
        db_table = "workspace_cache"

    def __str__(self) -> str:
        return self.key
