// What is a little larger than its place is not scrolled. Formulas and tables of ours are written in
// smaller letters, as long as these can be read; other boxes go without the margin of what is last.
// So a bar says that there is something to be seen.

const WRITTEN = { // a place -> what is written there, and how small it may become
  ".katex-display": [".katex", 0.75],
  ".lv-wide, .lv-scroll, .lv-cells, .lv-paper-grid, .lv-path": ["table", 0.9],
};
const TABLE = ".dvn-scroller"; // Streamlit's
const BOXES = `${TABLE}, .lv-filtered > div, .lvg-table > div, [data-testid=stMain], [data-testid=stSidebarContent]`;
const PLACES = [...Object.keys(WRITTEN), BOXES].join();
const INSIDE = ".katex-display .base, .dvn-stack > *, table, [data-testid=stMainBlockContainer], [data-testid=stSidebarUserContent]";
const MARGIN = 8; // pixels that end every box

function fit(place) {
  for (const [where, [what, least]] of Object.entries(WRITTEN)) {
    const style = place.matches(where) && place.querySelector(what)?.style;
    if (!style) continue;
    for (let size = 1; size >= least; size -= 0.05) {
      style.zoom = size;
      if (place.scrollWidth <= place.clientWidth) return;
    }
    style.zoom = "";
    return;
  }
  for (const [way, length] of [["x", "Width"], ["y", "Height"]]) {
    const more = place["scroll" + length] - place["client" + length];
    const how = place.matches(TABLE) ? "important" : ""; // as its own rule is; on paper another one is
    place.style.setProperty(`overflow-${way}`, more > 0 && more <= MARGIN ? "hidden" : "", how);
  }
}

function keepFit() {
  const sizes = new ResizeObserver((changes) => requestAnimationFrame(() => {
    for (const place of new Set(changes.map(({ target }) => target.closest(PLACES)))) if (place) fit(place);
  }));
  const known = new WeakSet();
  const find = () =>
    document.querySelectorAll(`${PLACES}, ${INSIDE}`).forEach((one) => {
      if (!known.has(one)) sizes.observe(one);
      known.add(one);
    });
  const watch = new MutationObserver(find);
  find();
  watch.observe(document.body, { subtree: true, childList: true });
  return () => (watch.disconnect(), sizes.disconnect());
}
