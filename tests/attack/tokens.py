"""Attacks with API tokens: what one may not do that was copied from somebody's script."""

from tests.attack.scene import Scene


def a_copied_token_stays_what_it_is(scene: Scene) -> None:
    """It makes no other token, changes nothing when it reads, is nobody's administrator, and is
    gone once an administrator ends it.
    """
    life = scene.somebody()
    made = {
        scope: life.call("POST", "/me/tokens", {"name": scope, "scope": scope}).json()
        for scope in ("read", "own")
    }
    for scope, token in made.items():
        assert token["expires_at"], "it ends by itself"
        with scene.api(token["token"]) as script:
            assert script.get("/me").status_code == 200
            assert script.post("/me/tokens", json={"name": "another"}).status_code == 403
            assert script.get("/people").json()["count"] == 1
            assert script.get(f"/people/{life.username}/tokens").status_code == 403
            asked = script.post("/projects", json={"label": "By a script"})
            assert asked.status_code == (403 if scope == "read" else 201), asked.text
    refused = life.call("POST", "/me/tokens", {"name": "more", "scope": "administration"})
    assert refused.status_code == 422, refused.text
    far = {"name": "for ever", "expires_at": "2999-01-01"}
    assert life.call("POST", "/me/tokens", far).status_code == 422
    administrator = scene.workspace.api
    listed = administrator.get(f"/people/{life.username}/tokens").json()
    assert {one["id"] for one in listed["items"]} == {one["id"] for one in made.values()}
    assert not any(one["token"] in str(listed) for one in made.values())
    for token in made.values():
        where = f"/people/{life.username}/tokens/{token['id']}"
        assert administrator.delete(where).status_code == 204
        assert not scene.taken(token["token"])
    assert administrator.post("/me/tokens", json={"name": "by a token"}).status_code == 403
    scene.removed(life)


def a_token_grows_with_nothing_that_is_given_later(scene: Scene) -> None:
    """Made with one permission; another is given, the first is taken and given again: it may less
    each time, and nothing comes back.
    """
    owner, holder = scene.somebody(), scene.somebody()
    project = owner.call("POST", "/projects", {"label": "Not theirs"}).json()["id"]
    scene.given(holder, "administer_components")
    made = holder.call("POST", "/me/tokens", {"name": "script", "scope": "administration"})
    assert made.status_code == 201, made.text
    with scene.api(made.json()["token"]) as script:
        scene.given(holder, "administer_components", "administer_projects")
        assert holder.call("GET", f"/projects/{project}").status_code == 200
        assert script.get(f"/projects/{project}").status_code == 404
        assert script.delete(f"/projects/{project}").status_code == 404
        assert script.get("/registrations").status_code == 403
        scene.given(holder)
        scene.given(holder, "administer_components")
        listed = holder.call("GET", "/me/tokens").json()["items"]
        assert [one["permissions"] for one in listed] == [[]]
    scene.removed(holder)
    scene.removed(owner)
