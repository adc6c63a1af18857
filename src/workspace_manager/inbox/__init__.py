"""What waits for somebody: made of what is, not of copies, so it is gone when the thing is."""
