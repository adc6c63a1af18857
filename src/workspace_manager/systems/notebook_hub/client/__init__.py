"""The hub's client: every call over the wire, and what its answers mean."""
