"""Screenshots of every page, light and dark, on a projector and on a phone.

Run it with ``python -m docs.shots``; the pictures land beside this file.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from lastviz.warm_up import prepare
from tests.e2e.app import ROOT, SIZES, launch, ready, serving

PAGES = {
    "home": "/",
    "data": "/data?data=iris",
    "latent": "/latent?data=waveform&n_samples=900&seed=2&m=gsodt",
    "growth": "/growth?data=three_spirals&m=svm_tree&m.sigma=18&m.C=100",
    "boundaries": "/boundaries?data=moons&m=cart&m2=c45&node=4&node2=2",
    "splits": "/splits?data=xor&noise=0.14&n_samples=200&held=0&seed=2"
    "&m=hybrid&m.w2=0.1&m.k=5&pick=31",
    "monotone": "/monotone?data=monotone&n_samples=500&label_noise=0.05&m=remt&inclusion=0.5",
    "audit": "/monotone?data=five_rows&held=0&m=remt&m.min_gain=0&part=audit",
    "rules": "/rules?data=breast_cancer&m=c45&lit=20",
    "pruning": "/pruning?data=gauss_2d&n_samples=500&m=cart&cut_at=0.003",
    "textbook": "/textbook?lesson=tree",
    "wall": "/boundaries?data=xor&m=cart&m2=oc1&m3=gsodt&m4=hybrid",
}
THEMES = ("light", "dark")


def main() -> None:
    """Start the app, take every picture."""
    here = Path(__file__).parent
    prepare()  # the home page would say how far it is
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(ROOT / "app.py", Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name, path in PAGES.items():
            for theme in THEMES:
                for size in SIZES.values():
                    page = browser.new_page(viewport=size, color_scheme=theme)
                    page.goto(address + path)
                    ready(page)
                    page.wait_for_timeout(600)  # fonts
                    file = f"{name}_{theme}_{size['width']}x{size['height']}.png"
                    page.screenshot(path=here / file)
                    page.close()
                    print(file)
        browser.close()


if __name__ == "__main__":
    main()
