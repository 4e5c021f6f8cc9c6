"""The documents as a site, at /docs/: built from this repository, and asked for as a browser does."""

import base64
import hashlib
import posixpath
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from provender.api import site as served
from tests.building import ROOT, SCRIPT
from tests.conftest import Service


@dataclass
class Page:
    """What a browser finds in a page."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    inline: dict[str, set[str]] = field(default_factory=lambda: {"script": set(), "style": set()})
    handlers: list[str] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._within: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.page.ids.add(given.get("id", ""))
        self.page.handlers += [name for name in given if name.startswith("on")]
        if "style" in given:
            self.page.inline["style"].add(given["style"])
        if tag == "a" and "href" in given:
            self.page.links.append(given["href"])
        elif tag == "link" and given.get("rel") in {"stylesheet", "icon"}:
            self.page.loaded.append(given["href"])
        elif tag in {"script", "img"} and "src" in given:
            self.page.loaded.append(given["src"])
        elif tag in {"script", "style"}:
            self._within = tag

    def handle_data(self, data: str) -> None:
        if self._within:
            self.page.inline[self._within].add(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == self._within:
            self._within = None


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, Page]:
    """Every page of the site, by its name there."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        reader = _Reader()
        reader.feed(path.read_text())
        found[path.relative_to(site).as_posix()] = reader.page
    return found


@pytest.fixture
async def browser(service: Service, site: Path) -> httpx.AsyncClient:
    return await service.client_with(None)


# No page asks the storage for anything, so one kind of it will do.
on_one_engine = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)


@on_one_engine
async def test_every_document_is_a_page_with_its_own_title(browser: httpx.AsyncClient) -> None:
    documents = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    names = {str(name).replace("README", "index"): ROOT / "docs" / f"{name}.md" for name in documents}
    names |= {"readme": ROOT / "README.md", "changelog": ROOT / "CHANGELOG.md"}
    names |= {"benchmarks": ROOT / "benchmarks" / "README.md"}
    assert len(names) > 60
    for name, original in names.items():
        answer = await browser.get(f"/docs/{name}.html")
        assert answer.status_code == 200, name
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        [title] = re.findall(r"<h1>(.+?)<a class=\"headerlink\"", answer.text)
        assert re.sub("<[^>]+>", "", title).split() == original.read_text().splitlines()[0].strip("# `").split()


@on_one_engine
async def test_every_link_leads_to_a_page_with_that_anchor(browser: httpx.AsyncClient, pages: dict[str, Page]) -> None:
    asked: dict[str, int] = {}
    broken = []
    for name, page in pages.items():
        for link in (*page.links, *page.loaded):
            target = urlsplit(urljoin(f"http://provender.test/docs/{name}", link))
            if target.netloc != "provender.test":
                continue
            if target.path not in asked:
                asked[target.path] = (await browser.get(target.path)).status_code
            inside = pages.get(posixpath.relpath(target.path, "/docs"))
            if asked[target.path] != 200 or (inside and target.fragment and target.fragment not in inside.ids):
                broken.append(f"{name}: {link}")
    assert broken == []
    assert {"/docs/api", "/docs/errors"} <= asked.keys()


@on_one_engine
async def test_a_browser_may_run_what_the_pages_have_and_nothing_else(
    browser: httpx.AsyncClient, pages: dict[str, Page]
) -> None:
    policy = dict(
        one.split(" ", 1) for one in (await browser.get("/docs/")).headers["content-security-policy"].split("; ")
    )
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"].startswith("'self' 'sha256-")
    for directive in policy.values():
        assert "'unsafe-inline'" not in directive
        assert "'unsafe-eval'" not in directive
        assert "http" not in directive
    for page in pages.values():
        assert page.handlers == []
        assert [one for one in page.loaded if urlsplit(one).netloc] == []
        for element, texts in page.inline.items():
            for text in texts:
                digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
                assert f"'sha256-{digest}'" in policy[f"{element}-src"], text[:80]


async def test_the_navigation_has_its_parts_in_order_and_every_page(pages: dict[str, Page], site: Path) -> None:
    first = (site / "index.html").read_text()
    parts = re.findall(r'<p class="caption"[^>]*><span class="caption-text">([^<]+)', first)
    assert parts == ["This server", "Start", "How to", "Reference", "Explained", "Why"]
    linked = {posixpath.normpath(link.partition("#")[0]) for link in pages["index.html"].links}
    assert pages.keys() - linked <= {"index.html", "search.html"}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/docs/", "text/html; charset=utf-8"),
        ("/docs/tutorial.html", "text/html; charset=utf-8"),
        ("/docs/searchindex.js", "text/javascript; charset=utf-8"),
        ("/docs/_static/provender.css", "text/css; charset=utf-8"),
        ("/docs/_images/benchmark-growth.svg", "image/svg+xml"),
    ],
)
@on_one_engine
async def test_a_file_has_its_type_and_is_sent_once(browser: httpx.AsyncClient, path: str, kind: str) -> None:
    answer = await browser.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-cache"
    head = await browser.head(path)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == str(len(answer.content))
    for known in (answer.headers["etag"], f'"x", W/{answer.headers["etag"]}', "*"):
        again = await browser.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == answer.headers["etag"]
    assert (await browser.get(path, headers={"If-None-Match": '"x"'})).status_code == 200
    assert (await browser.post(path)).status_code == 405


@on_one_engine
async def test_what_pages_ask_for_by_its_version_is_kept_for_good(
    browser: httpx.AsyncClient, pages: dict[str, Page]
) -> None:
    versioned = [one for one in pages["tutorial.html"].loaded if "?v=" in one]
    assert len(versioned) > 4
    for link in versioned:
        assert "immutable" in (await browser.get(f"/docs/{link}")).headers["cache-control"]
        # Nobody can have a browser keep something under the version of something else.
        assert (await browser.get(f"/docs/{link}0")).headers["cache-control"] == "no-cache"


# A browser or httpx would tidy most of them up before they are sent.
_NOT_THERE = (
    "nothing decisions decisions/ tutorial site.json ../settings.py ..%2Fsettings.py %2e%2e/ /etc/passwd "
    "%2Fetc%2Fpasswd _static/../../settings.py tutorial.html%00 ..\\settings.py"
)


@on_one_engine
async def test_nothing_else_is_served(browser: httpx.AsyncClient) -> None:
    for path in _NOT_THERE.split():
        url = httpx.URL("http://provender.test", raw_path=f"/docs/{path}".encode())
        answer = await browser.get(url)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path


@on_one_engine
async def test_docs_leads_to_the_documents(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/docs")
    assert answer.is_redirect
    assert answer.headers["location"] == "/docs/"


@on_one_engine
async def test_an_installation_without_them_says_how_they_are_built_and_has_them_as_soon_as_they_are(
    service: Service, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "FOLDER", tmp_path / "site")
    stranger = await service.client_with(None)
    answer = await stranger.get("/docs/")
    assert answer.status_code == 200
    assert "<code>make docs</code>" in answer.text
    for link in re.findall(r'href="(/[^"]+)"', answer.text):
        assert (await stranger.get(link)).status_code == 200
    assert (await stranger.get("/docs/tutorial.html")).status_code == 404
    (tmp_path / "site").symlink_to(site)
    assert (await stranger.get("/docs/tutorial.html")).status_code == 200


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A repository of few documents, with the look of this one."""
    root = tmp_path / "repository"
    for name in (
        "README.md",
        "CHANGELOG.md",
        "benchmarks/README.md",
        "benchmarks/results/latest.md",
        "docs/tutorial.md",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"# {name}\n\n## 1. A_b\n")
    for name in ("LICENSE", "deploy/compose.yaml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    (root / "docs" / "site").symlink_to(ROOT / "docs" / "site")
    (root / "docs" / "decisions").mkdir()
    (root / "docs" / "decisions" / "README.md").write_text("# Decisions\n")
    outside = ["../README", "tutorial", "../benchmarks/README", "../benchmarks/results/latest", "decisions/README"]
    rows = "\n".join(f"| [x]({name}.md) | y |" for name in (*outside, "../CHANGELOG"))
    (root / "docs" / "README.md").write_text(f"# Documents\n\n| Page | z |\n|---|---|\n{rows}\n")
    return root


def _build(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), "--root", str(root), "--site", str(root / "site")]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_page_that_the_table_lacks_and_a_link_to_nowhere_stop_the_build(small: Path) -> None:
    (small / "docs" / "how-to-hide.md").write_text("# Hidden\n\n[there](tutorial.md#1-a_b), [nowhere](tutorial.md#b)\n")
    done = _build(small)
    assert done.returncode != 0
    assert re.search(r"how-to-hide.md.*isn't included in any toctree", done.stderr)
    assert re.search(r"how-to-hide.md:3:.*'b'", done.stderr)
    assert "1-a_b" not in done.stderr
    assert not (small / "site").exists()


def test_a_link_to_what_is_not_on_the_site_stops_the_build(small: Path) -> None:
    (small / "docs" / "tutorial.md").write_text("# Tutorial\n\n[the build](../Makefile)\n")
    done = _build(small)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "build_docs: docs/tutorial.md has a link to ../Makefile, which is not on the site.\n"
