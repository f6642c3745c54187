"""Details below the split of the page *splits*, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa

from lastviz._sentences import Refusal
from lastviz.criteria import CRITERIA, Candidate
from lastviz.estimators import ESTIMATORS
from lastviz.inspection import agreement, card_candidate
from lastviz.plots import Points, agreement_plot, number, successive_splits_plot
from lastviz.studies import RESULTS, results
from lastviz.tree import digits
from lastviz.ui.components.chart_host import chart
from lastviz.ui.compute.work import work_of
from lastviz.ui.shared.difference import draw_difference
from lastviz.ui.shared.figures import AS_IT_IS, arrow_table, column_title, plane_of
from lastviz.ui.shared.glossary import general_formula, with_numbers
from lastviz.ui.shared.widgets import bound, save_table, segments
from lastviz.ui.sheet import st
from lastviz.ui.state import session
from lastviz.ui.state.selection import MAX_MODELS, Model
from lastviz.ui.text import plural, t, translate

from .landscape import all_lines
from .scene import SplitScene

MOST_ROWS = 500
BEST = "best"


def split_details(scene: SplitScene) -> None:
    """Draw the chooser of the details, and the chosen one."""
    titles = {
        "ranking": t("Ranking"),
        "landscape": t("All lines"),
        "formulas": t("Formulas"),
        "agreement": t("Agreement"),
        "growth": t("Two trees"),
        "panels": t("Split by split"),
        "known": t("Do they help?"),
    }
    parts: dict[str, Callable[[], None]] = {
        "ranking": partial(ranking, scene),
        "landscape": partial(all_lines, scene),
        "formulas": partial(formula_cards, scene),
        "agreement": partial(criteria_agreement, scene),
        "growth": partial(growth_compared, scene),
        "panels": partial(panels, scene),
        "known": known_criteria,
    }
    part = segments("lab", t("About the split"), titles)
    if part not in ("growth", "panels", "known") and scene.is_pure:
        st.caption(t("All rows here have the same class: there is nothing to rank."))
        return
    parts[part]()


def ranking(scene: SplitScene) -> None:
    """Draw the candidates with their scores and ranks; choosing a row picks it."""
    names = scene.axis_names
    opened = scene.at.work.selection.splits.opened
    opened = opened if opened is not None and opened < len(names) else None
    every = t("the best of each")
    bound(
        st.selectbox,
        "opened",
        t("Candidates"),
        [BEST, *range(len(names))],
        value=opened,
        none=BEST,
        format_func=lambda f: every if f == BEST else names[f],
        width=320,
    )
    shown, of_all = listed_candidates(scene, opened)
    table = scene.table

    def pick_row() -> None:
        rows = st.session_state[f"ranking.{opened}"]["selection"]["rows"]
        session.select(pick=int(shown[rows[0]]) if rows else None)

    legible = [float(digits(table.threshold[i], scene.decimals_at(i))) for i in shown.tolist()]
    st.dataframe(
        arrow_table(candidate_columns(scene, shown) | {t("threshold"): legible}),
        key=f"ranking.{opened}",
        hide_index=True,
        height=min(35 * len(shown) + 40, 400),
        on_select=pick_row,
        selection_mode="single-row",
        column_config={
            "mark": st.column_config.TextColumn("", width="small"),
            t("threshold"): AS_IT_IS,
        },
    )
    if of_all > len(shown):
        st.caption(t("The best {n} of {all}.", n=number(len(shown)), all=number(of_all)))
    title = t("All {n} as CSV", n=number(scene.n_candidates))
    save_table(title, partial(_all_candidates, scene), "candidates")


def listed_candidates(scene: SplitScene, opened: int | None) -> tuple[np.ndarray, int]:
    """Candidates of the table, best first, and of how many they are the best."""
    first = "stage" if "stage" in scene.columns else (scene.read or ("gini",))[0]
    rank = scene.rank(first)
    if opened is None:
        ranked = np.flatnonzero(rank > 0)
        ranked = ranked[np.argsort(rank[ranked], kind="stable")]
        best = set(ranked[np.unique(scene.table.feature[ranked], return_index=True)[1]].tolist())
        marked = {i for i in (scene.chosen, scene.picked, scene.favourite) if i is not None}
        which = np.array(sorted(best | marked), dtype=np.intp)
    else:
        which = scene.candidates().of(opened)
    order = which[np.lexsort((which, np.where(rank[which] > 0, rank[which], np.iinfo(int).max)))]
    return order[:MOST_ROWS], len(order)


def candidate_columns(scene: SplitScene, which: np.ndarray) -> dict[str, object]:
    """Columns of candidates: test, children, score and rank by each criterion."""
    table = scene.table
    left = table.left_counts[which].sum(axis=1)
    names = np.array(scene.axis_names, dtype=object)
    axis = t("feature") if scene.basis is None else t("component")
    columns: dict[str, object] = {
        "mark": [_mark(scene, int(i)) for i in which],
        axis: names[table.feature[which]],
        t("threshold"): table.threshold[which],
        t("yes"): left,
        t("no"): len(scene.rows) - left,
    }
    for name, values in scene.columns.items():
        title = column_title(name)
        rank = scene.rank(name)[which]
        columns[title] = np.where(np.isfinite(values[which]), values[which], np.nan)
        ranks = np.ma.masked_array(rank, rank == 0)
        columns[t("{criterion}, rank", criterion=title)] = ranks
    return columns


def _mark(scene: SplitScene, candidate: int) -> str:
    if candidate == scene.chosen:
        return scene.chosen_word
    if candidate == scene.picked:
        return scene.picked_word
    if candidate == scene.favourite:
        return t("this rule")
    return t("shortlisted in step 1") if candidate in scene.passed(0) else ""


def _all_candidates(scene: SplitScene) -> pd.DataFrame:
    everything = np.arange(scene.n_candidates)
    table = arrow_table(candidate_columns(scene, everything))
    return table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)


def criteria_agreement(scene: SplitScene) -> None:
    """Draw how far the criteria rank the candidates alike."""
    found = agreement(scene.table)
    titles = [column_title(name) for name in found.columns]
    about = t(
        "Kendall's tau between two rankings, computed on {n} of {all} candidates: 1 the same "
        "order, 0 no relation, −1 the opposite order.",
        n=number(found.n_candidates),
        all=number(found.n_all),
    )
    figure = agreement_plot(titles, found.tau, theme=scene.at.theme, name="Kendall's tau")
    alt = t("{name}: {about}", name=t("Kendall's tau"), about=t(", ").join(titles))
    chart(figure, key="agreement", height=figure.height, alt=alt, filename="agreement")
    st.caption(about)


def formula_cards(scene: SplitScene) -> None:
    """Draw the cards of the rule's criteria, or of all, for the marked candidate."""
    candidate = scene.highlighted
    if candidate is None:
        st.caption(t("There is no candidate here whose numbers could be shown."))
        return
    names = scene.own or tuple(dict.fromkeys((*scene.read, *scene.table.columns)))
    columns = st.columns(2, gap="large")  # on paper one below the other
    for i, name in enumerate(names):
        with columns[2 * i >= len(names)]:
            formula_card(scene, name, candidate)


def formula_card(scene: SplitScene, name: str, candidate: int) -> None:
    """Draw one criterion: its formula, and the same with the numbers of `candidate`."""
    criterion = CRITERIA[name]
    best = t("small is good") if criterion.smaller_is_better else t("large is good")
    st.markdown(f"**{t(criterion.title)}** · {best}")
    try:
        if name in scene.table.failed:
            raise scene.table.failed[name]
        here = card_numbers(scene, name, candidate)
        general_formula(name, here, str(scene.at.measures.get("ecoc", "one_vs_rest")))
        with_numbers(name, here, float(scene.table.columns[name][candidate]))
    except Refusal as reason:  # a registered criterion fails alone
        st.info(translate(reason))


def card_numbers(scene: SplitScene, name: str, candidate: int) -> Candidate:
    """Candidate of the page as the card of criterion `name` reads it."""
    measured, known = CRITERIA[name].reads == "geometry", scene.dataset.directions
    axis = scene.axis_names[scene.table.feature[candidate]]
    return card_candidate(
        scene.table,
        candidate,
        geometry=scene.geometry(candidate) if measured else None,
        penalty=scene.at.measures.get("penalty", "approximate"),
        bnm_root=scene.at.measures.get("bnm_root", False),
        # data without any direction are taken to rise with all features
        direction=known.get(axis, 0) if any(known.values()) else 1,
    )


# ---- Two models laid over each other, and four criteria, split by split


PANEL_CRITERIA = {"gini": "Gini", "bnm": "BNM", "csn": "CSN", "bnm+csn": "BNM + CSN"}
SUCCESSIVE = 4


def growth_compared(scene: SplitScene) -> None:
    """Draw how the first two models differ: in the plane, in their trees, by rows."""
    work = scene.at.work.first_models(2)
    if len(work.selection.models) < 2:
        sentence = "Choose a second model at the left to see where the two trees differ."
        st.info(t(sentence))
        return
    draw_difference(work, (0, 1), plane_of(work), scene.at.theme)


def panels(scene: SplitScene) -> None:
    """Draw successive splits by four criteria in the plane, as sixteen small pictures."""
    own = scene.at.model.chosen
    key = next(  # of the algorithm that can grow by each of them
        key
        for key, entry in ESTIMATORS.items()
        for param in entry.cls.PARAMS
        if param.name == "criterion" and set(PANEL_CRITERIA) <= set(param.choices)
    )
    params = tuple(p for p in own.params if p[0] != "criterion") if own.key == key else ()
    work = work_of(
        scene.at.work.selection.change(
            models=tuple(
                Model(key, tuple(sorted((*params, ("criterion", criterion)))))
                for criterion in PANEL_CRITERIA
            )[:MAX_MODELS]
        )
    )
    plane = plane_of(work, alone=True)
    if plane.is_slice or plane.features[0] == plane.features[1]:
        st.info(t("Sixteen small pictures need data with exactly two features, such as XOR."))
        return
    rows = []
    for place, title in enumerate(PANEL_CRITERIA.values()):
        estimator = work.models[place].estimator
        regions = work.models[place].regions(plane.view, plane.features, plane.at)
        tree = estimator.tree_
        size = plural(tree.n_leaves, "{n} leaf", "{n} leaves")
        rows.append((f"{title}<br><span style='font-size:14px'>{size}</span>", regions))
    about = t(
        "The first four splits of each tree, level by level; the newest is the strongest line."
    )
    st.caption(about)
    divided = work.first.division
    train = divided.train_rows
    points = Points.plain(plane.x[train], plane.y[train], divided.y[train], train + 1)
    figure = successive_splits_plot(
        rows,
        replace(points, texts=plane.texts(train)),
        SUCCESSIVE,
        theme=scene.at.theme,
        class_names=scene.class_names,
        view=plane.view,
        split_word=t("split {n}", n="{n}"),
    )
    chart(
        figure,
        key="panels",
        height=figure.height,
        alt=about,
        filename="splits",
    )


# ---- Hybrid criteria, measured


def known_criteria() -> None:
    """Draw how much the hybrid criteria gain over Gini, as a stored study measured it."""
    table, about = results("bnm_csn"), RESULTS["bnm_csn"]
    complete = table.groupby("dataset").filter(lambda rows: rows.notna().all().all())
    means = complete.groupby("algorithm", sort=False).mean(numeric_only=True)
    st.markdown(plural(complete["dataset"].nunique(), "mean of {n} set", "means of {n} sets"))
    words = {"paper": t("paper"), "best": t("best"), "nested": t("nested")}
    names = {"accuracy": t("accuracy"), "depth": t("depth"), "leaves": t("leaves")}
    heads = [column.split("_") for column in means.columns]
    heads = [t("{name}: {about}", name=words[a], about=names[b]) for a, b in heads]
    st.dataframe(means.round(3).set_axis(heads, axis=1), height=35 * len(means) + 40)
    honest = complete.pivot(index="dataset", columns="algorithm", values="nested_accuracy")
    gains = []
    for name in means.index.drop("Gini"):
        gain = honest[name] - honest["Gini"]
        sentence = "{name} {gain} points, better on {wins} sets, worse on {losses}"
        points = f"{100 * gain.mean():+.1f}".replace("-", "−")
        gains.append(t(sentence, name=name, gain=points, wins=int((gain > 0).sum()),
                       losses=int((gain < 0).sum())))  # fmt: skip
    st.caption(
        t(
            "Five-fold cross-validation. *Best*: the grid point that is best on the test folds, as "
            "the paper chooses it. *Nested*: chosen inside the training folds, as one would have "
            "to. Nested and against Gini: {words}. Paper: {source}. Written by `{command}`.",
            words=t("; ").join(gains),
            source=t(about.source),
            command=about.command,
        )
    )
