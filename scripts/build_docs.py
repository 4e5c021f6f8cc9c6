# ruff: noqa: INP001 - A script is no part of a package.
"""Builds the documents as a site, which the server shows at `/docs/`. `make docs` runs it.

The pages are gathered first: some of them are outside of `docs`, links between them are written for a code host, and
what the navigation shows is the table of `docs/README.md`. Then Sphinx builds them; each of its warnings, as that of a
link that leads nowhere or of a page that the table lacks, is an error. The list `site.json`, which the server goes by,
is written last.
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
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

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
_VERSIONED = re.compile(r'(?:src|href)="([^"?#:]+)\?v=([0-9a-f]+)"')
_INLINE = re.compile(r"<(script|style)(?![^>]*\ssrc=)[^>]*>(.+?)</\1>", re.DOTALL)
_STYLED = re.compile(r'<[^>]+\sstyle="([^"]+)"')


class Fault(Exception):
    """What is wrong with the documents."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "docs", help="kept for the next time [%(default)s]")
    parser.add_argument("--site", type=Path, default=ROOT / "src" / "provender" / "site", help="[%(default)s]")
    options = parser.parse_args()
    try:
        gather(options.work / "source")
    except Fault as fault:
        sys.stderr.write(f"build_docs: {fault}\n")
        return 1
    command = [sys.executable, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--jobs", "auto", "--quiet"]
    command += ["--conf-dir", str(DOCS / "site"), "--doctree-dir", str(options.work / "doctrees")]
    command += ["--fresh-env"] if _is_outdated(options.work / "doctrees" / "environment.pickle") else []
    command += [str(options.work / "source"), str(options.work / "html")]
    done = subprocess.run(command, check=False)  # noqa: S603 - It is our own command.
    if done.returncode == 0:
        install(options.work / "html", options.site)
    else:
        # Sphinx does not warn again of a page that it has read before.
        shutil.rmtree(options.work / "doctrees", ignore_errors=True)
    return done.returncode


def _is_outdated(environment: Path) -> bool:
    """Whether pages were read by other code: Sphinx itself does not notice."""
    code = max(path.stat().st_mtime for path in (DOCS / "site" / "conf.py", Path(__file__)))
    return environment.exists() and environment.stat().st_mtime < code


def gather(folder: Path) -> None:
    """Write every page into the folder, under the name that it has on the site. What has not changed is not touched."""
    names = site_names()
    wanted = {}
    for original, name in names.items():
        if original.suffix != ".md":
            wanted[folder / name] = original.read_bytes()
            continue
        text = _with_links_of_the_site(original, names)
        if name == "index.md":
            text += _navigation(text, names)
        elif name == "decisions/index.md":
            text += _tree("", re.findall(r"^\| \[\d+\]\(([^)]+)\.md\)", text, re.MULTILINE))
        wanted[folder / name] = text.encode()
    for path in [path for path in folder.rglob("*") if path.is_file() and path not in wanted]:
        path.unlink()
    for path, content in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)


def site_names() -> dict[Path, str]:
    """Every file that the site is made of, and its name there."""
    files = [*DOCS.rglob("*.md"), *(DOCS / "images").iterdir()]
    names = {file: str(file.relative_to(DOCS)) for file in files}
    return names | {ROOT / original: name for original, name in _NAMES.items()}


def _with_links_of_the_site(page: Path, names: dict[Path, str]) -> str:
    def rewritten(link: re.Match[str]) -> str:
        target = (page.parent / link[1]).resolve()
        if target not in names:
            raise Fault(f"{page.relative_to(ROOT)} has a link to {link[1]}, which is not on the site.")
        return os.path.relpath(names[target], Path(names[page]).parent)

    return _LINK.sub(rewritten, page.read_text())


def _navigation(text: str, names: dict[Path, str]) -> str:
    """The pages in the order of the table, in the parts of the navigation."""
    pages = [page for page in re.findall(r"^\| \[[^\]]+\]\(([^)]+)\.md\)", text, re.MULTILINE)]
    parts = {part: [page for page in pages if page.startswith(begin)] for part, begin in _PARTS.items()}
    if lost := set(pages) - {page for part in parts.values() for page in part}:
        raise Fault(f"no part of the navigation is that of {', '.join(sorted(lost))}.")
    return "".join(_tree(part, parts[part]) for part in _PARTS)


def _tree(caption: str, pages: list[str]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}" if caption else ":titlesonly:", "", *pages, "```", ""])


def install(built: Path, site: Path) -> None:
    """Put what was built in the place of what is there, with the list that the server goes by."""
    fresh = site.with_name(f"{site.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(built, fresh, ignore=shutil.ignore_patterns(*_NOT_SERVED))
    (fresh / "site.json").write_text(json.dumps(listing(fresh), indent=1))
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
