"""Long texts as short ones of letters, digits, "-" and "_", as a link can hold them."""

from __future__ import annotations

import base64
import binascii
import zlib

MOST_BYTES = 200_000  # once it is inflated
RAW = -15  # deflated without a header


def packed_text(text: str) -> str:
    """Return a text in its short form."""
    deflate = zlib.compressobj(9, wbits=RAW)
    data = deflate.compress(text.encode()) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpacked_text(packed: str) -> str:
    """Return the text that :func:`packed_text` packed; ValueError if it did not."""
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflate = zlib.decompressobj(wbits=RAW)
        plain = inflate.decompress(data, MOST_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from error
    if not inflate.eof:
        raise ValueError("it is longer than it may be, or cut off")
    return plain.decode("utf-8")
