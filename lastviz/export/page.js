// A page as a file: its sections stand below each other, or one at a time fills the window and is drawn
// when it is first seen. Nothing is fetched.
const root = document.documentElement;
const turns = document.body.classList.contains("turns");
const sections = [...document.querySelectorAll("main > section")];
const titles = sections.map((section) => section.querySelector("header h2"));
const foot = document.querySelector(".foot");
const dots = [...document.querySelectorAll(".foot [data-section]")];
const keys = document.getElementById("keys");
const darkness = matchMedia("(prefers-color-scheme: dark)");
const OPTIONS = turns
  ? { responsive: false, displayModeBar: false, scrollZoom: false }
  : { responsive: true, displaylogo: false, scrollZoom: false };
const WIDE = 900; // pixels of a window that shows slides whole
const LETTER = 14; // pixels of a figure's letters
const TALLEST = 3; // times its height that a figure has where there is much room
const LOWEST = 0.62; // of its height that a figure keeps where there is little room
const LEAVABLE = [[0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [4, 0.85], [5, 1]]; // what is left out, see page.css, and the size of words
const SLACK = 4; // pixels below all that a slide shows
const SMALLEST = 0.4; // of their size that words beside pictures keep
const LARGEST = 16; // times their own size that pictures are shown at most
const DESIGNED = 720; // pixels, the height of a slide on which figures have their own size
const WORDS_HIGH = 1.43 / DESIGNED; // times the height of a slide: what words are enlarged by
const PRINTED = 860; // pixels, the height of a slide on paper
const SHEET = 780; // pixels of a formula that fits a sheet, in letters as large as here
const GAP = 12; // pixels between a growth's picture and the note below it
const SWIPE = 60; // pixels
const HAIR = 8; // pixels that nobody is to scroll for
const STEPS = ["ArrowLeft", "ArrowRight", "Home", "End", " "]; // they are a growth's where there is one
let at = -1;
let began = Date.now();
let ready = null; // the library and what is drawn

// ---------------------------------------------------------------- what is drawn

const unpacked = (id) => {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
};

async function loadLibrary() {
  const library = document.createElement("script");
  library.textContent = await unpacked("plotly"); // its hash is among those that may run
  document.head.append(library);
}

// Letters that come late would be drawn where others were measured.
const LETTERS = ["Source Sans", "Source Sans 3"].flatMap((face) => [`16px "${face}"`, `600 16px "${face}"`]);

async function unpackAll() {
  await Promise.allSettled(LETTERS.map((letters) => document.fonts.load(letters)));
  if (document.getElementById("plotly")) await loadLibrary();
  for (const [i, section] of sections.entries()) {
    section.drawn = document.getElementById(`data-${i + 1}`) ? JSON.parse(await unpacked(`data-${i + 1}`)) : [];
    if (document.getElementById(`live-${i + 1}`)) enliven(section, JSON.parse(await unpacked(`live-${i + 1}`)), WORDS);
  }
}

// What makes the light value a dark one, see difference() in page_file.py.
function changed(value, difference) {
  if (!difference) return value;
  if ("is" in difference) return difference.is;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const [key, inner] of Object.entries(difference.in)) copy[key] = changed(value[key], inner);
  return copy;
}

const isPrinting = () => root.classList.contains("printing");
const isWide = () => turns && (isPrinting() || innerWidth >= WIDE);
const isDark = () => darkness.matches && !isPrinting();
const seen = (part) => changed(part.light, isDark() ? part.dark : null);
const placeOf = (part) => document.getElementById(`${part.kind}-${part.at}`);
const heightOf = (part) => (part.kind === "growth" ? 560 : part.height);

// How many times its own size all that a section draws is shown, and to what share of their height
// figures are lowered: the room that words leave is filled. While figures have too little room, the next
// of what can be left out goes; only what is too long in the smallest letters is scrolled.
function sizeOf(section) {
  root.style.removeProperty("--zoom");
  if (!isWide()) return { scale: 1, share: 1 };
  const letters = Math.min(24, Math.max(15, 0.023 * slideHeight())) / LETTER;
  let fits = 0;
  for (const [left, size] of LEAVABLE) {
    if (fits >= (LOWEST * slideHeight()) / DESIGNED) break;
    section.dataset.left = left;
    fits = withWords(section, size);
  }
  // Words that are longer than the slide are written in smaller letters.
  for (let size = 0.95; fits < (SMALLEST * slideHeight()) / DESIGNED && size >= SMALLEST; size -= 0.05)
    fits = withWords(section, size);
  const rigid = drawnIn(section).some((part) => part.fixed || part.kind === "growth" || namesRows(part));
  const share = rigid ? 1 : Math.min(TALLEST, Math.max(LOWEST, fits / letters));
  return { scale: Math.min(letters, fits / share), share };
}

// The scale at which a section's pictures fit beside words of a size.
function withWords(section, size) {
  root.style.setProperty("--zoom", size * WORDS_HIGH * slideHeight());
  shrinkWords(section);
  return scaleOf(section);
}

// Whether names stand above each other in a figure, which would meet if it were lowered.
const namesRows = ({ light: { layout = {} } }) => Object.entries(layout).some(([name, axis]) => /^yaxis/.test(name) && axis.tickvals?.length > 1);

const slideHeight = () => (isPrinting() ? PRINTED : root.offsetHeight);

// Words beside pictures that are longer than the slide are written in smaller letters, and formulas that
// are wider than their place.
function shrinkWords(section) {
  for (const formula of section.querySelectorAll("math")) {
    const place = formula.parentElement, isWide = () => place.scrollWidth > place.clientWidth;
    formula.style.fontSize = ""; // it becomes narrower than its letters do, or wider: sizes are tried
    for (let size = place.clientWidth / place.scrollWidth; size > 0 && isWide(); size -= 0.01) formula.style.fontSize = `${size}em`;
  }
  const rows = section.querySelector(".rows")?.getBoundingClientRect().height ?? 0; // below the words
  const end = section.querySelector(".body").getBoundingClientRect().bottom - SLACK - rows;
  for (const words of section.querySelectorAll(".column:not(:has(.picture, .growth)), .lvg-rest")) {
    for (let size = 1; size >= SMALLEST; size -= 0.05) {
      words.style.zoom = size;
      if (words.getBoundingClientRect().bottom <= end) break;
    }
  }
}

const drawnIn = (section) => section.drawn.filter((part) => placeOf(part).offsetParent);

// The largest scale at which all fits: words keep their height, pictures below each other add theirs, and
// of columns beside each other the highest counts. One of words alone is written smaller, or scrolled.
function scaleOf(section) {
  const [body, flow] = [section.querySelector(".body"), section.querySelector(".flow")];
  const shown = drawnIn(section);
  for (const part of shown) placeOf(part).style.height = "0px";
  const inside = (stack, element) => element.parentElement.closest(".column, .flow") === stack;
  // What is zoomed counts as it is seen, but not by the zoom of a whole sheet.
  const zoom = body.getBoundingClientRect().height / body.offsetHeight || 1;
  const heightIn = (element) => element.getBoundingClientRect().height / zoom;
  const isPictured = (element) => shown.some((part) => element.contains(placeOf(part)));
  const measured = (stack) => {
    const groups = [...stack.querySelectorAll(".columns")].filter((group) => inside(stack, group) && isPictured(group));
    const own = shown.filter((part) => inside(stack, placeOf(part)));
    return {
      words: heightIn(stack) - groups.reduce((sum, group) => sum + heightIn(group), 0),
      pictures: own.reduce((sum, part) => sum + heightOf(part), 0),
      groups: groups.map((group) => [...group.children].map(measured)),
    };
  };
  const all = measured(flow);
  const room = body.clientHeight - SLACK - (section.querySelector(".rows")?.offsetHeight ?? 0);
  const heightAt = ({ words, pictures, groups }, scale) => {
    if (!pictures && !groups.length) return Math.min(words, room - all.words);
    return groups.reduce((sum, columns) => (
      sum + Math.max(...columns.map((column) => heightAt(column, scale)))), words + scale * pictures);
  };
  let [fits, exceeds] = [0, LARGEST];
  if (!shown.length) return all.words <= room ? Infinity : 0;
  while (exceeds - fits > 0.001) {
    const middle = (fits + exceeds) / 2;
    heightAt(all, middle) <= room ? (fits = middle) : (exceeds = middle);
  }
  return fits;
}

function draw(section) {
  if (!section.drawn?.length) return;
  const size = sizeOf(section);
  section.look = lookNow();
  return Promise.all(drawnIn(section).map((part) => (part.kind === "growth" ? grow : paint)(section, part, size)));
}

const lookNow = () => `${isDark()}|${isPrinting()}|${innerWidth}|${innerHeight}`;

function paint(section, part, { scale, share }) {
  const place = placeOf(part);
  const height = part.fixed ? part.height : Math.round(share * part.height);
  const { data, layout } = structuredClone(seen(part)); // Plotly writes into what it is given
  for (const trace of data) if (trace.meta?.least > place.clientWidth / scale) trace.visible = false;
  if (!turns) return Plotly.newPlot(place, data, layout, OPTIONS);
  place.style.height = `${height * scale}px`;
  if (part.alt) place.setAttribute("aria-label", part.alt);
  const own = place.clientWidth / scale; // what has columns scrolls sideways, but not for a hair
  const width = !isWide() && own + HAIR < part.least ? part.least : own;
  if (!place.firstChild) place.append(document.createElement("div"));
  place.firstChild.style.transform = `scale(${scale})`;
  place.firstChild.style.width = `${width}px`;
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false; // fingers turn and scroll
  Plotly.react(place.firstChild, data, { ...layout, width, height, autosize: false }, OPTIONS);
}

function grow(section, part, { scale }) {
  const place = placeOf(part);
  const step = part.player ? part.player.at : part.step;
  if (!part.player) {
    const inner = document.createElement("div");
    inner.className = "lv-growth";
    place.append(inner);
    part.player = mountPlayer(inner, { loadPlotly: async () => Plotly });
    part.player.onStep = (now) => {
      for (const other of section.drawn) if (other.player && other !== part) other.player.follow(now);
    };
    new ResizeObserver(() => settle(place)).observe(inner);
  }
  place.scale = scale;
  const room = section.querySelector(".body").clientHeight / scale;
  place.firstChild.style.transform = `scale(${scale})`;
  place.firstChild.style.width = `${place.clientWidth / scale}px`;
  const story = structuredClone(seen(part));
  part.player.show(story, step);
  const title = section.querySelector("h2.answer"); // of a step: it goes on with the player
  const say = title && section.drawn.length === 1 && place.querySelector(".lvg-say");
  if (say) title.replaceChildren(say);
  if (isWide()) { // its picture takes the room that its own words leave; it is drawn after this
    const frame = place.querySelector(".lvg-frame");
    const above = (frame.getBoundingClientRect().top - place.getBoundingClientRect().top) / scale;
    const below = frame.parentElement.lastElementChild.offsetHeight + GAP;
    story.figure.layout.height = Math.max(200, room - above - below);
  }
  shrinkWords(section);
  settle(place);
}

const settle = (place) => { place.style.height = `${place.firstChild.offsetHeight * place.scale}px`; };

// ---------------------------------------------------------------- turning

function show(wanted, { focus = true } = {}) {
  const to = Math.min(Math.max(wanted, 0), sections.length - 1);
  if (to === at) return;
  stopPlaying();
  at = to;
  sections.forEach((section, i) => section.classList.toggle("here", i === at));
  dots.forEach((dot, i) => {
    dot.classList.toggle("done", i < at);
    dot.toggleAttribute("aria-current", i === at);
    if (i === at) dot.setAttribute("aria-current", "step");
  });
  const place = sections[at].getAttribute("aria-label");
  foot.querySelector(".place").textContent = place;
  foot.querySelector('[data-do="back"]').disabled = at === 0;
  foot.querySelector('[data-do="next"]').disabled = at === sections.length - 1;
  foot.querySelector('[data-do="notes"]').hidden = !sections[at].querySelector(".notes");
  if (Number(location.hash.slice(1)) !== at + 1) say(at + 1);
  document.getElementById("said").textContent = `${place}: ${titles[at].textContent}`;
  sections[at].querySelector(".body").scrollTo(0, 0);
  if (focus) titles[at].focus({ preventScroll: true });
  drawHere();
}

function say(number) {
  try { history.replaceState(null, "", `#${number}`); }
  catch { location.hash = `#${number}`; } // where a page of a file must not write its address
}

async function drawHere() {
  const section = sections[at];
  await ready;
  if (section !== sections[at]) return;
  if (section.look !== lookNow()) draw(section);
  const body = section.querySelector(".body");
  body.onscroll = () => body.classList.toggle("more", body.scrollHeight - body.scrollTop > body.clientHeight + 8);
  body.onscroll();
  root.dataset.shown = at + 1;
}

function stopPlaying() {
  for (const part of sections[at]?.drawn ?? []) if (part.player) part.player.follow(part.player.at);
}

const acts = {
  next: () => show(at + 1),
  back: () => show(at - 1),
  notes: () => {
    const notes = sections[at].querySelector(".notes");
    if (notes) notes.open = !notes.open;
    sections[at].look = null; // they take room from the pictures
    drawHere();
  },
  keys: () => (keys.open ? keys.close() : keys.showModal()),
  timer: () => { began = Date.now(); tick(); },
  blank: () => root.classList.toggle("blank"),
  down: () => sections[at].querySelector(".body").scrollBy(0, 80),
  up: () => sections[at].querySelector(".body").scrollBy(0, -80),
  full: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.()),
};

const KEYS = {
  ArrowRight: "next", PageDown: "next", " ": "next", ArrowLeft: "back", PageUp: "back",
  n: "notes", b: "blank", ".": "blank", f: "full", "?": "keys",
  ArrowDown: "down", ArrowUp: "up",
};

function pressed(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (root.classList.contains("blank")) {
    root.classList.remove("blank");
    event.preventDefault();
    return;
  }
  const target = event.target instanceof Element ? event.target : root;
  if (target.matches("select, textarea, input")) return;
  if ((key === " " || key === "Enter") && target.closest("button, a, summary")) return;
  const player = sections[at].drawn?.find((part) => part.player)?.player;
  if (player && STEPS.includes(key)) {
    player.root.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, cancelable: true }));
    event.preventDefault();
    return;
  }
  if (key === "Home" || key === "End") show(key === "Home" ? 0 : sections.length - 1);
  else if (key === " " && event.shiftKey) acts.back();
  else if (key in KEYS) acts[KEYS[key]]();
  else return;
  event.preventDefault();
}

let began_at = null; // where a finger came down
function down(event) {
  const scrolls = event.target.closest?.("input, .words, [data-least], .lvg-scroll, dialog, .foot");
  began_at = event.touches.length === 1 && !scrolls ? event.touches[0] : null;
}

function up(event) {
  if (!began_at) return;
  const { clientX, clientY } = event.changedTouches[0];
  const [across, along] = [clientX - began_at.clientX, clientY - began_at.clientY];
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(along)) show(at + (across < 0 ? 1 : -1));
  began_at = null;
}

function tick() {
  const seconds = Math.floor((Date.now() - began) / 1000);
  foot.querySelector(".timer").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// ---------------------------------------------------------------- sections below each other

async function readOn() {
  await ready;
  for (const section of sections) await draw(section);
  root.dataset.drawn = document.querySelectorAll(".picture .main-svg").length;
}

// On paper a picture is as wide as the page: its layers scale together. Formulas are not wider.
function fitPaper() {
  for (const formula of document.querySelectorAll("math")) {
    const inside = document.createRange();
    inside.selectNodeContents(formula);
    formula.style.setProperty("--paper", Math.min(1, SHEET / inside.getBoundingClientRect().width));
  }
  for (const picture of document.querySelectorAll(".picture")) {
    const { clientWidth: width, clientHeight: height } = picture;
    picture.style.setProperty("--shape", `${width} / ${height}`);
    for (const layer of picture.querySelectorAll(".main-svg"))
      layer.setAttribute("viewBox", `0 0 ${layer.width.baseVal.value} ${layer.height.baseVal.value}`);
  }
}

function leavePaper() {
  for (const layer of document.querySelectorAll(".main-svg")) layer.removeAttribute("viewBox");
}

// ---------------------------------------------------------------- the page

const named = () => (/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) - 1 : 0);

ready = unpackAll().catch((error) => console.warn("The pictures cannot be drawn here.", error));

function begin() {
  root.classList.add("plays");
  foot.hidden = false;
  document.addEventListener("keydown", pressed);
  document.addEventListener("touchstart", down, { passive: true });
  document.addEventListener("touchend", up, { passive: true });
  addEventListener("hashchange", () => show(named()));
  foot.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.section) show(Number(button.dataset.section) - 1);
    else if (button) acts[button.dataset.do]();
  });
  document.querySelector(".edge.next").addEventListener("click", acts.next);
  document.querySelector(".edge.back").addEventListener("click", acts.back);
  let waits;
  addEventListener("resize", () => { clearTimeout(waits); waits = setTimeout(drawHere, 120); });
  darkness.addEventListener("change", drawHere);
  let closed = []; // notes that are open on paper alone
  addEventListener("beforeprint", () => {
    root.classList.add("printing");
    closed = [...document.querySelectorAll(".notes:not([open])")];
    for (const notes of closed) notes.open = true;
    sections.forEach(draw);
  });
  addEventListener("afterprint", () => {
    root.classList.remove("printing");
    for (const notes of closed) notes.open = false;
    drawHere();
  });
  setInterval(tick, 1000);
  show(named(), { focus: false });
}

if (turns) begin();
else {
  addEventListener("beforeprint", fitPaper);
  addEventListener("afterprint", leavePaper);
  readOn();
}
