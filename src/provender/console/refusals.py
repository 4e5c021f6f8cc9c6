"""What people see in the place of a page that they cannot have: what happened, and what to do. It needs no session."""

import html
from collections.abc import Mapping

from starlette.responses import HTMLResponse, Response

from provender.console.layout import PAGE_HEADERS, assets_address, template
from provender.model.errors import NotFound, ProvenderError

_NOWHERE = "There is no page at this address. A link to it may be old, or a letter of it is wrong."

# The script of it tries again, as often as it takes, and shows the page when it is there.
_LATER = """<p>This page tries again by itself, in {seconds} {word}.</p>
<p><a class="button primary" href="">Try again now</a></p>"""
_ELSEWHERE = """<p><a class="button primary" href="/">Foods</a> <a class="button" href="/profiles">Profiles</a>
<a class="button" href="/docs/">Documents</a></p>"""


def refusal_page(error: ProvenderError, status: int, request_id: str, headers: Mapping[str, str]) -> Response:
    """`headers` are those of the problem that a program gets; where they say when to ask again, the page does."""
    retry_after = headers.get("retry-after")
    retrying = _ELSEWHERE
    if retry_after is not None:
        retrying = _LATER.format(seconds=int(retry_after), word="second" if retry_after == "1" else "seconds")
    content = template("refusal").substitute(
        title=html.escape(error.title),
        detail=html.escape(_detail(error)),
        retrying=retrying,
        retry_after=retry_after or "",
        status=status,
        request_id=html.escape(request_id),
        assets=assets_address(),
    )
    return HTMLResponse(content, status, {**PAGE_HEADERS, **headers})


def _detail(error: ProvenderError) -> str:
    if type(error) is NotFound:
        return _NOWHERE
    return error.public_detail or error.detail
