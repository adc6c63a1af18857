"""Measurements: each prints ratios against the bare calls in the same run, never a verdict."""
