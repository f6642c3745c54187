"""What the reader has chosen, and the address that says it. Knows no data.

Imports ``ui.text`` and, below ui, what names parameters, data sets and algorithms.
"""
