"""Serve the app by several processes: ``python -m lastviz.serve [--workers N] [--port PORT]``.

With ``--base-path tools/lastviz`` all addresses begin with ``/tools/lastviz``.
"""

from __future__ import annotations

import argparse
import os
import sys

from .host.workers import base_path, configuration, serve


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(
        prog="python -m lastviz.serve", description="Serve lastviz by several processes."
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--address", default="localhost")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--base-path", default="", help="what stands before the app's addresses")
    options = parser.parse_args()
    if options.workers < 1:
        parser.error("--workers must be at least 1")
    try:
        base = base_path(options.base_path)
        configuration(options.address, options.port, [])
    except ValueError as error:
        parser.error(str(error))
    sys.exit(serve(options.workers, options.address, options.port, base))


if __name__ == "__main__":
    main()
