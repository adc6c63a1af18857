"""What administrators do with the systems: settings, checks, health, the set-up of the realm."""
