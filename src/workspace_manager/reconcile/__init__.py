"""Reconciliation: compares the systems with the records in both directions, repairs differences,
and takes over existing accounts.
"""
