"""Results of a selection, once per process: data, division, models, nodes, jobs.

No widget.

May import ``ui.text`` and ``ui.state``.
"""
