"""The scene as the lines of Python that rebuild it."""

from __future__ import annotations

from lastviz.datasets import PAINTED
from lastviz.datasets.labels import legend
from lastviz.estimators import REGRESSOR, entry_of, is_imported
from lastviz.export import ScriptRecipe, as_python
from lastviz.tables import AS_FOUND
from lastviz.ui.state.codec import SEED_NAME
from lastviz.ui.state.selection import UPLOAD

from .availability import known_of_data
from .data import generator_params, has_seed, held_by
from .models import takes_unlabelled
from .training import attribute_of
from .work import ModelWork, Work

READ_OWN = """from pathlib import Path

from lastviz.export import model_from_file

model = model_from_file(Path("model.json").read_bytes())  # the file that you handed in
"""


# A page with fewer models hands in :meth:`Selection.first_models`.
def python_of(work: Work) -> str:
    """Script that loads the selection's data and trains its models."""
    if work.dataset.is_regression:
        return _python_of_numbers(work)
    own = [is_imported(model.key) for model in work.selection.models]
    if all(own):
        return READ_OWN
    if any(own):
        trained = tuple(m for m, read in zip(work.selection.models, own, strict=True) if not read)
        return python_of(work.having(models=trained)) + "\n" + READ_OWN
    models = tuple(map(_model, work.models))
    names = [name for name, _, _ in models]
    features = [attribute_of(work.models[place].form, work.dataset) for place in range(len(models))]
    return _script(
        work,
        models=models,
        features=features[0],
        own_features=dict(zip(names, features, strict=True)),
        unlabelled=tuple(
            name
            for name, model in zip(names, work.selection.models, strict=True)
            if work.selection.unlabelled and takes_unlabelled(model.key)
        ),
        weighted=tuple(
            name for place, name in enumerate(names) if work.models[place].weights is not None
        ),
        edits={name: work.models[place].placed_edits for place, name in enumerate(names)},
        lines={
            name: line
            for name, model in zip(names, work.models, strict=True)
            if (line := model.decides_at) is not None
        },
    )


def _script(work: Work, **models: object) -> str:
    """Script of a recipe, preceded by comments that name its columns and values."""
    loaded, is_file = work.data, work.selection.data == UPLOAD
    recipe = ScriptRecipe(
        data=None if is_file else work.selection.data,
        file=work.selection.upload.name if is_file else None,
        data_params=_data_params(work),
        steps=loaded.steps,
        fitted_steps=loaded.fitted_steps,
        units=() if loaded.units is None else held_by(loaded.full, work.selection),
        held_out=work.selection.held,
        seed=work.selection.seed,
        **models,
    )
    return "".join(f"# {line}\n" for line in legend(loaded.plain)) + as_python(recipe)


def _python_of_numbers(work: Work) -> str:
    """Script where numbers are learnt: there is one algorithm for them."""
    if is_imported(work.first.chosen.key):
        return READ_OWN
    params = dict(work.first.chosen.params) | {SEED_NAME: work.selection.seed}
    name = REGRESSOR.key.removesuffix("_regressor")
    return _script(
        work,
        models=((name, REGRESSOR.cls.__name__, params),),
        features="mixed_X",
        learns_numbers=True,
        weighted=() if work.dataset.weights is None else (name,),
        edits={name: work.first.placed_edits},
    )


def _data_params(work: Work) -> dict[str, object]:
    if work.selection.data == PAINTED:
        return {"points": work.selection.painted}
    params = generator_params(work.selection)
    if work.selection.data == UPLOAD and work.selection.target is not None:
        params["target"] = work.selection.target
    if work.selection.data == UPLOAD and work.selection.reading != AS_FOUND:
        params["reading"] = work.selection.reading
    if has_seed(work.selection.data):
        params[SEED_NAME] = work.selection.seed
    if work.selection.data == UPLOAD and work.dataset.is_regression:
        params["task"] = "regression"
    return params


# Models of the same algorithm are numbered.
def _model(model: ModelWork) -> tuple[str, str, dict[str, object]]:
    """Variable name, class and keywords of a model."""
    chosen = model.chosen
    cls = entry_of(chosen.key).cls
    params = dict(chosen.params)
    if any(param.name == SEED_NAME for param in cls.PARAMS):
        params[SEED_NAME] = model.selection.seed
    params |= known_of_data(entry_of(chosen.key), model.dataset)
    same = [i for i, other in enumerate(model.selection.models) if other.key == chosen.key]
    name = chosen.key if len(same) == 1 else f"{chosen.key}_{same.index(model.place) + 1}"
    return name, cls.__name__, params
