"""The notebook hub: JupyterHub with DockerSpawner, one container per person.

What can go wrong: the container's name is the escaped user name, so that a naive prefix stops nobody or a stranger; a container
that is not found looks like one that is stopped; the hub shows a stopped server as running for half a minute; a session cookie
of the hub outlives a stop (specification, section 6, step 1).
"""
