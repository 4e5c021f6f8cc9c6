"""Addresses as they are shown to people."""


def url_of(host: str, port: int) -> str:
    """Where a server that listens there is reached from this machine."""
    near = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host  # noqa: S104 - compared, not bound
    return f"http://{f'[{near}]' if ':' in near else near}:{port}"
