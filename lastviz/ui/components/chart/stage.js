// On a stage letters are larger than those that a figure was laid out for: its margins grow with
// them, and rows that stood close move apart. On a phone there is less room than it was laid out for.

const LETTER = 14; // pixels of a figure's letters where it is no stage
const LEAST_ROW = 24; // pixels between two names that are read on a stage
const MOST_BESIDE = 0.55; // of the width for what stands beside the axes

function roomFor({ laidOut: { layout, height = layout.height }, root, frame }) {
  const width = root.clientWidth;
  const letters = isStaged() ? Math.min(24, Math.max(15, 0.023 * innerHeight)) / LETTER : 1;
  const margin = Object.fromEntries(
    Object.entries(layout.margin).map(([side, size]) => [side, side === "pad" ? size : Math.round(size * letters)]));
  const beside = margin.l + margin.r;
  if (beside > MOST_BESIDE * width)
    for (const side of ["l", "r"])
      margin[side] = Math.max(layout.margin[side], Math.floor((margin[side] * MOST_BESIDE * width) / beside));
  if (letters === 1) return { height: inWindow(frame, height), margin };
  const inner = height - layout.margin.t - layout.margin.b;
  const spread = Math.min(letters, Math.max(1, LEAST_ROW / narrowest(layout, inner)));
  const room = inWindow(frame, Math.round(inner * spread + margin.t + margin.b));
  const row = narrowest(layout, room - margin.t - margin.b); // no name lies upon the next
  frame.style.setProperty("--lv-letter", row < LETTER * letters ? `${row}px` : "");
  return { height: room, margin };
}

// Pixels that a line of the closest two names of an axis has which names rows.
function narrowest(layout, inner) {
  const gaps = Object.entries(layout).filter(([name, { tickvals, range } = {}]) =>
    /^yaxis\d*$/.test(name) && tickvals?.length > 1 && range).map(([, { tickvals, ticktext = [], range, domain = [0, 1] }]) => {
    const places = [...tickvals].sort((a, b) => a - b);
    const least = Math.min(...places.slice(1).map((place, i) => place - places[i]));
    const lines = Math.max(1, ...ticktext.map((name) => String(name).split("<br>").length));
    return ((least / Math.abs(range[1] - range[0])) * inner * (domain[1] - domain[0])) / lines;
  });
  return Math.min(Infinity, ...gaps);
}

const CROWDED = ["test", "answer"]; // what stands beside the nodes of a tree, what matters most first

// Words that would lie on others or end beyond the figure are left out; a node still says them.
function thin(host) {
  const { left, right } = host.gd.getBoundingClientRect();
  const traces = [...host.gd.querySelectorAll(".scatterlayer > .trace")];
  const words = CROWDED.flatMap((role) =>
    traces.filter(({ __data__: [{ trace }] }) => trace.meta?.role === role)
      .flatMap((trace) => [...trace.querySelectorAll("text")]));
  const taken = [];
  const boxes = words.map((text) => text.getBoundingClientRect());
  boxes.forEach((box, i) => {
    const fits = box.left >= left - 1 && box.right <= right + 1 && !taken.some((other) =>
      box.left < other.right && other.left < box.right && box.top < other.bottom - 2 && other.top < box.bottom - 2);
    if (fits) taken.push(box);
    words[i].style.visibility = fits ? "" : "hidden";
  });
}
