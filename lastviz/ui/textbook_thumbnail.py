"""The card of the textbook's page: the gains of Table 5.1, and how its tree parts it."""

from __future__ import annotations

import base64

import numpy as np

from lastviz.inspection import node_sums, partition
from lastviz.plots import Theme

from .textbook_scene import tree_of
from .textbook_tables import book_rows, book_table

__all__ = ["as_uri", "textbook_thumbnails"]

BAR = 34  # pixels


def textbook_thumbnails(size: tuple[int, int], theme: Theme) -> list[str]:
    """Return two pictures of `size` as data URIs."""
    return [as_uri(_gains(size, theme), size), as_uri(_cells(size, theme), size)]


def as_uri(parts: list[str], size: tuple[int, int]) -> str:
    """Return SVG elements as a picture that a page can show at once."""
    width, height = size
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'
    )
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _gains(size: tuple[int, int], theme: Theme) -> list[str]:
    """A bar a feature, the largest in ink."""
    gains = np.array([sums.gain for sums in node_sums(book_table()).features])
    step = size[1] / len(gains)
    longest = 0.9 * size[0] / gains.max()
    return [
        f'<rect x="8" y="{(i + 0.5) * step - BAR / 2:.1f}" width="{gain * longest:.1f}" '
        f'height="{BAR}" fill="{theme.ink if gain == gains.max() else theme.grey3}"/>'
        for i, gain in enumerate(gains.tolist())
    ]


def _cells(size: tuple[int, int], theme: Theme) -> list[str]:
    """The partition of the tree of ID3, with the rows in their cells."""
    table = book_table()
    tree = tree_of(f"id3|{book_rows()}", table, "id3")
    cells = partition(tree, table)
    n_y, n_x = cells.node.shape
    wide, high = size[0] / n_x, size[1] / n_y
    parts = [
        f'<rect x="{x * wide:.1f}" y="{y * high:.1f}" width="{wide:.1f}" height="{high:.1f}" '
        f'fill="{theme.region(int(tree.prediction[node]))}" stroke="{theme.paper}"/>'
        for (y, x), node in np.ndenumerate(cells.node)
    ]
    for (x, y), label in zip(cells.cell.tolist(), table.labels.tolist(), strict=True):
        parts.append(
            f'<circle cx="{(x + 0.5) * wide:.1f}" cy="{(y + 0.5) * high:.1f}" r="5" '
            f'fill="{theme.hue(label)}"/>'
        )
    return parts
