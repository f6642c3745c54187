"""Screenshots of every page as a new window opens it, light and dark, wide and on a phone.

Run it with ``python -m docs.shots``; the pictures land beside this file.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from lastviz.ui.frame import PAGES
from lastviz.warm_up import prepare
from tests.e2e.app import SIZES, App, launch, ready

COLD = {name: "/" if name == "home" else f"/{name}" for name in PAGES}
FURTHER = {
    "audit": "/monotone?data=five_rows&held=0&m=remt&m.min_gain=0&part=audit",
    "wall": "/boundaries?data=xor&m=cart&m2=oc1&m3=gsodt&m4=hybrid",
}
THEMES = ("light", "dark")


def main() -> None:
    """Start the app, take every picture."""
    here = Path(__file__).parent
    prepare()  # the home page would say how far it is
    with (
        tempfile.TemporaryDirectory() as folder,
        App(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        for name, path in (COLD | FURTHER).items():
            for theme in THEMES:
                for size in SIZES.values():
                    page = browser.new_page(
                        viewport=size, color_scheme=theme, reduced_motion="reduce"
                    )
                    page.goto(app.address + path)
                    ready(page)
                    page.wait_for_timeout(600)  # fonts
                    file = f"{name}_{theme}_{size['width']}x{size['height']}.png"
                    page.screenshot(path=here / file)
                    page.close()
                    print(file)
        browser.close()


if __name__ == "__main__":
    main()
