"""What the small pages of the server have in common: their frame, their style, and what a browser may load for them."""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Provender</title>
{head}
</head>
<body>
{body}
</body>
</html>
"""

STYLE = """<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2.2rem 0 0.2rem; font-size: 1.15rem; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
code { font: 0.92em ui-monospace, monospace; background: #8882; padding: 0.1em 0.3em; border-radius: 0.25em; }
p { margin: 0.3rem 0; }
.status { opacity: 0.75; }
section:target { outline: 0.15rem solid #2a7; outline-offset: 0.6rem; border-radius: 0.2rem; }
</style>"""

# No page has an icon of its own yet, and none is looked for.
PLAIN_HEAD = f'{STYLE}\n<link rel="icon" href="data:,">'

POLICY = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
