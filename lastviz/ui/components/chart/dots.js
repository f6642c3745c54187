// Marks that look alike are few elements: Plotly would make one of each, which takes far longer. It
// knows all of them, so that they are read and picked as ever, but draws a single one.

const FEW = 40; // marks of a trace that Plotly draws itself
const MOST = 50; // of an element: its outlines lie above its own areas, but below those that follow
const ONE = 1;

const valueAt = (values, i) => (Array.isArray(values) ? values[i] : values);
const isPlain = (value) => typeof value !== "object";

// A trace as Plotly is handed it.
function inBulk(trace) {
  const { type, mode, marker, x } = trace;
  const known = type === "scattergl" ? { ...trace, type: "scatter" } : trace;
  const isMany = mode === "markers" && !(x?.length <= FEW);
  if (!isMany || known.type !== "scatter") return known;
  const { opacity = 1, colorscale, line = {}, color, size, symbol } = marker;
  const isAlike = opacity === 1 && !colorscale && isPlain(line.width) && isPlain(line.color)
    && [color, size, symbol].every((values) => isPlain(values) || Array.isArray(values));
  return isAlike ? { ...known, marker: { ...marker, maxdisplayed: ONE } } : known;
}

// Whenever Plotly has drawn a figure or moved its axes, and while rows are on their way from `before`.
function paintDots(host, { before, share } = {}) {
  for (const element of host.gd.querySelectorAll(".scatterlayer > .trace")) {
    const { trace } = element.__data__[0];
    let g = element.querySelector(":scope > .lv-dots");
    if (trace.marker?.maxdisplayed !== ONE) {
      g?.remove();
      continue;
    }
    if (!g) {
      g = element.appendChild(document.createElementNS(SVG, "g"));
      g.setAttribute("class", "lv-dots");
    }
    const clip = element.querySelector(":scope > .points").getAttribute("clip-path");
    clip ? g.setAttribute("clip-path", clip) : g.removeAttribute("clip-path");
    const { xaxis, yaxis } = plotOf(host, trace.xaxis, trace.yaxis);
    const layer = { g, used: 0 };
    const rows = before && BRUSHED.includes(trace.meta?.role) ? trace.customdata : [];
    drawMarks(layer, trace, (i) => {
      const own = [xaxis.d2p(trace.x[i]), yaxis.d2p(trace.y[i])];
      const start = before?.get([rows[i]].flat()[0] - 1);
      const way = (at, from, length) => px(start ? from * length + (at - from * length) * share : at);
      return [way(own[0], start?.[0], xaxis._length), way(own[1], start?.[1], yaxis._length)];
    });
    while (g.childNodes.length > layer.used) g.lastChild.remove();
  }
}

// `places`: of a mark, in pixels.
function drawMarks(layer, { x, marker }, places) {
  const looks = new Map();
  for (let i = 0; i < x.length; i++) {
    const [cx, cy] = places(i);
    if (!Number.isFinite(cx + cy)) continue;
    const [symbol, color] = [valueAt(marker.symbol, i) ?? "circle", valueAt(marker.color, i)];
    const name = `${symbol}|${color}`;
    const look = looks.get(name) ?? { symbol, color, d: [] };
    look.d.push((SYMBOLS[symbol.replace(/-open$/, "")] ?? SYMBOLS.circle)(cx, cy, valueAt(marker.size, i) / 2));
    looks.set(name, look);
  }
  for (const { symbol, color, d } of looks.values()) {
    const open = symbol.endsWith("-open");
    const { width = 0, color: edge = color } = marker.line ?? {};
    for (let i = 0; i < d.length; i += MOST)
      drawn(layer, {
        d: d.slice(i, i + MOST).join(""), fill: open ? "none" : color,
        stroke: open ? color : width ? edge : "none", "stroke-width": width || 1, "stroke-dasharray": "none",
      });
  }
}

// Outlines around a place, of the size that Plotly gives them.
const polygon = (...corners) => (x, y, r) =>
  "M" + corners.map(([u, v]) => `${px(x + u * r)} ${px(y + v * r)}`).join("L") + "Z";
const star = (n, far, near) => polygon(...Array.from({ length: 2 * n }, (_, i) => {
  const [length, turn] = [i % 2 ? near : far, (Math.PI * i) / n - Math.PI / 2];
  return [length * Math.cos(turn), length * Math.sin(turn)];
}));
const SYMBOLS = {
  circle: circlePath,
  square: polygon([-1, -1], [1, -1], [1, 1], [-1, 1]),
  diamond: polygon([0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]),
  cross: polygon([1.2, 0.4], [0.4, 0.4], [0.4, 1.2], [-0.4, 1.2], [-0.4, 0.4], [-1.2, 0.4],
    [-1.2, -0.4], [-0.4, -0.4], [-0.4, -1.2], [0.4, -1.2], [0.4, -0.4], [1.2, -0.4]),
  x: polygon([0, 0.566], [0.566, 1.131], [1.131, 0.566], [0.566, 0], [1.131, -0.566], [0.566, -1.131],
    [0, -0.566], [-0.566, -1.131], [-1.131, -0.566], [-0.566, 0], [-1.131, 0.566], [-0.566, 1.131]),
  "triangle-up": polygon([-1.155, 0.577], [1.155, 0.577], [0, -1.155]),
  "triangle-down": polygon([-1.155, -0.577], [1.155, -0.577], [0, 1.155]),
  star: star(5, 1.4, 0.535),
  pentagon: polygon([0.951, -0.309], [0.588, 0.809], [-0.588, 0.809], [-0.951, -0.309], [0, -1]),
  hourglass: polygon([1, 1], [-1, 1], [1, -1], [-1, -1]),
  hexagram: polygon([-0.76, 0], [-1.14, -0.66], [-0.38, -0.66], [0, -1.32], [0.38, -0.66], [1.14, -0.66],
    [0.76, 0], [1.14, 0.66], [0.38, 0.66], [0, 1.32], [-0.38, 0.66], [-1.14, 0.66]),
};
