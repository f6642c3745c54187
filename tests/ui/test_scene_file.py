"""A scene as a file: the whole of it comes back, and nothing hostile comes in."""

import io
import json
import struct
import tracemalloc
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import jsonschema
import pytest
import streamlit as st
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from lastviz.datasets import load_dataset, to_csv
from lastviz.datasets.labels import Labels
from lastviz.host.store import Upload
from lastviz.ui.compute import scene_file, uploads
from lastviz.ui.compute.scene_file import is_scene, read, write
from lastviz.ui.frame import PAGES
from lastviz.ui.state.edit_codes import pack_labels
from lastviz.ui.state.selection import DEFAULT, UPLOAD, Selection

from .conftest import checked, html, opened
from .test_codec import selections

WINE = to_csv(load_dataset("wine"))
UPLOADED = DEFAULT.having(
    data=UPLOAD, upload=Upload(uploads.digest_of(WINE), "wines.csv", 178), typed="14,,2.5", held=0.2
)
DOCUMENT = Path(__file__).parents[2] / "docs" / "scene_file.md"


def archive(entries, method=zipfile.ZIP_DEFLATED):
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", method) as made:
        for name, content in entries:
            made.writestr(name, content)
    return into.getvalue()


def scene_in(content):
    with zipfile.ZipFile(io.BytesIO(content)) as opened_:
        return json.loads(opened_.read("scene.json"))


def signed(scene):
    """The scene with the hash of what it says now."""
    return scene | {"sha256": scene_file._digest(scene)}


def forged(data=WINE, selection=UPLOADED, **changes):
    """A scene whose hash is right, with other words in it."""
    scene = signed(scene_in(write(selection, "rules", data)) | changes)
    return archive([("scene.json", json.dumps(scene)), *([("data", data)] if data else [])])


def refusal(content):
    with pytest.raises(ValueError, match=r"\.$") as refused:
        read(content)
    sentence = str(refused.value)
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert len(sentence) < 300
    return sentence


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(selections(), some.sampled_from(["rules", "home", "boundaries"]))
def test_a_scene_comes_back_whole(selection, page):
    data = None
    if selection.upload is not None:
        upload = Upload(uploads.digest_of(WINE), selection.upload.name, 178)
        selection, data = replace(selection, upload=upload), WINE
    saved = read(write(selection, page, data))
    assert (saved.selection, saved.page, saved.data, saved.problems) == (selection, page, data, ())


def test_the_same_scene_makes_the_same_file():
    assert write(UPLOADED, "rules", WINE) == write(UPLOADED, "rules", WINE)
    assert is_scene("other.zip", write(UPLOADED, "rules", WINE))
    assert not is_scene("table.csv", WINE)


def test_many_brushed_rows_are_in_the_file_and_not_only_their_name():
    rows = tuple(range(0, 60_000, 3))
    assert read(write(DEFAULT.having(brushed=rows), "data", None)).selection.view.brushed == rows


def test_a_shared_file_becomes_the_readers_own():
    shared = replace(UPLOADED, upload=replace(UPLOADED.upload, share="code"))
    content = write(shared, "data", WINE)
    assert read(content).selection.upload.share is None
    assert "code" not in scene_in(content)["settings"].values()


def test_what_is_written_has_the_published_form():
    text = DOCUMENT.read_text(encoding="utf-8")
    schema = json.loads(text.split("```json\n")[1].split("```")[0])
    jsonschema.Draft202012Validator.check_schema(schema)
    for selection, data in ((UPLOADED, WINE), (DEFAULT, None)):
        jsonschema.validate(scene_in(write(selection, "rules", data)), schema)
    wrong = scene_in(write(DEFAULT, "rules", None)) | {"settings": {"seed": 3}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema)


def test_tables_of_a_story_come_back_whole_or_not_at_all():
    table = UPLOADED.upload, WINE
    content = write(DEFAULT, "story", None, tables=(table, table))
    text = DOCUMENT.read_text(encoding="utf-8")
    jsonschema.validate(scene_in(content), json.loads(text.split("```json\n")[1].split("```")[0]))
    assert read(content).tables == [table, table]
    assert read(write(DEFAULT, "story", None)).tables == []
    (about, _) = listed = scene_in(content)["tables"]
    for wrong in (
        {},
        [3],
        [about | {"rows": True}],
        [about | {"sha256": "0" * 64}],
        [about | {"bytes": 3}],
        [*listed, about],
    ):
        scene = signed(scene_in(content) | {"tables": wrong})
        packed = [("scene.json", json.dumps(scene)), ("table-1", WINE), ("table-2", WINE)]
        assert "data" in refusal(archive(packed))


def test_a_newer_format_is_refused_and_more_words_are_not():
    assert "saved by a newer lastviz" in refusal(forged(version=2))
    for version in (0, True, "1"):
        assert "which version" in refusal(forged(version=version))
    later = read(forged(colours={"a": ["#123456", None, True]}))
    assert later.selection == UPLOADED


def test_a_setting_of_later_is_said_and_the_rest_is_used():
    words = scene_in(write(UPLOADED, "rules", WINE))["settings"] | {"hologram": "on"}
    saved = read(forged(settings=words))
    assert saved.selection == UPLOADED
    assert len(saved.problems) == 1
    assert "hologram" in saved.problems[0]


@pytest.mark.parametrize("content", [
    b"", b"PK", b"PK\x05\x06" + bytes(18), WINE, b"\x80\x04\x95" + bytes(40),
    write(DEFAULT, "data", None)[:-1], write(DEFAULT, "data", None)[:-22] + bytes(22),
])  # fmt: skip
def test_what_is_no_archive_is_refused(content):
    assert refusal(content).startswith("This is not a scene file")


def test_a_wrong_hash_is_refused():
    scene = scene_in(write(DEFAULT, "data", None))
    scene["settings"]["seed"] = "7"
    assert "changed or damaged" in refusal(archive([("scene.json", json.dumps(scene))]))
    del scene["sha256"]
    assert "changed or damaged" in refusal(archive([("scene.json", json.dumps(scene))]))


def test_data_that_are_others_are_refused():
    scene = json.dumps(scene_in(write(UPLOADED, "rules", WINE)))
    assert "not those" in refusal(archive([("scene.json", scene), ("data", WINE + b"\n")]))
    assert "its data are missing" in refusal(archive([("scene.json", scene)]))
    about = scene_in(write(UPLOADED, "rules", WINE))["data"]
    for changes in ({"bytes": 1}, {"rows": 3}, {"name": "x"}, {"sha256": "0" * 64}, {"rows": None}):
        words = signed(scene_in(write(UPLOADED, "rules", WINE)) | {"data": about | changes})
        content = archive([("scene.json", json.dumps(words)), ("data", WINE)])
        assert "not those" in refusal(content)


def test_a_billion_rows_are_refused_before_the_data_are_unpacked(monkeypatch):
    words = scene_in(write(UPLOADED, "rules", WINE))
    words["settings"]["rows"] = "1000000000"
    words["data"]["rows"] = 1000000000
    unpacked = []
    monkeypatch.setattr(scene_file, "_entry_of_data", lambda *_: unpacked.append(1))
    content = archive([("scene.json", json.dumps(signed(words))), ("data", WINE)])
    assert "1,000,000,000 rows" in refusal(content)
    assert unpacked == []


@pytest.mark.parametrize("name", [
    "../scene.json", "/etc/passwd", "a/../../b", "..", "C:\\windows", "..\\x", "\\\\host\\x", "~/x",
    "a/", "x\0.txt",
])  # fmt: skip
def test_a_path_out_of_the_archive_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = zipfile.ZipInfo("placeholder-of-the-name")
    content = archive([("scene.json", b"{}"), (entry, b"x")])
    raw, fill = name.encode(), b"placeholder-of-the-name"
    content = content.replace(fill, raw.ljust(len(fill), b"_") if name[-1:] != "/" else b"a" * 22
                              + b"/")  # fmt: skip
    if name == "..":
        content = archive([("scene.json", b"{}"), ("..", b"x")])
    assert "leads out of" in refusal(content)
    assert list(tmp_path.iterdir()) == []


def test_an_entry_given_twice_is_refused():
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = archive([("scene.json", b"{}"), ("scene.json", b"{}")])
    assert "two entries" in refusal(content)


def bomb(declared):
    """An archive of a few kB whose scene.json unpacks to 200 MB and says that it has `declared`."""
    content = archive([("scene.json", bytes(200_000_000))])
    size = struct.pack("<L", 200_000_000)
    return content.replace(size, struct.pack("<L", declared))


@pytest.mark.parametrize("declared", [200_000_000, 1000, 2**32 - 2])
def test_a_bomb_takes_no_memory(declared):
    content = bomb(declared)
    assert len(content) < 400_000
    tracemalloc.start()
    sentence = refusal(content)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "more than" in sentence or "damaged" in sentence
    assert peak < 20_000_000


def test_an_archive_of_many_entries_is_refused_unread(monkeypatch):
    content = archive([(f"{i}", b"") for i in range(20_000)])
    monkeypatch.setattr(scene_file.zipfile, "ZipFile", None)
    assert "too many entries" in refusal(content)


@pytest.mark.parametrize("text", [
    "", "nonsense", "[]", "{}", "null", '{"format": "other"}', "[" * 100_000, '{"a":' * 50_000,
    '{"format": "lastviz scene", "version": NaN}', '{"format": "lastviz scene", "version": 1e999}',
    '{"format": "lastviz scene", "version": -Infinity}',
    '{"format": "lastviz scene", "version": ' + "9" * 5000 + "}",
    '{"format": "lastviz scene", "version": 1, "version": 1}', "\ufeff{}",
])  # fmt: skip
def test_json_that_is_none_of_ours_is_refused(text):
    sentence = refusal(archive([("scene.json", text)]))
    assert sentence.startswith("This is not a scene file")
    refusal(archive([("scene.json", b"\xff\xfe" + text.encode())]))


@pytest.mark.parametrize("words", [
    None, [], "x", {"seed": 3}, {"seed": None}, {"a": {"b": "c"}}, {"a": "x" * 200_001},
    {str(i): "x" for i in range(1001)},
])  # fmt: skip
def test_settings_that_are_no_texts_are_refused(words):
    sentence = refusal(forged(data=None, selection=DEFAULT, settings=words))
    assert "settings" in sentence or "setting" in sentence


@pytest.mark.parametrize("page", [None, 3, "../x", "x" * 100, "<script>", "RULES", ""])
def test_a_page_that_is_none_is_left_out(page):
    assert read(forged(page=page)).page == ""


def test_hostile_values_of_settings_are_sentences_of_the_codec():
    words = {"data": "xor", "seed": "9" * 400, "m.max_depth": "1e999", "typed": "!" + "0" * 24,
             "x": "<script>alert(1)</script>", "y": "b", "n_samples": "1000000000"}  # fmt: skip
    saved = read(forged(data=None, selection=DEFAULT, settings=words))
    assert len(saved.problems) >= 3
    assert all(len(problem) < 600 for problem in saved.problems)


SMALL = write(DEFAULT.having(seed=5, typed="1,2"), "rules", None)


@settings(max_examples=300, deadline=None)
@given(some.data())
def test_no_mutation_raises_anything_but_a_sentence(draws):
    content = bytearray(SMALL)
    for _ in range(draws.draw(some.integers(1, 6))):
        place = draws.draw(some.integers(0, len(content) - 1))
        content[place] = draws.draw(some.integers(0, 255))
    try:
        saved = read(bytes(content))
    except ValueError as refused:
        said = str(refused)
    else:
        said = "Opened."
        assert isinstance(saved.selection, Selection)
    assert said.endswith(".")


# In the app ----------------------------------------------------------------------------------


@pytest.fixture
def known(monkeypatch):
    """The browser has answered that it keeps no token."""
    monkeypatch.setattr(uploads.visitor, "is_known", lambda: True)


def handed_in(app, scene, key="upload_field"):
    file = ("x.lastviz", scene, "application/zip")
    return app.file_uploader(key=key).set_value(file).run()


def titles(app):
    return [title.value for title in app.title]


def test_a_scene_handed_in_on_data_opens_on_its_page(known):
    app = opened("data")
    app = checked(handed_in(app, write(UPLOADED, "rules", WINE)))
    selection = app.session_state["selection"]
    assert selection == UPLOADED
    assert titles(app) == ["What does the tree say?"]


def test_a_scene_handed_in_on_home_opens(known):
    app = opened("home")
    scene = DEFAULT.change(data="iris", seed=3)
    app = checked(handed_in(app, write(scene, "boundaries", None), "home_table"))
    assert app.session_state["selection"] == scene
    assert titles(app) == ["Where does each algorithm draw the line?"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (forged(version=9), "newer lastviz"),
        (b"PK" + bytes(500), "This is not a scene file"),
        (b"", "This is not a scene file"),
        (b"\x80\x04\x95cos\nsystem\n", "This is not a scene file"),
    ],
    ids=["newer", "hostile archive", "empty", "pickle"],
)
def test_a_scene_that_is_refused_leaves_all_as_it_was(known, content, said):
    app = opened("data", data="wine", seed=4)
    handed_in(app, content)
    assert not app.exception
    assert said in app.error[0].value
    assert app.session_state["selection"] == DEFAULT.change(data="wine", seed=4)
    assert "178" in html(app)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_saves_its_scene(monkeypatch, menus, page):
    files, offered = {}, st.download_button

    def recorded(label, data, **about):
        files[label] = data
        return offered(label, data, **about)

    monkeypatch.setattr(st, "download_button", recorded)
    opened(page, data="iris", seed=3)
    saved = read(files["Save scene"]())
    assert (saved.page, saved.selection.seed) == (page, 3)


@pytest.mark.ci
def test_a_scene_whose_data_have_other_rows_than_it_says_is_refused(known):
    wrong = replace(UPLOADED, upload=replace(UPLOADED.upload, rows=77))
    app = opened("data")
    before = app.session_state["selection"]
    handed_in(app, write(wrong, "rules", WINE))
    assert "it states 77 rows, but its data have 178" in app.error[0].value
    assert app.session_state["selection"] == before


def test_script_in_labels_is_text_everywhere(known):
    evil = "<script>alert(1)</script>"
    rows = "\n".join(f"{i},{i % 7},{'a' if i % 2 else evil}" for i in range(60))
    data = f"{evil},<img src=x onerror=alert(1)>,class\n{rows}\n".encode()
    upload = Upload(uploads.digest_of(data), f"{evil}.csv", 60)
    said = Labels(
        names={evil: f"{evil} again"},
        units={evil: "<b onload=alert(1)>"},
        values={"class": {"a": '<a href="javascript:alert(1)">a</a>'}},
    )
    selection = DEFAULT.having(data=UPLOAD, upload=upload, typed="1,2", labels=pack_labels(said))
    for page in ("data", "rules", "boundaries", "growth", "splits", "pruning"):
        app = opened("data")
        app = checked(handed_in(app, write(selection, page, data)))
        assert app.session_state["selection"] == selection
        drawn = " ".join(str(getattr(e, "body", "")) for e in app.get("html"))
        assert "<script>alert" not in drawn
        assert "<img src=x" not in drawn
        assert "<b onload" not in drawn
        assert '<a href="javascript:' not in drawn


def test_digests_in_files_are_whole():
    about = scene_in(write(UPLOADED, "rules", WINE))["data"]
    assert about["sha256"] == sha256(WINE).hexdigest()
    assert set(about) == {"name", "rows", "bytes", "sha256", "reading"}
