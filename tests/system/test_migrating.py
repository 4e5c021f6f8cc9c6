"""What the pages about moving from another API tell people to run, against a real server."""

import json
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from provender.catalogue.folder import CatalogueFolder
from provender.settings import Settings
from tests.pantry import BANANA
from tests.system.commands import call, environment, printed
from tests.system.server import Server, serving

DOCS = Path(__file__).parent.parent.parent / "docs"
FATSECRET = DOCS / "how-to-migrate-from-fatsecret.md"
PUBLIC_API = DOCS / "how-to-migrate-from-the-public-api.md"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, catalogue_folder: CatalogueFolder) -> Iterator[Server]:
    data_dir = tmp_path_factory.mktemp("migrating") / "data"
    data_dir.mkdir(mode=0o700)
    (data_dir / "catalogue").symlink_to(catalogue_folder.path)
    with serving(Settings(data_dir=data_dir)) as started:
        yield started


@pytest.fixture
def key(server: Server) -> str:
    """A key of an application of the test's own."""
    settings = Settings(data_dir=server.stdout_path.parent / "data")
    name = f"application-{secrets.token_hex(4)}"
    return printed(call("keys", "create", "--application", name, settings=settings)).strip()


def run_curls(page: Path, server: Server, key: str) -> list[str]:
    """Run every curl of a page in its order; their answers. Each must succeed."""
    commands = re.findall(r"^ {4,}(curl .*)$", page.read_text(), re.MULTILINE)
    answers = []
    for command in commands:
        here = command.replace("http://127.0.0.1:8000", server.url)
        done = subprocess.run(
            ["bash", "-c", here.replace("curl ", "curl --silent --show-error --fail-with-body ", 1)],
            env=environment() | {"KEY": key},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        answers.append(done.stdout)
    return answers


def test_what_the_page_about_fatsecret_says_works(server: Server, key: str) -> None:
    answers = run_curls(FATSECRET, server, key)
    assert len(answers) == 8
    summary = json.loads(answers[-1])
    assert [day["entries"] for day in summary["data"]] == [1, 1]
    assert summary["total"]["macro_nutrients"]["energy_kcal"] == pytest.approx(3 * 118 / 100 * 89, rel=1e-3)


def test_what_the_page_about_the_public_api_says_works(server: Server, key: str) -> None:
    with server.client(key) as client:
        assert client.post("/v1/profiles", data={"reference_id": "bob"}).status_code == 201
    answers = run_curls(PUBLIC_API, server, key)
    assert len(answers) == 8
    assert {"vitamins", "minerals"} < json.loads(answers[1]).keys()
    assert json.loads(answers[-1])["deleted"] is True


def test_the_two_calls_that_the_page_warns_of_are_refused_without_a_profile(server: Server, key: str) -> None:
    with server.client(key) as client:
        for path in (f"/v1/foods/favorites/{BANANA.id}", f"/v1/foods/custom/{BANANA.id}"):
            refused = client.delete(path)
            assert refused.status_code == 400
            assert [fault["param"] for fault in refused.json()["errors"]] == ["profile_reference_id"]


def test_the_program_of_the_page_about_fatsecret_moves_a_user(server: Server, key: str, tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(.*?)```", FATSECRET.read_text(), re.DOTALL)
    [foods] = re.findall(r"^ +(\{\"4384/16758\".*)$", FATSECRET.read_text(), re.MULTILINE)
    entry = {"food_id": "4384", "serving_id": "16758", "number_of_units": "2.000", "meal": "Other"}
    days = [*range(20517, 20517 + 110)]
    user = {"user_id": "alice", "food_entries": [entry | {"date_int": str(day)} for day in days], "favorites": [entry]}
    (tmp_path / "foods.json").write_text(foods)
    (tmp_path / "alice.json").write_text(json.dumps(user))
    # Whoever follows the page has made the profile already, where it needs custom foods.
    with server.client(key) as client:
        assert client.post("/v1/profiles", data={"reference_id": "alice"}).status_code == 201
    done = subprocess.run(
        [sys.executable, "-c", program, "alice.json"],
        cwd=tmp_path,
        env=environment() | {"PROVENDER_URL": server.url, "PROVENDER_API_KEY": key},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with server.client(key) as client:
        asked = {"profile_reference_id": "alice", "from": "2026-03-01", "to": "2026-12-31"}
        summary = client.get("/v1/diary-logs/summary", params=asked).json()
        favorites = client.get("/v1/foods/favorites", params={"profile_reference_id": "alice"}).json()
    assert summary["total"]["entries"] == 110
    assert [food["_id"] for food in favorites["data"]] == [BANANA.id]
