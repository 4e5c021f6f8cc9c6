# ruff: noqa: INP001 - A script is no part of a package.
"""Asks the advisory service whether anything in the lock files is known to be vulnerable. `make lint` runs it.

Three things must not be taken for each other: that something is vulnerable (exit code 1, with a list), that nobody
could be asked (exit code 0, and a line that says so), and that the audit itself is broken (exit code 2, with its last
words).
"""

import argparse
import json
import subprocess
import sys
import urllib.error
import urllib.request
from typing import Any

SERVICE = "https://api.osv.dev/v1/query"
LOCK_FILES = ("requirements/run.txt", "requirements/dev.txt")

_WITHIN_S = 5
_SKIPPED = "pip-audit: skipped, the advisory service cannot be reached"
# What pip-audit says where its service is gone while it asks.
_UNREACHABLE = ("could not connect", "connectionerror", "connect timeout", "max retries exceeded", "read timed out")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--service", default=SERVICE, help="an address that answers as OSV does [%(default)s]")
    parser.add_argument("files", nargs="*", default=LOCK_FILES, help="lock files with hashes [those of this project]")
    options = parser.parse_args()
    if not can_be_reached(options.service):
        return _say(_SKIPPED, 0)
    command = [sys.executable, "-m", "pip_audit", "--vulnerability-service", "osv", "--osv-url", options.service]
    command += ["--format", "json", "--progress-spinner", "off", "--timeout", str(_WITHIN_S)]
    # Nothing is resolved, downloaded or installed: the lock files say it all.
    command += ["--require-hashes", "--disable-pip", "--strict"]
    for file in options.files:
        command += ["--requirement", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - It is our own command.
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        if any(words in done.stderr.casefold() for words in _UNREACHABLE):
            return _say(_SKIPPED, 0)
        return _say(f"pip-audit does not work: {done.stderr.strip() or done.stdout.strip()}", 2)
    return _judge(packages)


def can_be_reached(service: str) -> bool:
    """Whether somebody answers there who knows a package that everybody has."""
    question = json.dumps({"package": {"name": "pip", "ecosystem": "PyPI"}, "version": "26.0"}).encode()
    request = urllib.request.Request(service, question, {"Content-Type": "application/json"})  # noqa: S310 - An option of ours.
    try:
        with urllib.request.urlopen(request, timeout=_WITHIN_S) as answer:  # noqa: S310
            return isinstance(json.load(answer), dict)
    except (OSError, ValueError):
        return False


def _judge(packages: list[dict[str, Any]]) -> int:
    lines = {
        f"{each['name']} {each['version']}: {found['id']}, mended in {', '.join(found['fix_versions']) or 'no release'}"
        for each in packages
        for found in each.get("vulns", ())
    }
    # A package that was left out was not found to be safe.
    lines |= {f"{each['name']}: not audited, {each['skip_reason']}" for each in packages if "skip_reason" in each}
    if lines:
        return _say("\n".join(["pip-audit:", *sorted(lines)]), 1)
    return _say(f"pip-audit: nothing is known against the {len({each['name'] for each in packages})} packages", 0)


def _say(words: str, exit_code: int) -> int:
    sys.stdout.write(words + "\n")
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
