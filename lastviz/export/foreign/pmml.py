"""Trees, and votes, means and sums of trees, from PMML (dmg.org, versions 3.2 to 4.4).

A node's children are asked in order, and the first whose predicate is true takes the row. What is
asked here is the same in other words: which child takes each value of a column. XML is read without
DTDs, so nothing outside the text is opened and no entity grows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn
from xml.parsers import expat

import numpy as np

from lastviz._sentences import Refusal
from lastviz.estimators import AnyImported, ImportedBoosting, make_imported
from lastviz.estimators.scikit_learn import threshold_of_single
from lastviz.tree import Missing

from .nodes import (
    LEFT,
    MOST_NODES,
    NO_CLASSES,
    NOWHERE,
    RIGHT,
    FileNode,
    Head,
    SumOfTrees,
    before_single,
    check_groups,
    no_support,
    single,
    tree_of,
)

MOST_ELEMENTS, DEEPEST = 3_000_000, 1000
STOP, NULL, REST = -1, -2, -3  # outcomes beside the place of a child
ORDER = {"lessThan": "<", "lessOrEqual": "<=", "greaterThan": ">", "greaterOrEqual": ">="}
PREDICATES = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")
OF_NODES = (*PREDICATES, "Node", "ScoreDistribution", "Extension", "Partition")
IN_PARTS = "weightedConfidence"
STRATEGIES = ("none", "lastPrediction", "nullPrediction", "defaultChild", IN_PARTS)
DECISIONS = {"majorityVote": "votes", "weightedMajorityVote": "votes", "average": "shares"}
SUMS = ("sum", "weightedSum", "average", "weightedAverage")


@dataclass(slots=True)
class Element:
    """Element of XML, with its line."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def no(self, what: str, known: str = "") -> NoReturn:
        """Raise a ValueError: there is something here that is not supported."""
        raise no_support(f"line {self.line}, {self.tag[:40]}", what, known)

    def get(self, name: str, otherwise: str | None = None) -> str:
        """Attribute, refused if it is lacking."""
        found = self.attributes.get(name, otherwise)
        return self.no(f"a lack of {name}") if found is None else found

    def real(self, name: str, otherwise: str | None = None) -> float:
        """Attribute that is a finite number."""
        return self.number(self.get(name, otherwise))

    def number(self, text: str) -> float:
        """Text as a finite number."""
        try:
            found = float(text)
        except ValueError:
            found = np.nan
        return found if abs(found) <= 1e200 else self.no(f"the number {text[:40]}")

    def all(self, *tags: str) -> list[Element]:
        """Children of these tags."""
        return [child for child in self.children if child.tag in tags]

    def first(self, *tags: str) -> Element:
        """First child of these tags, refused if there is none."""
        found = self.all(*tags)
        return found[0] if found else self.no(f"a lack of {tags[0]}")

    def below(self) -> Iterator[Element]:
        """The element and all in it, in their order."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting.extend(here.children[::-1])


def read_xml(text: str) -> Element:
    """Root element of XML without a DTD.

    Raises
    ------
    ValueError
        If it is not well-formed, has a DTD, or is larger or deeper than any model.
    """
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = True
    path = [Element("", {}, 0)]
    n_elements = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal n_elements
        n_elements += 1
        element = Element(tag.rpartition(" ")[2], attributes, parser.CurrentLineNumber)
        if n_elements > MOST_ELEMENTS or len(path) > DEEPEST:
            element.no(f"more than {MOST_ELEMENTS} elements or {DEEPEST} levels")
        path[-1].children.append(element)
        path.append(element)

    def data(text: str) -> None:
        path[-1].text += text

    def doctype(*_: object) -> None:
        raise Refusal("it has a DTD, which is not read; take the line <!DOCTYPE ...> out")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.CharacterDataHandler = data
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise Refusal("it is no well-formed XML ({error})", error=error) from error
    return path[0].children[0]


def from_xml(text: str) -> AnyImported | ImportedBoosting:
    """Model of a PMML document: its first TreeModel or MiningModel."""
    root = read_xml(text)
    models = [each for each in root.children if each.tag.endswith(("Model", "Network", "Ruleset"))]
    if root.tag != "PMML" or not models or models[0].tag not in ("TreeModel", "MiningModel"):
        found = models[0] if models else root
        found.no(found.tag[:40], "TreeModel, MiningModel")
    reader = _Document(root, models[0])
    return reader.tree(models[0]) if models[0].tag == "TreeModel" else reader.several(models[0])


# ---- Predicates: what they say of a value


@dataclass(frozen=True)
class _Predicate:
    """Predicate of a child: about one field, or a combination."""

    kind: str  # of PREDICATES, or an operator
    field: str = ""
    values: tuple = ()
    parts: tuple[_Predicate, ...] = ()

    def fields(self) -> set[str]:
        """Fields that it asks for."""
        return set().union({self.field} - {""}, *(part.fields() for part in self.parts))

    def numbers(self) -> set[float]:
        """Numbers that it compares with."""
        return set().union(self.values, *(part.numbers() for part in self.parts))

    def says(self, value: object) -> bool | None:
        """Whether it is true of a value; None if a missing one is compared."""
        if self.kind in ("True", "False"):
            return self.kind == "True"
        if self.parts:
            truth, decides = [part.says(value) for part in self.parts], self.kind == "or"
            return decides if decides in truth else None if None in truth else not decides
        if self.kind in ("isMissing", "isNotMissing"):
            return (value is None) == (self.kind == "isMissing")
        if value is None:
            return None
        if self.kind in ORDER:
            other, sign = self.values[0], ORDER[self.kind]
            return value == other if value == other and "=" in sign else (
                value != other and (value < other) == sign.startswith("<"))  # fmt: skip
        return (value in self.values) == (self.kind in ("isIn", "equal"))


# ---- Models


class _Document:
    """Fields of a document, and the trees that ask for them."""

    def __init__(self, root: Element, model: Element) -> None:
        fields = root.first("DataDictionary").all("DataField")
        self.fields = {each.get("name"): each for each in fields}
        schema = model.first("MiningSchema").all("MiningField")
        target = [each.get("name") for each in schema
                  if each.attributes.get("usageType") in ("target", "predicted")]  # fmt: skip
        self.target = self.fields.get(target[0]) if target else None
        self.asked = [each for each in root.below()
                      if each.tag in PREDICATES and "field" in each.attributes]  # fmt: skip
        used = {each.attributes["field"] for each in self.asked}
        for each in self.asked:
            if each.attributes["field"] not in self.fields:
                each.no(f"the field {each.attributes['field'][:60]}", "those of DataDictionary")
        self.names = tuple(name for name in self.fields if name in used)
        self.place = {name: f for f, name in enumerate(self.names)}
        self.known = [self._categories(name) for name in self.names]
        typed = (None if known is None else tuple(_typed(known, self.fields[name]).tolist())
                 for name, known in zip(self.names, self.known, strict=True))  # fmt: skip
        self.head = Head(self.names, tuple(typed), NO_CLASSES)
        check_groups(len(self.asked), self.head)
        for each in root.below():
            if each.tag == "MiningField" and each.attributes.get("name") in used:
                for name in {"missingValueReplacement", "outliers"} & set(each.attributes):
                    if each.get(name) != "asIs":
                        each.no(name)

    def _categories(self, name: str) -> list[str] | None:
        """Values of a field that is no number: the declared ones, else those asked for."""
        if self.fields[name].get("optype") == "continuous":
            return None
        named = (value for each in self.asked if each.get("field") == name
                 for value in _values(each))  # fmt: skip
        return _valid(self.fields[name]) or list(dict.fromkeys(named))

    def tree(self, model: Element) -> AnyImported:
        """The one tree of a TreeModel."""
        return self._decided([(1.0, model)], "tree", model)

    def _decided(
        self, segments: list[tuple[float, Element]], decision: str, model: Element
    ) -> AnyImported:
        classes = self._classes([each for _, each in segments])
        trees = []
        for place, (_, each) in enumerate(segments):
            nodes, missing = _TreeModel(self, each, classes).nodes()
            trees.append(
                tree_of(nodes, replace(self.head, classes=classes), f"tree {place}", missing)
            )
        if decision == "shares" and any(not tree.weighted_n_node_samples[0] for tree in trees):
            model.no("a mean of class shares without ScoreDistribution")
        name = model.attributes.get("algorithmName", "PMML")[:80]
        weights = [weight for weight, _ in segments] if decision == "votes" else None
        return make_imported(trees, decision, weights=weights, algorithm=name)

    def several(self, model: Element) -> AnyImported | ImportedBoosting:
        """Vote, mean or sum of a MiningModel."""
        segmentation = model.first("Segmentation")
        method = segmentation.get("multipleModelMethod")
        if method == "modelChain":
            return self._chain(segmentation)
        if model.get("functionName") != "classification":
            start, trees, missing = self._sum(model)
            return SumOfTrees(
                np.array([start]), [trees], self.head, "PMML", missing=missing
            ).model()
        if method not in DECISIONS:
            segmentation.no(f"{method[:40]} of classes", ", ".join(DECISIONS))
        segments = _segments(segmentation)
        if method == "majorityVote":
            segments = [(1.0, each) for _, each in segments]
        return self._decided(segments, DECISIONS[method], model)

    def _sum(self, model: Element) -> tuple[float, list[list[FileNode]], Missing]:
        """Start and trees of a TreeModel for numbers, or of a sum or mean of such."""
        segments, method = [(1.0, model)], "sum"
        if model.tag == "MiningModel":
            segmentation = model.first("Segmentation")
            method, segments = segmentation.get("multipleModelMethod"), _segments(segmentation)
        if method not in SUMS:
            model.no(f"{method[:40]} of numbers", ", ".join(SUMS))
        by_weight = method.startswith("weighted")
        weights = np.array([weight if by_weight else 1.0 for weight, _ in segments])
        if method.lower().endswith("average"):
            weights /= weights.sum() or 1.0
        factor, start = 1.0, 0.0
        for target in (each for of in model.all("Targets") for each in of.all("Target")):
            for name in {"castInteger", "min", "max"} & set(target.attributes):
                target.no(name, "rescaleConstant, rescaleFactor")
            factor = target.real("rescaleFactor", "1")
            start = target.real("rescaleConstant", "0")
        trees, found = [], set()
        for weight, (_, each) in zip(weights.tolist(), segments, strict=True):
            nodes, missing = _TreeModel(self, each, NO_CLASSES).nodes()
            trees.append(_scaled(nodes, weight * factor))
            found |= {missing} if len(nodes) > 1 else set()
        if len(found) > 1:
            model.no("a mixture of trees that answer where a value is missing and do not")
        return start, trees, found.pop() if found else Missing.BRANCH

    def _chain(self, segmentation: Element) -> ImportedBoosting:
        """Sums, and a RegressionModel that only makes numbers or classes of them."""
        *before, last = segmentation.all("Segment") or [segmentation]
        link, sums = last.first("RegressionModel"), {}
        for each in before:
            if each.first(*PREDICATES).tag != "True":
                each.no("a segment for some rows alone")
            model = each.first("TreeModel", "MiningModel")
            named = [out.get("name") for of in model.all("Output") for out in of.all("OutputField")]
            sums |= dict.fromkeys(named, self._sum(model))
        tables, scale = link.all("RegressionTable"), link.get("normalizationMethod", "none")
        labels = [each.attributes.get("targetCategory", "") for each in tables]
        decides = link.get("functionName") == "classification"
        if decides and scale == "logit" and len(tables) == 2:
            if tables[1].real("intercept") or tables[1].all("NumericPredictor"):
                tables[1].no("a score of its own for the second of two classes")
            tables, labels = tables[:1], labels[::-1]
        elif not decides and scale in ("none", "exp") and len(tables) == 1:
            labels = []
        elif not decides or scale != "softmax" or len(tables) < 2:
            link.no(f"{scale[:40]} of {len(tables)} scores", "logit, softmax, exp, none")
        start, trees, found = [], [], set()
        for table in tables:
            parts = table.all("NumericPredictor")
            if len(parts) != 1 or parts[0].get("name") not in sums or len(table.children) > 1:
                table.no("anything but one NumericPredictor, a sum before it")
            factor = parts[0].real("coefficient")
            own, nodes, missing = sums.pop(parts[0].get("name"))
            start.append(own * factor + table.real("intercept"))
            trees.append([_scaled(tree, factor) for tree in nodes])
            found.add(missing)
        head = replace(self.head, classes=_typed(labels, self.target))
        return SumOfTrees(np.array(start), trees, head, "PMML", scale == "exp", max(found)).model()

    def _classes(self, models: Sequence[Element]) -> np.ndarray:
        """Classes of the trees: those of the target field, else those that nodes name."""
        if any(each.get("functionName") != "classification" for each in models):
            return NO_CLASSES
        declared = [] if self.target is None else _valid(self.target)
        if not declared:
            each = [node for model in models for node in model.below()]
            named = {node.attributes.get("score") for node in each if node.tag == "Node"}
            named |= {node.get("value") for node in each if node.tag == "ScoreDistribution"}
            declared = sorted(named - {None})
        return _typed(declared, self.target)


def _segments(segmentation: Element) -> list[tuple[float, Element]]:
    """Weight and TreeModel of each segment."""
    found = []
    for each in segmentation.all("Segment"):
        if each.first(*PREDICATES).tag != "True":
            each.no("a segment for some rows alone")
        found.append((each.real("weight", "1"), each.first("TreeModel")))
    return found or segmentation.no("a lack of segments")


def _scaled(nodes: list[FileNode], factor: float) -> list[FileNode]:
    for node in nodes:
        node.value = None if node.value is None else node.value * factor
    return nodes


def _typed(labels: Sequence[str], declared: Element | None) -> np.ndarray:
    """Labels as the field declares them: texts or numbers."""
    kind = "" if declared is None else declared.attributes.get("dataType", "")
    if kind == "integer" and all(re.fullmatch("-?[0-9]{1,18}", label) for label in labels):
        return np.array([int(label) for label in labels], dtype=np.intp)
    if kind in ("double", "float"):
        return np.array([declared.number(label) for label in labels])
    return np.array(labels) if len(labels) else NO_CLASSES


def _valid(declared: Element) -> list[str]:
    """Values that a field declares."""
    return [each.get("value") for each in declared.all("Value")
            if each.attributes.get("property", "valid") == "valid"]  # fmt: skip


def _values(predicate: Element) -> list[str]:
    """Values that a predicate names, as texts."""
    if predicate.tag != "SimpleSetPredicate":
        return [predicate.attributes["value"]] if "value" in predicate.attributes else []
    text = predicate.first("Array").text
    pairs = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', text)
    return [quoted.replace('\\"', '"') or word for quoted, word in pairs]


class _TreeModel:
    """Nodes of one TreeModel."""

    def __init__(self, reader: _Document, model: Element, classes: np.ndarray) -> None:
        self.reader, self.model = reader, model
        self.label = {str(label): k for k, label in enumerate(classes.tolist())}
        self.strategy = model.get("missingValueStrategy", "none")
        if self.strategy not in STRATEGIES:
            model.no(f"missingValueStrategy {self.strategy[:40]}", ", ".join(STRATEGIES))
        self.last = model.attributes.get("noTrueChildStrategy") == "returnLastPrediction"
        self.answers = {True: False, False: False}  # whether a missing value has one anywhere
        self.made = [FileNode()]
        root = model.first("Node")
        self.waiting = [(root, root.all("Node"), self.made[0])]

    def nodes(self) -> tuple[list[FileNode], Missing]:
        """Nodes, the root first, and how missing values are treated."""
        root = self.waiting[0][0]
        if root.first(*PREDICATES).tag != "True":
            root.no("a root that does not take all rows")
        while self.waiting:
            item, children, node = self.waiting.pop()
            if len(self.made) > MOST_NODES:
                item.no(f"more than {MOST_NODES} nodes")
            self._outcome(item, node)
            if children:
                self._split(item, children, node)
            elif item.all("Node"):  # none of them took the row
                self._go(item, [], STOP if self.last else NULL, node)
        ends = [node for node in self.made if not node.children]
        if self.label and any(node.counts is None for node in ends):
            for node in ends:
                node.counts, node.rows = None, 0.0
        if self.strategy == IN_PARTS:
            if not any(node.rows for node in ends):
                self.model.no(f"{IN_PARTS} without recordCount")
            return self.made, Missing.FRACTIONS
        if all(self.answers.values()):
            self.model.no("an answer to missing values at some nodes and none at others")
        return self.made, Missing.REFUSE if self.answers[False] else Missing.BRANCH

    def _outcome(self, item: Element, node: FileNode) -> None:
        """Take over the prediction of a node, and its rows."""
        for each in item.children:
            if each.tag not in OF_NODES:
                each.no("such a part of a node")
        score, spread = item.attributes.get("score"), item.all("ScoreDistribution")
        if score is None and not item.all("Node") and not (spread and self.label):
            item.no("a leaf without score")
        if self.label and spread:
            node.counts = np.zeros(len(self.label))
            for each in spread:
                rows = max(each.real("recordCount"), 0.0)
                node.counts[self._class(each, each.get("value"))] += rows
        if score is not None and self.label:
            node.label = self._class(item, score)
        elif score is not None:
            node.value = item.number(score)
        node.rows = max(item.real("recordCount", "0"), 0.0)
        node.rows = node.rows if node.counts is None else node.counts.sum()

    def _class(self, item: Element, name: str) -> int:
        return self.label[name] if name in self.label else item.no(f"the class {name[:40]}")

    def _stop(self, item: Element, node: FileNode) -> None:
        """Make a leaf of a node for rows that no child takes."""
        if "score" not in item.attributes:
            item.no("an end of rows without score")
        self._outcome(item, node)
        node.children = ()
        for child in item.all("Node"):  # what is left of the rows
            below = FileNode()
            self._outcome(child, below)
            node.rows = max(node.rows - below.rows, 0.0)
            if node.counts is not None and below.counts is not None:
                node.counts = np.maximum(node.counts - below.counts, 0.0)

    def _predicate(self, item: Element) -> _Predicate:
        kind = item.get("booleanOperator", item.attributes.get("operator", item.tag))
        if item.tag == "CompoundPredicate":
            parts = tuple(self._predicate(each) for each in item.all(*PREDICATES))
            if kind not in ("and", "or") or not parts:
                item.no(f"booleanOperator {kind[:40]}", "and, or")
            return _Predicate(kind, parts=parts)
        if kind in ("True", "False"):
            return _Predicate(kind)
        name, values = item.get("field"), _values(item)
        numeric = self.reader.known[self.reader.place[name]] is None
        tests = ("isMissing", "isNotMissing", "isIn", "isNotIn", "equal", "notEqual")
        if kind not in (*tests, *ORDER) or (kind in ORDER and not numeric):
            item.no(f"the operator {kind[:40]}", ", ".join(tests))
        if not values and not kind.endswith("Missing"):
            item.no("a lack of value")
        if numeric:
            values = [item.number(each) for each in values]
            values = single(values).tolist() if self._is_single(name) else values
        return _Predicate(kind, name, tuple(values))

    def _is_single(self, name: str) -> bool:
        return self.reader.fields[name].attributes.get("dataType") == "float"

    def _split(self, item: Element, children: list[Element], node: FileNode) -> None:
        """Make a split of the children; of several fields, of the first one."""
        asked = [self._predicate(each.first(*PREDICATES)) for each in children]
        otherwise = STOP if self.last else NULL
        if len(set().union(*(each.fields() for each in asked))) > 1:
            asked, otherwise = asked[:1], REST
        names = set().union(*(each.fields() for each in asked))
        if len(names) > 1 or (otherwise == REST and self.strategy == "defaultChild"):
            item.no("a choice between children by several fields", "predicates of one field")

        def outcome(value: object) -> int:
            for place, each in enumerate(asked):
                truth = each.says(value)
                if truth is None and self.strategy != "none":
                    return self._unknown(item, children)
                if truth:
                    return place
            return otherwise

        missing = outcome(None)
        if not names:
            self._go(item, children, missing, node)
            return
        name = names.pop()
        node.feature = self.reader.place[name]
        self.answers[missing != NULL] = True
        if self.strategy == IN_PARTS and missing != NULL:
            item.no(f"{IN_PARTS} where a missing value has a child")
        if missing == STOP and "score" not in item.attributes:
            item.no("an end of rows without score")
        known = self.reader.known[node.feature]
        if known is None:
            self._intervals(item, children, node, name, asked, outcome)
            return
        found = [outcome(value) for value in known]
        if NULL in found or (STOP in found and "score" not in item.attributes):
            item.no(f"a value of {name[:60]} that no child takes", "returnLastPrediction and score")
        ends = [each for each in dict.fromkeys([*found, missing]) if each not in (STOP, NULL)]
        places = {each: branch for branch, each in enumerate(ends)}
        node.branch = np.array([places.get(each, NOWHERE) for each in found])
        node.missing = places.get(missing, NOWHERE)
        node.children = tuple(self._make(item, children, each) for each in ends)

    def _unknown(self, item: Element, children: list[Element]) -> int:
        """Outcome of a row whose value a predicate lacks."""
        if self.strategy != "defaultChild":
            return STOP if self.strategy == "lastPrediction" else NULL
        names = [each.attributes.get("id") for each in children]
        wanted = item.get("defaultChild")
        return names.index(wanted) if wanted in names else item.no(f"defaultChild {wanted[:40]}")

    def _intervals(
        self, item: Element, children: list[Element], node: FileNode, name: str,
        asked: list[_Predicate], outcome: Callable[[object], int],
    ) -> None:  # fmt: skip
        """Make thresholds between the numbers that children compare with."""
        cuts = sorted(set().union(*(each.numbers() for each in asked)))
        at, below = np.array(cuts), np.nextafter(cuts, -np.inf)
        if self._is_single(name):
            at, below = threshold_of_single(at), threshold_of_single(before_single(cuts))
        runs: list[tuple[int, float]] = []  # outcome, and the largest value that it is for
        for place, (low, high) in enumerate(zip([-np.inf, *cuts], [*cuts, np.inf], strict=True)):
            last = place == len(cuts)
            runs.append((outcome(_between(low, high)), np.inf if last else below[place]))
            if not last:
                runs.append((outcome(high), at[place]))
        later = [*(each for each, _ in runs[1:]), None]
        runs = [run for run, after in zip(runs, later, strict=True) if run[0] != after]
        found, missing = [each for each, _ in runs], outcome(None)
        if NULL in found or len({*found} - {STOP}) < len(found) - found.count(STOP):
            item.no(f"a value of {name[:60]} that no child takes, or one child on both sides of "
                    "others", "returnLastPrediction")  # fmt: skip
        first = node
        if missing != NULL and missing not in (found if len(runs) == 1 else (*found, STOP)):
            rest = self._beside(first)
            node.threshold, node.missing = np.inf, RIGHT
            node.children = (len(self.made) - 1, self._make(item, children, missing))
            node, missing = rest, found[0]
        for each, cut in runs[:-1]:
            child = self._make(item, children, each)
            rest = self._beside(first)
            node.threshold, node.children = float(cut), (child, len(self.made) - 1)
            branch = LEFT if missing == each else RIGHT
            node.missing = NOWHERE if missing in (STOP, NULL) else branch
            node = rest
        self._go(item, children, found[-1], node)

    def _beside(self, node: FileNode) -> FileNode:
        self.made.append(FileNode(feature=node.feature, label=node.label, value=node.value))
        return self.made[-1]

    def _make(self, item: Element, children: list[Element], found: int) -> int:
        self.made.append(FileNode())
        place = len(self.made) - 1
        self._go(item, children, found, self.made[place])
        return place

    def _go(self, item: Element, children: list[Element], found: int, node: FileNode) -> None:
        """Let a new node be the child of an outcome."""
        node.feature, node.label, node.value, node.counts = -1, -1, None, None
        if found == NULL:
            item.no("a value that no child takes", "returnLastPrediction")
        if found == STOP:
            self._stop(item, node)
        elif found == REST:
            self.waiting.append((item, children[1:], node))
        else:
            child = children[found]
            self.waiting.append((child, child.all("Node"), node))


def _between(low: float, high: float) -> float:
    """Value strictly between two rising numbers, unless they are neighbours."""
    if np.isinf(low):
        return 0.0 if np.isinf(high) else high - max(abs(high), 1.0)
    return low + max(abs(low), 1.0) if np.isinf(high) else low / 2 + high / 2
