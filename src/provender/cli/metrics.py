"""The port that Prometheus reads: a small HTTP server in a thread of the main process, for `/metrics` alone."""

import logging
import os
import socket
import socketserver
import sys
import threading
from typing import Any
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import MetricsHandler
from prometheus_client.registry import Collector

_log = logging.getLogger(__name__)

PATH = "/metrics"


class _Handler(MetricsHandler):
    # Whoever connects and says nothing is not waited for.
    timeout = 10

    def do_GET(self) -> None:  # noqa: N802 - The library's own name.
        if urlsplit(self.path).path == PATH:
            super().do_GET()
        else:
            self.send_error(404, explain=f"There is nothing here but {PATH}.")


class MetricsPort(socketserver.ThreadingTCPServer):
    """Bound when it is made, so that a port that is taken is known at once; it answers from `start` on."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, host: str, port: int) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        self.address_family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        super().__init__((str(address[0]), port), _Handler.factory(self.registry))
        # Workers are forked, with all that is open. One that outlives the main process must not keep its port.
        os.register_at_fork(after_in_child=self.socket.close)

    def start(self, figures: Collector) -> None:
        self.registry.register(figures)
        threading.Thread(target=self.serve_forever, name="provender-metrics", daemon=True).start()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - The library's own signature.
        if not isinstance(sys.exception(), OSError):
            _log.exception("the metrics could not be read")
