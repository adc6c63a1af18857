"""Administration of the systems: settings, checks, health, and the set-up of the realm."""
