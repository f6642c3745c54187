// The player: transport, sentence, numbers, picture, matrix, tree and table of one growth.
// mountPlayer works in the app and in an exported page alike.

const PACE = 1300; // milliseconds a step stays at speed 1
const SPEEDS = [0.5, 1, 2, 4];
const REST = 500; // milliseconds without a step after which the reader counts as stopped
const ICONS = {
  start: "M5 5v14M19 5 9 12l10 7z", back: "M15 5 7 12l8 7", play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14", next: "M9 5l8 7-8 7", end: "M19 5v14M5 5l10 7-10 7z",
};

function mountPlayer(root, { loadPlotly, onStop }) {
  const player = { root, loadPlotly, onStop, at: 0, speed: 1, timer: null, rest: null, known: new Set() };
  player.show = (story, step) => show(player, story, step);
  player.go = (step) => goTo(player, step);
  player.goToNode = (node) => goToNode(player, node);
  player.follow = (step) => follow(player, step);
  root.addEventListener("keydown", (event) => onKeyDown(player, event));
  const sizes = new ResizeObserver(() => refit(player));
  sizes.observe(root);
  watchRoom(sizes, root);
  return player;
}

function show(player, story, step) {
  stop(player);
  player.story = unpackStory(story);
  Object.assign(player, { known: new Set(), staged: null, view: null });
  player.steps = story.steps.map(([events, node, say, cells, what, why, rows, score]) => (
    { events, node, say, cells, what, why, rows, score }));
  player.errors = story.curve && player.steps.map(({ events }) => countsOf(story, stateAfter(story, events)).wrong);
  build(player);
  player.at = -1;
  goTo(player, step, false);
}

// ---------------------------------------------------------------- elements

function element(tag, className, attributes = {}, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const htmlIn = (target, html) => (target.innerHTML = html, target);

function build(player) {
  const { root, story } = player;
  const { words } = story;
  const old = player.gd;
  root.setAttribute("role", "group");
  root.setAttribute("tabindex", "0");
  root.setAttribute("aria-label", words.player);
  const figure = old ?? element("div", "lvg-figure lv-figure");
  player.gd = figure;
  player.frame = element("div", "lvg-frame", { role: "img" }, figure);
  player.strip = element("div", "lv-strip");
  player.say = element("p", "lvg-say", { "aria-live": "polite" });
  player.matrix = element("div", "lvg-matrix");
  player.svg = svgElement("svg", { role: "img" });
  player.toolsPlace = element("div");
  const legend = element("div", "lvg-row", {}, htmlIn(element("div"), story.legend), player.toolsPlace);
  player.curve = svgElement("svg", { role: "img" });
  const curve = element("div", "lvg-curve", {}, element("h3", "", {}, words.curve), player.curve);
  const stage = element("div", "lvg-stage", {}, element("div", "lv-inline", {}, player.strip), legend, player.frame,
    ...(story.curve ? [curve] : []), note(story.note));
  const head = element("div", "lvg-head", {}, transport(player), player.say);
  const tree = element("div", "lvg-tree", {}, element("h3", "", {}, words.tree), element("div", "", {}, player.svg));
  const rest = element("div", "lvg-rest", {}, player.matrix, tree, tableOf(player));
  root.replaceChildren(head, stage, rest);
}

const note = (html) => htmlIn(element("p", "lvg-note"), html ?? "");

function transport(player) {
  const { words } = player.story;
  const button = (name, act) => {
    const made = element("button", "lvg-" + name, { type: "button", title: words[name], "aria-label": words[name] });
    setIcon(made, name);
    made.addEventListener("click", act);
    return made;
  };
  const last = player.steps.length - 1;
  player.scrub = element("input", "", { type: "range", min: 0, max: last, step: 1, "aria-label": words.scrub });
  player.scrub.addEventListener("input", () => { stop(player); goTo(player, Number(player.scrub.value)); });
  player.count = element("span", "lvg-count");
  player.playButton = button("play", () => toggle(player));
  const speed = element("select", "", { "aria-label": words.speed, title: words.speed },
    ...SPEEDS.map((s) => element("option", "", s === player.speed ? { value: s, selected: "" } : { value: s }, `${s}×`)));
  speed.addEventListener("change", () => {
    player.speed = Number(speed.value);
    if (player.timer) { stop(player); play(player); }
  });
  const by = (change) => () => { stop(player); goTo(player, player.at + change); };
  return element("div", "lvg-transport", { role: "toolbar" },
    button("start", by(-Infinity)), button("back", by(-1)), player.playButton,
    button("next", by(1)), button("end", by(Infinity)), player.scrub, player.count, speed);
}

function setIcon(button, name) {
  const filled = name === "play" || name === "start" || name === "end";
  button.replaceChildren(svgElement("svg", {
    viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true", stroke: "currentColor", "stroke-width": 2,
    "stroke-linejoin": "round", "stroke-linecap": "round", fill: filled && name === "play" ? "currentColor" : "none",
  }, [svgElement("path", { d: ICONS[name] })]));
}

function tableOf(player) {
  const { words } = player.story;
  const box = element("details", "lvg-table", player.story.machines ? {} : { open: "" }, element("summary", "", {}, words.table));
  const fill = () => {
    if (box.children.length > 1) return;
    const head = element("tr", "", {}, ...words.columns.map((c) => element("th", "", { scope: "col" }, c)));
    const rows = player.steps.map((step, i) => {
      const texts = [number(player, i), step.what, step.node, step.rows, step.score, step.why];
      const jump = element("button", "", { type: "button" }, String(texts[0]));
      jump.addEventListener("click", () => { stop(player); goTo(player, i); });
      return element("tr", "", { "data-step": i },
        element("td", "", {}, jump), ...texts.slice(1).map((text) => element("td", "", {}, String(text))));
    });
    box.append(element("div", "", {}, element("table", "", {}, element("thead", "", {}, head), element("tbody", "", {}, ...rows))));
    markRow(player);
  };
  // An open box says so as soon as it stands; the picture comes first.
  box.addEventListener("toggle", () => box.open && (window.requestIdleCallback ?? setTimeout)(fill));
  player.table = box;
  return box;
}

function markRow(player) {
  const rows = player.table.querySelectorAll("tbody tr");
  player.table.querySelector(".lvg-here")?.classList.remove("lvg-here");
  const here = rows[player.at];
  if (!here) return;
  here.classList.add("lvg-here");
  const box = player.table.querySelector("div");
  const [top, bottom] = [here.offsetTop - 30, here.offsetTop + here.offsetHeight];
  if (top < box.scrollTop) box.scrollTop = top;
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
}

// ---------------------------------------------------------------- steps

// Steps that begin with the bare root count from nought, those of machines from one.
const number = ({ story }, i) => i + (story.machines ? 1 : 0);

function goTo(player, wanted, tell = true) {
  const last = player.steps.length - 1;
  const at = Math.min(Math.max(wanted, 0), last);
  if (at === player.at) return;
  const onward = at === player.at + 1 && player.at >= 0;
  player.at = at;
  const { story } = player;
  const step = player.steps[at];
  player.before = at > 0 ? stateAfter(story, player.steps[at - 1].events) : {};
  const state = (player.state = stateAfter(story, step.events));
  player.machine = story.machines?.[at] ?? null;
  player.isWhole = !story.machines && at === last && last > 0;
  const known = onward ? player.known : new Set(state.alive);
  player.known = new Set(state.alive);
  tellStep(player, state, step);
  drawMatrix(player);
  drawTree(player, state, step, known);
  drawCurve(player);
  drawPicture(player);
  markRow(player);
  if (!tell) return;
  player.onStep?.(at);
  rest(player);
}

// Another player leads: what this one played ends, and nobody is told of its steps.
function follow(player, step) {
  if (player.timer) showPlaying(player, false);
  clearInterval(player.timer);
  clearTimeout(player.rest);
  player.timer = null;
  goTo(player, step, false);
}

function tellStep(player, state, step) {
  const { story, strip, say, scrub, count } = player;
  const { words } = story;
  const last = player.steps.length - 1;
  const cells = [...step.cells];
  if (!story.machines) {
    const { leaves, wrong, rows } = countsOf(story, state);
    const share = rows ? ((100 * (1 + 1e-12) * wrong) / rows).toFixed(1) : "0";
    cells.push([leaves.toLocaleString("en"), "", words.leaves], [wrong.toLocaleString("en"), `${share} %`, words.errors]);
  }
  strip.replaceChildren(...cells.map(([value, unit, label]) => element("div", "", {},
    element("b", "", {}, value, ...(unit ? [element("small", "", {}, " " + unit)] : [])),
    element("span", "", {}, label))));
  htmlIn(say, step.say);
  scrub.value = player.at;
  const of = (text) => text.replace("{i}", number(player, player.at)).replace("{n}", number(player, last));
  count.textContent = of(words.step);
  scrub.setAttribute("aria-valuetext", count.textContent);
  player.frame.setAttribute("aria-label", `${story.title}, ${count.textContent}: ${say.textContent}`);
  player.svg.setAttribute("aria-label", `${words.tree}: ${player.state.alive.length}`);
}

function goToNode(player, node) {
  const found = player.steps.findIndex((step, i) => step.node === node && (i > 0 || player.story.machines));
  if (found >= 0) { stop(player); goTo(player, found); }
}

// The reader has stopped: say so once, so that the address can follow.
function rest(player) {
  clearTimeout(player.rest);
  if (player.timer || !player.onStop) return;
  player.rest = setTimeout(() => player.onStop(player.at), REST);
}

function play(player) {
  const last = player.steps.length - 1;
  if (player.at >= last) goTo(player, 0);
  clearTimeout(player.rest);
  player.timer = setInterval(() => {
    goTo(player, player.at + 1);
    if (player.at >= last) stop(player);
  }, PACE / player.speed);
  showPlaying(player, true);
}

function stop(player) {
  if (!player.timer) return;
  clearInterval(player.timer);
  player.timer = null;
  showPlaying(player, false);
  rest(player);
}

const toggle = (player) => (player.timer ? stop(player) : play(player));

function showPlaying({ playButton, story }, playing) {
  const name = playing ? "pause" : "play";
  setIcon(playButton, name);
  playButton.title = story.words[name];
  playButton.setAttribute("aria-label", story.words[name]);
}

function onKeyDown(player, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !player.story) return;
  const tag = event.target.tagName;
  if (tag === "SELECT" || (event.key === " " && /^(BUTTON|SUMMARY)$/.test(tag))) return;
  const moves = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  if (event.key === " ") toggle(player);
  else if (event.key in moves) { stop(player); goTo(player, player.at + moves[event.key]); }
  else return;
  event.preventDefault();
}

// ---------------------------------------------------------------- picture

// The stage is drawn once, and again when its size changes; a step only draws its marks.
async function drawPicture(player) {
  const { story, gd, frame, root } = player;
  try {
    if (player.staged !== story) await stage(player);
    if (player.story !== story) return;
    const view = story.picture === "values" && player.machine?.values.view;
    if (view && player.view !== view) {
      player.view = view;
      await Plotly.relayout(gd, { "xaxis.range": [...view] });
    } else drawMarks(player);
  } catch (error) {
    frame.textContent = story.words[window.Plotly ? "failed" : "unloaded"];
    console.error(error);
  }
  root.dataset.step = player.at;
}

async function stage(player) {
  const { story, gd, frame } = player;
  const Plotly = await player.loadPlotly();
  const layout = structuredClone(story.figure.layout); // Plotly writes its ranges into it
  const height = heightOf(player);
  frame.style.height = height + "px";
  if (matchMedia("(pointer: coarse)").matches) layout.dragmode = false; // fingers scroll the page
  const config = { displayModeBar: false, scrollZoom: false, doubleClick: "reset" };
  await Plotly.react(gd, stageData(player), { ...layout, height, autosize: true }, config);
  if (!player.listens) gd.on("plotly_afterplot", () => player.staged && drawMarks(player));
  player.listens = true;
  player.staged = story;
}

const heightOf = ({ story, frame }) => inWindow(frame, Math.min(story.figure.layout.height, Math.round(frame.clientWidth + 60)));

function refit(player) {
  if (window.lastviz?.printing?.undo.length) return; // on paper what is drawn is fitted as it is
  if (!player.story || !player.root.clientWidth) return;
  if (player.width === player.root.clientWidth && player.frame.clientHeight === heightOf(player)) return;
  player.width = player.root.clientWidth;
  drawTree(player, player.state, player.steps[player.at], new Set(player.state.alive));
  drawCurve(player);
  player.staged = player.view = null;
  drawPicture(player);
}
