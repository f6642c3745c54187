"""A scene as a picture for scripts: its slide, as a story saved as one page draws it.

No server runs. The page is drawn by an installed browser of the Chromium family, without a network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import sleep
from urllib.parse import parse_qsl, urlsplit

from lastviz._system import is_root
from lastviz.host.jobs import State, Working
from lastviz.host.language import speak
from lastviz.ui.compute import uploads
from lastviz.ui.compute.scene_file import SavedScene, is_scene, read
from lastviz.ui.shared.slide_file import page_of
from lastviz.ui.shared.slide_ready import SlideReady, ready_scene
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode

from .slides import PICTURED

BROWSER = "LASTVIZ_BROWSER"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge", "microsoft-edge")
FORMS = {"png": ("--screenshot={}",), "pdf": ("--no-pdf-header-footer", "--print-to-pdf={}")}
# Nobody turns its slides. A browser's window is a little lower than it is asked to be, its picture
# is not: the page is told how high that is.
STILL = """
:root { --still: 1 }
.title, .foot, .edge, .about a, .growth .lvg-transport { display: none !important }
.plays body { grid-template: minmax(0, 1fr) / minmax(0, 1fr) !important }
.plays .slide { padding: 20px 56px !important }
@media screen { html.plays { height: %dpx !important } }
"""
LOOK_EVERY = 0.2  # seconds
LONGEST = 120  # seconds that a browser may take
DRAWN_WITHIN = 60_000  # milliseconds of the page's own clock, which does not wait
SCHEMES = {"dark": 0, "light": 1}  # as the browser numbers what a reader prefers
VIEWER = "render"


def render(
    source: str, files: Mapping[str, Path], size: tuple[int, int], theme: str, code: str
) -> None:
    """Draw a scene.

    Parameters
    ----------
    source : str
        A saved scene's file, or an address: ``boundaries?data=xor&m=cart``.
    files : mapping of str to Path
        Where each form goes: "png", "pdf" or "html".
    size : tuple of int
        Width and height of a PNG in pixels.
    theme : {"light", "dark"}
        Of a PNG; paper is light, and a page is as its reader has it.
    code : str
        Of the language.

    Raises
    ------
    ValueError
        If there is nothing to draw, or nothing that draws; a sentence says why.
    """
    if files.keys() - {"html"}:
        _browser()
    speak(code)
    ready = _waited_for(_scene(source))
    if ready.lacks or not ready.slide.blocks:
        raise ValueError(ready.lacks or f"only these pages have a picture: {', '.join(PICTURED)}")
    title = ready.slide.question
    with tempfile.TemporaryDirectory(prefix="lastviz-render-") as folder:
        page = Path(folder) / "scene.html"
        for form, out in files.items():
            if form == "html":
                out.write_text(page_of([ready.slide], title), encoding="utf-8")
                continue
            page.write_text(page_of([ready.slide], title, STILL % size[1]), encoding="utf-8")
            shutil.copyfile(_drawn(page, form, size, theme), out)


def _scene(source: str) -> SavedScene:
    """Return the scene in a file, whose data this process then holds, or that an address says."""
    file = Path(source)
    if file.is_file():
        data = file.read_bytes()
        if not is_scene(file.name, data):
            raise ValueError(f"{file.name} is no saved scene")
        scene = read(data)
        upload = scene.selection.upload
        if upload is not None:
            uploads.keep(upload.name, scene.data, upload.rows)
        return scene
    where = urlsplit(source)
    if not where.query:
        raise ValueError(f"{source} is neither a file nor an address such as boundaries?data=xor")
    query = dict(parse_qsl(where.query, keep_blank_values=True))
    selection, problems = decode(query, session.data_params, session.model_params)
    return SavedScene(selection, where.path.rpartition("/")[2], None, problems)


def _waited_for(scene: SavedScene) -> SlideReady:
    """Return what the scene's page shows, however long that is worked out."""
    while True:
        try:
            module = PICTURED.get(scene.page)
            return ready_scene(
                scene.selection, scene.page, module, scene.problems, {}, own_files=True
            )
        except Working as working:
            job = working.job
        while not job.look(VIEWER).is_over:
            sleep(LOOK_EVERY)
        if job.state is State.CANCELLED:
            raise ValueError(f"{job.title} was given up")


def _drawn(page: Path, form: str, size: tuple[int, int], theme: str) -> Path:
    """Let a browser draw a page; return where the picture is."""
    out = page.with_suffix(f".{form}")
    command = [
        _browser(),
        "--headless",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        f"--user-data-dir={page.parent / 'profile'}",
        f"--window-size={size[0]},{size[1]}",
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


def _browser() -> str:
    named = os.environ.get(BROWSER)
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise ValueError(
            f"{named} cannot be run" if named else
            f"PNG and PDF are drawn by Chromium, Chrome or Edge, and none is found: install one, "
            f"or name its program in {BROWSER}; --html needs none"
        )  # fmt: skip
    return found
