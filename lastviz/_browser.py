"""Pictures of pages, drawn by an installed browser of the Chromium family without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ._system import is_root

BROWSER = "LASTVIZ_BROWSER"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge", "microsoft-edge")
FORMS = {"png": ("--screenshot={}",), "pdf": ("--no-pdf-header-footer", "--print-to-pdf={}")}
LONGEST = 120  # seconds that a browser may take
DRAWN_WITHIN = 60_000  # milliseconds of the page's own clock, which does not wait
SCHEMES = {"dark": 0, "light": 1}  # as the browser numbers what a reader prefers


def screenshot(page: Path, form: str, size: tuple[int, int], theme: str, scale: int = 1) -> Path:
    """Let a browser draw a page, each pixel as `scale`; return where the picture is."""
    out = page.with_suffix(f".{form}")
    command = [
        browser(),
        "--headless",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        f"--user-data-dir={page.parent / 'profile'}",
        f"--window-size={size[0]},{size[1]}",
        f"--force-device-scale-factor={scale}",
        f"--blink-settings=preferredColorScheme={SCHEMES[theme]}",
        f"--virtual-time-budget={DRAWN_WITHIN}",
        "--run-all-compositor-stages-before-draw",  # else parts of the picture may be missing
        *(each.format(out) for each in FORMS[form]),
    ]
    if is_root():
        command.append("--no-sandbox")
    try:
        done = subprocess.run([*command, page.as_uri()], capture_output=True, timeout=LONGEST)
    except subprocess.TimeoutExpired as reason:
        raise ValueError(f"{command[0]} did not draw the scene in {LONGEST} seconds") from reason
    if not out.is_file():
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ValueError(f"{command[0]} drew nothing: {errors[-1] if errors else done.returncode}")
    return out


def browser() -> str:
    named = os.environ.get(BROWSER)
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise ValueError(
            f"{named} cannot be run" if named else
            f"PNG and PDF are drawn by Chromium, Chrome or Edge, and none is found: install one, "
            f"or name its program in {BROWSER}; --html needs none"
        )  # fmt: skip
    return found
