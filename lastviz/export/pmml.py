"""Trees as PMML 4.4, the XML of the Data Mining Group that other programs score rows by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

import numpy as np

from lastviz import __version__
from lastviz._sentences import Refusal, Statement
from lastviz.tree import Kind, Missing, Tree

from .code_words import held_tree, labels_of, outcomes, plain, sending, used_features

# What XML 1.0 cannot hold, not even as a number.
NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TARGET = "class", "number"


def as_pmml(tree: Tree, labels: Sequence[object] | None = None) -> str:
    """Tree as a TreeModel of PMML 4.4; :func:`.model_from_file` brings it back.

    Parameters
    ----------
    tree : Tree
        ``estimator.tree_``.
    labels : sequence, optional
        What the classes are called; the tree's own classes if not given.

    Raises
    ------
    ValueError
        If the tree has hyperplanes or machines, a monotone envelope decides, or a name holds a
        character that XML lacks.

    Notes
    -----
    A missing value goes where the tree sends it (``defaultChild``), or down all branches in parts
    (``weightedConfidence``); a tree that takes none, or one that divides rows and decides by
    costs, which PMML cannot add up, gives no prediction. A new category ends the path
    (``returnLastPrediction``), and of a tree that divides rows counts as missing. O(n_nodes
    n_classes).
    """
    tree = sending(held_tree(tree, "PMML"))
    reason = pmml_refusal(tree, labels)
    if reason is not None:
        raise Refusal(reason)
    names, predicted = labels_of(tree, labels), outcomes(tree, labels)
    asked, target = used_features(tree), _free_name(tree)
    kind = "regression" if tree.is_regression else "classification"
    divides = tree.missing == Missing.FRACTIONS
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">',
        f" <Header><Application name=\"lastviz\" version={quoteattr(__version__)}/></Header>",
        f' <DataDictionary numberOfFields="{len(asked) + 1}">',
        *(
            _field(tree.feature_names[f], known, _type_of([plain(each) for each in known or ()]))
            for f, known in ((f, tree.feature_categories[f]) for f in asked)
        ),
        _field(target, None if tree.is_regression else names, _type_of(names)),
        " </DataDictionary>",
        f' <TreeModel functionName="{kind}" splitCharacteristic="multiSplit"'
        f' missingValueStrategy="{_strategy(tree)}" noTrueChildStrategy="returnLastPrediction">',
        "  <MiningSchema>",
    ]  # fmt: skip
    for f in asked:
        new = "" if tree.feature_categories[f] is None else (
            f' invalidValueTreatment="{"asMissing" if divides else "asIs"}"')  # fmt: skip
        lines.append(f"   <MiningField name={quoteattr(tree.feature_names[f])}{new}/>")
    lines += [f'   <MiningField name={quoteattr(target)} usageType="target"/>', "  </MiningSchema>"]
    waiting: list[int | str] = [0]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            lines.append(node)
            continue
        indent = " " * (3 + int(tree.depth[node]))
        lines.append(f"{indent}<Node {_attributes(tree, node, predicted[node])}>")
        lines.append(f"{indent} {_predicate(tree, node)}")
        if not tree.is_regression:
            lines += [
                f'{indent} <ScoreDistribution value={quoteattr(_text(name))} recordCount="{n!r}"/>'
                for name, n in zip(names, tree.value[node].tolist(), strict=True)
            ]
        waiting += [f"{indent}</Node>", *tree.children(node)[::-1]]
    return "\n".join([*lines, " </TreeModel>", "</PMML>"]) + "\n"


def pmml_refusal(tree: Tree, labels: Sequence[object] | None = None) -> Statement | None:
    """Reason why :func:`as_pmml` cannot write a tree of no machines, or None."""
    if (tree.kind == Kind.OBLIQUE).any():
        return Statement("PMML cannot hold hyperplanes: its trees ask for one column at a time")
    known = [each for each in tree.feature_categories if each is not None]
    for name in (*tree.feature_names, *labels_of(tree, labels), *(c for k in known for c in k)):
        if NO_XML.search(str(name)):
            return Statement("XML cannot hold a control character; rename {name!r}",
                             name=str(name))  # fmt: skip
    return None


def _text(label: object) -> str:
    return str(label).lower() if isinstance(label, bool) else str(label)


def _type_of(names: Sequence[object]) -> str:
    kinds = {type(name) for name in names}
    return "integer" if kinds == {int} else "double" if kinds in ({float}, set()) else "string"


def _free_name(tree: Tree) -> str:
    name = TARGET[tree.is_regression]
    while name in tree.feature_names:
        name += "_"
    return name


def _field(name: str, known: Sequence[object] | None, kind: str) -> str:
    if known is None:
        return f'  <DataField name={quoteattr(name)} optype="continuous" dataType="double"/>'
    values = "".join(f"<Value value={quoteattr(_text(each))}/>" for each in known)
    return (f'  <DataField name={quoteattr(name)} optype="categorical" dataType="{kind}">'
            f"{values}</DataField>")  # fmt: skip


def _by_children(tree: Tree) -> bool:
    """Whether every split names a branch for missing values."""
    return bool((tree.missing_branch[tree.n_children > 0] >= 0).all())


def _strategy(tree: Tree) -> str:
    if tree.missing == Missing.FRACTIONS and tree.costs is None:
        return "weightedConfidence"
    if tree.missing == Missing.BRANCH:
        return "defaultChild" if _by_children(tree) else "none"
    return "nullPrediction"


def _attributes(tree: Tree, node: int, label: object) -> str:
    found = f'id="{node}" score={quoteattr(_text(label))}'
    found += f' recordCount="{float(tree.weighted_n_node_samples[node])!r}"'
    if tree.missing == Missing.BRANCH and tree.n_children[node] and _by_children(tree):
        found += f' defaultChild="{tree.first_child[node] + tree.missing_branch[node]}"'
    return found


def _predicate(tree: Tree, node: int) -> str:
    """Condition of the rows of a node among those of its parent."""
    parent = int(tree.parent[node])
    if parent < 0:
        return "<True/>"
    feature, branch = int(tree.feature[parent]), node - int(tree.first_child[parent])
    name = f"field={quoteattr(tree.feature_names[feature])}"
    if tree.asks_missing(parent):
        operator = ("isNotMissing", "isMissing")[branch]
        return f'<SimplePredicate {name} operator="{operator}"/>'
    if tree.kind[parent] == Kind.THRESHOLD:
        operator = ("lessOrEqual", "greaterThan")[branch]
        value = repr(float(tree.threshold[parent]))
        tests = [f'<SimplePredicate {name} operator="{operator}" value="{value}"/>']
    else:
        known = tree.feature_categories[feature]
        taken = tree.categories.branch[tree.split_row[parent]][: len(known)]
        values = [_text(known[code]) for code in np.flatnonzero(taken == branch)]
        tests = [f'<SimplePredicate {name} operator="equal" value={quoteattr(value)}/>'
                 for value in values]  # fmt: skip
    if _strategy(tree) == "none" and tree.missing_branch[parent] == branch:
        tests.insert(0, f'<SimplePredicate {name} operator="isMissing"/>')
    if len(tests) == 1:
        return tests[0]
    either = "".join(tests)
    return f'<CompoundPredicate booleanOperator="or">{either}</CompoundPredicate>' * bool(
        tests
    ) or ("<False/>")
