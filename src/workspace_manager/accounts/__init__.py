"""A person's accounts and keys in the systems: databases, repositories, programs, their renewal."""
