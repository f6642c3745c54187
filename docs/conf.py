"""Settings of the site: ``make docs``, or ``sphinx-build -W docs build/docs``."""

import sys
from pathlib import Path

import plotly

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from lastviz import __version__  # noqa: E402

project = "lastviz"
author = "the authors of lastviz"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "live",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["templates/*"]
templates_path = ["templates"]
nitpicky = False
suppress_warnings: list[str] = []

myst_enable_extensions = ["dollarmath", "deflist", "fieldlist"]
myst_heading_anchors = 3
myst_links_external_new_tab = False

autosummary_generate = True
autosummary_ignore_module_all = False
autosummary_imported_members = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_title = "lastviz"
html_static_path = ["static", str(Path(plotly.__file__).parent / "package_data" / "plotly.min.js")]
html_css_files = ["site.css"]
html_extra_path = ["llms.txt"]
html_sidebars = {page: [] for page in ("index", "guide", "gallery", "adding")}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "navigation_with_keys": False,
}
