"""What of a request's head is refused before anything else is looked at.

The server that speaks HTTP has parsed it already, and has refused what no parser can agree on. Here is what it lets
pass although two programs on the way could take it for two different things.
"""

from provender.api.forms import Headers
from provender.model.errors import InvalidRequest

HeaderList = list[tuple[bytes, bytes]]

# Headers that mean something here and must mean the same to everybody who reads the request.
_ONCE = frozenset(
    {
        b"authorization",
        b"content-encoding",
        b"content-length",
        b"content-type",
        b"host",
        b"origin",
        b"transfer-encoding",
    }
)


def check_head(sent: HeaderList, headers: Headers, http_version: str) -> None:
    """Only for a head that has a header twice, no host, or an encoding: most have none of these."""
    if len(sent) != len(headers):
        names = [name for name, _ in sent]
        for name in _ONCE:
            if names.count(name) > 1:
                raise InvalidRequest(
                    f"The request has the header {name.decode().title()} more than once. Send it once."
                )
    # The server that speaks HTTP gives an empty one where there was none.
    if headers.get(b"host") == b"" and http_version == "1.1":
        raise InvalidRequest("The request has no Host header, which HTTP/1.1 asks for. Send one.")
    if headers.get(b"transfer-encoding", b"chunked").lower() != b"chunked":
        raise InvalidRequest("The only transfer encoding that is read here is chunked. Send the body so, or plainly.")
