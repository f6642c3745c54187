"""Pieces of more than one page: choosers, plane, headline, models in view, words and theme.

May import ``ui.text``, ``state``, ``compute`` and ``components``.
"""
