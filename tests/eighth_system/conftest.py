"""The distribution's own tests run where it is installed, not here."""

collect_ignore = ["distribution"]
