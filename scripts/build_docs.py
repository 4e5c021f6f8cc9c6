# ruff: noqa: INP001 - A script is no part of a package.
"""Builds the documents as a site, which the server shows at `/docs/`. `make docs` runs it.

The pages are gathered first: some of them are outside of `docs`, links between them are written for a code host, and
what the navigation shows is the table of `docs/README.md`. Then Sphinx builds them; each of its warnings, as that of a
link that leads nowhere or of a page that the table lacks, is an error. The list `site.json`, which the server goes by,
is written last. Nothing is built where it says that the site was made of the same.
"""

import argparse
import base64
import hashlib
import json
import mimetypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]

# What is a page of the site, or a file that a page shows, though it is elsewhere or has another name there.
_NAMES = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "LICENSE",
    "benchmarks/README.md": "benchmarks.md",
    "benchmarks/results/latest.md": "benchmark-results.md",
    "deploy/compose.yaml": "compose.yaml",
    "docs/README.md": "index.md",
    "docs/decisions/README.md": "decisions/index.md",
}
# The parts of the navigation, and what the names of their pages begin with.
_PARTS = {
    "Start": ("readme", "tutorial"),
    "How to": ("how-to-",),
    "Reference": ("reference-",),
    "Explained": ("explain-", "benchmark"),
    "Why": ("decisions/", "changelog"),
}
# What Sphinx leaves behind for itself and for other sites.
_NOT_SERVED = (".buildinfo", "objects.inv", "_sources", "*.map")

_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)")
_ROW = re.compile(r"^\| \[[^\]]+\]\(([^)]+)\.md\)", re.MULTILINE)
_VERSIONED = re.compile(r'(?:src|href)="([^"?#:]+)\?v=([0-9a-f]+)"')
_INLINE = re.compile(r"<(script|style)(?![^>]*\ssrc=)[^>]*>(.+?)</\1>", re.DOTALL)
_STYLED = re.compile(r'<[^>]+\sstyle="([^"]+)"')


class Fault(Exception):
    """What is wrong with the documents."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="the documents' repository [this one]")
    parser.add_argument("--site", type=Path, help="what is served [src/provender/site]")
    options = parser.parse_args()
    root = options.root.resolve()
    site = options.site or root / "src" / "provender" / "site"
    try:
        pages = gather(root)
    except Fault as fault:
        sys.stderr.write(f"build_docs: {fault}\n")
        return 1
    made_of = digest(root, pages)
    if is_made_of(site, made_of):
        return 0
    with tempfile.TemporaryDirectory() as work:
        # Always from nothing: what Sphinx keeps has neither its old warnings nor new pages in the navigation of others.
        source, built = Path(work) / "source", Path(work) / "html"
        for name, content in pages.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes(content)
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "--builder",
            "html",
            "--fail-on-warning",
            "--jobs",
            "auto",
            "--quiet",
        ]
        command += ["--conf-dir", str(root / "docs" / "site"), "--doctree-dir", str(Path(work) / "doctrees")]
        done = subprocess.run([*command, str(source), str(built)], check=False)  # noqa: S603 - It is our own command.
        if done.returncode == 0:
            install(built, site, made_of)
    return done.returncode


def gather(root: Path) -> dict[str, bytes]:
    """Everything that the site is made of, by the name that it has there."""
    names = site_names(root)
    pages = {}
    for original, name in names.items():
        if original.suffix != ".md":
            pages[name] = original.read_bytes()
            continue
        text = _with_links_of_the_site(root, original, names)
        if Path(name).name == "index.md":
            rows = _ROW.findall(text)
            # Where the table has names of files, the site has titles.
            text = _ROW.sub(r"| [](\1.md)", text)
            text += _navigation(rows) if name == "index.md" else _tree(":titlesonly:", rows)
        pages[name] = text.encode()
    return pages


def digest(root: Path, pages: dict[str, bytes]) -> str:
    """Another one for other pages, another look, another tool."""
    code = [Path(__file__), *(path for path in sorted((root / "docs" / "site").rglob("*.*")) if path.suffix != ".pyc")]
    versions = [metadata.version(tool) for tool in ("sphinx", "myst-parser", "furo")]
    parts = [repr(sorted(pages.items())).encode(), repr(versions).encode(), *(path.read_bytes() for path in code)]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def is_made_of(site: Path, made_of: str) -> bool:
    try:
        return bool(json.loads((site / "site.json").read_bytes()).get("made_of") == made_of)
    except FileNotFoundError:
        return False


def site_names(root: Path) -> dict[Path, str]:
    """Every file that the site is made of, and its name there."""
    docs = root / "docs"
    names = {file: file.relative_to(docs).as_posix() for file in [*docs.rglob("*.md"), *(docs / "images").glob("*")]}
    return names | {root / original: name for original, name in _NAMES.items()}


def _with_links_of_the_site(root: Path, page: Path, names: dict[Path, str]) -> str:
    def rewritten(link: re.Match[str]) -> str:
        target = (page.parent / link[1]).resolve()
        if target not in names:
            raise Fault(f"{page.relative_to(root)} has a link to {link[1]}, which is not on the site.")
        return os.path.relpath(names[target], Path(names[page]).parent)

    return _LINK.sub(rewritten, page.read_text())


def _navigation(pages: list[str]) -> str:
    """The pages in the order of the table, in the parts of the navigation."""
    parts = {part: [page for page in pages if page.startswith(begin)] for part, begin in _PARTS.items()}
    if lost := set(pages) - {page for part in parts.values() for page in part}:
        raise Fault(f"no part of the navigation is that of {', '.join(sorted(lost))}.")
    return "".join(_tree(f":caption: {part}", parts[part]) for part in _PARTS)


def _tree(option: str, pages: list[str]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", option, "", *pages, "```", ""])


def install(built: Path, site: Path, made_of: str) -> None:
    """Put what was built in the place of what is there, with the list that the server goes by."""
    fresh = site.with_name(f"{site.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(built, fresh, ignore=shutil.ignore_patterns(*_NOT_SERVED))
    (fresh / "site.json").write_text(json.dumps({"made_of": made_of, **listing(fresh)}, indent=1))
    shutil.rmtree(site, ignore_errors=True)
    fresh.rename(site)


def listing(folder: Path) -> dict[str, object]:
    """The files with what is sent along with them, and the hashes of the scripts and styles that pages have in them."""
    files, versions = {}, {}
    inline: dict[str, set[str]] = {"script": set(), "style": set()}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        name = path.relative_to(folder).as_posix()
        kind = mimetypes.guess_type(name)[0] or "text/plain"
        files[name] = {"type": kind, "digest": hashlib.sha256(content).hexdigest()[:32]}
        if kind == "text/html":
            page = content.decode()
            for link, version in _VERSIONED.findall(page):
                versions[os.path.normpath(Path(name).parent / link)] = version
            for element, text in [*_INLINE.findall(page), *(("style", text) for text in _STYLED.findall(page))]:
                inline[element].add(base64.b64encode(hashlib.sha256(text.encode()).digest()).decode())
    for name, version in versions.items():
        files[name]["version"] = version
    return {"files": files, **{element: sorted(hashes) for element, hashes in inline.items()}}


if __name__ == "__main__":
    sys.exit(main())
