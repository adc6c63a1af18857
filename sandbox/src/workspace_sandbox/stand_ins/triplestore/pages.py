"""What OpenGDB answers around its interface: the login pages a redirect leads to, and methods it does not know."""

import json
import secrets
from urllib.parse import quote

from workspace_sandbox.stand_ins.triplestore.wire import Call, Reply, detail, empty, text

LOGIN = """<!DOCTYPE html>

<html lang="en-us" dir="ltr">
<head>
<title>Log in | Django site admin</title>
</head>
<body class="login">
<p>This is a stand-in: nobody can sign in here.</p>
<form method="post" id="login-form"><label>Username: <input name="username"></label>
<label>Password: <input type="password" name="password"></label><input type="submit" value="Log in"></form>
</body>
</html>
"""
DESCRIPTIONS = {
    "users": "Users",
    "user": "Users",
    "repositories": "Repositories",
    "repository": "Repository",
    "token": "Obtain Auth Token",
}


def answer(call: Call) -> Reply | None:
    """Answer the administration's addresses and the ones that lack their slash; None for any other."""
    query = call.raw_path.partition("?")[2]
    if call.path == "api-token-auth" and "?" not in call.raw_path:
        return _moved("/api-token-auth/")
    if call.path == "admin":
        return _moved("/admin/" + (f"?{query}" if query else ""))
    if call.path == "admin/":
        reply = empty(302)
        target = quote(call.raw_path, safe="/")
        reply.headers["Location"] = f"/admin/login/?next={target}"
        reply.headers["Cache-Control"] = "max-age=0, no-cache, no-store, must-revalidate, private"
        return reply
    if call.path == "admin/login/":
        reply = text(LOGIN)
        cookie = f"csrftoken={secrets.token_urlsafe(24)}; Max-Age=31449600; Path=/; SameSite=Lax"
        reply.headers["Set-Cookie"] = cookie
        reply.headers["Cache-Control"] = "max-age=0, no-cache, no-store, must-revalidate, private"
        return reply
    if call.path.startswith(("query/", "update/")) and call.path.count("/") == 1:
        # The query page of a person who may not read the repository.
        reply = empty(404)
        reply.headers["Vary"] = "Cookie"
        return reply
    return None


def other_method(call: Call, allowed: str, view: str) -> Reply | None:
    """Answer OPTIONS and any method the address does not know; None when the view itself answers."""
    methods = allowed.split(", ")
    if call.method == "OPTIONS":
        document = {
            "name": DESCRIPTIONS.get(view, view.replace("_", " ").title()),
            "description": f"Views for the /{_shown(call.path)} routes" if view == "user" else "",
            "renders": ["application/json", "text/html"],
            "parses": [
                "application/json",
                "application/x-www-form-urlencoded",
                "multipart/form-data",
            ],
        }
        return Reply(200, json.dumps(document, separators=(",", ":")).encode(), "application/json")
    if call.method not in methods:
        said = f'Method "{call.method}" not allowed.'
        return detail(said, status=405)
    return None


def _shown(path: str) -> str:
    return path.rsplit("/", 1)[0] + "/**"


def _moved(location: str) -> Reply:
    reply = empty(301)
    reply.headers["Location"] = location
    return reply
