"""The container manager: Portainer in front of a Docker or podman engine, or such an engine directly.

What can go wrong: a 404 has six meanings and one of them is "no such container"; a short id prefix addresses a stranger's
container; a client that gave up does not stop a stop that is under way; a 500 covers a refusal, an engine that is down and a
failed stack alike (specification, sections 4.4 and 6).
"""
