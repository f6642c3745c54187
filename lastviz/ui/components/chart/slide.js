// A slide of 16 to 9: the page's own question, names, numbers and legend around the figure.
// All words are read off the page, where its functions wrote them.

const SVG_TYPE = "image/svg+xml";
const SVG_NAME = "http://www.w3.org/2000/svg";
const SLIDE = { width: 1280, height: 720, edge: 48, pixels: 1920 }; // units, and pixels of its width
const SHARPER = 2; // pixels of a PNG for each of the slide's
const SANS = '"Source Sans 3", "Source Sans Pro", Arial, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
const SERIF = '"Source Serif 4", Georgia, serif';
const THEMES = "{{themes}}"; // paper, inks and hues of both themes, in the same order

const isDarkPage = () =>
  getComputedStyle(document.documentElement).getPropertyValue("--lv-theme").trim() === "dark";

// ---------------------------------------------------------------- colours of the other theme

const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const less = (a, b) => a.map((value, i) => value - b[i]);
const lightened = new Map(); // colour of the dark theme -> of the light one

// Colours are inks mixed with paper: find the ink and its share, mix them with white.
function lighter(colour) {
  if (lightened.has(colour)) return lightened.get(colour);
  const [dark, light] = [THEMES.dark, THEMES.light].map((theme) => theme.map(channels));
  const above = less(channels(colour), dark[0]);
  let best = { rest: 12, mixed: null };
  for (let i = 1; i < dark.length; i++) {
    const ink = less(dark[i], dark[0]);
    const share = Math.min(1, Math.max(0, dot(above, ink) / dot(ink, ink)));
    const off = less(above, ink.map((value) => share * value));
    const rest = Math.sqrt(dot(off, off));
    if (rest >= best.rest) continue;
    const mixed = light[i].map((value, k) => Math.round(light[0][k] + share * (value - light[0][k])));
    best = { rest, mixed };
  }
  const hex = best.mixed?.map((value) => value.toString(16).padStart(2, "0")).join("");
  lightened.set(colour, hex ? "#" + hex : colour);
  return lightened.get(colour);
}

function lightenPaint(mark) {
  for (const name of ["fill", "stroke"])
    if (mark.hasAttribute(name)) mark.setAttribute(name, inLight(mark.getAttribute(name)));
}

function inLight(value) {
  if (typeof value === "string")
    return /^#[0-9a-f]{6}$/i.test(value) ? lighter(value.toUpperCase()) : value;
  if (Array.isArray(value)) return value.map(inLight);
  if (!value || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inLight(inner)]));
}

// ---------------------------------------------------------------- words around a figure

const isBefore = (one, other) =>
  Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
const columnOf = (element) => element.closest('[data-testid="stColumn"]');

function wordsAround(host) {
  const find = (selector) => [...document.querySelectorAll(selector)];
  const last = (selector) => find(selector).filter((one) => isBefore(one, host.root)).at(-1);
  const text = (element) => element?.textContent.trim() ?? "";
  const [data = "", ...models] = find(".lv-scene span").map(text);
  const nearest = last(".lv-strip");
  // Numbers of one model among several belong to the figures of its own column alone.
  const near = nearest && (models.length < 2 || columnOf(nearest) === columnOf(host.root)) ? nearest : null;
  const name = near?.closest(".lv-head")?.querySelector(".lv-name")?.firstChild;
  const model = host.model ?? (name ? text(name) : models.join(", "));
  const cells = [...(near?.children ?? [])].map((cell) => ({
    value: text(cell.querySelector("b")), lines: [...cell.querySelectorAll("span")].map(text),
  }));
  const drawn = new Set([
    ...(host.gd.data ?? []).map(({ meta }) => meta?.role), ...(host.gd.layout?.shapes ?? []).map(({ name }) => name)]);
  const legend = [...((last(".lv-legend") ?? find(".lv-legend")[0])?.children ?? [])]
    .filter(({ dataset }) => !dataset.role || drawn.has(dataset.role)); // of this figure's marks alone
  const title = text(find('[data-testid="stMain"] h1')[0]);
  return { title, data, model, cells: cells.filter((cell) => cell.value), legend, note: host.note ?? "" };
}

// ---------------------------------------------------------------- the figure alone

// Plotly draws all marks here, which dots.js draws in the app.
const inFull = ({ marker, ...trace }) => ({ ...trace, ...(marker && { marker: { ...marker, maxdisplayed: 0 } }) });

// What is drawn now, zoomed as it is; `back`: "white", "none" or "page".
function figureFor(host, back) {
  const dark = isDarkPage();
  let { data, layout } = { data: host.gd.data.map(inFull), layout: { ...host.gd.layout } };
  const paper = dark && back !== "white" ? THEMES.dark[0] : THEMES.light[0];
  delete layout.meta;
  delete layout.transition;
  if (dark && back === "white") {
    const { template, ...rest } = layout;
    data = data.map(inLight);
    layout = { ...inLight(rest), template: template === TEMPLATES.dark ? TEMPLATES.light : template };
  }
  layout.paper_bgcolor = back === "none" ? "rgba(0,0,0,0)" : paper;
  const [width, height] = [host.frame.clientWidth, host.frame.clientHeight];
  return { data, layout: { ...layout, autosize: false, width, height }, width, height };
}

async function drawnAlone(host, back) {
  const { data, layout, width, height } = figureFor(host, back);
  layout.paper_bgcolor = "rgba(0,0,0,0)"; // the slide's own lies below
  const text = await Plotly.toImage({ data, layout }, { format: "svg", width, height, imageDataOnly: true });
  const drawing = new DOMParser().parseFromString(text, SVG_TYPE).documentElement;
  for (const layer of host.paint?.(drawing) ?? []) // what lies in the figure beside Plotly's own
    if (isDarkPage() && back === "white") layer.querySelectorAll("*").forEach(lightenPaint);
  return { drawing, width, height };
}

// ---------------------------------------------------------------- the slide

const pen = document.createElement("canvas").getContext("2d");

function widthOf(text, size, { weight = 400, font = SANS } = {}) {
  pen.font = `${weight} ${size}px ${font}`;
  return pen.measureText(text).width;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG_NAME, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Words in lines no wider than `width`; a word that is too long is cut.
function wrapped(text, size, width, look) {
  const made = [];
  for (const word of text.split(/\s+/)) {
    const longer = made.length ? `${made.at(-1)} ${word}` : word;
    if (made.length && widthOf(longer, size, look) <= width) made[made.length - 1] = longer;
    else made.push(cutOff(word, size, width, look));
  }
  return made;
}

function cutOff(word, size, width, look) {
  if (widthOf(word, size, look) <= width) return word;
  let kept = word.length;
  while (kept > 1 && widthOf(word.slice(0, kept) + "…", size, look) > width) kept -= 1;
  return word.slice(0, kept) + "…";
}

// Writes from the top down and knows how far it has come.
function writer(x, y, width, ink) {
  const written = element("g");
  const put = (text, left, base, size, { weight = 400, font = SANS, fill = ink.ink } = {}) =>
    written.append(element("text", {
      x: left, y: base, "font-size": size, "font-weight": weight, "font-family": font, fill,
    }, text));
  const self = { written, y, put };
  self.paragraph = (text, size, look = {}, most = 4) => {
    if (!text) return;
    const all = wrapped(text, size, width, look);
    if (all.length > most) all[most - 1] = cutOff(all[most - 1] + " " + all[most], size, width, look);
    for (const line of all.slice(0, most)) put(line, x, (self.y += size * 1.25), size, look);
    self.y += 6;
  };
  // Things of a width side by side, on as many rows as they need.
  self.row = (things, height, gap) => {
    if (!things.length) return;
    let left = x;
    for (const thing of things) {
      if (left > x && left + thing.width > x + width) [left, self.y] = [x, self.y + height];
      thing.draw(left, self.y);
      left += thing.width + gap;
    }
    self.y += height + 4;
  };
  return self;
}

const cellThing = (at, ink, { value, lines }) => ({
  width: Math.max(widthOf(value, 26, { weight: 600 }), ...lines.map((line) => widthOf(line, 16))),
  draw: (x, y) => {
    at.put(value, x, y + 28, 26, { weight: 600 });
    lines.forEach((line, i) => at.put(line, x, y + 49 + 20 * i, 16, { fill: ink.grey }));
  },
});

// An entry of the legend: its signs, which are drawings in the page, and its words.
function legendThing(at, ink, entry, recolour) {
  const parts = [...entry.childNodes].map((part) => {
    const text = part.textContent.replace(/\s+/g, " ");
    const source = part.nodeName === "IMG" ? part.getAttribute("src") : null;
    if (!source?.startsWith("data:image/svg+xml,")) return { text, width: widthOf(text, 17) };
    let code = decodeURIComponent(source.slice(source.indexOf(",") + 1));
    if (recolour) code = code.replace(/#[0-9a-f]{6}/gi, (colour) => lighter(colour.toUpperCase()));
    const drawing = new DOMParser().parseFromString(code, SVG_TYPE).documentElement;
    const [, , wide = 16, high = 16] = (drawing.getAttribute("viewBox") ?? "0 0 16 16").split(/\s+/).map(Number);
    return { drawing, width: (17 * wide) / high };
  });
  const draw = (x, y) => {
    for (const { drawing, text, width } of parts) {
      if (drawing) {
        for (const [key, value] of Object.entries({ x, y: y + 4, width, height: 17 })) drawing.setAttribute(key, value);
        at.written.append(document.importNode(drawing, true));
      } else if (text.trim()) at.put(text.trim(), x + (text.startsWith(" ") ? 5 : 0), y + 18, 17);
      x += width + (drawing ? 2 : 0);
    }
  };
  return { width: parts.reduce((sum, part) => sum + part.width + 2, 4), draw };
}

function writeWords(words, at, ink, recolour, isNarrow) {
  const entries = words.legend.map((entry) => legendThing(at, ink, entry, recolour));
  at.paragraph(words.title, isNarrow ? 30 : 34, { weight: 600, font: SERIF }, isNarrow ? 4 : 2);
  at.paragraph([words.model, words.data].filter(Boolean).join(" · "), 22, { weight: 600 }, 3);
  const most = Math.max(1, ...words.cells.map(({ lines }) => lines.length));
  at.row(words.cells.map((cell) => cellThing(at, ink, cell)), 38 + 20 * most, 30);
  if (isNarrow) at.y += 12;
  at.row(entries, 27, 24);
}

// Returns the slide as the text of an SVG.
async function slide(host, back) {
  const { drawing, width, height } = await drawnAlone(host, back);
  const recolour = isDarkPage() && back === "white";
  const theme = isDarkPage() && !recolour ? THEMES.dark : THEMES.light;
  const ink = { ink: theme[1], grey: theme[3] };
  const words = wordsAround(host);
  const { width: W, height: H, edge, pixels } = SLIDE;
  const isNarrow = width / height < 1.4; // then its words stand beside it
  const column = isNarrow ? 400 : W - 2 * edge;
  const at = writer(edge, edge - 12, column, ink);
  writeWords(words, at, ink, recolour, isNarrow);
  const note = writer(edge, 0, column, ink);
  note.paragraph(words.note, 16, { fill: ink.grey }, isNarrow ? 12 : 3);
  const noteTop = H - edge + 12 - note.y;
  note.written.setAttribute("transform", `translate(0 ${isNarrow ? Math.max(at.y + 8, noteTop) : noteTop})`);
  const box = isNarrow
    ? { x: edge + column + 36, y: edge / 2, width: W - 1.5 * edge - column - 36, height: H - edge }
    : { x: edge, y: at.y + 8, width: W - 2 * edge, height: noteTop - at.y - 16 };
  const size = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMidYMid meet" };
  for (const [key, value] of Object.entries({ ...box, ...size })) drawing.setAttribute(key, value);
  const top = element("svg", {
    viewBox: `0 0 ${W} ${H}`, width: pixels, height: (pixels * H) / W, role: "img",
  });
  top.append(element("title", {}, [words.title, words.model, words.data].filter(Boolean).join(" · ")));
  if (back !== "none") top.append(element("rect", { width: W, height: H, fill: theme[0] }));
  top.append(document.importNode(drawing, true), at.written, note.written);
  return new XMLSerializer().serializeToString(top);
}

async function rastered(text) {
  const image = new Image();
  image.src = `data:${SVG_TYPE};charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SHARPER * SLIDE.pixels;
  canvas.height = (canvas.width * SLIDE.height) / SLIDE.width;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
