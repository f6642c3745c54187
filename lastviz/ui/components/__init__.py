"""Pieces of the browser that Streamlit does not have: the chart host and the copy button.

Each is a component (v2) made of one Python file with its script and style beside it.
"""
