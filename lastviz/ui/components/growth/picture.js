// The picture of a step: the marks of the stage get their places, found by role and class.

const GREY_POINT = { size: 5, width: 0 };

function fillPicture(player, state, step, before) {
  const { story } = player;
  const marks = story.picture === "values" ? valueMarks(player) : planeMarks(player, state, step, before);
  for (const trace of story.figure.data) {
    const { role, class: index, state: shade } = trace.meta;
    if (role === "training") styleRows(player, trace, index);
    else if (role === "lost") ringLost(player, trace);
    else {
      const places = marks[[role, index, shade].filter((part) => part !== undefined).join(".")];
      trace.x = places?.x ?? [];
      trace.y = places?.y ?? [];
    }
  }
  const range = story.picture === "values" && player.machine?.values;
  if (range) story.figure.layout.xaxis.range = range.view;
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

// Rows of classes out of play, free rows, support vectors, those at C.
function styleRows(player, trace, index) {
  const { story, machine } = player;
  if (!machine) return;
  const { colours } = story;
  const mine = (story.rowsOfClass ??= rowsByClass(story.labels))[index];
  const status = mine.map((row) => machine.status[row]);
  const pick = (...values) => status.map((s) => values[s]);
  const symbol = colours.symbol[index];
  trace.marker = {
    opacity: 1, // points of unequal size would be translucent
    symbol: pick(symbol, symbol, symbol, dotted(symbol)),
    size: pick(GREY_POINT.size, 6, 8, 8),
    color: pick(colours.grey3, colours.free[index], colours.hue[index], colours.hue[index]),
    line: { width: pick(0, 0, 1.25, 1.25), color: colours.ink },
  };
}

const dotted = (symbol) => (symbol === "hourglass" ? symbol + "-open" : symbol + "-dot");

function rowsByClass(labels) {
  const rows = {};
  labels.forEach((label, row) => (rows[label] ??= []).push(row));
  return rows;
}

function ringLost(player, trace) {
  const { story, machine } = player;
  const points = (story.points ??= allPoints(story));
  const lost = machine?.lost ?? [];
  trace.x = lost.map((row) => points[row][0]);
  trace.y = lost.map((row) => points[row][1]);
}

function allPoints(story) {
  const points = new Array(story.labels.length);
  const rows = (story.rowsOfClass ??= rowsByClass(story.labels));
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
