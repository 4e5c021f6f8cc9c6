"""The machine that how-tos are followed on: a folder in which everything is that they take to be on the reader's own.

Below it are the folders of an installation as in how-to-deploy.md too, and what needs root or systemd is done by shell
functions, which start and stop a real server.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.conftest import PostgresqlServer
from tests.documents.running import ADDRESS, Reader
from tests.documents.shell import Shell
from tests.system.commands import environment
from tests.system.server import free_port

# The address of a page's database, by how pages write it; ours listens on a socket only.
DATABASES = ("postgresql://provender:change-me@127.0.0.1/", "postgresql://provender@db.example/")
SOCKETS = "/var/run/postgresql"
INSTALLED = ("/opt/provender", "/var/lib/provender")
METRICS = "9464"

_FUNCTIONS = """
serve() {
    "$@" > server.out 2>&1 &
    SERVER=$!
    for _ in {1..600}; do
        if curl --output /dev/null "http://127.0.0.1:$PROVENDER_PORT/readyz" 2> /dev/null; then
            grep -v '^{' server.out
            return 0
        fi
        kill -0 $SERVER 2> /dev/null || break
        sleep 0.05
    done
    cat server.out
    return 1
}
systemctl() {
    case "$*" in
        "stop provender") kill "$SERVER" && wait "$SERVER" ;;
        "start provender" | "enable --now provender")
            serve env PROVENDER_DATA_DIR=INSTALLED_DATA INSTALLED_PROGRAM/bin/provender serve ;;
        *) return 1 ;;
    esac
}
# Only ever as the user provender, whom this machine does not have.
sudo() { shift 2; "$@"; }
journalctl() { cat server.out; }
"""


class Machine:
    def __init__(self, folder: Path, shell: Shell, places: dict[str, str]) -> None:
        self.folder, self.shell, self._places = folder, shell, places

    @property
    def reader(self) -> Reader:
        return Reader(self.shell, self._places, lambda command: self.shell.run(f"serve env {command}"), may_hide=True)


@contextmanager
def machine(folder: Path, postgresql: PostgresqlServer | None) -> Iterator[Machine]:
    port = free_port()
    root = folder / "root"
    places = {place: f"{root}{place}" for place in INSTALLED} | {
        ADDRESS: f"http://127.0.0.1:{port}",
        METRICS: str(free_port()),
    }
    path = [str(folder / ".venv" / "bin"), os.environ["PATH"]]
    variables = environment() | {"PROVENDER_PORT": str(port)}
    # Whoever follows a page keeps to the folder of every command, which is below the one that they are in.
    del variables["PROVENDER_DATA_DIR"]
    if postgresql is not None:
        [sockets] = parse_qs(urlsplit(postgresql.url("postgres")).query)["host"]
        for address in DATABASES:
            user = address.removeprefix("postgresql://").partition("@")[0]
            for database in ("provender", "elsewhere"):
                places[address + database] = f"postgresql://{user}@/{database}?host={sockets}"
        places[SOCKETS] = sockets
        path.insert(1, str(postgresql.server.bin_path))
        variables |= {"PGHOST": sockets, "PGUSER": "postgres", "PGDATABASE": "postgres"}
    functions = _FUNCTIONS.replace("INSTALLED_PROGRAM", places[INSTALLED[0]]).replace(
        "INSTALLED_DATA", places[INSTALLED[1]]
    )
    with Shell(folder, variables | {"PATH": os.pathsep.join(path)}, functions) as shell:
        # A request that is refused is a command that fails.
        with (folder / ".curlrc").open("a") as options:
            options.write("fail-with-body\n")
        installed = Path(places[INSTALLED[0]]) / "bin"
        shutil.copytree(folder / ".venv" / "bin", installed)
        yield Machine(folder, shell, places)
        # A server that has to be killed would leave its workers' sockets and files behind.
        shell.run('[ -z "$SERVER" ] || { kill $SERVER; wait $SERVER; } 2> /dev/null')
