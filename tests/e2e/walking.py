"""A page gone through by Tab alone: where the focus stops, and whether one sees where it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from playwright.sync_api import Page

MOST_PRESSES = 900
# What moves while it is looked at would seem not to change as the focus comes.
STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"
WALKER = r"""() => {
  const CONTROLS = `a[href], button, input, select, textarea, summary, canvas[tabindex],
    [tabindex]:not([tabindex="-1"]), [role=button], [role=link], [role=checkbox], [role=radio],
    [role=tab], [role=switch], [contenteditable=true]`;
  // Of these one is reached by Tab and the others by arrow keys, or have a field beside them.
  const GROUPS = `[role=radiogroup], [role=tablist], [data-testid=stNumberInputContainer],
    [data-testid=stFileUploaderDropzone], [data-testid=stSelectbox],
    [data-testid=stMultiSelect], [data-testid=stDataFrame]`;
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length;
  const said = (e) => `${e.tagName.toLowerCase()} "${(e.getAttribute("aria-label") || e.innerText
    || e.title || "").trim().replace(/\s+/g, " ").slice(0, 60)}" in ${
    e.closest("[data-testid]")?.dataset.testid} ${e.closest('[class*="st-key-"]')?.className
    .match(/st-key-\S+/)?.[0] ?? ""}`;
  const look = (e, pseudo) => {
    const s = getComputedStyle(e, pseudo);
    return [s.outlineStyle, s.outlineStyle === "none" ? "" : s.outlineWidth + s.outlineColor,
      s.boxShadow, s.borderColor, s.backgroundColor, s.textDecorationLine, s.stroke].join();
  };
  const looks = (e) => {
    const around = [];
    for (let at = e, n = 0; at && n < 5; at = at.parentElement, n += 1) around.push(at);
    const within = (e.tagName === "INPUT" ? e.parentElement : e).querySelectorAll("*");
    const card = e.closest('[class*="st-key-scene-"]'); // its link covers it: its pictures change
    const beside = card?.querySelectorAll("*") ?? [];
    const drawn = [...around, ...beside, ...[...within].slice(0, 40)];
    const looks = drawn.flatMap((one) => [look(one), look(one, "::after"), look(one, "::before")]);
    if (e.tagName === "CANVAS") looks.push(e.parentElement.querySelector("canvas").toDataURL());
    return looks.join("|");
  };
  // A field that is drawn by what stands around it: that is what one sees.
  const body = (e) => {
    const box = e.getBoundingClientRect();
    return box.width > 4 && box.height > 4 && getComputedStyle(e).opacity > 0 ? e
      : (e.closest("label") ?? e.parentElement);
  };
  const covered = (e) => {
    const box = body(e).getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    if (left >= right || top >= bottom) return true;
    const shares = [0.02, 0.25, 0.5, 0.75, 0.98];
    return !shares.some((u) => shares.some((v) => {
      const hit = document.elementFromPoint(left + u * (right - left), top + v * (bottom - top));
      return hit && (body(e).contains(hit) || hit.contains(e)
        || (e.tagName === "CANVAS" && hit.closest("[data-testid=stDataFrame]")?.contains(e)));
    }));
  };
  const controls = [...document.querySelectorAll(CONTROLS)].filter((e) => seen(e)
    && !e.matches(":disabled, [aria-disabled=true]")
    && !e.closest("[inert], [aria-hidden=true]"));
  const reached = new Set();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  // A table keeps its cell framed as the focus goes on, a list of tags its border until the last of
  // its buttons: they are compared with what they were at first.
  const BARE = "canvas[tabindex], [data-testid=stMultiSelect] input";
  const bare = new Map([...document.querySelectorAll(BARE)].map((e) => [e, looks(e)]));
  let before = null;
  const walker = window.walker = {
    async stop() {
      await frame(); // a field that is drawn by React changes a moment later
      const e = document.activeElement?.closest("canvas") ?? document.activeElement; // or its cell
      if (e?.tagName === "CANVAS") await frame();
      const blind = before && e !== before.e && before.e.isConnected
        && before.looks === (bare.get(before.e) ?? looks(before.e)) ? said(before.e) : null;
      if (!e || e === document.body) { before = null; return { blind, out: true }; }
      const isNew = !reached.has(e);
      const after = !before || e === before.e ||
        Boolean(before.e.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING);
      const same = before?.e === e;
      reached.add(e);
      const box = body(e).getBoundingClientRect();
      const scroller = e.closest("[data-testid=stMain], [data-testid=stSidebarContent]");
      const scrolled = scroller?.scrollTop ?? 0;
      before = { e, looks: looks(e) };
      return { blind, out: false, name: said(e), isNew, same, after, covered: covered(e),
        region: e.closest("[data-testid=stSidebar]") ? "sidebar"
          : e.closest("[data-testid=stMainBlockContainer]") ? "main" : "frame",
        figure: Boolean(e.closest(".lv-chart, .lv-growth-room, [data-testid=stDataFrame]")),
        box: [box.left, box.top + scrolled, box.right, box.bottom + scrolled] };
    },
    left() {
      const group = (e) => (e.type === "radio" ? e.name : e.closest(GROUPS));
      const groups = new Set([...reached].map(group).filter(Boolean));
      return controls.filter((e) => e.isConnected && seen(e) && !reached.has(e)
        && !groups.has(group(e))).map(said);
    },
  };
}"""


@dataclass(frozen=True)
class Stop:
    """Where the focus stood after one Tab."""

    name: str
    same: bool
    """It had stood there before the Tab: in a table it goes from cell to cell."""
    after: bool
    """It stands later in the document than the one before."""
    covered: bool
    region: str
    figure: bool
    box: tuple[float, float, float, float]
    """Left, top, right and bottom, from the start of what scrolls."""


@dataclass(frozen=True)
class Walk:
    """All stops of a page, from the first Tab to the one that leaves it."""

    stops: tuple[Stop, ...]
    left: tuple[str, ...]
    """What can be pressed or filled in and was not reached."""
    blind: tuple[str, ...]
    """What looks the same with the focus and without."""
    ended: bool

    @cached_property
    def covered(self) -> list[str]:
        """Return what stands fully behind something else as it has the focus."""
        return [stop.name for stop in self.stops if stop.covered]

    @cached_property
    def back(self) -> list[tuple[str, str]]:
        """Return the pairs of stops that go against the page, or up in a column of it."""
        pairs = zip(self.stops, self.stops[1:], strict=False)
        return [(a.name, b.name) for a, b in pairs if not b.after or _goes_up(a, b)]


def _goes_up(a: Stop, b: Stop) -> bool:
    """Tell whether `b` stands above `a` and not in a column to the right of it."""
    if a.region != b.region or a.region == "frame" or (a.figure and b.figure):
        return False
    return b.box[3] <= a.box[1] and b.box[0] < a.box[2] - 1


def walk(page: Page, key: str = "Tab") -> Walk:
    """Press a key from the top of a page until the focus leaves it or comes round again."""
    page.add_style_tag(content=STILL)
    page.evaluate(WALKER)
    stops: list[Stop] = []
    blind: list[str] = []
    ended = False
    for _ in range(MOST_PRESSES):
        page.keyboard.press(key)
        found = page.evaluate("() => window.walker.stop()")
        blind += filter(None, [found.pop("blind")])
        if found.pop("out") or not (found.pop("isNew") or found["same"]):
            ended = True
            break
        stops.append(Stop(**found))
    return Walk(
        tuple(stops), tuple(page.evaluate("() => window.walker.left()")), tuple(blind), ended
    )
