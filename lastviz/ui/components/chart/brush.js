// Brushing in a figure: a lasso around rows or nodes, a click on one; brushed rows light up as
// rings in planes, ticks along curves and a stream through trees.

const BRUSHED = "{{roles brushed}}"; // of marks that are rows of the data
const CLICK_REACH = 12; // pixels from a click to the row that it means
const MANY = 400; // rings; more of them are drawn finer

// Which rows each node of the figure's tree holds: the places where rows end, sorted by row.
function unpackedPassing({ n, parent, node, row, share }) {
  const [nodes, up] = [decoded(node), decoded(parent)];
  const rows = row ? decoded(row) : null;
  const start = new Map();
  rows?.forEach((r, i) => start.has(r) || start.set(r, i));
  const shares = share && decoded(share);
  const ends = (r) => { // of a row: [node, share] pairs, null if it is not known here
    if (!rows) return r < n ? [[nodes[r], shares ? shares[r] : 1]] : null;
    const first = start.get(r);
    if (first === undefined) return null;
    const found = [];
    for (let i = first; rows[i] === r; i++) found.push([nodes[i], shares ? shares[i] : 1]);
    return found;
  };
  return { n, parent: up, nodes, rows, ends };
}

// How many brushed rows come to each node; null where not all of them are known.
function brushedByNode({ parent, ends }) {
  const counts = new Float64Array(parent.length);
  for (const row of brush.rows) {
    const places = ends(row);
    if (!places) return null;
    for (const [node, share] of places) counts[node] += share;
  }
  for (let i = parent.length - 1; i > 0; i--) counts[parent[i]] += counts[i]; // parents come first
  return counts;
}

function rowsOfNodes(host, wanted) {
  const { parent, nodes, rows } = host.passing;
  const isIn = new Uint8Array(parent.length);
  for (let i = 0; i < parent.length; i++) isIn[i] = wanted.has(i) || (i > 0 && isIn[parent[i]]);
  const found = [];
  nodes.forEach((node, i) => isIn[node] && found.push(rows ? rows[i] : i));
  return found;
}

// The rows that a figure shows: [{ row, x, y, size, plot }] by subplot, x and y in pixels.
function rowsByPlot(host) {
  const { _fullData, _fullLayout } = host.gd;
  const found = new Map();
  for (const { meta, x, y, customdata, marker, xaxis, yaxis } of _fullData) {
    if (!BRUSHED.includes(meta?.role) || !customdata?.length) continue;
    const plot = _fullLayout._plots[xaxis + yaxis];
    if (!found.has(plot)) found.set(plot, []);
    const list = found.get(plot);
    for (let i = 0; i < customdata.length; i++) {
      const row = (customdata[i]?.[0] ?? customdata[i]) - 1;
      const size = Array.isArray(marker?.size) ? marker.size[i] : marker?.size ?? 8;
      list.push({ row, x: plot.xaxis.c2p(x[i]), y: plot.yaxis.c2p(y[i]), size });
    }
  }
  return found;
}

const hasRows = (host) =>
  Boolean(host.passing) || host.isLater || Object.keys(host.stands ?? {}).length > 0 ||
  host.gd.data.some(({ meta }) => BRUSHED.includes(meta?.role));

// ---------------------------------------------------------------- what is brushed, drawn

function paintBrush(host) {
  for (const top of host.brushed ?? []) top.remove();
  host.brushed = [];
  if (!host.ready) return;
  const button = host.tools.querySelector('[data-tool="brush"]');
  button.hidden = !hasRows(host);
  button.setAttribute("aria-pressed", String(brush.isOn));
  host.root.classList.toggle("lv-brushing", brush.isOn && !button.hidden);
  if (!host.table.hidden) fillTable(host);
  if (button.hidden || !brush.rows.size) return;
  const shown = rowsByPlot(host);
  const counts = host.passing && brushedByNode(host.passing);
  for (const plot of Object.values(host.gd._fullLayout._plots)) {
    const flow = host.flows[plot.xaxis._id];
    if (flow) {
      if (counts && !host.layers) paintStream(inTree(host, plot), plot, flow, counts, host.passing.n);
    } else if (shown.has(plot)) paintRings(overlay(host, plot), shown.get(plot));
    else paintTicks(host, plot, shown);
  }
}

function overlay(host, plot, isTree = false) {
  const top = document.createElementNS(SVG, "svg");
  top.setAttribute("class", "lv-above lv-brushed");
  top.setAttribute("aria-hidden", "true");
  const { xaxis, yaxis } = plot;
  const box = { left: xaxis._offset, top: yaxis._offset, width: xaxis._length, height: yaxis._length };
  for (const [side, length] of Object.entries(box)) top.style[side] = length + "px";
  if (isTree) top.style.overflow = "visible";
  host.gd.querySelector(".svg-container").append(top);
  host.brushed.push(top);
  return top;
}

// Over the bars of a tree, below its words.
function inTree(host, { plot }) {
  const g = document.createElementNS(SVG, "g");
  g.setAttribute("class", "lv-brushed");
  const bars = [...plot.node().querySelectorAll(".scatterlayer > .trace")]
    .filter((element) => ["ribbon", "bar", "box"].includes(element.__data__[0].trace.meta?.role));
  bars.length ? bars.at(-1).after(g) : plot.node().append(g);
  host.brushed.push(g);
  return g;
}

function stroked(top, d, width, dash = "none") {
  if (!d) return null;
  const path = top.appendChild(document.createElementNS(SVG, "path"));
  path.setAttribute("d", d);
  Object.assign(path.style, { strokeWidth: width + "px", strokeDasharray: dash });
  return path;
}

function paintRings(top, rows) {
  const lit = rows.filter(({ row }) => brush.rows.has(row));
  const isMany = lit.length > MANY;
  const ring = ({ x, y, size }) => circlePath(px(x), px(y), size / 2 + (isMany ? 1.5 : Math.min(3.5, size / 2)));
  stroked(top, lit.map(ring).join(""), isMany ? 1.25 : 2.25);
  top.dataset.rows = lit.length;
}

// Where brushed rows stand along a curve that shares an axis with rows or says its own.
function paintTicks(host, plot, shown) {
  const { xaxis, yaxis } = plot;
  const stand = host.stands?.[xaxis._id];
  const across = new Set(stand
    ? Array.from(stand.rows).flatMap((row, i) => (brush.rows.has(row) ? [Math.round(xaxis.c2p(stand.values[i]))] : []))
    : []);
  const up = new Set();
  for (const [other, rows] of stand ? [] : shown) {
    const lit = rows.filter(({ row }) => brush.rows.has(row));
    if (other.xaxis === xaxis) for (const { x } of lit) across.add(Math.round(x));
    else if (other.yaxis === yaxis) for (const { y } of lit) up.add(Math.round(y));
  }
  if (!across.size && !up.size) return;
  const top = overlay(host, plot);
  const bottom = yaxis._length;
  stroked(top, [...across].map((x) => `M${x} ${bottom}V${bottom - 8}`).join(""), 1.5);
  stroked(top, [...up].map((y) => `M0 ${y}H8`).join(""), 1.5);
  top.dataset.rows = across.size + up.size;
}

// A stream from the root to where brushed rows end, as thick as they are many among all `n` rows.
function paintStream(top, { xaxis, yaxis }, { node, parent, x, y, height, bar, ribbons }, counts, n) {
  const whole = height * Math.abs(yaxis.c2p(1) - yaxis.c2p(0));
  const thick = (i) => Math.max(1.5, (counts[node[i]] / n) * whole);
  const at = (i) => [px(xaxis.c2p(x[i])), px(yaxis.c2p(y[i]))];
  for (let i = 0; i < node.length; i++) {
    if (!counts[node[i]]) continue;
    const [right, low] = at(i);
    if (ribbons && parent[i] >= 0) {
      const [left, high] = at(parent[i]);
      const middle = px((left + right) / 2);
      const d = `M${left} ${high}C${middle} ${high} ${middle} ${low} ${right} ${low}`;
      stroked(top, d, thick(i)).setAttribute("class", "lv-stream");
    }
    const half = px(thick(i) / 2);
    stroked(top, `M${right} ${low - half}V${low + half}`, bar);
  }
  top.dataset.rows = counts[0];
}

// What the pointer reads of a node besides its own words.
function brushedWords(host, { node }) {
  if (!host.passing || !brush.rows.size) return "";
  const n = brushedByNode(host.passing)?.[node];
  return n === undefined ? "" : "<br>" + host.words.brushed.replace("{n}", number(n));
}

// ---------------------------------------------------------------- lasso and click

// Whether a press begins a lasso; the rest of what happens is its own.
function beginsLasso(host, pressed) {
  if (!host.ready || host.sheet || pressed.button !== 0 || !hasRows(host)) return false;
  if (!brush.isOn && !pressed.shiftKey) return false;
  const box = host.gd.getBoundingClientRect();
  const start = place(host, pressed);
  if (!start) return false;
  const plot = host.gd._fullLayout._plots[start.axis + start.yaxis];
  const inPlot = ({ clientX, clientY }) =>
    [clientX - box.left - plot.xaxis._offset, clientY - box.top - plot.yaxis._offset];
  brush.reach?.();
  const lasso = { plot, at: start, corners: [inPlot(pressed)], before: new Set(brush.rows) };
  const joins = pressed.shiftKey ? "add" : pressed.altKey ? "remove" : "replace";
  host.lasso = lasso;
  host.frame.setPointerCapture?.(pressed.pointerId);
  const watch = new AbortController();
  const end = (rows) => {
    watch.abort();
    host.lasso = null;
    lasso.top?.remove();
    rows ? setBrush(rows) : setBrush(lasso.before, false);
  };
  const drawn = ({ type, clientX, clientY, key }) => {
    if (type === "keydown") return key === "Escape" && end(null);
    if (type === "pointercancel") return end(null);
    if (type === "pointermove") {
      lasso.corners.push(inPlot({ clientX, clientY }));
      if (isDrag(lasso)) {
        drawLasso(host, lasso);
        brush.rows = joined(lasso.before, caught(host, lasso), joins);
        brushChanged();
      }
      return null;
    }
    if (host.isLater && isInTree(host, lasso)) { // it ends once that is known
      watch.abort();
      host.waiting = () => drawn({ type });
      brush.wanted = true;
      return brush.reach?.();
    }
    if (isDrag(lasso)) return end(joined(lasso.before, caught(host, lasso), joins));
    const clicked = rowsAt(host, lasso);
    const isIn = clicked.length && clicked.every((row) => lasso.before.has(row));
    const how = joins === "add" && isIn ? "remove" : joins;
    return end(clicked.length ? joined(lasso.before, clicked, how) : null);
  };
  for (const type of ["pointermove", "pointerup", "pointercancel", "keydown"])
    window.addEventListener(type, drawn, { capture: true, signal: watch.signal });
  return true;
}

// Whether rows have no place of their own there.
const isInTree = (host, { plot }) =>
  !rowsByPlot(host).has(plot) && !host.stands[plot.xaxis._id];

const isDrag = ({ corners: [[x, y], ...rest] }) =>
  rest.some(([a, b]) => Math.hypot(a - x, b - y) > CLICK_SLIP);

function joined(before, rows, how) {
  if (how === "replace") return new Set(rows);
  const all = new Set(before);
  for (const row of rows) how === "add" ? all.add(row) : all.delete(row);
  return all;
}

function drawLasso(host, lasso) {
  lasso.top?.remove();
  lasso.top = overlay(host, lasso.plot, true);
  host.brushed.pop(); // it is not what is brushed: it stays while that is drawn anew
  lasso.top.classList.add("lv-lasso");
  const d = lasso.corners.map(([x, y]) => `${px(x)} ${px(y)}`).join("L");
  stroked(lasso.top, `M${d}Z`, 2.5, "6 4");
}

// Rows inside the lasso; in a tree those of the nodes whose bar has its middle inside; where rows
// only stand on the horizontal axis, those from its left to its right end.
function caught(host, { plot, corners }) {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const area = { xs, ys, box: [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] };
  const flow = host.flows[plot.xaxis._id];
  const stand = host.stands[plot.xaxis._id];
  if (stand) {
    const [low, high] = area.box.slice(0, 2).map((x) => plot.xaxis.p2c(x));
    return Array.from(stand.rows).filter((_, i) => low <= stand.values[i] && stand.values[i] <= high);
  }
  if (!flow) {
    const rows = rowsByPlot(host).get(plot) ?? [];
    return rows.filter(({ x, y }) => inside(area, x, y)).map(({ row }) => row);
  }
  if (!host.passing) return [];
  const within = (i) => inside(area, plot.xaxis.c2p(flow.x[i]), plot.yaxis.c2p(flow.y[i]));
  const nodes = Array.from(flow.node).filter((_, i) => within(i));
  return rowsOfNodes(host, new Set(nodes));
}

// The row nearest to a click, else the rows of the node below it.
function rowsAt(host, { plot, at, corners: [[x, y]] }) {
  const away = (mark) => Math.hypot(mark.x - x, mark.y - y);
  let nearest = null;
  for (const mark of rowsByPlot(host).get(plot) ?? [])
    if (away(mark) <= CLICK_REACH && (!nearest || away(mark) < away(nearest))) nearest = mark;
  if (nearest) return [nearest.row];
  const node = host.passing && hitAt(host, at)?.node;
  return node === undefined || !host.passing ? [] : rowsOfNodes(host, new Set([node]));
}
