"""Snapshots: copies of databases, repositories and stacks, kept where their owner alone can have
them read, and brought back.

See docs/explanation/snapshots.md.
"""
