"""Functions whose statements have tests of their own, which do as the rows do."""

TESTED = {
    "ui/compute/own_model.py::_check_known": ("test_what_a_sum_has_no_answer_for_is_refused",),
    "ui/data/sharing.py::_price": ("test_the_price_of_one_tree_is_that_of_the_held_out_rows",),
    "ui/rules/row.py::_sum_sentence": ("test_the_rules_and_the_rows_of_a_sum",),
    "ui/growth/by_hand.py::with_split": ("test_a_tree_by_hand_has_at_most_twenty_four_leaves",),
    "ui/growth/by_hand.py::first_split": ("test_what_cannot_split_says_why",),
    "ui/growth/by_hand.py::hand_work": ("test_too_many_values_are_refused_with_what_to_do",),
    "ui/growth/by_hand.py::references": (
        "test_deeper_than_four_the_best_possible_tree_is_not_searched_for",
    ),
    "ui/growth/hand_page.py::hand_finding": ("test_the_finding_says_what_the_trees_do",),
    "ui/growth/hand_page.py::hand_blocks": (
        "test_what_leaves_the_page_has_the_tree_and_the_comparison",
    ),
    "ui/growth/hand_page.py::comparison": (
        "test_what_leaves_the_page_has_the_tree_and_the_comparison",
    ),
    "ui/growth/hand_page.py::_words": ("test_the_loan_table_is_built_with_the_mouse",),
    "ui/growth/hand_page.py::_words_of_tree": (
        "test_what_cannot_split_says_why",
        "test_a_threshold_is_dragged_along_its_histogram_and_on_the_plane",
    ),
    "ui/state/pages.py::GrowthView.hand": ("test_a_link_without_a_tree_says_so",),
    "ui/state/story.py::remove": ("test_a_story_is_put_in_order_and_captioned",),
    "ui/state/story.py::recall": ("test_a_link_in_the_same_tab_does_not_start_the_story_anew",),
    "ui/story/page.py::_actions": ("test_own_tables_travel_with_a_story",),
    "ui/story/page.py::_refusal": (
        "test_a_powerpoint_file_that_cannot_be_made_is_refused_with_the_remedy",
    ),
    "ui/story/page.py::_drawn": ("test_a_slide_that_cannot_be_drawn_says_why",),
    "ui/data/sharing.py::_account_words": (
        "test_a_table_is_its_accounts_on_every_computer_and_nobody_elses",
    ),
    **dict.fromkeys(
        (
            "ui/boundaries/regression.py::_finding",
            "ui/data/figures.py::data_statements",
            "ui/monotone/words.py::audit_finding",
            "ui/monotone/words.py::order_finding",
            "ui/rules/short.py::row_findings",
            "ui/splits/words.py::split_finding",
            "ui/textbook/words.py::root_finding",
        ),
        ("test_the_sentence_of_a_view_is_true_and_the_title_of_what_leaves",),
    ),
    "ui/shared/language_switch.py::WORDS_FOR_READERS": (
        "test_all_that_an_element_of_streamlit_says_has_words_of_ours",
        "test_readers_are_not_told_how_to_start_a_server",
    ),
    "ui/shared/scene_box.py::reach_words": (
        "test_who_cannot_hand_on_an_address_is_told_what_to_do",
    ),
    "ui/splits/nominal.py::PRICE": (
        "test_gains_with_gaps_names_and_weights_are_worked_out_from_the_branches",
    ),
    "studies/latex.py::PROTOCOLS": ("test_it_says_how_parameters_are_chosen",),
    "ui/shared/guard.py::part": ("test_a_run_that_is_ended_says_so_and_draws_no_further",),
    **dict.fromkeys(
        (f"ui/quiz/guess.py::{name}" for name in ("finding", "_ends", "_answer")),
        (
            "test_the_sentence_says_whose_errors_are_fewer_and_each_case_is_met",
            "test_before_an_answer_the_page_holds_nothing_of_it",
        ),
    ),
    "ui/quiz/asking.py::hindrance": ("test_a_class_is_not_asked_what_it_could_not_open",),
    "ui/quiz/words.py::crowd_words": (
        "test_a_class_is_counted_by_where_it_cuts",
        "test_how_many_errors_is_asked_and_judged_with_a_tolerance",
    ),
    "ui/quiz/words.py::_number_revealed": (
        "test_how_many_errors_is_asked_and_judged_with_a_tolerance",
    ),
    "ui/quiz/room.py::_crowded_words": ("test_who_comes_from_a_crowded_address_is_told_so",),
    "ui/shared/glossary.py::letters": ("test_the_words_of_a_definition_come_to_the_number_shown",),
    "ui/shared/glossary.py::WITHIN": ("test_csn_is_said_with_the_groups_that_were_measured",),
    "ui/latent/figures.py::four_spaces": ("test_four_spaces_have_their_own_errors",),
    "ui/shared/page_file.py::_words": ("test_a_typed_row_is_answered_or_what_it_lacks_is_named",),
    "ui/shared/scene_box.py::_line_box": (
        "test_the_window_names_the_sites_that_may_show_it_or_the_setting_that_does",
    ),
    "ui/monotone/short.py::short_part": (
        "test_the_first_look_tells_each_verdict_its_count_and_the_errors",
    ),
    "ui/compare/blocks.py::_panel": (
        "test_the_page_opens_on_a_finished_study_and_says_its_conclusion_first",
    ),
    "ui/home/thumbnail.py::_caption": (
        "test_after_each_question_as_many_dots_are_wrong_as_in_a_tree_that_stops_there",
    ),
    "ui/rules/groups.py::group_panel": (
        "test_a_column_and_a_class_are_chosen_and_what_is_counted_is_said",
    ),
    "ui/shared/edits.py::_effect": ("test_a_report_says_what_was_changed_by_hand",),
    "ui/shared/headline.py::_chance": ("test_what_a_model_saves_is_told_from_chance",),
    "ui/boundaries/scene.py::pixel_words": (
        "test_the_image_of_a_row_frames_the_pixels_on_its_path",
    ),
    "ui/rules/short.py::_row": ("test_what_would_change_a_picked_row_is_one_click_away",),
    "ui/rules/short.py::decided_heading": (
        "test_the_rules_that_decide_most_have_counts_first_and_training_numbers_last",
    ),
    "ui/shared/example.py::example_link": (
        "test_a_page_that_cannot_show_what_was_chosen_says_why_and_shows_its_example",
        "test_a_cold_page_shows_its_example_and_says_so",
    ),
    "ui/shared/node_card.py::runner_up_words": (
        "test_a_split_is_compared_with_the_runner_up_by_a_ratio",
        "test_what_excluded_the_other_features_is_said",
        "test_an_equal_rival_lost_by_order_alone",
    ),
    "ui/splits/words.py::gain_lost": (
        "test_what_takes_the_gain_from_a_leaf_is_said",
        "test_no_gain_is_said_to_be_lost_where_there_is_a_split_or_nothing_to_gain",
    ),
}
