"""One row on the page *rules*: the ways to it, where none is chosen and where columns name rows."""

from lastviz.ui.compute.work import Work
from lastviz.ui.rules.page import blocks
from lastviz.ui.rules.scene import rule_scene
from lastviz.ui.shared.blocks import Box

from .conftest import checked, opened

NAMED = "\n".join(
    ["number,a,b,kind"] + [f"P{i:03},{i % 7},{i * i % 11},{'xy'[i % 7 > 3]}" for i in range(80)]
)


def test_without_a_row_there_are_ways_to_one_and_no_rules():
    app = opened("rules", data="wine", m="cart", rule_view="row")
    scene = rule_scene(Work(app.session_state["selection"]), "light", None)
    assert not any(isinstance(block, Box) for block in blocks(scene))  # of the tree with its rules
    button = app.button(key="first_row")
    row = int(button.label.split()[1].strip(",")) - 1
    button.click()
    checked(app.run())
    selection = app.session_state["selection"]
    assert selection.view.highlighted == row
    divided, tree = Work(selection).first.division, Work(selection).first.tree
    predicted = int(tree.predict(divided.values[[row]])[0])
    assert (predicted != divided.y[row]) == ("misclassified" in button.label)
    assert "first_row" not in [each.key for each in app.button]


def test_a_column_that_names_rows_finds_one():
    app = opened("data")
    field = app.file_uploader(key="upload_field")
    checked(field.set_value([("named.csv", NAMED.encode(), "text/csv")]).run())
    loaded = Work(app.session_state["selection"]).data
    assert "number" not in loaded.dataset.X
    app.switch_page("pages/rules.py")
    checked(app.run())
    checked(app.text_input(key="find_row.number").set_value("P041").run())
    assert app.session_state["selection"].view.highlighted == 41
    checked(app.text_input(key="find_row.number").set_value("P999").run())
    assert "No row has this number." in [caption.value for caption in app.caption]
    assert app.session_state["selection"].view.highlighted == 41
