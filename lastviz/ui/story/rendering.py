"""A scene as a picture for scripts: its slide, as a story saved as one page draws it.

No server runs. The page is drawn by an installed browser of the Chromium family, without a network.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import sleep
from types import ModuleType
from urllib.parse import parse_qsl, urlencode, urlsplit

from lastviz._browser import browser, screenshot
from lastviz.datasets import all_datasets
from lastviz.export.blocks import Section
from lastviz.export.powerpoint import PICTURE
from lastviz.host.jobs import State, Working
from lastviz.host.language import speak
from lastviz.ui.boundaries import page as boundaries
from lastviz.ui.compare import page as compare
from lastviz.ui.compute import uploads
from lastviz.ui.compute.scene_file import SavedScene, is_scene, read
from lastviz.ui.compute.work import work_of
from lastviz.ui.data import page as data
from lastviz.ui.growth import page as growth
from lastviz.ui.latent import page as latent
from lastviz.ui.monotone import page as monotone
from lastviz.ui.papers import page as papers
from lastviz.ui.pruning import page as pruning
from lastviz.ui.rules import page as rules
from lastviz.ui.shared.page_file import (
    OF_THEIR_OWN,
    SlideReady,
    about_words,
    is_away,
    is_own,
    page_of,
    ready_scene,
)
from lastviz.ui.splits import page as splits
from lastviz.ui.state import session
from lastviz.ui.state.codec import PLACES, decode, encode, without_private
from lastviz.ui.state.quiz_codes import Slide
from lastviz.ui.state.selection import UPLOAD, Selection
from lastviz.ui.text import t
from lastviz.ui.textbook import page as textbook

PICTURED: dict[str, ModuleType] = {
    "data": data,
    "boundaries": boundaries,
    "growth": growth,
    "splits": splits,
    "latent": latent,
    "rules": rules,
    "pruning": pruning,
    "monotone": monotone,
    "textbook": textbook,
    "compare": compare,
    "papers": papers,
}
"""Pages that show something on a slide, by name; the others have their words alone."""


def scene_in(slide: Slide) -> tuple[Selection, tuple[str, ...]]:
    """Scene of a slide without its private parts, and the parts that cannot be read."""
    query = dict(parse_qsl(slide.scene, keep_blank_values=True))
    found, problems = decode(query, session.data_params, session.model_params, uploads.shared_file)
    return without_private(found), problems


def name_of(slide: Slide) -> str:
    """Name of a scene: its page, and its data and models if the page is about them."""
    found, _ = scene_in(slide)
    page = t(slide.page.capitalize())
    if slide.page in OF_THEIR_OWN:
        return page
    if is_away(found):
        return t("{page}: its data are not available here", page=page)
    return t("{page}: {names}", page=page, names=about_words(found, PICTURED.get(slide.page)))


def is_about_own_files(slide: Slide) -> bool:
    """Whether a slide would show rows or a model of a file of the reader's."""
    found, _ = scene_in(slide)
    return slide.page not in OF_THEIR_OWN and is_own(found) and not is_away(found)


def ready_slide(slide: Slide, base: str | None, *, own_files: bool) -> SlideReady:
    """Slide with all that its page shows, in both themes.

    Parameters
    ----------
    slide : Slide
    base : str or None
        Address of the app's first page, where slides link to.
    own_files : bool
        Whether what the reader's own files hold may be drawn.

    Raises
    ------
    Working
        While something that it shows is worked out.
    """
    selection, problems = scene_in(slide)
    work = work_of(selection)
    about = {"caption": slide.caption, "notes": slide.notes}
    about |= {"title": slide.title} if slide.title else {}
    if base is not None:
        about["link"] = f"{base}{slide.page}?{urlencode(encode(work.selection))}"
    module = PICTURED.get(slide.page)
    return ready_scene(work, slide.page, module, problems, about, own_files=own_files)


# ---------------------------------------------------------------- rendering

# Nobody turns its slides. A browser's window is a little lower than it is asked to be, its picture
# is not: the page is told how high that is.
STILL = """
.turns { --h: %.2fpx }
.turns > header, .foot, .edge, .about a, .growth .lvg-transport { display: none !important }
.plays body { grid-template: minmax(0, 1fr) / minmax(0, 1fr) !important }
.plays main > section { padding: 20px 56px !important }
@media screen { html.plays { height: %dpx !important } }
"""
BARE = ".turns section > header { display: none }"
FINE = 2  # pixels of an image for one of a slide, 1280 of which it is wide
WIDE = 1280
LOOK_EVERY = 0.2  # seconds
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
        browser()
    speak(code)
    ready = _waited_for(_scene(source))
    if ready.lacks or not ready.slide.blocks:
        raise ValueError(ready.lacks or f"only these pages have a picture: {', '.join(PICTURED)}")
    title = ready.slide.title
    with tempfile.TemporaryDirectory(prefix="lastviz-render-") as folder:
        page = Path(folder) / "scene.html"
        for form, out in files.items():
            if form == "html":
                out.write_text(page_of([ready.slide], title, turns=True), encoding="utf-8")
                continue
            still = page_of([ready.slide], title, turns=True, style=_still(size[1]))
            page.write_text(still, encoding="utf-8")
            shutil.copyfile(screenshot(page, form, size, theme), out)


def _still(height: int) -> str:
    """Rules of style of a slide that is drawn so many pixels high."""
    return STILL % (height / 100, height)


def picture_of(slide: Section) -> bytes:
    """PNG of a slide below its title, for a PowerPoint file."""
    size = (WIDE, round(WIDE * PICTURE[1] / PICTURE[0]))
    bare = replace(slide, caption="", notes="")
    with tempfile.TemporaryDirectory(prefix="lastviz-slide-") as folder:
        page = Path(folder) / "slide.html"
        drawn = page_of([bare], slide.title, turns=True, style=_still(size[1]) + BARE)
        page.write_text(drawn, encoding="utf-8")
        return screenshot(page, "png", size, "light", FINE).read_bytes()


def _scene(source: str) -> SavedScene:
    """Scene in a file, whose data this process then holds, or that an address says."""
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
    _check_names(query)
    selection, problems = decode(query, session.data_params, session.model_params)
    return SavedScene(selection, where.path.rpartition("/")[2], None, problems)


# A page would show its first scene instead.
def _check_names(query: Mapping[str, str]) -> None:
    """Refuse an address with unknown names."""
    data = query.get("data", UPLOAD)
    if data != UPLOAD and session.data_params(data) is None:
        raise ValueError(f"there is no data set {data!r}; there are: {', '.join(all_datasets())}")
    for place in PLACES:
        model = query.get(f"m{place}")
        if model is not None and session.model_params(model) is None:
            raise ValueError(
                f"there is no algorithm {model!r}; there are: {', '.join(session.ESTIMATORS)}"
            )


def _waited_for(scene: SavedScene) -> SlideReady:
    """Content of the scene's page, however long its computation takes."""
    while True:
        try:
            module = PICTURED.get(scene.page)
            return ready_scene(
                work_of(scene.selection), scene.page, module, scene.problems, {}, own_files=True
            )
        except Working as working:
            job = working.job
        while not job.look(VIEWER).is_over:
            sleep(LOOK_EVERY)
        if job.state is State.CANCELLED:
            raise ValueError(f"{job.title} was given up")
