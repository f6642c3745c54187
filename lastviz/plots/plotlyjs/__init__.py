"""plotly.js with the traces of two axes alone, a third of the whole.

The file is that of ``plotly.js-cartesian-dist-min`` at npm, under the MIT licence beside it.
"""

from pathlib import Path

FILE = Path(__file__).with_name("plotly-cartesian.min.js")
VERSION = "4.1.1"  # of the file
