"""Who is told of what happens, and of what waits."""
