"""Drawing tools of the figures: theme, marks, panels, layouts, words.

Imports no figure.
"""
