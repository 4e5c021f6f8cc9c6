"""Which modules a page needs, read from their sources."""

from provender.console.assets import load_assets, modules_needed

SOURCES = {
    "page.js": b'// import "./no.js"\nimport { a } from "./a.js";\nimport {\n  b,\n  c,\n} from "./b.js";\n',
    "layout.js": b"import './c.js';\nimport { b } from './b.js';\n",
    "a.js": b'import { d } from "./c.js";\nexport const said = "import it from ./no.js";\n',
    "b.js": b'import { a } from "./a.js";\nimport { page } from "./page.js";\n',
    "c.js": b"export const d = 1;\n",
    "no.js": b"",
}


def test_all_that_is_imported_is_needed_once_and_what_runs_first_comes_first() -> None:
    assert modules_needed(("page.js",), SOURCES) == ["c.js", "a.js", "b.js"]
    assert modules_needed(("layout.js", "page.js"), SOURCES) == ["c.js", "a.js", "b.js"]
    assert modules_needed(("no.js",), SOURCES) == []


def test_modules_are_imported_in_no_other_way() -> None:
    """A module that another page's script imports later, or by a calculated name, would not be seen."""
    scripts = {name: text for name, text in load_assets().contents.items() if name.endswith(".js")}
    for name, text in scripts.items():
        assert b"import(" not in text, name
        assert b'export * from "' not in text, name
        assert text.count(b' from "./') == len(modules_imported(name, scripts)), name


def modules_imported(name: str, sources: dict[str, bytes]) -> list[str]:
    """Those of this module alone."""
    return modules_needed((name,), dict.fromkeys(sources, b"") | {name: sources[name]})
