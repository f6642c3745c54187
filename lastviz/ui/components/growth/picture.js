// The picture of a step: the marks of the stage get their places, found by role and class.

// Plotly draws the axes and the rows once. What changes with the steps is drawn by ourselves into
// its plot, under the rows: to redraw a thousand unchanged rows would take longer than a step may.

function stageData({ story }) {
  const rows = story.figure.data.filter((trace) => trace.meta.role === "training");
  if (!story.curved) return rows;
  // Machines restyle the rows at every step; plotly's own stay unseen, for the pointer.
  return rows.map((trace) => ({ ...trace, marker: { ...trace.marker, opacity: 0 } }));
}

function drawMarks(player) {
  const { story, gd, state, machine } = player;
  const plot = gd.querySelector(".cartesianlayer .overplot > .xy");
  if (!plot) return;
  if (player.marksAt?.parentNode !== plot) {
    player.marksAt = svgElement("g", { class: "lvg-marks" });
    plot.insertBefore(player.marksAt, rowsOf(plot));
  }
  const { xaxis, yaxis } = gd._fullLayout;
  const step = player.steps[player.at];
  const marks = story.picture === "values" ? valueMarks(player) : planeMarks(player, state, step, player.before);
  const paths = [];
  for (const { meta, fill, fillcolor, line } of story.figure.data) {
    const { role, class: index, state: shade } = meta;
    const places = marks[[role, index, shade].filter((part) => part !== undefined).join(".")];
    if (!places?.x.length) continue;
    const d = pathThrough(places, (v) => xaxis.l2p(v), (v) => yaxis.l2p(v));
    const style = fill ? { fill: fillcolor } : {
      fill: "none", stroke: line.color, "stroke-width": line.width, "stroke-linejoin": "round",
      "stroke-dasharray": { dash: "8 6", dot: "2 4" }[line.dash] ?? "none",
    };
    paths.push(svgElement("path", { d, ...style, "data-role": role, "data-class": index ?? "" }));
  }
  if (machine && story.picture === "plane") paths.push(...machineRows(player, xaxis, yaxis));
  const care = player.isWhole || machine ? null : careOf(story, step);
  rowsOf(plot)?.style.setProperty("opacity", care ? 0.2 : "");
  if (care) paths.push(...careRows(story, care, xaxis, yaxis));
  player.marksAt.replaceChildren(...paths);
  plot.querySelector(".lvg-finder")?.remove();
  if (story.picture === "plane" && !machine && !player.isWhole)
    plot.append(finder(player, state.area(step.node), xaxis, yaxis));
  player.onDrawn?.();
}

// Plotly's layer of the rows; it makes none where a picture has no rows, as that of values of f.
const rowsOf = (plot) => plot.querySelector(".scatterlayer");

// A split that is fitted anew is so for some rows alone: they are lit, the others pale.
function careOf({ log, care }, { events }) {
  return log.action[events - 1] === REFIT ? care[log.branch[events - 1]] : null;
}

function careRows(story, care, xaxis, yaxis) {
  const { colours, labels } = story, points = (story.points ??= allPoints(story));
  return [...new Set(labels)].map((c) => {
    const rows = care.filter((row) => labels[row] === c);
    const d = rows.map((row) => symbolPath(colours.symbol[c], xaxis.l2p(points[row][0]), yaxis.l2p(points[row][1]), 7));
    const style = { fill: colours.hue[c], stroke: colours.ink, "stroke-width": 1 };
    return svgElement("path", { d: d.join(""), ...style, "data-role": "care", "data-rows": rows.length });
  });
}

// A frame above the rows shows where a node is that its rows hide.
const SMALL = 900, ROOM = 7; // square pixels; pixels around
function finder({ story: { geometry, colours } }, [first, end], xaxis, yaxis) {
  const [from, to] = [geometry.offset[first], geometry.offset[end]];
  const xs = geometry.x.slice(from, to).map((v) => xaxis.l2p(v));
  const ys = geometry.y.slice(from, to).map((v) => yaxis.l2p(v));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const group = svgElement("g", { class: "lvg-finder", fill: "none", "pointer-events": "none" });
  if (to === from || (right - left) * (bottom - top) > SMALL) return group;
  const frame = {
    x: left - ROOM, y: top - ROOM, width: right - left + 2 * ROOM, height: bottom - top + 2 * ROOM, rx: ROOM,
  };
  group.append(
    svgElement("rect", { ...frame, stroke: colours.paper, "stroke-width": 6 }),
    svgElement("rect", { ...frame, stroke: colours.ink, "stroke-width": 2.25 }));
  return group;
}

function pathThrough({ x, y }, across, up) {
  const parts = [];
  let pen = "M";
  for (let i = 0; i < x.length; i++) {
    if (x[i] === null) { pen = "M"; continue; }
    parts.push(`${pen}${across(x[i]).toFixed(1)} ${up(y[i]).toFixed(1)}`);
    pen = "L";
  }
  return parts.join("");
}

class Places {
  constructor() { this.x = []; this.y = []; }
  add({ x, y, offset }, [first, end], closed = false) {
    for (let piece = first; piece < end; piece++) {
      const [from, to] = [offset[piece], offset[piece + 1]];
      for (let i = from; i < to; i++) { this.x.push(x[i]); this.y.push(y[i]); }
      if (closed && to > from) { this.x.push(x[from]); this.y.push(y[from]); }
      this.x.push(null); this.y.push(null);
    }
    return this;
  }
}

function planeMarks(player, state, { node: current }, before) {
  const { story, machine } = player;
  const marks = {}, { geometry } = story;
  const mark = (name) => (marks[name] ??= new Places());
  const inside = new Set(below(story, state, current));
  const lines = (node) => [state.line(node)];
  if (machine) {
    const [x0, x1, y0, y1] = geometry.bounds;
    marks.ground = { x: [x0, x1, x1, x0, x0], y: [y0, y0, y1, y1, y0] };
    const [child] = childrenOf(story, state, current);
    const tint = machine.tint < 0 ? "group" : `region.${machine.tint}.full`;
    mark(tint).add(geometry, state.area(child));
    for (const span of story.margin[current] ?? []) mark("margin").add(geometry, span);
    mark("chosen_split").add(geometry, state.line(current));
    for (const node of state.alive)
      if (node < current && state.first[node] >= 0) mark("split").add(geometry, state.line(node));
    return marks;
  }
  for (const node of state.alive) {
    if (state.first[node] < 0) {
      const shade = inside.has(node) ? "full" : "faded";
      mark(`region.${state.prediction(node)}.${shade}`).add(geometry, state.area(node));
    } else if (node !== current || player.isWhole)
      for (const span of lines(node)) mark("split").add(geometry, span);
  }
  if (state.first[current] >= 0 && !player.isWhole)
    for (const span of lines(current)) mark("chosen_split").add(geometry, span);
  else if (current > 0) mark("chosen_region").add(geometry, state.area(current), true);
  marks.halo = marks.chosen_split;
  for (const node of before.alive ?? [])
    if (before.first[node] >= 0 && state.split[node] !== before.split[node])
      mark("gone").add(geometry, before.line(node));
  return marks;
}

// Corners of the symbols in units of their half width; a circle has none.
const around = (n, radius, turn = 0) => Array.from({ length: n }, (_, i) => {
  const angle = turn - Math.PI / 2 + (2 * Math.PI * i) / n, r = radius(i);
  return [r * Math.cos(angle), r * Math.sin(angle)];
});
const PLUS = [[-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4], [1.2, 0.4], [0.4, 0.4],
  [0.4, 1.2], [-0.4, 1.2], [-0.4, 0.4], [-1.2, 0.4], [-1.2, -0.4], [-0.4, -0.4]];
const CORNERS = {
  square: [[-1, -1], [1, -1], [1, 1], [-1, 1]], diamond: around(4, () => 1.3), cross: PLUS,
  x: PLUS.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2]),
  "triangle-up": around(3, () => 1.3), "triangle-down": around(3, () => 1.3, Math.PI),
  star: around(10, (i) => (i % 2 ? 0.55 : 1.4)), pentagon: around(5, () => 1.2),
  hourglass: [[-1, -1], [1, -1], [-1, 1], [1, 1]], hexagram: around(12, (i) => (i % 2 ? 0.7 : 1.3)),
};

function symbolPath(symbol, x, y, size) {
  const r = size / 2, corners = CORNERS[symbol];
  if (!corners) return `M${x - r} ${y}a${r} ${r} 0 1 0 ${size} 0a${r} ${r} 0 1 0 ${-size} 0`;
  return "M" + corners.map(([a, b]) => `${(x + r * a).toFixed(1)} ${(y + r * b).toFixed(1)}`).join("L") + "Z";
}

// Rows of classes out of play, free rows, support vectors, those at the limit C (a dot inside), rows lost here.
function machineRows(player, xaxis, yaxis) {
  const { story, machine } = player;
  const { colours, labels } = story;
  const points = (story.points ??= allPoints(story));
  const place = (row) => [xaxis.l2p(points[row][0]), yaxis.l2p(points[row][1])];
  const groups = new Map();
  machine.status.forEach((status, row) => {
    const key = `${status}.${labels[row]}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  });
  const paths = [];
  const add = (role, d, style) => paths.push(svgElement("path", { d, ...style, "data-role": role }));
  for (const [key, rows] of [...groups].sort()) {
    const [status, c] = key.split(".").map(Number);
    const size = [5, 6, 8, 8][status];
    const fill = [colours.grey3, colours.free[c], colours.hue[c], colours.hue[c]][status];
    const edge = status >= 2 ? { stroke: colours.ink, "stroke-width": 1.25 } : {};
    const d = rows.map((row) => symbolPath(colours.symbol[c], ...place(row), size)).join("");
    add(["removed", "free", "support", "bound"][status], d, { fill, ...edge, "data-rows": rows.length });
    if (status === 3)
      add("bound_dot", rows.map((row) => symbolPath("circle", ...place(row), 2.6)).join(""), { fill: colours.ink });
  }
  const rings = machine.lost.map((row) => symbolPath("circle", ...place(row), 15)).join("");
  if (rings) add("lost", rings, { fill: "none", stroke: colours.ink, "stroke-width": 1.5 });
  return paths;
}

function allPoints(story) {
  const points = new Array(story.labels.length), rows = {};
  story.labels.forEach((label, row) => (rows[label] ??= []).push(row));
  for (const trace of story.figure.data) {
    if (trace.meta.role !== "training") continue;
    const [x, y] = [trace.x, trace.y].map((v) => (v.bdata ? unpackedArray(v) : v));
    rows[trace.meta.class].forEach((row, i) => (points[row] = [x[i], y[i]]));
  }
  return points;
}

// A row per class: how its rows spread over f, as steps.
function valueMarks({ story, machine }) {
  const marks = {};
  if (!machine?.values) return marks;
  const { low, high, counts } = machine.values;
  const n = counts.length;
  const middle = { x: [0, 0], y: [-0.3, n] };
  marks.chosen_split = middle;
  marks.margin = { x: [-1, -1, null, 1, 1], y: [-0.3, n, null, -0.3, n] };
  counts.forEach((bins, c) => {
    const base = n - 1 - c, x = [low], y = [base];
    bins.forEach((count, i) => {
      const top = base + (0.86 * count) / Math.max(1, ...bins);
      x.push(low + ((high - low) * i) / bins.length, low + ((high - low) * (i + 1)) / bins.length);
      y.push(top, top);
    });
    x.push(high); y.push(base);
    if (bins.length) marks[`ridge.${c}`] = { x, y };
  });
  return marks;
}
