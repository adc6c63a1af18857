"""A person's own way to the drive: connecting, keeping the stored pair working, remembering refused
ones.
"""
