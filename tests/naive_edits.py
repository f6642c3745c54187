"""The slow, obvious twin of edited growth: the whole tree grown anew, node by node.

Its splitter is told by the node's key what to do there.
"""

import numpy as np

from lastviz._random import ROOT_KEY, child_keys
from lastviz.builders import NodewiseGrowth
from lastviz.splitters.edits import ForcedSplit, MadeLeaf, Without
from lastviz.tree import Reason


def key_of(path):
    key = ROOT_KEY
    for branch in path:
        key = child_keys(key, np.asarray(branch))
    return int(key)


class ToldSplitter:
    """Searches as the splitter of an estimator does, except where an edit says otherwise."""

    def __init__(self, splitter, edits):
        self.splitter = splitter
        self.edits = {}
        for edit in edits:
            self.edits.setdefault(key_of(edit.path), []).append(edit)
        self.left_out = {}

    def root(self):
        return self._reached(self.splitter.root(), frozenset())

    def child(self, context, split, branch):
        child = self.splitter.child(context, split, branch)
        return self._reached(child, self.left_out[context.key])

    def _reached(self, context, left_out):
        for edit in self.edits.get(context.key, []):
            if isinstance(edit, Without) and edit.below:
                left_out = left_out | set(edit.features)
        self.left_out[context.key] = left_out
        return context

    def best(self, context):
        left_out = self.left_out[context.key]
        for edit in self.edits.get(context.key, []):
            if isinstance(edit, MadeLeaf):
                return Reason.LEAF_BY_HAND
            if isinstance(edit, ForcedSplit):
                return edit.split
            if isinstance(edit, Without):
                left_out = left_out | set(edit.features)
        if not left_out:
            best = getattr(self.splitter, "best", None)
            found = best(context) if best else self.splitter.search(context).split
        else:
            found = self.splitter.search(context).without(left_out).split
        return Reason.NO_GAIN if found is None else found


def grown_anew(estimator, X, y, stop, edits):
    """Return (feature, threshold, rows) of the nodes of the tree that grows under edits."""
    codes = np.searchsorted(estimator.classes_, y)
    splitter = ToldSplitter(estimator.splitter(X, y), edits)
    growth = NodewiseGrowth(splitter, codes, len(estimator.classes_), stop).run()
    nodes, rows = growth.nodes, growth.rows
    return [
        (int(nodes.feature[i]), float(nodes.threshold[i]), set(rows[nodes.start[i] : nodes.end[i]]))
        for i in range(growth.n_nodes)
    ]
