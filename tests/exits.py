"""Everything that leaves the app, and what shows that it says what the app says.

A row is added here with what it is about: tests/test_architecture.py finds what a page offers that
no row names, and rows whose test is nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass

TREES = ("boundaries", "rules")  # boundaries: where numbers are learnt
DRAWN = ("data", "boundaries", "splits", "latent", "rules", "pruning", "monotone", "textbook",
         "papers", "quiz", "compare")  # fmt: skip
WITH_FOOT = ("data", "boundaries", "growth", "splits", "latent", "rules", "pruning", "monotone",
             "textbook", "papers", "compare", "home")  # fmt: skip
GROWN = ("boundaries", "growth", "splits", "latent", "rules", "pruning", "monotone")

SAVED = "e2e/test_saved_pages.py::test_a_saved_page_draws_what_the_app_draws"
SLIDES = "e2e/test_saved_pages.py::test_a_slide_draws_what_the_app_draws"
FORMS = "ui/test_exits.py::test_a_tree_that_leaves_a_page_predicts_what_it_predicts_there"
CSV = "ui/test_exits.py::test_a_table_says_what_the_page_says"


@dataclass(frozen=True)
class Exit:
    """One thing that leaves.

    Attributes
    ----------
    made : str
        Which function of lastviz/ui offers it, as ``file::function``; of a menu ``menu::tool``, of
        a form of a tree ``form::key``.
    pages : tuple of str
        That offer it.
    opened : str
        How it is opened elsewhere.
    test : str
        What opens it so and compares it with the app, in the folder of tests: ``file::function``.
    """

    made: str
    pages: tuple[str, ...]
    opened: str
    test: str


EXITS = {
    "page that moves": Exit("menu::html", DRAWN, "a browser without a network", SAVED),
    "slide as SVG": Exit("menu::svg", DRAWN, "any reader of XML", SLIDES),
    "slide as PNG": Exit("menu::png", DRAWN, "any viewer of pictures", SLIDES),
    "slide of a growth": Exit(
        "menu::svg", ("growth",), "any reader of XML",
        "e2e/test_slides.py::test_a_step_of_a_growth_leaves_with_its_marks_and_its_sentence",
    ),
    "slide on paper or as PDF": Exit(
        "menu::print", (*DRAWN, "growth"), "the browser's printer, a reader of PDF",
        "e2e/test_saved_pages.py::test_a_slide_on_paper_says_and_paints_what_the_slide_does",
    ),
    "report": Exit(
        "shared/controls.py::_report_box",
        ("data", "boundaries", "splits", "latent", "rules", "pruning", "monotone"),
        "a browser without a network",
        "e2e/test_saved_pages.py::test_a_report_draws_what_the_app_draws",
    ),
    "report of a study": Exit(
        "compare/report.py::exports", ("compare",), "a browser",
        "ui/test_compare.py::test_the_report_is_whole",
    ),
    "study file": Exit(
        "compare/report.py::exports", ("compare",), "python -m lastviz.studies",
        "ui/test_compare.py::test_the_study_file_of_an_own_table_runs_where_the_table_is",
    ),
    "offline page": Exit(
        "shared/live_page.py::live_box",
        ("data", "boundaries", "growth", "splits", "latent", "rules", "pruning", "monotone",
         "textbook", "papers", "compare"),
        "a browser without a network, and a frame that may do nothing but run scripts",
        "e2e/test_live_page.py::test_an_offline_page_says_what_the_app_says",
    ),
    "quiz for a learning platform": Exit(
        "quiz/answering.py::package_box", ("quiz",), "a SCORM 1.2 platform",
        "e2e/test_scorm.py::test_the_score_that_arrives_is_that_of_the_app_and_survives_a_reload",
    ),
    "story for a learning platform": Exit(
        "story/page.py::_lesson", ("story",), "a SCORM 1.2 platform",
        "e2e/test_scorm.py::test_a_story_is_completed_once_all_its_slides_were_seen",
    ),
    "story": Exit(
        "story/page.py::_file", ("story",), "a browser without a network",
        "e2e/test_slide_show.py::test_a_story_plays_from_disk",
    ),
    "story to be changed": Exit(
        "story/page.py::_actions", ("story",), "the page Story",
        "ui/test_story.py::test_a_link_and_a_file_say_the_whole_story",
    ),
    "growth that plays": Exit(
        "growth/page.py::_export", ("growth",), "a browser without a network",
        "e2e/test_growth.py::test_an_exported_growth_plays_from_disk_and_another_order_is_another_growth",
    ),
    "scene file": Exit(
        "shared/scene_box.py::save_scene", WITH_FOOT, "the app, dropped on Data or Home",
        "e2e/test_scene_file.py::test_a_saved_scene_is_dropped_elsewhere_and_the_same_picture_stands",
    ),
    "link": Exit(
        "shared/controls.py::_copy_link", WITH_FOOT, "another browser",
        "ui/test_exits.py::test_a_link_opens_the_same_page",
    ),
    "link of a room": Exit(
        "quiz/room.py::_teacher", ("quiz",), "the browsers of a class",
        "host/test_rooms.py::test_a_teacher_and_a_pupil_on_the_page",
    ),
    "share code": Exit(
        "data/sharing.py::_shares", ("data",), "another browser",
        "ui/test_codec.py::test_a_code_alone_opens_what_is_shared_under_it",
    ),
    "Python": Exit(
        "shared/controls.py::foot", GROWN, "python",
        "ui/test_exits.py::test_a_script_prints_the_accuracy_of_the_page",
    ),
    "script for a model of one's own": Exit(
        "data/sharing.py::model_box", ("data",), "python",
        "ui/test_own_model.py::test_the_lines_on_the_page_write_a_file_that_comes_in",
    ),
    "rules as text": Exit("form::text", TREES, "people", FORMS),
    "rules as a table": Exit("form::csv", TREES, "pandas", FORMS),
    "Python function": Exit("form::python", TREES, "python", FORMS),
    "SQL": Exit("form::sql", TREES, "SQLite", FORMS),
    "JSON": Exit("form::json", TREES, "lastviz", FORMS),
    "DOT": Exit("form::dot", TREES, "Graphviz", FORMS),
    "ONNX": Exit("form::onnx", TREES, "onnxruntime", FORMS),
    "whole forest": Exit(
        "shared/exports.py::_offer", ("rules",), "lastviz, onnxruntime",
        "ui/test_exports.py::test_a_whole_forest_leaves_and_decides_as_it_does_here",
    ),
    "held-out rows, scored": Exit(
        "shared/exports.py::exports", TREES, "pandas",
        "ui/test_exports.py::test_held_out_classes_are_scored_with_their_truth",
    ),
    "new rows, scored": Exit(
        "data/score_rows.py::_show", ("data",), "pandas",
        "ui/test_exports.py::test_new_rows_get_numbers",
    ),
    "data": Exit("data/page.py::download", ("data",), "pandas", CSV),
    "painted rows": Exit("data/painting.py::_beside", ("data",), "pandas", CSV),
    "candidates": Exit("splits/details.py::ranking", ("splits",), "pandas", CSV),
    "hyperplanes": Exit("splits/searches.py::_table", ("splits",), "pandas", CSV),
    "curves of pruning": Exit("pruning/page.py::_download", ("pruning",), "pandas", CSV),
    "wrong rows": Exit("rules/tables.py::_by_row", ("rules",), "pandas", CSV),
    "brushed rows": Exit("shared/brushing.py::_buttons", GROWN, "pandas", CSV),
    "rows that differ": Exit("shared/difference.py::_rows", ("boundaries",), "pandas", CSV),
    "table of a paper": Exit("papers/page.py::_file", ("papers",), "pandas", CSV),
    "study for a paper": Exit(
        "compare/report.py::exports", ("compare",), "LaTeX and BibTeX",
        "studies/test_latex.py::test_the_table_has_the_numbers_of_the_statistics",
    ),
    "questions": Exit(
        "quiz/page.py::questions_list", ("quiz",), "the page Quiz",
        "ui/test_quiz.py::test_a_link_and_a_file_say_the_whole_quiz",
    ),
    "what is kept of a visitor": Exit(
        "privacy/page.py::_now", ("privacy",), "any reader of zip",
        "ui/test_privacy.py::test_what_the_page_lists_is_what_the_archive_has",
    ),
}  # fmt: skip
