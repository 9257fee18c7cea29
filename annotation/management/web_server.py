"""How the web server is started."""

import socket
import subprocess
import sys
import time
from contextlib import closing

STARTS_WITHIN_SECONDS = 60.0


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


def free_port(first: int) -> int:
    """Return the first port from `first` on that nobody listens on."""
    return next(port for port in range(first, first + 100) if not _listening(port))


def start_server(port: int, *, workers: int = 2) -> subprocess.Popen[bytes]:
    """Start the web server on this machine and return when it answers."""
    server = subprocess.Popen(server_arguments(f"127.0.0.1:{port}", workers=workers))  # noqa: S603
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
