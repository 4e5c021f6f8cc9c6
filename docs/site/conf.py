# ruff: noqa: INP001 - Sphinx reads it as a file.
"""How Sphinx makes the site of these documents. `scripts/build_docs.py` runs it, on pages that it has gathered."""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

project = "Provender"
html_title = "Provender"
extensions = ["myst_parser"]

# Anchors are those of code hosts, so that a link works there and here; see `setup`.
myst_heading_anchors = 6
# Quotes and hyphens stay as they were typed: most of them are in commands or beside them.
smartquotes = False
# A block without a language is a command or what it prints.
highlight_language = "text"
# Code hosts have colours for more languages.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["provender.css"]
# It stands behind the scripts of the search, so that it can change more than scores.
html_search_scorer = str(Path(__file__).with_name("search.js"))
html_favicon = "static/icon.svg"
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "server.html",
        "navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_use_index = False
html_domain_indices = False


class _WithStatuses(SearchEnglish):
    """Words, and numbers of three digits; `search.js` lets them be asked for."""

    def word_filter(self, word: str) -> bool:
        return super().word_filter(word) or (word.isdigit() and len(word) == 3)


def setup(app: Sphinx) -> None:
    app.add_search_language(_WithStatuses)
    # Before the table of contents is made of the sections.
    app.connect("doctree-read", _name_sections_as_code_hosts_do, priority=400)
    app.connect("html-page-context", _let_keyboards_scroll)


def _name_sections_as_code_hosts_do(_app: Sphinx, document: nodes.document) -> None:
    """A section gets both names: Sphinx makes `a-b` of `a_b`, and `get` of `1. Get`, where they have `1-get`."""
    for section in document.findall(nodes.section):
        slug = section.get("slug")
        if slug is None or slug in section["ids"]:
            continue
        # The first is the one that is shown. The search's script takes none that begins with a digit.
        place = len(section["ids"]) if slug[0].isdigit() else 0
        section["ids"].insert(place, slug)


def _let_keyboards_scroll(_app: Sphinx, _page: str, _template: str, context: dict[str, str], _tree: object) -> None:
    """Long lines and wide tables are pushed sideways, above all on a phone. Without a pointer that needs the focus."""
    body = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
    context["body"] = body.replace('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper')
