"""What a moved parameter sends: bytes over the websocket, by what they are.

Run it with ``python -m benchmarks.traffic [--scene NAME ...] [--changes N]``. One visitor, who
speaks Streamlit's protocol as a browser does (what it still has is not sent again), moves the
smallest leaf of its tree, or the share of the rows held out: other rows and another tree of full
size each time, the heaviest of all. Printed are medians of kB a change: all of it, what
the browser sends, and the largest kinds of what it is sent: elements by name, components of ours
by theirs.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.class_of_fifty import HELD_OUT, Scene, Visitor, served

VALUES = {"Smallest leaf (rows)": range(2, 10), "Held out": HELD_OUT}
WAVEFORM = "data=waveform&n_samples=5000&m=cart"
SCENES = {
    "moons": Scene("boundaries", "data=moons&m=cart", "Held out"),
    "waveform, leaf": Scene("boundaries", WAVEFORM, "Smallest leaf (rows)"),
    "waveform": Scene("boundaries", WAVEFORM, "Held out"),
    "waveform, 2 models": Scene("boundaries", f"{WAVEFORM}&m2=c45", "Held out"),
    "rules, leaf": Scene("rules", WAVEFORM, "Smallest leaf (rows)"),
    "rules": Scene("rules", WAVEFORM, "Held out"),
    "splits, leaf": Scene("splits", WAVEFORM, "Smallest leaf (rows)"),
    "splits": Scene("splits", WAVEFORM, "Held out"),
    "growth": Scene("growth", WAVEFORM, "Held out"),
}
SHOWN = 4  # kinds of messages


@dataclass
class Weigher(Visitor):
    """A visitor who notes what each change was made of."""

    weights: Counter = field(default_factory=Counter)
    changes: list[Counter] = field(default_factory=list)

    async def change(self, value: float) -> None:
        """Move the control; note what was sent."""
        self.weights = Counter(request=len(self._request(value).SerializeToString()))
        await super().change(value)
        self.changes.append(self.weights)

    def _note(self, raw: bytes, seen: set[str]) -> None:
        super()._note(raw, seen)
        forward = ForwardMsg()
        forward.ParseFromString(raw)
        self.weights[_kind(forward)] += len(raw)


def _kind(forward: ForwardMsg) -> str:
    if forward.WhichOneof("type") != "delta":
        return forward.WhichOneof("type")
    if forward.delta.WhichOneof("type") != "new_element":
        return forward.delta.WhichOneof("type")
    element = forward.delta.new_element
    name = element.WhichOneof("type")
    return element.bidi_component.component_name if name == "bidi_component" else name


async def weigh(address: str, scene: Scene, changes: int) -> list[Counter]:
    """Return what each of some changes was made of, in bytes."""
    visitor = Weigher(address, scene, 1, ())
    await visitor.connect()
    await visitor.open()
    for value in list(VALUES[scene.control])[:changes]:
        await visitor.change(value)
    await visitor.socket.close()
    if visitor.faults:
        raise SystemExit(f"{scene.page}: {visitor.faults} faults")
    return visitor.changes


def row(name: str, changes: list[Counter]) -> str:
    """Return a row of the table."""
    median = {
        kind: statistics.median(change[kind] for change in changes) / 1000
        for kind in {kind for change in changes for kind in change}
    }
    asked = median.pop("request")
    total = statistics.median(sum(change.values()) - change["request"] for change in changes)
    largest = sorted(median, key=median.get, reverse=True)[:SHOWN]
    words = ", ".join(f"{kind} {median[kind]:.1f}" for kind in largest)
    return f"| {name} | {total / 1000:.1f} | {asked:.1f} | {words} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Bytes that a moved parameter sends.")
    parser.add_argument("--scene", nargs="+", choices=SCENES, default=list(SCENES))
    parser.add_argument("--changes", type=int, default=8)
    options = parser.parse_args()
    print("\n| scene | kB received | kB sent | of it |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), 1) as address:
        for name in options.scene:
            changes = asyncio.run(weigh(address, SCENES[name], options.changes))
            print(row(name, changes), flush=True)


if __name__ == "__main__":
    main()
