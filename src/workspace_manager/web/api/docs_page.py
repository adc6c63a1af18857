"""`/api/v1/docs`: the framework's own Swagger for our OpenAPI document. It is served from the
package's files; nothing comes from another host, and the page contains no inline script.
"""

from ninja.openapi.docs import Swagger


class DocsPage(Swagger):
    """Swagger under our content security policy: the framework's files, in a page that declares its
    language and fits a phone.

    "Try it out" sends requests as the signed-in person: the page passes the CSRF token of our
    pages.
    """

    template = "api/docs.html"

    def __init__(self) -> None:
        super().__init__(
            {
                # It would load a badge from another host; our tests check the document.
                "validatorUrl": "none",
                "docExpansion": "list",
                "filter": True,
                "defaultModelsExpandDepth": 0,
                "displayRequestDuration": True,
                # A token that you type is forgotten when you leave the page.
                "persistAuthorization": False,
            }
        )
