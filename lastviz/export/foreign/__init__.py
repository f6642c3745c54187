"""Models of other libraries from their files, without those libraries; nothing is evaluated.

A new library is a module that makes trees of a text, and a row of :data:`FORMATS`.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from lastviz._sentences import Refusal
from lastviz.estimators import AnyImported, ImportedBoosting
from lastviz.export.checked_values import Value
from lastviz.export.json_reader import model_from_json

from . import catboost, lightgbm, pmml, rpart, xgboost

_BY_MEMBER = {
    "learner": ("XGBoost", xgboost.from_json),
    "oblivious_trees": ("CatBoost", catboost.from_json),
    "trees": ("CatBoost", catboost.from_json),
}


def model_from_file(content: str | bytes) -> AnyImported | ImportedBoosting:
    """Model of a file of lastviz or of another library; the content says which.

    Parameters
    ----------
    content : str or bytes
        JSON of :func:`.model_as_json`, of XGBoost's ``save_model`` or of CatBoost's
        ``save_model(..., format="json")``; text of LightGBM's ``save_model`` or of R's
        ``print(rpart(...))``; PMML with a TreeModel or MiningModel.

    Returns
    -------
    estimator
        A tree, a forest, or a sum of trees. Its predictions are those of the library, which reads
        single precision where that one does.

    Raises
    ------
    ValueError
        If it is of none of these, or the model has what trees here cannot hold; one sentence says
        what, where, and what to do.

    Notes
    -----
    O(n_nodes n_classes). Text that only looks like a model is refused like any other.
    """
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return model_from_json(content)  # says that it is no text
    head = text.lstrip("\ufeff \t\r\n")
    if head.startswith("<"):
        return _read("PMML", lambda: pmml.from_xml(head))
    if head.startswith("tree") and "\nversion=" in head[:200]:
        return _read("LightGBM", lambda: lightgbm.from_text(head).model())
    if head.startswith("booster["):
        raise Refusal("a dump of XGBoost lacks what its trees are added to: write the model with "
                      "save_model(\"model.json\")")  # fmt: skip
    if rpart.HEAD.search(text[:2000]):
        return _read("rpart", lambda: rpart.from_text(text))
    if not head.startswith("{"):
        return model_from_json(content)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return model_from_json(content)  # says where it breaks off
    if isinstance(document, dict) and "format" not in document:
        for member, (library, read) in _BY_MEMBER.items():
            if member in document:
                return _read(library, lambda read=read: read(Value(document, "")).model())
    return model_from_json(content)


def _read(
    library: str, read: Callable[[], AnyImported | ImportedBoosting]
) -> AnyImported | ImportedBoosting:
    try:
        return read()
    except (ValueError, OverflowError) as error:
        reason = error.args[0] if isinstance(error, Refusal) else " ".join(str(error).split())
        raise Refusal("this model of {library} cannot be read: {said}", library=library,
                      said=reason) from error  # fmt: skip
