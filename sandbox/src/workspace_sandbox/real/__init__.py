"""Real parts: products that this machine can start, in the place of their stand-ins."""
