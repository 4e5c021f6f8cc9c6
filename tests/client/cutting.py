"""A proxy before a real server that lets requests through, and cuts the connection when the answer comes."""

import contextlib
import socket
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def cutting_proxy(upstream: int, *, cuts: int) -> Iterator[tuple[int, list[socket.socket]]]:
    """Its port, and the connections that were made to it. The first `cuts` of them get no answer."""
    connections: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    caller, _ = listener.accept()
                    connections.append(caller)
                    server = socket.create_connection(("127.0.0.1", upstream))
                    threading.Thread(target=_copy, args=(caller, server, False), daemon=True).start()
                    answer = (server, caller, len(connections) <= cuts)
                    threading.Thread(target=_copy, args=answer, daemon=True).start()

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        yield listener.getsockname()[1], connections
        # Closing alone does not wake whoever waits in accept.
        listener.shutdown(socket.SHUT_RDWR)
        accepting.join(5)


def _copy(source: socket.socket, target: socket.socket, cut: bool) -> None:
    """From one to the other until it ends, or until something comes where it is to be cut."""
    with contextlib.suppress(OSError):
        while (data := source.recv(65536)) and not cut:
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
