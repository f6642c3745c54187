"""The tables of measured figures that the app shows."""

import pytest

from lastviz.studies import RESULTS, results


@pytest.mark.parametrize("key", RESULTS)
def test_every_table_can_be_read(key):
    table = results(key)
    assert len(table)
    assert RESULTS[key].command.startswith("python -m benchmarks.")


def test_chosen_honestly_bnm_gains_most_and_csn_loses():
    table = results("bnm_csn")
    complete = table.groupby("dataset").filter(lambda rows: rows.notna().all().all())
    means = complete.groupby("algorithm").mean(numeric_only=True)
    nested = means["nested_accuracy"] - means.loc["Gini", "nested_accuracy"]
    assert nested["BNM+Gini"] > 0
    assert nested["CSN+Gini"] < 0
    assert nested.idxmax() == "BNM+Gini"
    leaves = means["best_leaves"]
    assert leaves["BNM+Gini"] < leaves["Gini"] <= leaves["CSN+Gini"]
