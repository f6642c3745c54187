// A deck: one slide at a time fills the window, and is drawn when it is first seen.
const root = document.documentElement;
const slides = [...document.querySelectorAll(".slide")];
const titles = slides.map((slide) => slide.querySelector("header h2"));
const foot = document.querySelector(".foot");
const dots = [...foot.querySelectorAll("[data-slide]")];
const keys = document.getElementById("keys");
const darkness = matchMedia("(prefers-color-scheme: dark)");
const OPTIONS = { responsive: false, displayModeBar: false, scrollZoom: false };
const [LEAST, MOST, WIDE] = [10 / 7, 2.4, 900]; // a letter of 14 pixels is one of 20 at least
const LOWEST = 0.62; // of its height that a figure keeps where there is little room
const ROWS_WIDE = 860; // pixels
const SWIPE = 60; // pixels
const STEPS = ["ArrowLeft", "ArrowRight", "Home", "End", " "]; // they are a growth's where there is one
let at = -1;
let began = Date.now();
let ready = null; // the library and what is drawn

// ---------------------------------------------------------------- what is drawn

async function unpackAll() {
  if (document.getElementById("plotly")) await loadLibrary();
  for (const [i, slide] of slides.entries()) {
    slide.drawn = document.getElementById(`data-${i + 1}`) ? JSON.parse(await unpacked(`data-${i + 1}`)) : [];
    if (document.getElementById(`live-${i + 1}`)) enliven(slide, JSON.parse(await unpacked(`live-${i + 1}`)), WORDS);
  }
}

// What makes the light value a dark one, see difference() in slide_show.py.
function changed(value, difference) {
  if (!difference) return value;
  if ("is" in difference) return difference.is;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const [key, inner] of Object.entries(difference.in)) copy[key] = changed(value[key], inner);
  return copy;
}

const isPrinting = () => root.classList.contains("printing");
const isStill = () => isPrinting() || getComputedStyle(root).getPropertyValue("--still") !== "";
const isWide = () => isPrinting() || innerWidth >= WIDE;
const isDark = () => darkness.matches && !isPrinting();
const seen = (part) => changed(part.light, isDark() ? part.dark : null);
const placeOf = (part) => document.getElementById(`${part.kind}-${part.at}`);
const heightOf = (part) => (part.kind === "growth" ? 560 : part.height);

// How many times its own size all that a slide draws is shown, and to what share of their height
// figures are lowered: the room that words leave is filled.
function sizeOf(slide) {
  if (!isWide()) return { scale: 1, share: 1 };
  const [body, flow] = [slide.querySelector(".body"), slide.querySelector(".flow")];
  for (const part of slide.drawn) placeOf(part).style.height = "0px";
  const columns = [...slide.querySelectorAll(".column")];
  const highest = Math.max(0, ...columns.map((column) => column.scrollHeight));
  const free = body.clientHeight - flow.offsetHeight - 4 - (slide.querySelector(".rows")?.offsetHeight ?? 0);
  const scales = [flow, ...columns].map((stack) => {
    const parts = slide.drawn.filter((part) => placeOf(part).closest(".column, .flow") === stack);
    const own = parts.reduce((sum, part) => sum + heightOf(part), 0);
    return own ? (free + (stack === flow ? 0 : highest - stack.scrollHeight)) / own : MOST;
  });
  const fits = Math.min(...scales);
  const least = isStill() ? 0.7 : LEAST; // what cannot be scrolled has to fit
  return {
    scale: Math.min(MOST, Math.max(least, fits)),
    share: Math.min(1, Math.max(LOWEST, fits / least)),
  };
}

function draw(slide) {
  if (!slide.drawn?.length) return;
  const size = sizeOf(slide);
  for (const part of slide.drawn) (part.kind === "growth" ? grow : paint)(slide, part, size);
  slide.look = lookNow();
}

const lookNow = () => `${isDark()}|${isPrinting()}|${innerWidth}|${innerHeight}`;

function paint(slide, part, { scale, share }) {
  const place = placeOf(part);
  const height = part.fixed ? part.height : Math.round(share * part.height);
  const { data, layout } = structuredClone(seen(part)); // Plotly writes into what it is given
  place.style.height = `${height * scale}px`;
  if (part.alt) place.setAttribute("aria-label", part.alt);
  const least = part.fixed && !isWide() ? ROWS_WIDE : 0; // what has columns scrolls sideways
  const width = Math.max(place.clientWidth / scale, least);
  if (!place.firstChild) place.append(document.createElement("div"));
  place.firstChild.style.transform = `scale(${scale})`;
  place.firstChild.style.width = `${width}px`;
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false; // fingers turn and scroll
  Plotly.react(place.firstChild, data, { ...layout, width, height, autosize: false }, OPTIONS);
}

function grow(slide, part, { scale }) {
  const place = placeOf(part);
  const step = part.player ? part.player.at : part.step;
  if (!part.player) {
    const inner = document.createElement("div");
    inner.className = "lv-growth";
    place.append(inner);
    part.player = mountPlayer(inner, { loadPlotly: async () => Plotly });
    part.player.onStep = (now) => {
      for (const other of slide.drawn) if (other.player && other !== part) other.player.follow(now);
    };
    new ResizeObserver(() => settle(place)).observe(inner);
  }
  place.scale = scale;
  const room = slide.querySelector(".body").clientHeight / scale;
  place.firstChild.style.transform = `scale(${scale})`;
  place.firstChild.style.width = `${place.clientWidth / scale}px`;
  const story = structuredClone(seen(part));
  part.player.show(story, step);
  if (isWide()) { // its picture takes the room that its own words leave; it is drawn after this
    const [stage, frame] = ["stage", "frame"].map((name) => place.querySelector(`.lvg-${name}`));
    const words = stage.offsetHeight - frame.offsetHeight + 8;
    story.figure.layout.height = Math.max(200, Math.min(story.figure.layout.height, room - words));
  }
  settle(place);
}

const settle = (place) => { place.style.height = `${place.firstChild.offsetHeight * place.scale}px`; };

// ---------------------------------------------------------------- turning

function show(wanted, { focus = true } = {}) {
  const to = Math.min(Math.max(wanted, 0), slides.length - 1);
  if (to === at) return;
  stopPlaying();
  at = to;
  slides.forEach((slide, i) => slide.classList.toggle("here", i === at));
  dots.forEach((dot, i) => {
    dot.classList.toggle("done", i < at);
    dot.toggleAttribute("aria-current", i === at);
    if (i === at) dot.setAttribute("aria-current", "step");
  });
  const place = slides[at].getAttribute("aria-label");
  foot.querySelector(".place").textContent = place;
  foot.querySelector('[data-do="back"]').disabled = at === 0;
  foot.querySelector('[data-do="next"]').disabled = at === slides.length - 1;
  foot.querySelector('[data-do="notes"]').hidden = !slides[at].querySelector(".notes");
  if (Number(location.hash.slice(1)) !== at + 1) say(at + 1);
  document.getElementById("said").textContent = `${place}: ${titles[at].textContent}`;
  slides[at].querySelector(".body").scrollTo(0, 0);
  if (focus) titles[at].focus({ preventScroll: true });
  drawHere();
}

function say(number) {
  try { history.replaceState(null, "", `#${number}`); }
  catch { location.hash = `#${number}`; } // where a page of a file must not write its address
}

async function drawHere() {
  const slide = slides[at];
  await ready;
  if (slide !== slides[at]) return;
  if (slide.look !== lookNow()) draw(slide);
  const body = slide.querySelector(".body");
  body.onscroll = () => body.classList.toggle("more", body.scrollHeight - body.scrollTop > body.clientHeight + 8);
  body.onscroll();
  root.dataset.shown = at + 1;
}

function stopPlaying() {
  for (const part of slides[at]?.drawn ?? []) if (part.player) part.player.follow(part.player.at);
}

const acts = {
  next: () => show(at + 1),
  back: () => show(at - 1),
  notes: () => {
    const notes = slides[at].querySelector(".notes");
    if (notes) notes.open = !notes.open;
    slides[at].look = null; // they take room from the pictures
    drawHere();
  },
  keys: () => (keys.open ? keys.close() : keys.showModal()),
  timer: () => { began = Date.now(); tick(); },
  blank: () => root.classList.toggle("blank"),
  down: () => slides[at].querySelector(".body").scrollBy(0, 80),
  up: () => slides[at].querySelector(".body").scrollBy(0, -80),
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
  const player = slides[at].drawn?.find((part) => part.player)?.player;
  if (player && STEPS.includes(key)) {
    player.root.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, cancelable: true }));
    event.preventDefault();
    return;
  }
  if (key === "Home" || key === "End") show(key === "Home" ? 0 : slides.length - 1);
  else if (key === " " && event.shiftKey) acts.back();
  else if (key in KEYS) acts[KEYS[key]]();
  else return;
  event.preventDefault();
}

let began_at = null; // where a finger came down
function down(event) {
  const scrolls = event.target.closest?.("input, .words, [data-fixed], .lvg-scroll, dialog, .foot");
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

// ---------------------------------------------------------------- the page

const named = () => (/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) - 1 : 0);

function begin() {
  root.classList.add("plays");
  foot.hidden = false;
  ready = unpackAll().catch((error) => console.warn("The pictures cannot be drawn here.", error));
  document.addEventListener("keydown", pressed);
  document.addEventListener("touchstart", down, { passive: true });
  document.addEventListener("touchend", up, { passive: true });
  addEventListener("hashchange", () => show(named()));
  foot.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.slide) show(Number(button.dataset.slide) - 1);
    else if (button) acts[button.dataset.do]();
  });
  document.querySelector(".edge.next").addEventListener("click", acts.next);
  document.querySelector(".edge.back").addEventListener("click", acts.back);
  let waits;
  addEventListener("resize", () => { clearTimeout(waits); waits = setTimeout(drawHere, 120); });
  darkness.addEventListener("change", drawHere);
  addEventListener("beforeprint", () => { root.classList.add("printing"); slides.forEach(draw); });
  addEventListener("afterprint", () => { root.classList.remove("printing"); drawHere(); });
  setInterval(tick, 1000);
  show(named(), { focus: false });
}

begin();
