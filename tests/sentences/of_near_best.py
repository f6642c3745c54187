"""Statements of the view of near-best trees."""

VIEW = "test_the_statements_of_the_view_are_true"
TESTED = {
    "ui/splits/near_best.py::_findings": (
        "test_the_sentence_and_the_table_are_those_of_the_library", VIEW,
        "test_trees_of_a_gap_are_those_of_groups_near_each_other",
        "test_of_many_trees_a_sample_says_how_many_keep_the_limits",
    ),
    "ui/splits/near_best.py::NearBestScene.drawn": (
        "test_limits_that_no_tree_keeps_are_said_with_what_to_do",
        "test_where_none_of_a_sample_keeps_the_limits_the_share_is_bounded",
    ),
    "ui/splits/near_best.py::_feature_limits": (
        "test_trees_of_a_gap_are_those_of_groups_near_each_other",
    ),
    "ui/splits/near_best.py::_pictures": (VIEW,),
    "ui/splits/near_best.py::_row": ("test_a_clicked_row_has_its_exact_number_of_trees",),
    "ui/splits/near_best.py::_farthest": (VIEW,),
}  # fmt: skip
