"""A model for others: as code, as rules, as files.

May import everything from ``tree`` to ``plots``. A new form of a tree is one file and a row
of ``FORMS``.
"""

from .dot import as_dot
from .forms import FOREST_FORMATS, FORMATS, ONNX, Form
from .function import as_function
from .json_reader import model_from_json, tree_from_json
from .onnx_graph import as_onnx
from .onnx_limits import has_onnx, onnx_refusal
from .python import Recipe, as_python
from .rule_list import rules_as_csv, rules_as_text
from .skops_types import trusted_types
from .sql import as_sql
from .tree_json import as_json, model_as_json

__all__ = [
    "FOREST_FORMATS",
    "FORMATS",
    "ONNX",
    "Form",
    "Recipe",
    "as_dot",
    "as_function",
    "as_json",
    "as_onnx",
    "as_python",
    "as_sql",
    "has_onnx",
    "model_as_json",
    "model_from_json",
    "onnx_refusal",
    "rules_as_csv",
    "rules_as_text",
    "tree_from_json",
    "trusted_types",
]
