"""The user's choices, and the address that encodes them.

Knows no data.

Imports ``ui.text`` and, below ui, what names parameters, data sets and algorithms.
"""
