"""The window that has the line for a frame; frames themselves are in tests/e2e/test_embed.py."""

from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlsplit

from lastviz.host.security import EMBED
from lastviz.ui.shared.scene_box import frame_line

from .conftest import checked, opened


def asked_for(monkeypatch, sites, **query):
    monkeypatch.setenv(EMBED, sites)
    app = opened("boundaries", **query)
    app = checked(app.button(key="embed").click().run())
    return app, [each.value for each in app.caption]


def frame_in(line):
    found = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, pairs: found.append((tag, dict(pairs)))
    parser.feed(line)
    ((tag, about),) = found
    assert tag == "iframe"
    return about


def test_the_window_names_the_sites_that_may_show_it_or_the_setting_that_does(monkeypatch):
    _, said = asked_for(monkeypatch, "", data="iris", m="cart")
    assert f"Its operator names those that may, in `{EMBED}`." in " ".join(said)
    sites = ("https://moodle.example.edu", "http://localhost:9000")
    app, said = asked_for(monkeypatch, ", ".join(sites), data="iris", m="cart")
    assert any(all(site in text for site in sites) for text in said)
    about = frame_in(app.code[-1].value)
    query = dict(parse_qsl(urlsplit(about["src"]).query))
    assert query == {
        **{"data": "iris", "m": "cart", "lang": "en"},
        **{"embed": "true", "embed_options": "light_theme"},
    }


def test_nothing_in_a_scene_ends_the_line_early():
    hostile = '"><script>alert(1)</script>&amp;'
    line = frame_line("https://a.example/data", hostile, (320, 240), hostile)
    about = frame_in(line.removesuffix("</iframe>"))
    assert about["src"] == f"https://a.example/data?{hostile}"
    assert about["title"] == hostile
    assert (about["width"], about["height"]) == ("320", "240")
