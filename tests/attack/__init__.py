"""Attacks from outside on a running workspace: odd names, leavers with a script,
yesterday's password, a system that refuses one thing.

Each attack knows nothing but the addresses and what a person, an administrator and the systems
themselves can do there. It returns when it was withstood, and fails with what it got otherwise.
"""
