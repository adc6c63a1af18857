"""Whether the manager in this container serves: ends with 0 or 1. For health checks, which have no
other program to ask with.
"""

import http.client
import os
import sys
from urllib.parse import urlsplit

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 8000

base = urlsplit(os.environ.get("WORKSPACE_BASE_URL", "http://127.0.0.1:8000"))
connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=5)
# As the proxy before it would: under its public name, and as the scheme it is reached by.
connection.request(
    "GET", "/health/ready", headers={"Host": base.netloc, "X-Forwarded-Proto": base.scheme}
)
sys.exit(connection.getresponse().status != 200)
