"""Server of the app and storage for its needs, independent of the pages' content.

Workers behind one address, whom they answer and with what headers; files, texts and rooms of
visitors in a store; what was computed in memory; long work in threads, and whose turn it is.
It stands below the pages and knows none of them: what it needs of them it is handed. Of
Streamlit it knows the runtime: sessions, runs, secrets and settings, never a widget.
"""
