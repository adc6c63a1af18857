"""What templates need besides Django's own tags: marks of states, icons, times, and names
in words.
"""
