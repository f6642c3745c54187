"""The command that draws a scene without a server; its PNG is in tests/e2e/test_slides.py."""

import re
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from lastviz import _browser
from lastviz.__main__ import main
from lastviz.host import jobs
from lastviz.host.language import speak
from lastviz.ui.compute import scene_file, uploads
from lastviz.ui.shared.page_file import page_of
from lastviz.ui.state import session
from lastviz.ui.state.codec import decode
from lastviz.ui.state.quiz_codes import Slide
from lastviz.ui.story import rendering
from lastviz.ui.story.rendering import ready_slide
from tests.patience import SECONDS


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setattr(
        jobs, "PATIENCE", SECONDS
    )  # a slide waits for its model, however busy all is
    speak("en")
    yield
    speak("en")


def drawn(source, folder, **changes):
    out = folder / "out.html"
    asked = {"size": (1280, 720), "theme": "light", "code": "en"} | changes
    rendering.render(str(source), {"html": out}, **asked)
    return re.sub(r"trained in [\d.]+ m?s", "", out.read_text(encoding="utf-8"))


@pytest.mark.parametrize("address", [
    "rules?data=wine&m=cart", "http://localhost:8501/lastviz/rules?data=wine&m=cart",
])  # fmt: skip
def test_an_address_is_drawn_as_the_slide_of_a_story_is(tmp_path, address):
    slide = ready_slide(Slide("rules", urlsplit(address).query), None, own_files=False).slide
    assert drawn(address, tmp_path) == page_of([slide], slide.title, turns=True)


def test_a_saved_scene_with_its_own_table_is_drawn_in_another_language(tmp_path):
    rows = "".join(f"{i},{i % 7},{'yes' if i % 3 else 'no'}\n" for i in range(60))
    table = f"a,b,wanted\n{rows}".encode()
    upload = uploads.keep("own.csv", table, 60)
    query = {
        "data": "upload",
        "file": "own.csv",
        "digest": upload.digest,
        "rows": "60",
        "m": "cart",
    }
    selection, problems = decode(query, session.data_params, session.model_params)
    assert not problems
    file = tmp_path / "a.lastviz"
    file.write_bytes(scene_file.write(selection, "boundaries", table))
    uploads.forget_all()
    found = drawn(file, tmp_path, code="zh")
    assert 'lang="zh"' in found
    assert "own.csv" in found


@pytest.mark.parametrize(("source", "why"), [
    ("nothing", "neither a file nor an address"),
    ("quiz?data=xor&m=cart", "only these pages have a picture"),
    ("rules?data=regression_5_2", "about classes"),
    ("boundaries?data=iris&m=cart&m2=nothing", "no algorithm 'nothing'; there are: .*cart"),
    ("boundaries?data=nothing", "there is no data set 'nothing'; there are: .*iris"),
])  # fmt: skip
def test_what_cannot_be_drawn_says_why(tmp_path, source, why):
    with pytest.raises(ValueError, match=why):
        drawn(source, tmp_path)


def test_a_picture_without_a_browser_says_what_is_needed(tmp_path, monkeypatch):
    monkeypatch.delenv(_browser.BROWSER, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    for named, why in (("", "is found: install one"), ("/no/browser", "cannot be run")):
        monkeypatch.setenv(_browser.BROWSER, named)
        with pytest.raises(ValueError, match=why):
            rendering.render("rules?data=iris", {"png": tmp_path / "a"}, (800, 600), "light", "en")


@pytest.mark.ci
def test_the_command_draws_and_names_its_faults(tmp_path):
    def run(*given):
        command = [sys.executable, "-m", "lastviz", "render", *given]
        return subprocess.run(command, capture_output=True, text=True)

    out = tmp_path / "a.html"
    done = run("textbook?data=xor&lesson=gain", "--html", str(out))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "</html>" in out.read_text(encoding="utf-8")
    done = run("nothing", "--html", str(out))
    assert done.stderr.startswith("lastviz: nothing is neither")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["textbook?data=xor"], "name a file for the picture"),
        (["textbook?data=xor", "--png", "a.png", "--size", "3x"], "no size such as"),
    ],
)
def test_the_command_says_what_is_missing_or_wrong(given, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["lastviz", "render", *given])
    with pytest.raises(SystemExit):
        main()
    assert said in capsys.readouterr().err
