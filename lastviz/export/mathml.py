"""Formulas of LaTeX as MathML, which browsers draw by themselves."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d(?:[\d.]|\{,\})*|\s+|.", re.S)
LINE = re.compile(r"\\\\(?:\[\d+pt\])?")
UNSEEN = re.compile(  # sizes, and what sets lines under each other
    r"\\(?:begin|end)\{aligned\}|(?<!\\)&|\\(?:left|right|[bB]ig[lr]|textstyle|mathrlap)(?![a-z])"
)
HALF = re.compile(r"(frac)(\d)(\d)")  # as of \tfrac12
SIGNS = {
    r"\le": "≤", r"\leq": "≤", r"\ge": "≥", r"\geq": "≥", r"\neq": "≠", r"\in": "∈", r"\cap": "∩",
    r"\mid": "∣", r"\cdot": "·", r"\dots": "…", r"\cdots": "⋯", r"\infty": "∞", r"\sum": "∑",
    r"\lfloor": "⌊", r"\rfloor": "⌋", r"\lVert": "‖", r"\rVert": "‖", r"\downarrow": "↓",
    r"\alpha": "α", r"\sigma": "σ", r"\epsilon": "ϵ", r"\theta": "θ", r"\chi": "χ", r"\Sigma": "Σ",
    r"\Delta": "Δ", r"\Phi": "Φ", "-": "−", "'": "′", r"\,": "\u2009", r"\;": "\u2004",
    r"\quad": "\u2003", r"\qquad": "\u2003\u2003", r"\textbackslash": "\\",
    r"\textasciicircum": "^", r"\textasciitilde": "~",
}  # fmt: skip
LIMITS = {r"\sum", r"\max", r"\min", r"\arg"}  # have what is low below them
TAGS = {r"\frac": ("mfrac", 2), r"\tfrac": ("mfrac", 2), r"\sqrt": ("msqrt", 1),
        r"\mathbf": ("mstyle", 1)}  # fmt: skip
OVER = {r"\bar": "¯", r"\hat": "^", r"\tilde": "~"}
UPRIGHT = {r"\text", r"\mathrm", r"\mathsf", r"\operatorname", r"\textbf"}


def mathml(latex: str, shown: str = "block") -> Markup:
    """Formula as an element of html; lines that are set under each other are rows."""
    lines = LINE.split(HALF.sub(r"\1{\2}{\3}", latex))
    rows = [_row(TOKEN.findall(UNSEEN.sub(" ", line))[::-1]) for line in lines]
    cells = "".join(f'<mtr><mtd style="text-align: left">{row}</mtd></mtr>' for row in rows)
    inside = f"<mtable>{cells}</mtable>" if rows[1:] else rows[0]
    return Markup(f'<math display="{shown}">{inside}</math>')


def _row(rest: list[str]) -> str:
    """Tokens up to the end of their group; the next one is the last of `rest`."""
    found = []
    while rest and rest[-1] != "}":
        if rest[-1].isspace():
            rest.pop()
            continue
        names = ("under", "over") if rest[-1] in LIMITS else ("sub", "sup")
        base, around = _one(rest), {}
        while rest and rest[-1] in ("_", "^"):
            name = names[rest.pop() == "^"]
            around[name] = _one(rest)
        kind = "".join(name for name in names if name in around)
        inside = base + "".join(around[name] for name in names if name in around)
        found.append(f"<m{kind}>{inside}</m{kind}>" if kind else base)
    return f"<mrow>{''.join(found)}</mrow>"


def _one(rest: list[str]) -> str:
    """Next token, with the groups that belong to it."""
    token = rest.pop() if rest else ""
    if token == "{":
        inside = _row(rest)
        del rest[-1:]
        return inside
    if token.isspace():
        return _one(rest)
    if token in UPRIGHT:
        return f"<mtext>{escape(_words(rest))}</mtext>"
    if token in OVER:
        return f"<mover>{_one(rest)}<mo>{OVER[token]}</mo></mover>"
    if token in TAGS:
        tag, n = TAGS[token]
        return f"<{tag}>{''.join(_one(rest) for _ in range(n))}</{tag}>"
    sign = escape(SIGNS.get(token, token.removeprefix("\\").replace("{,}", ",")))
    kind = "mi" if len(sign) == 1 and sign.isalpha() else "mn" if sign[:1].isdigit() else "mo"
    return f"<{kind}>{sign}</{kind}>"


def _words(rest: list[str]) -> str:
    """Letters of the next group, or the next one."""
    found, depth = [], 0
    while rest:
        token = rest.pop()
        depth += (token == "{") - (token == "}")
        found.append("" if token in ("{", "}") else SIGNS.get(token, token.removeprefix("\\")))
        if depth <= 0 and not token.isspace():
            break
    return "".join(found).strip()
