// A figure that stays: Plotly.react keeps what the reader did (zoom, camera) when data change.
// Streamlit calls the default export after each run, with the figure as bytes of JSON.

const SOURCE = "{{source}}"; // plotly.min.js, seen from the page
const SETTLED = 100; // milliseconds without a change of size
const CLICK_SLIP = 4; // pixels that a hand may move between press and release
const page = (window.lastviz ??= { plotly: null, groups: new Map() });
const hosts = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-chart");
  const host = hosts.get(root) ?? adopt(root);
  host.trigger = setTriggerValue;
  const text = new TextDecoder().decode(data);
  if (text !== host.text) {
    host.text = text;
    host.drawn = host.drawn.then(() => draw(host, JSON.parse(text))).catch((e) => fail(host, e));
  }
  return () => release(host);
}

// ---------------------------------------------------------------- drawing

function loadPlotly() {
  page.plotly ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL(SOURCE, document.baseURI);
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error("plotly.min.js cannot be loaded"));
    document.head.append(script);
  });
  return page.plotly;
}

function adopt(root) {
  const find = (name) => root.querySelector(".lv-" + name);
  const host = {
    root, frame: find("frame"), gd: find("figure"), tip: find("tip"), tools: find("tools"),
    table: find("table"),
    drawn: Promise.resolve(), view: {}, home: {}, hits: [], point: null, clicked: null,
    group: null, muted: 0,
  };
  hosts.set(root, host);
  host.frame.addEventListener("keydown", (event) => onKey(host, event));
  host.frame.addEventListener("pointermove", (event) => onMove(host, event));
  host.frame.addEventListener("pointerleave", () => showTip(host, null));
  host.frame.addEventListener("pointerdown", (event) => onPress(host, event), true);
  // A wheel over a figure scrolls the page; with Ctrl (or a pinch) it zooms.
  host.frame.addEventListener("wheel", (e) => e.ctrlKey || e.metaKey || e.stopPropagation(), true);
  host.tools.addEventListener("click", (event) => onTool(host, event.target.dataset.tool));
  new ResizeObserver(() => fit(host)).observe(root);
  return host;
}

async function draw(host, { figure, height, alt, filename, group, clickable, words, texts }) {
  const Plotly = await loadPlotly();
  const { layout } = figure;
  const data = await Promise.all(figure.data.map(async (trace) => unrolled(await withRows(trace))));
  const anywhere = Boolean(layout.meta?.features); // axes whose places mean something
  Object.assign(host, { filename, clickable, anywhere, words, hits: areas(layout.meta?.hits) });
  host.texts = texts && unpackedTexts(texts);
  host.root.classList.toggle("lv-clickable", clickable);
  host.frame.style.height = height + "px";
  host.frame.setAttribute("aria-label", alt);
  for (const tool of host.tools.children) {
    tool.title = words[tool.dataset.tool];
    tool.setAttribute("aria-label", tool.title);
  }
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) delete layout.transition;
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false; // fingers scroll the page
  if (layout.uirevision !== host.revision) host.view = {};
  host.revision = layout.uirevision;
  host.home = ranges(layout);
  join(host, group);
  for (const [axis, range] of Object.entries(host.view)) Object.assign(layout[axis] ??= {}, { range });
  const config = { displayModeBar: false, scrollZoom: true, doubleClick: false };
  await Plotly.react(host.gd, data, { ...layout, height, autosize: true }, config);
  if (!host.ready) listen(host);
  showTip(host, null);
  if (!host.table.hidden) fillTable(host);
}

// Axes of equal scale grow to fill another shape, and Plotly keeps what they grew to: each size
// starts from the ranges that were asked for, or every change would leave them larger.
// A host that is being taken off the page also changes its size; there is nothing to fit then.
function fit(host) {
  clearTimeout(host.fitting);
  host.fitting = setTimeout(() => (host.drawn = host.drawn.then(() => refit(host))), SETTLED);
}

async function refit(host) {
  const { gd, ready } = host;
  if (!ready || !gd.getClientRects().length) return;
  if (Math.abs(gd.clientWidth - gd._fullLayout.width) <= 1) return;
  const update = { autosize: true };
  for (const [axis, range] of Object.entries({ ...host.home, ...host.view }))
    update[axis + ".range"] = [...range];
  await quietly(host, Plotly.relayout(gd, update)).catch(() => {});
}

// What Plotly does meanwhile was not done by the reader.
function quietly(host, work) {
  host.muted += 1;
  return work.finally(() => (host.muted -= 1));
}

function listen(host) {
  host.ready = true;
  host.gd.on("plotly_relayouting", () => spread(host));
  host.gd.on("plotly_relayout", () => spread(host));
  host.gd.on("plotly_doubleclick", () => show(host, {}));
  host.gd.on("plotly_hover", ({ points }) => { host.point = points[0]; showTip(host, null); });
  host.gd.on("plotly_unhover", () => (host.point = null));
  host.gd.on("plotly_click", ({ points }) => (host.clicked = points[0]));
}

function fail(host, error) {
  host.root.classList.add("lv-failed");
  host.frame.textContent = host.frame.getAttribute("aria-label");
  console.error(error);
}

function release(host) {
  join(host, null);
  if (host.ready) Plotly.purge(host.gd);
}

// ------------------------------------------- what the reader sees: ranges by axis, linked

const isAxis = (name) => /^[xy]axis\d*$/.test(name);

function ranges(layout) {
  const found = Object.entries(layout).filter(([name, axis]) => isAxis(name) && axis.range);
  return Object.fromEntries(found.map(([name, axis]) => [name, [...axis.range]]));
}

function join(host, group) {
  if (host.group === group) return;
  page.groups.get(host.group)?.delete(host);
  host.group = group;
  if (!group) return;
  const members = page.groups.get(group) ?? new Set();
  const [peer] = members;
  if (peer) host.view = { ...shared(peer.view) };
  page.groups.set(group, members.add(host));
}

const shared = (view) =>
  Object.fromEntries(Object.entries(view).filter(([axis]) => axis === "xaxis" || axis === "yaxis"));

const same = (a, b) =>
  a && b && a.every((v, i) => Math.abs(v - b[i]) <= 1e-9 * Math.abs(b[1] - b[0]));

// The reader moved this figure: remember it, and move the figures that are linked with it.
function spread(host) {
  if (host.muted) return;
  const seen = Object.entries(ranges(host.gd._fullLayout));
  host.view = Object.fromEntries(seen.filter(([axis, range]) => !same(range, host.home[axis])));
  for (const peer of page.groups.get(host.group) ?? [])
    if (peer !== host && peer.ready) show(peer, { ...peer.view, ...both(host) }, false);
}

const both = (host) => shared(ranges(host.gd._fullLayout));

// Show these ranges; an axis without one goes home.
async function show(host, view, tell = true) {
  const update = {};
  for (const axis of Object.keys(ranges(host.gd._fullLayout))) {
    const range = view[axis] ?? host.home[axis];
    if (!range) update[axis + ".autorange"] = true;
    else if (!same(range, host.gd._fullLayout[axis].range)) update[axis + ".range"] = [...range];
  }
  host.view = view;
  if (Object.keys(update).length) {
    await quietly(host, Plotly.relayout(host.gd, update));
  }
  if (tell) spread(host);
}

function onKey(host, event) {
  const steps = {
    "+": [0.8, 0, 0], "=": [0.8, 0, 0], "-": [1.25, 0, 0],
    ArrowLeft: [1, -0.1, 0], ArrowRight: [1, 0.1, 0],
    ArrowDown: [1, 0, -0.1], ArrowUp: [1, 0, 0.1],
  };
  if (!host.ready || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "0" || event.key === "Home") show(host, {});
  else if (event.key === "t") toggleTable(host);
  else if (steps[event.key]) show(host, { ...host.view, ...moved(host, ...steps[event.key]) });
  else return;
  event.preventDefault();
}

function moved(host, factor, right, up) {
  const view = both(host);
  for (const [axis, share] of [["xaxis", right], ["yaxis", up]]) {
    if (!view[axis]) continue;
    const [low, high] = view[axis];
    const middle = (low + high) / 2 + share * (high - low);
    const half = (factor * (high - low)) / 2;
    view[axis] = [middle - half, middle + half];
  }
  return view;
}

// ---------------------------------------------------------------- hits: areas with a meaning

// meta.hits holds columns: node, size (corners of each), xy (all corners, in data coordinates),
// axis ([name, how many areas]), text. A box has size 0 and two corners. Later areas lie on top.
function areas(hits) {
  if (!hits?.node) return [];
  const flat = decoded(hits.xy);
  const axes = hits.axis.flatMap(([name, n]) => Array(n).fill(name));
  let at = 0;
  return hits.node.map((node, i) => {
    const corners = flat.subarray(at, (at += 2 * (hits.size[i] || 2)));
    let xs = corners.filter((_, i) => i % 2 === 0);
    let ys = corners.filter((_, i) => i % 2 === 1);
    if (!hits.size[i]) [xs, ys] = [[xs[0], xs[1], xs[1], xs[0]], [ys[0], ys[0], ys[1], ys[1]]];
    const box = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    return { node, axis: axes[i], text: hits.text?.[i] ?? "", xs, ys, box };
  });
}

function decoded({ dtype, bdata }) {
  const types = { f8: Float64Array, f4: Float32Array, i4: Int32Array, i2: Int16Array, i1: Int8Array };
  const bytes = Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0));
  return new types[dtype](bytes.buffer);
}

// Rows of the data come by themselves (rows.js), once for all figures.
async function withRows({ rows: name, ...trace }) {
  if (!name) return trace;
  page.rows ??= new Map();
  const found = page.rows.get(name) ?? { waiting: [] };
  page.rows.set(name, found);
  return { ...trace, ...(found.places ?? (await new Promise((go) => found.waiting.push(go)))) };
}

// Strips between the bars of a tree come as their ends: from and to (x), upper edge there and
// there, height. Their edges leave and arrive level; strips are parted by a gap.
function unrolled(trace) {
  for (const key of ["text", "hovertext"]) {
    const { words, of } = trace[key] ?? {};
    if (words) trace[key] = Array.from(decoded(of), (i) => words[i]);
  }
  if (!trace.meta?.strips) return trace;
  const { strips, points, ...meta } = trace.meta;
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
  return { ...trace, meta, x, y };
}

function inside({ xs, ys, box }, x, y) {
  if (x < box[0] || x > box[1] || y < box[2] || y > box[3]) return false;
  let odd = false;
  for (let i = 0, j = xs.length - 1; i < xs.length; j = i++)
    if (ys[i] > y !== ys[j] > y && x < ((xs[j] - xs[i]) * (y - ys[i])) / (ys[j] - ys[i]) + xs[i])
      odd = !odd;
  return odd;
}

// Where the pointer is, in the units of the axes below it; null outside of all axes.
function place(host, event) {
  const box = host.gd.getBoundingClientRect();
  for (const { xaxis, yaxis } of Object.values(host.gd._fullLayout?._plots ?? {})) {
    const px = event.clientX - box.left - xaxis._offset;
    const py = event.clientY - box.top - yaxis._offset;
    if (px >= 0 && px <= xaxis._length && py >= 0 && py <= yaxis._length)
      return { axis: xaxis._id, yaxis: yaxis._id, x: xaxis.p2d(px), y: yaxis.p2d(py) };
  }
  return null;
}

const hitAt = (host, at) =>
  at && host.hits.findLast((hit) => hit.axis === at.axis && inside(hit, at.x, at.y));

function onMove(host, event) {
  const hit = host.point || event.buttons ? null : hitAt(host, place(host, event));
  showTip(host, hit, event);
}

function showTip(host, hit, event) {
  const text = hit && textOf(host, hit);
  host.tip.hidden = !text;
  host.root.classList.toggle("lv-hit", Boolean(hit));
  if (!text) return;
  if (host.tip.dataset.text !== text) {
    host.tip.dataset.text = text;
    host.tip.replaceChildren(...marked(text));
  }
  const box = host.root.getBoundingClientRect();
  const left = event.clientX - box.left;
  const top = event.clientY - box.top;
  const { offsetWidth: width, offsetHeight: height } = host.tip;
  host.tip.style.left = Math.max(0, left + 16 + width > box.width ? left - 12 - width : left + 16) + "px";
  host.tip.style.top = Math.max(0, top + 16 + height > box.height ? top - 12 - height : top + 16) + "px";
}

const textOf = (host, { text, node }) => text || (host.texts ? composed(host.texts, node) : "");

// What is said of a node: its class, its rule, its rows, its test. The rule is written along the
// way down from the root: each test narrows a condition of its parent's or adds one.
function composed(texts, node) {
  const { parent, words } = texts;
  const i = texts.node.indexOf(node);
  if (i < 0) return "";
  const way = [];
  for (let k = i; k > 0; k = parent[k]) way.unshift(k); // the root is the first
  const { rule, rows, counts, next } = (texts.tests ? fromTests : fromSteps)(texts, i, way);
  return [
    `<b>${texts.titles[texts.title[i]]}</b>`,
    ...(rule.length ? [rule.join(`<br>${words.and} `)] : []),
    `${rows}: ${counts.map(([k, n]) => `${texts.titles[k]} ${n}`).join(", ")}`,
    ...(next ? [words.next.replace("{test}", () => next)] : []),
  ].join("<br>");
}

function unpackedTexts({ node, parent, title, tests, ...rest }) {
  const columns = { node: decoded(node), parent: decoded(parent), title: decoded(title) };
  if (!tests) return { ...rest, ...columns };
  const flat = decoded(tests.counts);
  const { length } = rest.titles;
  const counts = Array.from(columns.node, (_, i) => Array.from(flat.subarray(i * length, (i + 1) * length)));
  return { ...rest, ...columns, tests: { ...tests, counts, branch: decoded(tests.branch), feature: decoded(tests.feature) } };
}

function fromSteps({ steps }, i, way) {
  const rule = [];
  for (const k of way) rule[steps.place[k]] = steps.condition[k];
  return { rule, rows: steps.rows[i], counts: steps.counts[i], next: steps.next[i] };
}

function fromTests({ tests, parent, words, most }, i, way) {
  const ends = new Map(); // feature -> [low, high], in the order of first use
  for (const k of way) {
    const { [parent[k]]: feature } = tests.feature;
    const [low, high] = ends.get(feature) ?? [null, null];
    const { [parent[k]]: threshold } = tests.threshold;
    ends.set(feature, tests.branch[k] ? [threshold, high] : [low, threshold]);
  }
  const interval = (name, low, high) =>
    low === null ? `${name} ≤ ${number(high)}`
      : high === null ? `${name} &gt; ${number(low)}` : `${number(low)} &lt; ${name} ≤ ${number(high)}`;
  const held = tests.counts[i].map((n, k) => [k, n]).filter(([, n]) => n > 0);
  const n = held.reduce((sum, [, count]) => sum + count, 0);
  const feature = tests.feature[i];
  return {
    rule: [...ends].map(([f, [low, high]]) => interval(tests.names[f], low, high)),
    rows: (n === 1 ? words.row : words.rows).replace("{n}", number(n)),
    counts: held.sort((a, b) => b[1] - a[1]).slice(0, most).map(([k, count]) => [k, number(count)]),
    next: feature < 0 ? "" : interval(tests.names[feature], null, tests.threshold[i]),
  };
}

// As `number` of lastviz/plots/visuals/words.py: four significant digits, whole numbers whole.
function number(value) {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size && (size < 1e-4 || size >= 1e9)) {
    const [digits, power] = size.toExponential(3).split("e");
    const raised = Array.from(String(Number(power)), (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
    return `${sign}${Number(digits)}·10${raised.join("")}`;
  }
  const before = size ? Math.floor(Math.log10(size)) + 1 : 1;
  const places = Math.min(Math.max(0, 4 - before), 8);
  const between = Math.floor(size * 10 ** places) + 0.5;
  // Halfway between two numbers Python takes the even one; a half can only be met by a binary part.
  const half = Number.isInteger(size * 2 ** (places + 1)) && size * 10 ** places === between;
  const even = (2 * Math.round((between - 0.5) / 2)) / 10 ** places;
  const [whole, part = ""] = (half ? even : size).toFixed(places).split(".");
  const rest = part.replace(/0+$/, "");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest && "." + rest);
  return text === "0" ? text : sign + text;
}

// Text with <b>, <br> and <sub> as nodes; anything else stays text.
function marked(text) {
  const entities = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" };
  const plain = (part) => part.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name) => entities[name]);
  const top = document.createElement("div");
  let into = top;
  for (const part of text.split(/(<\/?(?:b|sub)>|<br ?\/?>)/)) {
    if (part === "<b>" || part === "<sub>") {
      const element = document.createElement(part.slice(1, -1));
      into.append(element);
      into = element;
    } else if (part === "</b>" || part === "</sub>") into = into.parentNode ?? top;
    else if (part.startsWith("<br")) into.append(document.createElement("br"));
    else into.append(plain(part));
  }
  return [...top.childNodes];
}

// A click on a point or a hit goes to Python. Plotly covers the page while a button is down,
// so the release is seen by the window; the point below it is reported just afterwards.
function onPress(host, pressed) {
  if (!host.clickable || !host.ready || pressed.button !== 0) return;
  const at = place(host, pressed);
  host.clicked = null;
  const watch = new AbortController();
  const released = ({ type, clientX, clientY }) => {
    watch.abort();
    const slip = Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY);
    if (type === "pointerup" && at && slip <= CLICK_SLIP) setTimeout(() => tell(host, at), 0);
  };
  for (const type of ["pointerup", "pointercancel"])
    window.addEventListener(type, released, { capture: true, signal: watch.signal });
}

function tell(host, at) {
  const { clicked } = host;
  const isRow = clicked && clicked.data.meta?.role !== "curve"; // a curve's data are scores
  const row = isRow ? [clicked.customdata].flat()[0] ?? null : null;
  const node = hitAt(host, at)?.node ?? null;
  if (row === null && node === null && !host.anywhere) return;
  const [x, y] = row === null ? [at.x, at.y] : [clicked.x, clicked.y];
  host.trigger("click", { node, row, x, y, axis: at.axis, yaxis: at.yaxis });
}

// ---------------------------------------------------------------- the figure as a table

const MOST_ROWS = 1000; // of a table: more would be slow, and nobody reads them
// Marks around what has a row of its own.
const AROUND = ["ring", "halo", "edge", "wrong", "highlighted", "leader", "stem", "selected", "picked"];

function toggleTable(host) {
  host.table.hidden = !host.table.hidden;
  const button = host.tools.querySelector('[data-tool="table"]');
  button.setAttribute("aria-pressed", String(!host.table.hidden));
  if (host.table.hidden) return;
  fillTable(host);
  host.table.focus();
}

// The words of all areas, then the numbers of all marks, as they are drawn.
function fillTable(host) {
  const { words } = host;
  const texts = host.hits.map((hit) => textOf(host, hit)).filter(Boolean);
  const areas = texts.map((text) => [lines(text).join("; ")]);
  const marks = host.gd._fullData.flatMap((trace) => rowsOf(host, trace));
  const parts = [[[words.area], areas], [[words.series, words.across, words.up, words.about], marks]];
  const tables = parts.filter(([, rows]) => rows.length).map(([head, rows]) => tableOf(head, rows, words));
  host.table.replaceChildren(...(tables.length ? tables : [words.nothing]));
}

const wordsOf = (text) => marked(String(text ?? "")).map((node) => node.textContent).join(" ").trim();
const lines = (text) => String(text).split(/<br ?\/?>/).map(wordsOf).filter(Boolean);

function rowsOf(host, trace) {
  const { x, y, z, meta } = trace;
  const isRead = trace.type === "bar" || meta?.role === "curve" || /markers/.test(trace.mode ?? "");
  if (!x?.length || !y?.length || z || !isRead || AROUND.includes(meta?.role)) return [];
  const layout = host.gd._fullLayout;
  const axis = (id) => layout[id.replace(/^([xy])(\d*)$/, "$1axis$2")];
  const [across, up] = [axis(trace.xaxis ?? "x"), axis(trace.yaxis ?? "y")];
  const named = ({ _input: { title }, visible }, value) => {
    if (visible === false) return ""; // a layout, not a scale
    const name = wordsOf(title?.text ?? title); // Plotly's own would ask for a click
    const text = typeof value === "number" ? Number(value.toPrecision(6)).toString() : String(value);
    return name ? `${name} ${text}` : text;
  };
  const about = (i) => lines([trace.text, trace.hovertext].flat().length > 2
    ? (trace.hovertext?.[i] ?? trace.text?.[i] ?? "") : "").join("; ");
  return Array.from(x, (_, i) => i)
    .filter((i) => x[i] != null && y[i] != null && !Number.isNaN(x[i]) && !Number.isNaN(y[i]))
    .map((i) => [wordsOf(trace.name), named(across, x[i]), named(up, y[i]), about(i)])
    .filter(([, ...about]) => about.some(Boolean));
}

function tableOf(head, rows, words) {
  const table = document.createElement("table");
  const cells = (tag, texts) => {
    const row = document.createElement("tr");
    row.append(...texts.map((text) => Object.assign(document.createElement(tag), { textContent: text })));
    return row;
  };
  table.append(cells("th", head), ...rows.slice(0, MOST_ROWS).map((row) => cells("td", row)));
  const left = rows.length - MOST_ROWS;
  if (left > 0) table.createCaption().textContent = words.more.replace("{n}", left);
  return table;
}

// ---------------------------------------------------------------- downloads

function onTool(host, tool) {
  if (!host.ready || !tool) return;
  if (tool === "reset") show(host, {});
  else if (tool === "table") toggleTable(host);
  else if (tool === "html") saveHtml(host);
  else saveImage(host, tool);
}

const LEGEND = 36; // pixels above a picture that leaves the page, and with it the page's legend

function exported(host) {
  const paper = getComputedStyle(host.root).getPropertyValue("--st-background-color").trim();
  const { meta, ...rest } = host.gd.layout;
  const named = new Set();
  const data = host.gd.data.map((trace) => {
    const { role, class: index } = trace.meta ?? {};
    const first = ["training", "held_out"].includes(role) && !named.has(index);
    if (first) named.add(index);
    return { ...trace, showlegend: first };
  });
  const layout = { ...rest, paper_bgcolor: paper || "white" };
  if (!named.size) return { data, layout, height: host.frame.clientHeight };
  const height = host.frame.clientHeight + LEGEND;
  const margin = { ...layout.margin, t: (layout.margin?.t ?? 0) + LEGEND };
  const place = { orientation: "h", x: 0, xanchor: "left", y: 1, yref: "container", yanchor: "top" };
  return { data, layout: { ...layout, height, margin, showlegend: true, legend: place }, height };
}

async function saveImage(host, format) {
  const { data, layout, height } = exported(host);
  const size = { width: host.frame.clientWidth, height };
  const url = await Plotly.toImage({ data, layout }, { format, ...size, scale: 2 });
  save(url, `${host.filename}.${format}`);
}

async function saveHtml(host) {
  const library = await (await fetch(new URL(SOURCE, document.baseURI))).text();
  const { height, ...parts } = exported(host);
  const figure = JSON.stringify(parts).replaceAll("<", "\\u003c");
  const text = `<!doctype html><meta charset="utf-8"><title>${host.filename}</title>
<script>${library.replaceAll("</script", "<\\/script")}</script><div id="figure" style="height: ${height}px"></div>
<script>const f = ${figure}; Plotly.newPlot("figure", f.data, f.layout, {responsive: true})</script>`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  save(url, `${host.filename}.html`);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function save(url, filename) {
  const anchor = Object.assign(document.createElement("a"), { href: url, download: filename });
  anchor.click();
}
