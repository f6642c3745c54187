"""Every kind of thing that leaves the app, and what shows that it says what the app says.

A kind is made by one function, whatever page offers it and in whatever format. A row is added here
with what it is about: tests/test_architecture.py finds what a page offers that no row names, and
rows whose test is nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TREES = ("boundaries", "rules")  # boundaries: where numbers are learnt
DRAWN = ("data", "boundaries", "splits", "latent", "rules", "pruning", "monotone", "textbook",
         "papers", "quiz", "compare")  # fmt: skip
SAVED = ("data", "boundaries", "growth", "splits", "latent", "rules", "pruning", "monotone",
         "textbook", "papers", "compare")  # fmt: skip
WITH_FOOT = (*SAVED, "home")
GROWN = ("boundaries", "growth", "splits", "latent", "rules", "pruning", "monotone")

SLIDES = "e2e/test_saved_pages.py::test_a_slide_draws_what_the_app_draws"
FORMS = "ui/test_exits.py::test_a_tree_that_leaves_a_page_predicts_what_it_predicts_there"
FOREST = "ui/test_exports.py::test_a_whole_forest_leaves_and_decides_as_it_does_here"
CSV = "ui/test_exits.py::test_a_table_says_what_the_page_says"


@dataclass(frozen=True)
class Exit:
    """One kind of thing that leaves."""

    # The function of lastviz/ui that makes it, as ``file::function``; "menu" of pictures, of a form
    # of a tree ``form::key``.
    made: str
    pages: tuple[str, ...]  # that offer it
    opened: str  # how it is opened elsewhere
    # What of it, or the function that offers it, ``file::function`` -> what opens it so and
    # compares it with the app, in the folder of tests: ``file::function``.
    tests: Mapping[str, str]


EXITS = {
    "picture": Exit(
        "menu", (*DRAWN, "growth"), "any viewer of pictures, reader of XML or of PDF",
        {
            "svg": SLIDES,
            "png": SLIDES,
            "print": "e2e/test_saved_pages.py::"
            "test_a_slide_on_paper_says_and_paints_what_the_slide_does",
            "svg of a growth": "e2e/test_slides.py::"
            "test_a_step_of_a_growth_leaves_with_its_marks_and_its_sentence",
        },
    ),
    "page as a file": Exit(
        "shared/page_file.py::save_page", (*SAVED, "story"),
        "a browser without a network, and a frame that may do nothing but run scripts",
        {
            "shared/page_file.py::_in_the_box": "e2e/test_live_page.py::"
            "test_an_offline_page_says_what_the_app_says",
            "pictures": "e2e/test_saved_pages.py::test_a_saved_page_draws_what_the_app_draws",
            "sentence of each view": "ui/test_findings.py::"
            "test_the_sentence_of_a_view_is_true_and_the_title_of_what_leaves",
            "each view": "ui/test_views_leave.py::test_a_view_leaves_as_it_is_seen",
            "view of a story and of the command": "ui/test_findings.py::"
            "test_a_story_and_the_command_show_the_view_of_the_page",
            "costs": "ui/test_exits.py::"
            "test_a_board_is_told_one_cost_in_every_view_and_by_all_that_leaves",
            "growth": "e2e/test_growth.py::"
            "test_an_exported_growth_plays_from_disk_and_another_order_is_another_growth",
            "report": "e2e/test_saved_pages.py::test_a_report_draws_what_the_app_draws",
            "report of a study": "ui/test_compare.py::"
            "test_a_study_is_reported_within_limits_by_each_metric_and_two_are_looked_at_closely",
            "story/page.py::_file": "e2e/test_slides.py::test_a_story_plays_from_disk",
        },
    ),
    "lesson": Exit(
        "shared/page_file.py::save_lesson", ("quiz", "story"), "a SCORM 1.2 platform",
        {
            "quiz/answering.py::package_box": "e2e/test_quiz.py::"
            "test_the_score_that_arrives_is_that_of_the_app_and_survives_a_reload",
            "story/page.py::_file": "e2e/test_quiz.py::"
            "test_a_story_is_completed_once_all_its_slides_were_seen",
        },
    ),
    "PowerPoint": Exit(
        "story/page.py::_powerpoint", ("story",), "python-pptx",
        {"": "e2e/test_story.py::test_a_powerpoint_file_says_and_draws_what_the_page_does"},
    ),
    "story to be changed": Exit(
        "story/page.py::_actions", ("story",), "the page Story",
        {
            "scenes": "ui/test_story.py::test_a_link_and_a_file_say_the_whole_story",
            "own tables": "ui/test_story.py::test_own_tables_travel_with_a_story",
        },
    ),
    "questions": Exit(
        "quiz/page.py::questions_list", ("quiz",), "the page Quiz",
        {"": "ui/test_quiz.py::test_a_link_and_a_file_say_the_whole_quiz"},
    ),
    "scene file": Exit(
        "shared/scene_box.py::save_scene", WITH_FOOT, "the app, dropped on Data or Home",
        {"": "e2e/test_scene_file.py::"
         "test_a_saved_scene_is_dropped_elsewhere_and_the_same_picture_stands"},
    ),
    "link": Exit(
        "components/copy_link.py::copy_link", (*WITH_FOOT, "quiz"), "another browser",
        {
            "shared/doors.py::_copy_link": "ui/test_exits.py::test_a_link_opens_the_same_page",
            "quiz/room.py::_teacher": "host/test_rooms.py::test_a_teacher_and_a_pupil_on_the_page",
            "shared table, its code": "ui/test_codec.py::"
            "test_a_code_alone_opens_what_is_shared_under_it",
        },
    ),
    "Python": Exit(
        "shared/doors.py::doors", GROWN, "python",
        {
            "scene": "ui/test_exits.py::test_a_script_prints_the_accuracy_of_the_page",
            "model of one's own": "ui/test_own_model.py::"
            "test_the_lines_on_the_page_write_a_file_that_comes_in",
        },
    ),
    "rules as text": Exit("form::text", TREES, "people", {"tree": FORMS}),
    "rules as a table": Exit("form::csv", TREES, "pandas", {"tree": FORMS}),
    "Python function": Exit("form::python", TREES, "python", {"tree": FORMS}),
    "SQL": Exit("form::sql", TREES, "SQLite", {"tree": FORMS}),
    "JSON": Exit("form::json", TREES, "lastviz", {"tree": FORMS, "forest": FOREST}),
    "PMML": Exit("form::pmml", TREES, "lastviz, JPMML", {"tree": FORMS}),
    "DOT": Exit("form::dot", TREES, "Graphviz", {"tree": FORMS}),
    "ONNX": Exit("form::onnx", TREES, "onnxruntime", {"tree": FORMS, "forest": FOREST}),
    "table": Exit(
        "shared/widgets.py::save_table",
        ("data", *GROWN, "papers", "compare"), "pandas",
        {
            "shared/exports.py::exports": "ui/test_exports.py::"
            "test_held_out_classes_are_scored_with_their_truth",
            "data/score_rows.py::_show": "ui/test_exports.py::test_new_rows_get_numbers",
            "data/page.py::download": CSV,
            "data/painting.py::_beside": CSV,
            "splits/details.py::ranking": CSV,
            "splits/searches.py::_table": CSV,
            "pruning/page.py::_download": CSV,
            "rules/tables.py::_by_row": CSV,
            "shared/brushing.py::_buttons": CSV,
            "shared/difference.py::_rows": CSV,
            "papers/page.py::_file": CSV,
            "compare/report.py::exports": "ui/test_compare.py::"
            "test_the_folds_that_leave_are_those_of_the_store",
        },
    ),
    "names, units and labels": Exit(
        "data/page.py::download", ("data",), "the page Data, beside the table",
        {"": "datasets/test_labels.py::test_a_folder_takes_labels_from_its_sidecars"},
    ),
    "study": Exit(
        "compare/report.py::_study_files", ("compare",), "python -m lastviz.studies",
        {"": "ui/test_compare.py::"
         "test_the_study_file_of_an_own_table_runs_where_the_table_is"},
    ),
    "study for a paper": Exit(
        "compare/report.py::_paper_files", ("compare",), "LaTeX and BibTeX",
        {"": "studies/test_latex.py::test_the_table_has_the_numbers_of_the_statistics"},
    ),
    "what is kept of a visitor": Exit(
        "privacy/page.py::_now", ("privacy",), "any reader of zip",
        {"": "ui/test_privacy.py::test_what_the_page_lists_is_what_the_archive_has"},
    ),
}  # fmt: skip
