"""The hub's client: every call over the wire, and the meaning of its answers."""
