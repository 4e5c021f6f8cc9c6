"""`scripts/audit.py`, which `make lint` runs: what it says, and its exit code, for each thing that can come of it."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.system.commands import environment
from tests.system.server import free_port

SCRIPT = Path(__file__).parents[1] / "scripts" / "audit.py"
LOCK = f"click==8.1.0 --hash=sha256:{'a' * 64}\nrich==14.0.0 --hash=sha256:{'b' * 64}\n"

# As OSV describes it.
ADVISORY = {
    "id": "PYSEC-2026-1",
    "summary": "It is not safe.",
    "affected": [
        {
            "package": {"name": "click", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "8.1.1"}]}],
        }
    ],
}


@contextmanager
def _service(*, vulnerable: str = "", asked: int = 1000, nonsense: bool = False) -> Iterator[str]:
    """An advisory service that knows one vulnerable package at most, and answers so many questions."""
    left = asked

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            nonlocal left
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            left -= 1
            name = question["package"]["name"]
            answer = {"vulns": [ADVISORY]} if name == vulnerable else {}
            body = b"<html>sign in</html>" if nonsense else json.dumps(answer).encode()
            self.send_response(200 if left >= 0 else 503)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1/query"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "lock.txt"
    path.write_text(LOCK)
    return path


def _audit(service: str, lock: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--service", service, str(lock)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def test_nothing_known_is_said_in_a_line(lock: Path) -> None:
    with _service() as service:
        assert _audit(service, lock) == (0, "pip-audit: nothing is known against the 2 packages\n")


def test_what_is_vulnerable_fails_and_is_named(lock: Path) -> None:
    with _service(vulnerable="click") as service:
        exit_code, said = _audit(service, lock)
    assert exit_code == 1
    assert said == "pip-audit:\nclick 8.1.0: PYSEC-2026-1, mended in 8.1.1\n"


def test_a_service_that_cannot_be_reached_is_said_and_fails_nothing(lock: Path) -> None:
    skipped = (0, "pip-audit: skipped, the advisory service cannot be reached\n")
    assert _audit(f"http://127.0.0.1:{free_port()}/v1/query", lock) == skipped
    # A network that shows a page to sign in to is none.
    with _service(nonsense=True) as service:
        assert _audit(service, lock) == skipped


def test_an_audit_that_is_broken_is_neither(lock: Path) -> None:
    lock.write_text("click is what we need\n")
    with _service() as service:
        exit_code, said = _audit(service, lock)
    assert exit_code == 2
    assert said.startswith("pip-audit does not work: ")


def test_a_service_that_fails_while_it_is_asked_finds_nothing_to_be_safe(lock: Path) -> None:
    with _service(asked=2) as service:
        exit_code, said = _audit(service, lock)
    assert (exit_code, "nothing is known" in said) != (0, True)
