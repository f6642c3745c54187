// What is a little wider than its place is not scrolled: a formula is written in smaller letters, as
// long as these can be read, and a table of Streamlit's goes without the margin of its last cells.
// So a bar says that there is something to be seen.

const FORMULA = ".katex-display", TABLE = ".dvn-scroller";
const SIZES = [1, 0.95, 0.9, 0.85, 0.8, 0.75]; // of letters of the text
const MARGIN = 8; // pixels of a cell

const fits = (place) => place.scrollWidth <= place.clientWidth;

function fit(place) {
  if (place.matches(TABLE)) {
    const isBare = place.scrollWidth - place.clientWidth <= MARGIN;
    place.style.setProperty("overflow-x", isBare ? "hidden" : "", "important"); // its own says so, too
    return;
  }
  const { style } = place.firstElementChild;
  const isEnough = (size) => ((style.fontSize = `${size}em`), fits(place));
  if (!SIZES.some(isEnough)) style.fontSize = "";
}

export default function () {
  const places = `${FORMULA}, ${TABLE}`;
  const sizes = new ResizeObserver((changes) =>
    requestAnimationFrame(() => new Set(changes.map(({ target }) => target.closest(places))).forEach((place) => place && fit(place))));
  const known = new WeakSet();
  const find = () =>
    document.querySelectorAll(`${places}, ${FORMULA} .base, ${TABLE} .dvn-stack > *`).forEach((one) => {
      if (!known.has(one)) sizes.observe(one);
      known.add(one);
    });
  const watch = new MutationObserver(find);
  find();
  watch.observe(document.body, { subtree: true, childList: true });
  return () => (watch.disconnect(), sizes.disconnect());
}
