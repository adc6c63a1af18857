"""The triplestore's client: every call over the wire."""
