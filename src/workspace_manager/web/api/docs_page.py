"""`/api/v1/docs`: the framework's own Swagger over our OpenAPI document, from the package's files;
nothing of it comes from another host, and no script stands in the page.
"""

from ninja.openapi.docs import Swagger


class DocsPage(Swagger):
    """Swagger under our content security policy: the framework's files, in a page that says its
    language and fits a phone.

    "Try it out" asks as whoever is signed in: the page gives it the proof of our own pages.
    """

    template = "api/docs.html"

    def __init__(self) -> None:
        super().__init__(
            {
                # Another host's badge; our document is checked by our tests.
                "validatorUrl": "none",
                "docExpansion": "list",
                "filter": True,
                "defaultModelsExpandDepth": 0,
                "displayRequestDuration": True,
                # A token that somebody types is forgotten with the page.
                "persistAuthorization": False,
            }
        )
