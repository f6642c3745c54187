"""The scene as the lines of Python that rebuild it."""

from __future__ import annotations

from lastviz.datasets import PAINTED
from lastviz.datasets.labels import legend
from lastviz.estimators import LEARNS_NUMBERS, entry_of, is_imported
from lastviz.export import Recipe, as_python
from lastviz.tables import AS_FOUND
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import UPLOAD, Selection

from . import cache
from .availability import known_of_data
from .data import generator_params
from .numbers import edits_of_numbers, is_own_tree
from .training import attribute_of

READ_OWN = """from pathlib import Path

from lastviz.export import model_from_json

model = model_from_json(Path("model.json").read_bytes())  # the file that you handed in
"""


def python_of(selection: Selection) -> str:
    """Return a script that loads the selection's data and trains its models.

    A page with fewer models hands in :meth:`Selection.first_models`.
    """
    if cache.data(selection).dataset.is_regression:
        return _python_of_numbers(selection)
    own = [is_imported(model.key) for model in selection.models]
    if all(own):
        return READ_OWN
    if any(own):
        trained = tuple(m for m, read in zip(selection.models, own, strict=True) if not read)
        return python_of(selection.having(models=trained)) + "\n" + READ_OWN
    models = tuple(_model(selection, place) for place in range(len(selection.models)))
    names = [name for name, _, _ in models]
    features = [
        attribute_of(cache.form_of(selection, place), cache.data(selection).dataset)
        for place in range(len(models))
    ]
    return _script(
        selection,
        models=models,
        features=features[0],
        own_features=dict(zip(names, features, strict=True)),
        unlabelled=tuple(
            name
            for name, model in zip(names, selection.models, strict=True)
            if selection.unlabelled and cache.takes_unlabelled(model.key)
        ),
        weighted=tuple(
            name
            for place, name in enumerate(names)
            if cache.weights_of(selection, place) is not None
        ),
        edits={name: cache.edits_of(selection, place) for place, name in enumerate(names)},
    )


def _script(selection: Selection, **models: object) -> str:
    """Return the script of a recipe; above it, as comments, what columns and values are called."""
    loaded, is_file = cache.data(selection), selection.data == UPLOAD
    recipe = Recipe(
        data=None if is_file else selection.data,
        file=selection.upload.name if is_file else None,
        data_params=_data_params(selection),
        steps=loaded.steps,
        fitted_steps=loaded.fitted_steps,
        held_out=selection.held,
        seed=selection.seed,
        **models,
    )
    return "".join(f"# {line}\n" for line in legend(loaded.plain)) + as_python(recipe)


def _python_of_numbers(selection: Selection) -> str:
    """Return the script where numbers are learnt: there is one algorithm for them."""
    if is_own_tree(selection):
        return READ_OWN
    params = dict(selection.numbers) | {SEED_NAME: selection.seed}
    name = LEARNS_NUMBERS.key.removesuffix("_regressor")
    return _script(
        selection,
        models=((name, LEARNS_NUMBERS.cls.__name__, params),),
        features="mixed_X",
        learns_numbers=True,
        weighted=() if cache.data(selection).dataset.weights is None else (name,),
        edits={name: edits_of_numbers(selection)},
    )


def _data_params(selection: Selection) -> dict[str, object]:
    if selection.data == PAINTED:
        return {"points": selection.painted}
    params = generator_params(selection)
    if selection.data == UPLOAD and selection.target is not None:
        params["target"] = selection.target
    if selection.data == UPLOAD and selection.reading != AS_FOUND:
        params["reading"] = selection.reading
    if cache.has_seed(selection.data):
        params[SEED_NAME] = selection.seed
    if selection.data == UPLOAD and cache.data(selection).dataset.is_regression:
        params["task"] = "regression"
    return params


def _model(selection: Selection, place: int) -> tuple[str, str, dict[str, object]]:
    """Return variable, class and keywords of a model; models of one algorithm are numbered."""
    model = selection.models[place]
    cls = entry_of(model.key).cls
    params = dict(model.params)
    if any(param.name == SEED_NAME for param in cls.PARAMS):
        params[SEED_NAME] = selection.seed
    params |= known_of_data(entry_of(model.key), cache.data(selection).dataset)
    same = [i for i, other in enumerate(selection.models) if other.key == model.key]
    name = model.key if len(same) == 1 else f"{model.key}_{same.index(place) + 1}"
    return name, cls.__name__, params
