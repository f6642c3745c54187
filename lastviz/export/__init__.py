"""A model for others: as code, as rules, as files.

May import everything from ``tree`` to ``plots``. A new form of a tree is one file and a row
of ``FORMS``.
"""

from .foreign import model_from_file as model_from_file
from .forms import FOREST_FORMATS as FOREST_FORMATS
from .forms import FORMATS as FORMATS
from .forms import ONNX as ONNX
from .forms import Form as Form
from .forms import as_dot as as_dot
from .function import ScriptRecipe as ScriptRecipe
from .function import as_function as as_function
from .function import as_python as as_python
from .json_reader import model_from_json as model_from_json
from .json_reader import tree_from_json as tree_from_json
from .onnx_graph import as_onnx as as_onnx
from .onnx_graph import has_onnx as has_onnx
from .onnx_graph import onnx_refusal as onnx_refusal
from .pmml import as_pmml as as_pmml
from .rule_list import rules_as_csv as rules_as_csv
from .rule_list import rules_as_text as rules_as_text
from .sql import as_sql as as_sql
from .tree_json import as_json as as_json
from .tree_json import model_as_json as model_as_json
from .tree_json import trusted_types as trusted_types
