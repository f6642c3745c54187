"""Statements about how files are read that have tests of their own."""

READ = ["test_a_file_is_read_right_or_with_a_word"]
SHOWN = ["test_new_rows_that_read_otherwise_are_shown_before_they_are_scored"]
TESTED = {
    "ui/shared/held_out.py::units_caveat": ("test_pages_and_reports_say_which_rows_are_held_out",),
    "ui/data/findings.py::_held_out": (
        "test_a_warning_about_the_order_of_rows_is_answered_by_a_click",
    ),
    "ui/rules/flip.py::_fixed": ("test_the_page_says_what_stays_as_it_is",),
    "ui/rules/tree.py::about_tree": ("test_rules_and_boundaries_name_the_sensitive_columns",),
    "ui/rules/row.py::_finder": ("test_a_column_that_names_rows_finds_one",),
    "tables/columns.py::_text": READ,
    "tables/delimited.py::_read": READ,
    "tables/delimited.py::_with_row_names": READ,
    "tables/hints.py::gap_hint": READ,
    "tables/hints.py::PARTS_OF_DATES": READ,
    "tables/hints.py::hints_of_numbers": READ,
    "ui/shared/new_table.py::reading_of_rows": SHOWN,
    "ui/shared/new_table.py::new_table": ["test_nothing_is_predicted_before_the_reader_has_chosen"],
}
