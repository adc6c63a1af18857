"""The stories of administrators about the systems."""
