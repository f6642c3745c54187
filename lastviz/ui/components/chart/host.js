// A figure that stays: Plotly.react keeps what the reader did (zoom, camera) when data change.
// Streamlit calls the default export after each run, with the figure as bytes of JSON.

const TEMPLATES = "{{templates}}"; // the look of both themes, by name
const SETTLED = 100; // milliseconds without a change of size
const page = (window.lastviz ??= { plotly: null, groups: new Map() });
page.hosts ??= new Map(); // name of a figure -> what shows a frame there
const hosts = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-chart");
  const host = hosts.get(root) ?? adopt(root);
  host.trigger = setTriggerValue;
  const text = unzipped(data);
  host.drawn = host.drawn.then(async () => {
    if (text === host.text) return;
    host.text = text;
    await draw(host, JSON.parse(text));
  }).catch((e) => fail(host, e));
  return () => release(host);
}

// ---------------------------------------------------------------- drawing

const HAIR = 8; // pixels that nobody is to scroll for

// A figure is scrolled where its place is narrower than it needs, but not for a hair.
const leastWidth = (least) => least ? `min(${least}px, (${least - HAIR}px - 100%) * 999)` : "";

function adopt(root) {
  const find = (name) => root.querySelector(".lv-" + name);
  const host = {
    root, frame: find("frame"), gd: find("figure"), tip: find("tip"), tools: find("tools"),
    table: find("table"), draw: find("draw"), said: find("said"),
    drawn: Promise.resolve(), view: {}, home: {}, hits: [], point: null, clicked: null,
    group: null, muted: 0,
  };
  hosts.set(root, host);
  host.frame.addEventListener("keydown", (event) => onKey(host, event));
  host.frame.addEventListener("pointermove", (event) => onMove(host, event));
  host.frame.addEventListener("pointerleave", () => showTip(host, null));
  host.frame.addEventListener("pointerdown", (event) => onPress(host, event), true);
  for (const type of ["mousedown", "touchstart"]) // of a lasso Plotly knows nothing
    host.frame.addEventListener(type, (event) => host.lasso && event.stopPropagation(), true);
  host.frame.addEventListener("blur", () => leavePlaces(host));
  host.onBrush = () => paintBrush(host);
  // A wheel over a figure scrolls the page; with Ctrl (or a pinch) it zooms.
  host.frame.addEventListener("wheel", (e) => e.ctrlKey || e.metaKey || e.stopPropagation(), true);
  host.tools.addEventListener("click", ({ target }) => onTool(host, target.closest("[data-tool]")));
  host.tools.addEventListener("keydown", (event) => onMenuKey(host, event));
  host.draw.firstElementChild.addEventListener("click", () => toggleLine(host));
  host.draw.addEventListener("keydown", ({ key }) => key === "Escape" && closeSheet(host));
  const sizes = new ResizeObserver(() => fit(host));
  sizes.observe(root);
  sizes.observe(host.said); // which grows with the letters of a stage
  watchRoom(sizes, root);
  return host;
}

async function draw(host, { figure, key, height, alt, filename, group, clickable, drawable, words, texts, passing, later, note, from }) {
  endTurn(host);
  const Plotly = await loadPlotly();
  enlist(host, key);
  const { layout } = figure;
  layout.template = TEMPLATES[layout.template] ?? layout.template;
  const data = await Promise.all(figure.data.map(async (trace) => inBulk(unrolled(await withRows(trace)))));
  const anywhere = Boolean(layout.meta?.features); // axes whose places mean something
  Object.assign(host, { filename, note, height, clickable, drawable, anywhere, words, hits: areas(layout.meta?.hits) });
  if (layout.meta) layout.meta.hits = host.hits;
  host.texts = texts && unpackedTexts(texts);
  host.isLater = later;
  Object.assign(host, { from, isNew: from && !host.ready });
  host.passing = passing && unpackedPassing(passing);
  Object.assign(host, placesOfTrees(layout.meta));
  host.root.classList.toggle("lv-clickable", clickable);
  host.root.style.minWidth = leastWidth(layout.meta?.least);
  host.laidOut = { layout: { ...layout }, height };
  if (!isInSight(host)) await painted();
  const room = roomFor(host);
  host.frame.style.height = room.height + "px";
  host.root.classList.add("lv-fitted");
  const spoken = { label: alt, roledescription: words.figure, description: words.keys };
  for (const [name, text] of Object.entries(spoken)) host.frame.setAttribute("aria-" + name, text);
  setUpTools(host, words);
  watchPrint();
  host.draw.hidden = !drawable;
  closeSheet(host);
  if (isCalm()) delete layout.transition;
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false; // fingers scroll the page
  if (layout.uirevision !== host.revision) host.view = {};
  host.revision = layout.uirevision;
  host.home = ranges(layout);
  join(host, group);
  for (const [axis, range] of Object.entries(host.view)) Object.assign(layout[axis] ??= {}, { range });
  const config = { displayModeBar: false, scrollZoom: true, doubleClick: false };
  await Plotly.react(host.gd, data, { ...layout, ...room, autosize: true }, config);
  thin(host);
  rest(host);
  forget(host);
  if (!host.ready) listen(host);
  showTip(host, null);
  standAgain(host);
  if (!host.table.hidden) fillTable(host);
  brush.watchers.add(host.onBrush);
  if (!host.isLater) {
    brush.wanted = false;
    host.waiting?.();
    host.waiting = null;
  }
  paintBrush(host);
  host.tools.querySelector('[data-tool="turn"]').hidden = !from;
  if (host.isNew && !isCalm()) turn(host);
}

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function isInSight({ root }) {
  const { top, bottom } = root.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

// A figure below the window's edge waits for those in sight; a window in the background has no frames.
const painted = () => new Promise((go) => {
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, SETTLED);
});

// Axes of equal scale grow to fill another shape, and Plotly keeps what they grew to: each size
// starts from the ranges that were asked for, or every change would leave them larger.
// A host that is being taken off the page also changes its size; there is nothing to fit then.
function fit(host) {
  clearTimeout(host.fitting);
  host.fitting = setTimeout(() => (host.drawn = host.drawn.then(() => refit(host))), SETTLED);
}

async function refit(host) {
  const { gd, ready } = host;
  if (!ready || !gd.getClientRects().length || page.printing?.undo.length) return;
  const room = roomFor(host);
  const { width, height, margin } = gd._fullLayout;
  const spare = gd.clientWidth - Math.floor(width); // never less: its place would have to be scrolled
  const fits = (spare === 0 || spare === 1) && height === room.height && margin.l === room.margin.l;
  if (fits) return;
  host.frame.style.height = room.height + "px";
  const update = { width: gd.clientWidth, ...room };
  for (const [axis, range] of Object.entries({ ...host.home, ...host.view }))
    update[axis + ".range"] = [...range];
  await quietly(host, Plotly.relayout(gd, update)).catch(() => {});
  thin(host);
}

// What Plotly does meanwhile was not done by the reader.
function quietly(host, work) {
  host.muted += 1;
  return work.finally(() => (host.muted -= 1));
}

function listen(host) {
  host.ready = true;
  for (const moving of ["plotly_relayouting", "plotly_relayout"])
    host.gd.on(moving, () => { rest(host); forget(host); leavePlaces(host); spread(host); paintBrush(host); });
  host.gd.on("plotly_afterplot", () => paintDots(host));
  paintDots(host);
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

// By its name a figure is handed frames (see frames.js); null ends them.
function enlist(host, key) {
  host.key = key;
  const shown = (frame) => (host.drawn = host.drawn.then(() => (frame ? play(host, frame) : rest(host))));
  page.hosts.set(key, Object.assign(shown, { host }));
}

function release(host) {
  join(host, null);
  page.hosts.delete(host.key);
  brush.watchers.delete(host.onBrush);
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

const ZOOMS = { "+": 0.8, "=": 0.8, "-": 1.25 };
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }; // right, up

function onKey(host, event) {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === "t") toggleTable(host);
  else if (key === "l" || (key === "Escape" && host.sheet)) toggleLine(host);
  else if (!host.ready) return;
  else if (key === "b" && hasRows(host)) turnBrush(!brush.isOn);
  else if (key === "0" || key === "Home") show(host, {});
  else if (ZOOMS[key]) look(host, ZOOMS[key], 0, 0);
  else if (WAYS[key]) {
    const [right, up] = WAYS[key];
    if (event.shiftKey || !walk(host, right, -up)) look(host, 1, 0.1 * right, 0.1 * up);
  } else if (key === "." || key === ",") read(host, key === "." ? 1 : -1);
  else if (key === "m") changeKind(host);
  else if (key === "Escape" && host.place) leavePlaces(host);
  else if (key !== "Enter" || !pickPlace(host)) return;
  event.preventDefault();
}

const look = (host, ...step) => show(host, { ...host.view, ...moved(host, ...step) });

function onTool(host, button) {
  const tool = button?.dataset.tool;
  if (tool === "menu") toggleMenu(host);
  else if (tool === "table") toggleTable(host);
  else if (!host.ready || !tool) return;
  else if (tool === "brush") turnBrush(!brush.isOn);
  else if (tool === "reset") show(host, {});
  else if (tool === "turn") turn(host);
  else if (tool === "back") chooseBack(host, button);
  else closeMenu(host), leave(host, tool);
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

const hitAt = (host, at) =>
  at && host.hits.findLast((hit) => hit.axis === at.axis && inside(hit, at.x, at.y));

function onMove(host, event) {
  const hit = host.point || event.buttons ? null : hitAt(host, place(host, event));
  showTip(host, hit, event);
}

function showTip(host, hit, event) {
  const text = hit && textOf(host, hit) && textOf(host, hit) + brushedWords(host, hit);
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
  if (host.sheet || beginsLasso(host, pressed)) return;
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
  if (node !== null) pointOut(host, node);
  const [x, y] = row === null ? [at.x, at.y] : [clicked.x, clicked.y];
  host.trigger("click", { node, row, x, y, axis: at.axis, yaxis: at.yaxis });
}
