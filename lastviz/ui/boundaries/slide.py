"""The page *boundaries* where it is taken along: pictures for reports and slides, with legend."""

from __future__ import annotations

from collections.abc import Sequence

from lastviz.export.html_report import Picture, Text, Words
from lastviz.export.slide_show import Block, Columns
from lastviz.host.jobs import Working
from lastviz.plots import ThemeName
from lastviz.ui.shared.ensemble_view import EnsembleView
from lastviz.ui.shared.headline import headline, legend
from lastviz.ui.shared.model_view import ModelView
from lastviz.ui.state.selection import Selection

from . import regression
from .pixels import path_of_pixels, pixel_pictures, pixel_words, shows_paths
from .scene import Picture as ModelPicture
from .scene import Scene, scene_of
from .words import alt_of, certainty_legend, slice_words

PICTURE = 720  # pixels: its axes have one scale, more would stretch the window
# Pixels by how many models there are: plane, tree and width; the slide enlarges all of it.
SIZES = {1: (300, 100, 860), 2: (280, 100, 440), 3: (290, 0, 290), 4: (240, 0, 220)}


def pictured(selection: Selection, theme: ThemeName) -> Sequence[Block]:
    """Return what a slide shows: the legend, and each model with its numbers and its picture.

    Raises
    ------
    Working
        While a model is still being trained.
    """
    if regression.applies(selection):
        return regression.slide_of(regression.number_scene(selection, theme))
    scene = scene_of(selection, theme, SIZES[len(selection.models)])
    for job in scene.jobs.values():
        raise Working(job)
    columns = [
        [
            Words(headline(view)),
            *_shown(scene, place, view),
        ]
        for place, view in scene.views.items()
    ]
    marks = [legend_of(scene, planes=not shows_paths(scene))]
    if any(picture.certain for picture in scene.pictures.values()):
        marks.append(certainty_legend(scene))
    shown = [Columns(columns)] if columns else []
    return [*map(Words, marks), *shown, *map(Text, scene.obstacles.values())]


def _shown(scene: Scene, place: int, view: ModelView | EnsembleView) -> list[Block]:
    """Return a model's picture, or of pixels the image of a row and the tree, and a sentence."""
    found = path_of_pixels(scene, place)
    if found is not None:
        return [*pixel_pictures(found, scene), Text(pixel_words(found, scene))]
    notes = slice_notes(view, scene.pictures[place])[:1]
    return [picture_of(scene, place), *map(Text, notes)]


def legend_of(scene: Scene, *, planes: bool = True) -> str:
    """Return the legend of all pictures; without `planes` that of classes alone."""
    figures = [picture.figure for picture in scene.pictures.values()] if planes else []
    return legend(scene.class_names, scene.theme, figures)


def picture_of(scene: Scene, place: int, caption: str = "") -> Picture:
    """Return the picture of a model, with what it shows for those who do not see it."""
    alt = alt_of(scene.views[place], scene.selection.data, scene.class_names)
    return Picture(scene.pictures[place].figure, alt, caption, width=PICTURE)


def slice_notes(view: ModelView | EnsembleView, picture: ModelPicture) -> list[str]:
    """Return what the slice that a picture shows leaves out; nothing where it is no slice."""
    if view.fidelity is None:
        return []
    return slice_words(view.fidelity, picture.in_sight, exact=picture.exact)
