"""A small archive that answers as OpenML does: what the tests ask instead of the real one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from urllib.parse import unquote

from tests.patience import SECONDS

FRUIT = """@RELATION fruit
@ATTRIBUTE number INTEGER
@ATTRIBUTE weight REAL
@ATTRIBUTE colour {green,red,'dark red'}
@ATTRIBUTE sort {pear,apple}
@DATA
1,120.5,green,pear
2,130,red,apple
3,?,'dark red',apple
4,118,?,pear
5,140,red,apple
6,117,green,pear
"""
PRICES = """@RELATION prices
@ATTRIBUTE area REAL
@ATTRIBUTE rooms INTEGER
@ATTRIBUTE price REAL
@DATA
50,2,100.5
80,3,160
120,5,240.25
60,2,118
"""
DAMAGED = "@RELATION damaged\n@ATTRIBUTE a REAL\n@ATTRIBUTE b {x,y}\n@DATA\n1,x\n2,z,9\n"


def _feature(name: str, kind: str, **flags: str) -> dict:
    usual = {"is_target": "false", "is_ignore": "false", "is_row_identifier": "false"}
    return {"name": name, "data_type": kind, "number_of_missing_values": "0", **usual, **flags}


TARGET = {"is_target": "true"}
SETS = {
    7: ("fruit", FRUIT, [
        _feature("number", "numeric", is_row_identifier="true"),
        _feature("weight", "numeric", number_of_missing_values="1"),
        _feature("colour", "nominal", number_of_missing_values="1"),
        _feature("sort", "nominal", **TARGET),
    ]),
    8: ("prices", PRICES, [
        _feature("area", "numeric"),
        _feature("rooms", "numeric"),
        _feature("price", "numeric", **TARGET),
    ]),
    9: ("damaged", DAMAGED, [_feature("a", "numeric"), _feature("b", "nominal", **TARGET)]),
    10: ("nothing-to-learn", PRICES, [
        _feature("area", "numeric"), _feature("rooms", "numeric"), _feature("price", "numeric"),
    ]),
}  # fmt: skip
SETS[13] = ("dark fruit (v1)+", *SETS[7][1:])
SLOW, BROKEN = 11, 12


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = unquote(self.path).strip("/").split("/")
        number = next((int(part) for part in path if part.isdigit() and int(part) > 2), None)
        if number == SLOW:
            self.server.released.wait(SECONDS)
        if number == BROKEN:
            self.send_error(503)
        elif "data_name" in path:
            self._list(path[path.index("data_name") + 1])
        elif number in SETS:
            self._about(number, path)
        else:
            self._json({"error": {"code": "111", "message": "Unknown dataset"}}, status=412)

    def _list(self, name: str) -> None:
        found = [number for number, (known, *_) in SETS.items() if known == name]
        if not found:
            self._json({"error": {"code": "372", "message": "No results"}}, status=412)
            return
        about = {"did": found[0], "name": name, "version": 1, "status": "active"}
        self._json({"data": {"dataset": [about]}})

    def _about(self, number: int, path: list[str]) -> None:
        name, arff, features = SETS[number]
        if "download" in path:
            self._send(arff.encode(), "text/plain")
        elif "features" in path:
            self._json({"data_features": {"feature": features}})
        elif "qualities" in path:
            rows = arff.split("@DATA\n")[1].count("\n")
            quality = {"name": "NumberOfInstances", "value": f"{rows}.0"}
            self._json({"data_qualities": {"quality": [quality]}})
        else:
            about = {
                "id": str(number), "name": name, "version": "1", "format": "ARFF",
                "status": "active", "licence": "CC0", "url":
                f"https://api.openml.org/data/v1/download/{number}/{name}.arff",
                "md5_checksum": hashlib.md5(arff.encode()).hexdigest(),
                "description": "**Author**: nobody\n\nA *small* table made for the tests of "
                "this project.\nMore words.",
            }  # fmt: skip
            self._json({"data_set_description": about})

    def _json(self, value: dict, status: int = 200) -> None:
        self._send(json.dumps(value).encode(), "application/json", status)

    def _send(self, data: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def stand_in() -> Iterator[str]:
    """Serve the archive on this machine; the value is its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.daemon_threads = True
    server.released = Event()
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
