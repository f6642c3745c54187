"""Ready-made scenes: each is a link and what there is to see in it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from . import state
from .codec import decode
from .selection import Selection

__all__ = ["SCENES", "Scene"]


@dataclass(frozen=True)
class Scene:
    """A scene of the home page.

    Attributes
    ----------
    key : str
    title, text : str
        What it is and what there is to see, in English.
    link : str
        The query string that opens it.
    page : str
        The page that it opens on, by its name in the address.
    """

    key: str
    title: str
    text: str
    link: str
    page: str = "boundaries"

    @property
    def query(self) -> dict[str, str]:
        """The link, part by part."""
        return dict(parse_qsl(self.link))

    def selection(self) -> Selection:
        """Return what the link says."""
        return decode(self.query, state.data_params, state.model_params)[0]


SCENES = (
    Scene(
        "xor",
        "XOR: a greedy search stumbles",
        "No single cut tells these classes apart. CART cuts all the same and needs many "
        "pieces; C4.5 gives up at the root.",
        "data=xor&m=cart&m2=c45",
    ),
    Scene(
        "spirals",
        "Three spirals: stairs around a curve",
        "Every split is parallel to an axis, so a curve becomes a staircase: left a few steps, "
        "right as many as it takes.",
        "data=three_spirals&m=cart&m.max_leaf_nodes=20&m2=cart",
    ),
    Scene(
        "waveform",
        "Waveform: a slice through 21 dimensions",
        "Two features on the axes, all others fixed: the picture is exact, and a number says "
        "how many rows it tells the truth about.",
        "data=waveform&n_samples=1000&m=c45&m2=cart&x=x11&y=x15",
    ),
    Scene(
        "pruning",
        "Pruning: what was noise, what was structure?",
        "Two classes that overlap, C4.5 twice: left the tree as grown, right what "
        "error-based pruning leaves of it.",
        "data=gauss_2d&n_samples=1000"
        "&m=c45&m.pruning=none&m.mdl_correction=false&m2=c45&m2.mdl_correction=false",
    ),
    Scene(
        "latent",
        "Waveform, turned: a cut in another space",
        "In the features three classes lie over each other; in the space of the singular vectors "
        "they form a triangle, and one straight cut parts it.",
        "data=waveform&n_samples=900&seed=2&m=gsodt",
        page="latent",
    ),
)
