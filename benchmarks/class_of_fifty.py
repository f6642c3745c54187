"""A class in front of one server: visitors that each move a control every two seconds.

Run it with ``python -m benchmarks.class_of_fifty [--users 1 20 50] [--scene NAME ...]``. Visitors
are raw websocket sessions that speak Streamlit's protocol, each with a seed of its own, so that
every change asks for a tree that the server has not grown before; the table says what share of the
changes was asked for before. A change counts from the moment it is sent to the end of the script's
run, transfer included; a run that ends with a progress bar in place of the picture goes on counting
until the picture is there. ``--shared`` gives all visitors the same seed and the same moves: a
class that opened one link. ``--workers N`` serves by several processes behind HAProxy, ``--think
0`` finds what they can carry at most. ``--soak MINUTES`` goes on with new seeds and prints what the
server keeps in memory, minute by minute. In the scene "everywhere" visitors of a soak go from page
to page instead, each time with another seed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from urllib.parse import urlparse

import psutil
import websockets
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.e2e.app import ROOT, App, free_port, wait_until_healthy


@dataclass(frozen=True)
class Scene:
    """What a class looks at: a page, its query, and the label of the control that is moved."""

    page: str
    query: str
    control: str


SCENES = {
    "moons": Scene("boundaries", "data=moons&m=cart", "Held out"),
    "rules": Scene("rules", "data=moons&m=cart", "Held out"),
    "splits": Scene("splits", "data=moons&m=cart", "Held out"),
    "growth": Scene("growth", "data=moons&m=cart", "Held out"),
    "pruning": Scene("pruning", "data=moons&m=cart", "Held out"),
    "latent": Scene("latent", "data=wine&m=lsodt", "Held out"),
    "monotone": Scene("monotone", "data=monotone&n_samples=150&m=remt", "Held out"),
    "quiz": Scene("quiz", "data=moons&m=cart", "Held out"),
    "waveform": Scene("boundaries", "data=waveform&n_samples=5000&m=cart", "Held out"),
    "everywhere": Scene("everywhere", "", ""),
}
EVERYWHERE = "everywhere"
MODELS = ("cart", "c45", "lsodt", "hybrid", "gsodt&m2=cart")
DATA = ("moons", "xor", "wine", "breast_cancer", "waveform&n_samples=600")
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
HELD_OUT = range(5, 75, 5)  # percent: the stops of the slider
COLUMNS = (
    "scene", "users", "opened p50 ms", "change p50", "p95", "longest", "changes a s",
    "CPU ms a change", "kB a change", "MiB", "asked before", "with progress first", "faults",
)  # fmt: skip
THINK = 2.0  # seconds between two changes of a visitor, give or take a half
RAMP = 0.1  # seconds between two arrivals
TIMEOUT = 120.0


@dataclass
class Visitor:
    """One session: what it opened, what it waited for."""

    address: str
    scene: Scene
    seed: int
    order: Iterable[float]
    page_hash: str = ""
    query: str = ""
    kept: dict[str, int] = field(default_factory=dict)
    widget: object = None
    opened: float = 0.0
    times: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    faults: int = 0
    unfinished: int = 0

    async def connect(self) -> None:
        """Begin a session."""
        where = urlparse(self.address).netloc
        self.socket = await websockets.connect(
            f"ws://{where}/_stcore/stream", subprotocols=["streamlit"],
            origin=f"http://{where}", max_size=None, open_timeout=TIMEOUT,
        )  # fmt: skip

    async def open(self) -> None:
        """Open the page; the time counts from the request to the picture."""
        begin = time.perf_counter()
        await self._run(None)
        self.opened = 1000 * (time.perf_counter() - begin)

    async def change(self, value: float | None) -> None:
        """Move the control, without one open the next seed; note the time and what was sent."""
        if not self.scene.control:
            self.seed, self.query, value = int(value), "", None
        begin = time.perf_counter()
        size = await self._run(value)
        self.times.append(1000 * (time.perf_counter() - begin))
        self.sizes.append(size)

    async def _run(self, value: float | None) -> int:
        """Ask for a run, until there is no progress bar in it; return the bytes received."""
        request, size = self._request(value), 0
        while True:
            await self.socket.send(request.SerializeToString())
            seen: set[str] = set()
            while "end" not in seen:
                raw = await asyncio.wait_for(self.socket.recv(), TIMEOUT)
                size += len(raw)
                self._note(raw, seen)
            if "progress" not in seen:
                self.faults += bool(self.scene.control) and "control" not in seen
                return size
            self.unfinished += 1
            await asyncio.sleep(0.5)  # as the page's own progress bar asks

    def _request(self, value: float | None) -> BackMsg:
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string = self.query or f"{self.scene.query}&seed={self.seed}"
        rerun.page_name = "" if self.page_hash else self.scene.page
        rerun.page_script_hash = self.page_hash
        rerun.context_info.timezone = "UTC"
        rerun.context_info.url = self.address
        # As a browser: messages of this run and the last need not be sent again.
        self.kept = {name: age + 1 for name, age in self.kept.items() if age < 2}
        rerun.cached_message_hashes.extend(self.kept)
        if value is not None:
            state = rerun.widget_states.widgets.add()
            state.id = self.widget.id
            if self.widget.DESCRIPTOR.name == "Slider":
                state.double_array_value.data.append(value)
            else:
                state.double_value = value
        return message

    def _note(self, raw: bytes, seen: set[str]) -> None:
        """Take one message of the server; `seen` collects what a run showed."""
        forward = ForwardMsg()
        forward.ParseFromString(raw)
        kind = forward.WhichOneof("type")
        if kind == "ref_hash":
            self.kept[forward.ref_hash] = 0
        elif forward.metadata.cacheable:
            self.kept[forward.hash] = 0
        if kind == "navigation":
            self.page_hash = forward.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = forward.page_info_changed.query_string
        elif kind == "page_not_found":
            self.faults += 1
        elif kind == "script_finished":
            if forward.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                seen.add("end")
        elif kind == "delta" and forward.delta.WhichOneof("type") == "new_element":
            self._look_at(forward.delta.new_element, seen)

    def _look_at(self, element: Element, seen: set[str]) -> None:
        name = element.WhichOneof("type")
        if name == "exception" or (name == "alert" and element.alert.format == Alert.ERROR):
            self.faults += 1
        elif name == "progress":
            seen.add("progress")
        elif name in ("slider", "number_input"):
            widget = getattr(element, name)
            if widget.label == self.scene.control:
                self.widget = widget
                seen.add("control")


class Wanderer(Visitor):
    """A session that goes from page to page, with data, models and a seed by its number."""

    async def change(self, value: float) -> None:
        """Open the next page."""
        n = int(value)
        page, data = PAGES[n % len(PAGES)], DATA[n // len(PAGES) % len(DATA)]
        model = MODELS[n // (len(PAGES) * len(DATA)) % len(MODELS)]
        self.page_hash = ""
        self.scene = Scene("" if page == "home" else page, f"data={data}&m={model}", "")
        await super().change(value)


async def visit(visitor: Visitor, arrived: asyncio.Event, think: float, until: float) -> None:
    """Change what is shown again and again, to the end of the visitor's values or of the time."""
    await arrived.wait()
    await asyncio.sleep(random.random() * think)
    for value in visitor.order:
        if time.monotonic() > until:
            return
        await visitor.change(value)
        await asyncio.sleep(think * (0.5 + random.random()))


async def arrival(visitor: Visitor, when: float) -> None:
    await asyncio.sleep(when)
    await visitor.connect()
    await visitor.open()


def quantile(values: list[float], share: float) -> float:
    values = sorted(values)
    return values[min(len(values) - 1, round(share * (len(values) - 1)))]


class Server:
    """The processes that answer at an address, jobs and workers included."""

    def __init__(self, address: str):
        port = urlparse(address).port
        (listener,) = {
            each.pid for each in psutil.net_connections("tcp")
            if each.status == "LISTEN" and each.laddr.port == port
        }  # fmt: skip
        self.first = psutil.Process(listener)
        above = self.first.parent()
        if above is not None and "lastviz.serve" in above.cmdline():
            self.first = above  # the proxy and the workers are its children

    def processes(self) -> list[psutil.Process]:
        """Return those that live now."""
        return [self.first, *self.first.children(recursive=True)]

    def seconds(self) -> float:
        """Return the processor time used so far by those that live."""
        return sum(sum(each.cpu_times()[:2]) for each in self.processes())

    def megabytes(self) -> float:
        """Return the resident memory; pages that processes share count in each of them."""
        return sum(each.memory_info().rss for each in self.processes()) / 2**20


def class_of(address: str, scene: Scene, users: int, changes: int, shared: bool) -> list[Visitor]:
    """Return the visitors of a class, each with a seed and an order of the values of its own."""
    rng = random.Random(users)
    visitors = []
    kind = Wanderer if scene.page == EVERYWHERE else Visitor
    if kind is Wanderer:
        scene = SCENES["moons"]
    for i in range(users):
        order = list(HELD_OUT)
        (random.Random(0) if shared else rng).shuffle(order)
        seed = 1 if shared else 1000 * users + i
        visitors.append(kind(address, scene, seed, order[:changes]))
    return visitors


async def level(server: Server, visitors: list[Visitor], think: float) -> str:
    """Let the visitors come and change; return a row of the table."""
    arrived = asyncio.Event()
    await asyncio.gather(*(arrival(v, RAMP * i) for i, v in enumerate(visitors)))
    begin, used = time.perf_counter(), server.seconds()
    arrived.set()
    await asyncio.gather(*(visit(v, arrived, think, float("inf")) for v in visitors))
    wall, used = time.perf_counter() - begin, server.seconds() - used
    times = [t for v in visitors for t in v.times]
    opened = [v.opened for v in visitors]
    sizes = [s for v in visitors for s in v.sizes]
    asked = {(v.seed, value) for v in visitors for value in v.order}
    for visitor in visitors:
        await visitor.socket.close()
    return (
        f"| {len(visitors)} | {statistics.median(opened):.0f} | {statistics.median(times):.0f} "
        f"| {quantile(times, 0.95):.0f} | {max(times):.0f} | {len(times) / wall:.1f} "
        f"| {1000 * used / len(times):.0f} | {statistics.median(sizes) / 1000:.0f} "
        f"| {server.megabytes():.0f} | {1 - len(asked) / len(times):.0%} "
        f"| {sum(v.unfinished for v in visitors)} | {sum(v.faults for v in visitors)} |"
    )


async def soak(server: Server, visitors: list[Visitor], minutes: int) -> None:
    """Let the visitors go on with seeds that nobody has had; print the memory of each minute."""
    for i, visitor in enumerate(visitors):
        visitor.scene = replace(visitor.scene, control="")
        # Wanderers that step by the number of pages would stay on one.
        visitor.order = (
            count(10**6 + 1000 * i)
            if isinstance(visitor, Wanderer)
            else count(10**6 + i, len(visitors))
        )
    arrived = asyncio.Event()
    await asyncio.gather(*(arrival(v, RAMP * i) for i, v in enumerate(visitors)))
    arrived.set()
    until = time.monotonic() + 60 * minutes
    visits = asyncio.gather(*(visit(v, arrived, THINK, until) for v in visitors))
    kept = []
    for minute in range(1, minutes + 1):
        await asyncio.sleep(60)
        kept.append(server.megabytes())
        times = [t for v in visitors for t in v.times]
        faults = sum(v.faults for v in visitors)
        print(f"| {minute} | {kept[-1]:.0f} | {len(times)} | {statistics.median(times):.0f} "
              f"| {faults} |", flush=True)  # fmt: skip
    await visits
    if minutes > 3:
        print(f"\nminute {minutes} over minute 3: {kept[-1] / kept[2]:.3f}")


@contextmanager
def served(folder: Path, workers: int) -> Iterator[str]:
    """Serve the app by so many processes; yield its address once all of them answer."""
    if workers == 1:
        with App(folder) as app:
            yield app.address
        return
    port, log = free_port(), folder / "log.txt"
    command = [sys.executable, "-m", "lastviz.serve", "--workers", str(workers)]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--port", str(port)], cwd=ROOT, stdout=out, stderr=out
        )
    try:
        address = f"http://localhost:{port}"
        wait_until_healthy(address, process, log)
        while log.read_text().count("is served on http://127.0.0.1") < workers:
            time.sleep(0.1)
        time.sleep(2)  # the proxy looks each second
        yield address
    finally:
        process.terminate()
        process.wait(timeout=60)


def main() -> None:
    parser = argparse.ArgumentParser(description="A class of visitors before one server.")
    parser.add_argument("--users", type=int, nargs="+", default=[1, 20, 50])
    parser.add_argument("--scene", nargs="+", choices=SCENES, default=list(SCENES)[:-1])
    parser.add_argument("--changes", type=int, default=8)
    parser.add_argument("--think", type=float, default=THINK)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--soak", type=int, default=0, metavar="MINUTES")
    options = parser.parse_args()
    columns = ("minute", "MiB", "changes", "p50 ms", "faults") if options.soak else COLUMNS
    print(f"\n| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for name in options.scene:
        for users in options.users:
            with (
                tempfile.TemporaryDirectory() as folder,
                served(Path(folder), options.workers) as address,
            ):
                visitors = class_of(address, SCENES[name], users, options.changes, options.shared)
                if options.soak:
                    asyncio.run(soak(Server(address), visitors, options.soak))
                else:
                    row = asyncio.run(level(Server(address), visitors, options.think))
                    print(f"| {name} {row}", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    main()
