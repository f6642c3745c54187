"""Several processes that serve the app behind one address, and how addresses begin.

One interpreter runs one script at a time, so a class needs as many processes (workers) as there
are processors. HAProxy in front of them sends each visitor to the same worker as before, or to
another one if that has died. This process starts them all, replaces workers that die, and stops
them all when it is stopped. Its configuration is ``deploy/haproxy.cfg.template``.

``LASTVIZ_SECRET`` is what the workers sign cookies with; it is made at random if not given, which
suffices as long as all of them are started here.
"""

from __future__ import annotations

import math
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from lastviz import preparation
from lastviz._places import app_folder

from .metrics import PORT as METRICS_PORT
from .metrics import TOKEN as METRICS_TOKEN
from .security import CLOSED, HOSTS, SERVED, embedders, headers

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = app_folder() / "deploy" / "haproxy.cfg.template"
LOOPBACK = "127.0.0.1"
SECRET = "LASTVIZ_SECRET"
CONNECTIONS = 4000  # at once; a page keeps one open

OFTEN = 0.2  # seconds between two looks at the processes
LONG_ENOUGH = 10.0  # seconds after which a process that dies is replaced at once
LONGEST_PAUSE = 30.0  # seconds before the next try where it dies at once again and again
GRACE = 10.0  # seconds for a process to stop

HEALTH = "/_stcore/health"
"""Where a server says that it answers, after its base path."""

PART = re.compile(r"[\w~-][\w.~-]*", re.ASCII)

NOT_ON_WINDOWS = (
    "Several workers need HAProxy, which is not for Windows; serve by one: python -m lastviz"
)
HOW_TO_INSTALL = """\
Several workers need HAProxy in front of them, and there is no program "haproxy" on the PATH.
Install it with
    sudo apt-get install haproxy      (Debian, Ubuntu)
    sudo dnf install haproxy          (Fedora)
    brew install haproxy              (macOS)
or serve by one process, without it: make run"""


def base_path(text: str) -> str:
    """Base path as it stands in addresses: ``tools/lastviz`` is ``/tools/lastviz``.

    Raises
    ------
    ValueError
        If it is none: parts are letters, digits, ``-``, ``_``, ``~`` and dots after the first sign.
    """
    parts = [part for part in text.split("/") if part]
    if "//" in text or not all(map(PART.fullmatch, parts)):
        raise ValueError(f"a base path is like tools/lastviz, got {text!r}")
    return "".join(f"/{part}" for part in parts)


def address_of(host: str, port: int, base: str = "") -> str:
    """Address of a server; that of IPv6 stands in brackets."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{base}"


def configuration(address: str, port: int, worker_ports: Sequence[int], base: str = "") -> str:
    """Configuration of HAProxy.

    Parameters
    ----------
    address : str
        Where visitors come in: a host name or an address, ``"::"`` and the like too.
    port : int
    worker_ports : sequence of int
        The workers' ports on the loopback device.
    base : str, default ""
        What addresses begin with; see :func:`base_path`.
    """
    for number in (port, *worker_ports):
        if not 0 < number < 65536:
            raise ValueError(f"a port must be between 1 and 65535, got {number}")
    if not address or not all(sign.isalnum() or sign in ".:-_" for sign in address):
        raise ValueError(f"address must be a host name or an IP address, got {address!r}")
    servers = [
        f"    server {name} {LOOPBACK}:{number} check cookie {name}"
        for name, number in ((_name(place), n) for place, n in enumerate(worker_ports))
    ]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        bind=f"ipv6@{address}:{port}" if ":" in address else f"{address}:{port}",
        connections=CONNECTIONS,
        headers="\n".join(  # of what HAProxy itself answers, too
            f'    http-after-response set-header {name} "{value}"'
            for name, value in headers(embedders()).items()
        ),
        closed=" ".join(CLOSED),
        health=base_path(base) + HEALTH,
        servers="\n".join(servers),
    )


def worker_environment(environment: dict[str, str], address: str) -> dict[str, str]:
    """Environment of all workers: they sign cookies with one secret.

    It is no part of the command line, which every user of the machine can read. They listen on the
    loopback device, and answer to the address where visitors come in.
    """
    secret = environment.get(SECRET) or secrets.token_hex(32)
    hosts = f"{environment.get(HOSTS, '')} {address}"
    found = {"STREAMLIT_SERVER_COOKIE_SECRET": secret, HOSTS: hosts, SERVED: address}
    return environment | found


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


class Supervised:
    """A process that is started again when it ends.

    Parameters
    ----------
    name : str
        Stands before each line that the process prints.
    command : sequence of str
    environment : dict of str to str
    say : callable
        Is handed a line about the process, or from it.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: dict[str, str],
        say: Callable[[str], None] = say,
    ):
        self.name = name
        self.command = list(command)
        self.environment = environment
        self.say = say
        self.process: subprocess.Popen[str] | None = None
        self.pause = 0.0
        self._started = 0.0
        self._ended = -math.inf

    def start(self) -> None:
        """Start the process, out of reach of a Ctrl-C that is meant for this one."""
        self._started = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="locale",
            errors="replace",
            start_new_session=True,
        )
        threading.Thread(target=self._pass_on, args=(self.process,), daemon=True).start()

    def look(self) -> None:
        """Start the process if it does not run; wait longer each time it ends at once."""
        if self.process is not None:
            status = self.process.poll()
            if status is None:
                return
            self._ended = time.monotonic()
            short = self._ended - self._started < LONG_ENOUGH
            self.pause = min(max(1.0, 2 * self.pause), LONGEST_PAUSE) if short else 0.0
            self.process = None
            self.say(f"{self.name} has ended ({_reason(status)}); another will be started")
        if time.monotonic() - self._ended >= self.pause:
            self.start()

    def stop(self) -> None:
        """Ask the process to end, and end it if it does not."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _pass_on(self, process: subprocess.Popen[str]) -> None:
        with process.stdout:
            for line in filter(str.strip, process.stdout):
                self.say(f"{self.name}: {line.strip()}")


def serve(n_workers: int, address: str, port: int, base: str = "") -> int:
    """Serve under a base path until stopped by a signal; return the exit status."""
    if sys.platform == "win32":
        print(NOT_ON_WINDOWS, file=sys.stderr)
        return 1
    program = shutil.which("haproxy")
    if program is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 1
    hindrance = _hindrance(address, port)
    if hindrance is not None:
        print(f"{address}:{port} cannot be served on: {hindrance}", file=sys.stderr)
        return 1
    ports = _free_ports(n_workers)
    environment = worker_environment(dict(os.environ), address)
    environment["LASTVIZ_WORKERS"] = str(n_workers)
    workers = [
        Supervised(
            _name(place), _worker_command(number, base), environment | _metrics(environment, place)
        )
        for place, number in enumerate(ports)
    ]
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with TemporaryDirectory(prefix="lastviz-") as folder:
        file = Path(folder) / "haproxy.cfg"
        file.write_text(configuration(address, port, ports, base), encoding="utf-8")
        proxy = Supervised("haproxy", [program, "-db", "-f", str(file)], dict(os.environ))
        first = address_of(LOOPBACK, ports[0], base)
        _supervise(workers, first, proxy, stop, address_of(address, port, base))
    say("lastviz has stopped.")
    return 0


def _supervise(
    workers: Sequence[Supervised], first: str, proxy: Supervised, stop: threading.Event, where: str
) -> None:
    """Start all processes, replace those that end until `stop`, then stop all.

    One child compiles for all workers what is not compiled yet.
    """
    compiling = preparation.start(preparation.EVERYTHING)
    running = [*workers]
    announced = False
    try:
        while not stop.is_set():
            for supervised in running:
                supervised.look()
            if compiling is not None and compiling.poll() is not None:
                if compiling.returncode:
                    say(preparation.early_end(compiling.returncode))
                compiling = None
            if not announced and _is_healthy(first):
                announced = True
                running = [*workers, proxy]
                say(f"lastviz is served on {where} by {len(workers)} workers (Ctrl-C stops it)")
            stop.wait(OFTEN)
    finally:
        for supervised in reversed(running):
            supervised.stop()
        if compiling is not None:
            compiling.kill()
            compiling.wait()


def _name(place: int) -> str:
    return f"worker{place + 1}"


def _worker_command(port: int, base: str) -> list[str]:
    where = ["--address", LOOPBACK, "--port", str(port), "--base-path", base]
    return [sys.executable, "-m", "lastviz", *where]


def _metrics(environment: dict[str, str], place: int) -> dict[str, str]:
    """Environment with a worker's own port for a collector.

    The first worker has the first port.

    At the address of all workers a collector would meet now one and now another.
    """
    first = environment.get(METRICS_PORT, "")
    own = str(int(first) + place) if first.isdigit() else first
    return {METRICS_PORT: own, METRICS_TOKEN: ""}


def _reason(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"


def _free_ports(n: int) -> list[int]:
    """Ports of the loopback device that nothing listens on."""
    taken = [socket.socket() for _ in range(n)]
    try:
        for each in taken:
            each.bind((LOOPBACK, 0))
        return [each.getsockname()[1] for each in taken]
    finally:
        for each in taken:
            each.close()


def _hindrance(address: str, port: int) -> str | None:
    """Reason why a server cannot listen there, None if it can."""
    try:
        family, _, _, _, where = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            attempt.bind(where)
    except OSError as error:
        return error.strerror or str(error)
    return None


def _is_healthy(address: str) -> bool:
    try:
        urllib.request.urlopen(address + HEALTH, timeout=1).close()
    except OSError:
        return False
    return True
