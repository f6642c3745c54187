"""All that knows Streamlit and is no page.

``frame`` draws what is around a page, ``state`` holds the one :class:`Selection` that ``codec``
writes into the address, ``cache`` computes it once, ``controls`` turns declared parameters into
widgets, ``components`` holds our own pieces of the browser, ``text`` all words.
May import everything below it; pages import from here. Nothing here knows an algorithm by name.
"""
