"""The identity provider (Keycloak 26): who people are, whether they may sign in, and the attributes other systems read about them.

What can go wrong, learnt on a real one (recorded exchanges in `tests/recorded/keycloak`):

* An attribute the realm's user profile does not declare is dropped without a word (201, 204). So the profile is looked at before a
  user is made, and every attribute that is written is read back.
* A user is disabled *or* logged out, and still has a way in: a disabled user keeps the listed sessions, a logged-out one signs in
  again. The fence does both and looks for both.
* There is no compare-and-set: a write replaces the whole user, and two writers lose updates. The engine holds a lock per `sub`.
* Fetching the administrator's token costs 300 ms and leaves a session behind, so it is kept until shortly before it expires.
* A 404 can mean "no such user", "no such realm" or "a proxy answered". Only the first is an absence.
"""
