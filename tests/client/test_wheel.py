"""The client as a distribution of its own."""

import tarfile
import zipfile
from pathlib import Path

from provender_client import __version__
from tests.client.installing import PACKAGE, ROOT, run_python


def test_the_wheel_has_the_client_its_types_and_its_licence_and_asks_for_httpx_alone(built: Path) -> None:
    [wheel] = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        info = f"provender_client-{__version__}.dist-info"
        metadata = archive.read(f"{info}/METADATA").decode()
    sources = {f"provender_client/{path.relative_to(PACKAGE)}" for path in PACKAGE.rglob("*.py")}
    assert {name for name in names if not name.startswith(info)} == sources | {"provender_client/py.typed"}
    assert f"{info}/licenses/LICENSE" in names
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    assert required == ["Requires-Dist: httpx>=0.28"]
    assert (PACKAGE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_a_wheel_can_be_built_of_the_source_distribution_alone(built: Path, tmp_path: Path) -> None:
    [sdist] = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()
    run_python("-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path / "dist"), cwd=unpacked)
    [wheel], [first] = (tmp_path / "dist").glob("*.whl"), built.glob("*.whl")
    with zipfile.ZipFile(wheel) as again, zipfile.ZipFile(first) as archive:
        assert sorted(again.namelist()) == sorted(archive.namelist())
