"""The audit: its notes, seals and their verification, a person's timeline, and erasure."""
