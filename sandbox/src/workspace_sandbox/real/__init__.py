"""Real parts: products that this machine can start instead of their stand-ins."""
