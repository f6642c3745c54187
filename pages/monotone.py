"""Is it monotone? Ordered classes: contradictions in the data, trees and forests, the audit."""

from lastviz.ui import frame
from lastviz.ui.monotone import page

frame.show(page)
