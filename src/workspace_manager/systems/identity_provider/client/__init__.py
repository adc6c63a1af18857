"""The identity provider's client: every call over the wire, and what its answers mean
(`answers`).
"""
