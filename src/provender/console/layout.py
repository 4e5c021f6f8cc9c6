"""What all pages of the console have in common: their headers, their files, and what they load."""

from functools import cache
from importlib.resources import files
from string import Template

from provender.console.assets import load_assets, modules_needed

PAGE_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; media-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "permissions-policy": "camera=(self), microphone=(), geolocation=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


def assets_address() -> str:
    return f"/console/{load_assets().mark}"


@cache
def preloads(*scripts: str) -> str:
    """All modules of a page are asked for at once."""
    needed = modules_needed(scripts, load_assets().contents)
    return "\n".join(f'<link rel="modulepreload" href="{assets_address()}/{name}">' for name in needed)


@cache
def content(name: str) -> str:
    return files("provender.console").joinpath("pages", f"{name}.html").read_text(encoding="utf-8")


@cache
def template(name: str) -> Template:
    return Template(content(name))
