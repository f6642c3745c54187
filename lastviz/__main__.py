"""Serve the app: ``python -m lastviz [--address ADDRESS] [--port PORT]``.

Everything is imported and every kernel loaded before the first reader comes, so that the
first page does not wait for it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .warm_up import prepare

APP = Path(__file__).resolve().parent.parent / "app.py"


def main() -> None:
    """Read the command line, get ready, serve until stopped."""
    parser = argparse.ArgumentParser(prog="python -m lastviz", description="Serve lastviz.")
    parser.add_argument("--address", default="localhost")
    parser.add_argument("--port", type=int, default=8501)
    options = parser.parse_args()
    prepare()
    from streamlit.web import cli

    import lastviz.ui.boundaries.page  # noqa: F401  (imports what the pages import)
    from lastviz.ui.components.served import library_is_served

    library_is_served()  # the server looks for its folder when it starts, not later
    print(f"lastviz is served on http://{options.address}:{options.port} (Ctrl-C stops it)")
    where = [f"--server.address={options.address}", f"--server.port={options.port}"]
    cli.main(["run", str(APP), *where], prog_name="streamlit")


if __name__ == "__main__":
    main()
