// What figure_json (lastviz/plots/visuals/encode.py) folds, unfolded.

// meta.hits holds columns: node, size (corners of each), xy (all corners, in data coordinates),
// axis ([name, how many areas]), text. A box has size 0 and two corners, one
// in pixels size -1 and its corners apart. Later areas lie on top.
function areas(hits) {
  if (!hits?.node) return [];
  const [flat, boxes, nodes, size] = [hits.xy, hits.pixels, hits.node, hits.size].map(decoded);
  const axes = hits.axis.flatMap(([name, n]) => Array(n).fill(name));
  let at = 0;
  let next = 0;
  return Array.from(nodes, (node, i) => {
    const corners =
      size[i] < 0 ? boxes.subarray(next, (next += 4)) : flat.subarray(at, (at += 2 * (size[i] || 2)));
    let xs = corners.filter((_, i) => i % 2 === 0);
    let ys = corners.filter((_, i) => i % 2 === 1);
    if (size[i] <= 0) [xs, ys] = [[xs[0], xs[1], xs[1], xs[0]], [ys[0], ys[0], ys[1], ys[1]]];
    const box = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    return { node, axis: axes[i], text: hits.text?.[i] ?? "", xs, ys, box };
  });
}

// meta.flows: where trees draw their nodes, by the id of their horizontal axis; meta.stands: where
// rows stand on an axis whose picture does not show them.
function placesOfTrees(meta) {
  const columns = (of) => Object.fromEntries(
    Object.entries(of).map(([key, value]) => [key, value?.bdata ? decoded(value) : value]));
  const all = (of = {}) => Object.fromEntries(Object.entries(of).map(([axis, value]) => [axis, columns(value)]));
  return { flows: all(meta?.flows), stands: all(meta?.stands) };
}

// Rows of the data come by themselves (rows.js), once for all figures and divisions.
async function withRows({ rows: name, of, among, ...trace }) {
  if (name) {
    const places = await placesOf(name);
    return { ...trace, ...(of ? partOf(places, of.bdata) : places) };
  }
  if (!among) return trace;
  const all = await Promise.all(among.map(placesOf)); // marks around some of these rows
  const at = new Map(all.flatMap(({ x, y, customdata }) => Array.from(customdata, (row, i) => [row, [x[i], y[i]]])));
  const customdata = trace.customdata.bdata ? decoded(trace.customdata) : trace.customdata;
  const places = Array.from(customdata, (row) => at.get(row));
  return { ...trace, customdata, x: places.map(([x]) => x), y: places.map(([, y]) => y) };
}

// Some of the rows, a bit for each. A division is asked for again and again: it is kept, so that
// Plotly sees the same arrays and leaves them alone.
const parts = new WeakMap();

function partOf(places, bdata) {
  if (!parts.has(places)) parts.set(places, new Map());
  const known = parts.get(places);
  if (!known.has(bdata)) {
    if (known.size >= 32) known.clear();
    const bits = decoded({ dtype: "i1", bdata });
    const mine = (_, i) => (bits[i >> 3] >> (7 - (i & 7))) & 1;
    const entries = Object.entries(places).map(([key, values]) => [key, values.filter(mine)]);
    known.set(bdata, Object.fromEntries(entries));
  }
  return known.get(bdata);
}

async function placesOf(name) {
  page.rows ??= new Map();
  const found = page.rows.get(name) ?? { waiting: [] };
  page.rows.set(name, found);
  return found.places ?? new Promise((go) => found.waiting.push(go));
}

// Strips between the bars of a tree come as their ends: from and to (x), upper edge there and
// there, height. Their edges leave and arrive level; strips are parted by a gap.
function unrolled(trace) {
  for (const key of ["text", "hovertext"]) {
    const { words, usual, n, at, of } = trace[key] ?? {};
    if (!words) continue;
    const places = decoded(at);
    trace[key] = Array(n).fill(words[usual]);
    decoded(of).forEach((word, i) => (trace[key][places[i]] = words[word]));
  }
  if (trace.bars) return standing(trace);
  if (!trace.strips) return trace;
  const { strips, points, ...rest } = trace;
  const ends = decoded(strips);
  const size = 2 * points + 1;
  const x = new Float32Array((ends.length / 5) * size).fill(NaN);
  const y = x.slice();
  for (let i = 0; i < ends.length / 5; i++) {
    const [from, to, first, last, height] = ends.subarray(5 * i, 5 * i + 5);
    for (let k = 0; k < points; k++) {
      const t = k / (points - 1);
      const upper = i * size + k;
      const lower = i * size + 2 * points - 1 - k;
      x[upper] = x[lower] = from + (to - from) * t;
      y[upper] = first + (last - first) * t * t * (3 - 2 * t);
      y[lower] = y[upper] - height;
    }
  }
  return { ...rest, x, y };
}

// Bars come as place, lower and upper end, and are thick lines with a gap between.
function standing(trace) {
  const { bars, ...rest } = trace;
  const ends = decoded(bars);
  const x = new Float32Array(ends.length).fill(NaN);
  const y = x.slice();
  for (let i = 0; i < ends.length; i += 3) {
    x[i] = x[i + 1] = ends[i];
    y.set(ends.subarray(i + 1, i + 3), i);
  }
  return { ...rest, x, y };
}
