"""A notebook pays for what it uses: no display brings the app."""

import subprocess
import sys

import pytest

ASKED = """
import sys
import lastviz
assert not {m for m in sys.modules if m.split(".")[0] in ("plotly", "sklearn", "numba", "pandas")}
from sklearn.datasets import make_moons
X, y = make_moons(40, random_state=0)
for name in lastviz.__all__:
    getattr(lastviz, name)
lastviz.show(lastviz.CARTClassifier().fit(X, y), X, y)._repr_html_()
found = {".".join(name.split(".")[:2]) for name in sys.modules}
assert not {name for name in found if name.split(".")[0] == "streamlit" or name == "lastviz.ui"}
"""


@pytest.mark.ci
def test_a_figure_in_a_notebook_knows_neither_streamlit_nor_the_pages():
    subprocess.run([sys.executable, "-c", ASKED], check=True)
