"""What administrators do with the systems: settings, pinned settings, the set-up of the realm."""
