"""The same model as a page shows it and as a notebook has it."""

import json
from copy import copy
from dataclasses import replace

import numpy as np
from plotly.utils import PlotlyJSONEncoder

from lastviz.estimators import ESTIMATORS
from lastviz.ui.compute.work import Work
from lastviz.ui.state.selection import DEFAULT, Model


def traces(drawing):
    return json.loads(json.dumps(drawing.traces, cls=PlotlyJSONEncoder))


def scenes():
    """Each algorithm in a plane of two features, and one that is cut through many."""
    for key, entry in ESTIMATORS.items():
        if entry.cls.TAGS.max_values is not None:
            yield key, "loan", ("job", "credit")
        elif entry.cls.TAGS.ordered_classes:
            yield key, "monotone", None
        else:
            yield key, "moons", None
            yield key, "wine", ("flavanoids", "color intensity")


def selected(key, data, features, **more):
    view = replace(DEFAULT.view, axes=features)
    return DEFAULT.having(data=data, held=0.0, models=(Model(key),), view=view, **more)


def in_a_notebook(selection):
    """The trained model of a page with the classes as people call them, its rows, their labels."""
    divided, dataset = Work(selection).first.division, Work(selection).dataset
    classes = np.asarray(dataset.class_order)
    estimator = copy(Work(selection).first.fitted_any.estimator)
    estimator.classes_ = classes  # the pages train on places of classes
    return estimator, divided.X, classes[divided.y]
