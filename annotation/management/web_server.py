"""How the web server is started."""

import os
import socket
import subprocess
import sys
import time
from contextlib import closing

from django.core.management.base import CommandError

STARTS_WITHIN_SECONDS = 60.0
LAST_PORT = 65_535


def server_arguments(bind: str, *, workers: int) -> list[str]:
    """Return the command line of the web server: processes of threads, replaced now and then."""
    return [
        sys.executable,
        "-m",
        "gunicorn",
        "config.wsgi:application",
        f"--bind={bind}",
        f"--workers={workers}",
        "--worker-class=gthread",
        "--threads=8",
        "--max-requests=20000",
        "--max-requests-jitter=2000",
        "--graceful-timeout=20",
        "--log-level=warning",
    ]


def require_free(bind: str) -> None:
    """Refuse an address that is none, or that another program listens on."""
    host, _, port = bind.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) <= LAST_PORT:
        raise CommandError(f"{bind} is not an address and a port such as 127.0.0.1:8000.")
    family = socket.AF_INET6 if host.startswith("[") else socket.AF_INET
    with closing(socket.socket(family)) as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            link.bind((host.strip("[]"), int(port)))
        except OSError as fault:
            raise CommandError(
                f"Nothing can be served on {bind}: {fault.strerror}. End what runs there, or name "
                "another port, such as serve --bind 127.0.0.1:8001."
            ) from None


def free_port(first: int) -> int:
    """Return the first port from `first` on that nobody listens on."""
    return next(port for port in range(first, first + 100) if not _listening(port))


def start_server(port: int, *, workers: int = 2) -> subprocess.Popen[bytes]:
    """Start the web server on this machine and return when it answers."""
    # A request that was refused is no news in a terminal that shows links; LOG_LEVEL says otherwise.
    environment = {"LOG_LEVEL": "ERROR"} | os.environ
    server = subprocess.Popen(  # noqa: S603
        server_arguments(f"127.0.0.1:{port}", workers=workers), env=environment
    )
    deadline = time.monotonic() + STARTS_WITHIN_SECONDS
    while not _listening(port):
        if server.poll() is not None or time.monotonic() > deadline:
            server.kill()
            raise RuntimeError(f"The web server did not start on port {port}; its words are above.")
        time.sleep(0.1)
    return server


def _listening(port: int) -> bool:
    with closing(socket.socket()) as link:
        return link.connect_ex(("127.0.0.1", port)) == 0
