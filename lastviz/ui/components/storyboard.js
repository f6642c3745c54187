// A strip of slides in small, to be put in order by mouse, finger or keys. Streamlit calls the default
// export after each run. What the reader does is seen at once, and told when the hand rests.

const boards = new WeakMap();
const images = new Map(); // of figures that were drawn, by their JSON
const SETTLED = 400; // milliseconds after the last key
const AWAY = 5; // pixels from which a press is a drag
const [WIDE, HIGH, FINE] = [720, 400, 0.6]; // pixels of a figure, and how many of them are kept
const NEXT = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-board");
  if (!boards.has(root)) boards.set(root, begin(root));
  const board = boards.get(root);
  // One name each: of two that are told at once under one name, the script hears the last alone.
  board.tell = (act, ...about) => setTriggerValue(act, { version: board.data.version, about });
  // What comes back may be an answer to what was told before the last move: that stands.
  board.late = data;
  if (!board.drag && data.version !== board.moved) take(board, data);
  return () => setTimeout(() => root.isConnected || leave(board));
}

function begin(root) {
  const board = { root, list: root.querySelector("ol"), said: root.querySelector("p"), asked: new Set() };
  board.onSight = () => drawSeen(board);
  for (const what of SIGHTS) addEventListener(what, board.onSight, true);
  board.list.onkeydown = (event) => onKey(board, event);
  board.list.onpointerdown = (event) => onPress(board, event);
  return board;
}

function leave(board) {
  for (const what of SIGHTS) removeEventListener(what, board.onSight, true);
}

const items = (board) => [...board.list.children];

const SIGHTS = ["lastviz-thumb", "scroll", "resize"]; // what may bring a thumbnail into sight

const isSeen = (item) => {
  const { top, bottom } = item.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};

// ---------------------------------------------------------------- what Python says

function take(board, data) {
  const { thumbs, chosen, words } = (board.data = data);
  board.moved = null;
  board.list.setAttribute("aria-label", words.board);
  board.list.setAttribute("aria-description", words.keys);
  const hadFocus = board.list.contains(document.activeElement);
  while (board.list.children.length < thumbs.length) board.list.append(made(board, words));
  for (const item of items(board).slice(thumbs.length)) item.remove();
  for (const [i, item] of items(board).entries()) {
    [item.querySelector("b").textContent, item.picture] = thumbs[i];
    item.place = i;
    item.setAttribute("aria-selected", String(i === chosen));
    item.tabIndex = i === chosen ? 0 : -1;
  }
  number(board);
  if (hadFocus && !board.list.contains(document.activeElement)) board.list.lastChild?.focus();
  drawSeen(board);
}

function made(board, words) {
  const item = document.createElement("li");
  item.setAttribute("role", "option");
  for (const name of ["i", "b", "div"]) item.append(document.createElement(name));
  item.querySelector("i").title = words.grip;
  item.querySelector("div").setAttribute("aria-hidden", "true");
  return item;
}

const placed = (board, item) => board.data.words.place
  .replace("{n}", items(board).indexOf(item) + 1).replace("{all}", board.list.children.length);

function number(board) {
  for (const [i, item] of items(board).entries()) {
    item.querySelector("i").textContent = i + 1;
    item.setAttribute("aria-label", `${placed(board, item)}: ${item.querySelector("b").textContent}`);
  }
}

// ---------------------------------------------------------------- pictures

function drawSeen(board) {
  const seen = items(board).filter(isSeen);
  for (const item of seen) {
    const parts = item.picture && window.lastviz?.thumbs?.get(item.picture);
    if (item.drawn === item.picture || (item.picture && !parts)) continue;
    item.drawn = item.picture;
    paint(item.querySelector("div"), JSON.parse(parts || "[]")).catch((fault) => console.warn(fault));
  }
  if (board.waits || !unasked(board).length) return;
  board.waits = true;
  whenQuiet(() => {
    board.waits = false;
    const places = board.root.isConnected && !board.moved ? unasked(board) : [];
    for (const place of places) board.asked.add(`${board.data.version}|${place}`);
    if (places.length) board.tell("see", ...places);
  });
}

const unasked = (board) => items(board)
  .filter((item) => isSeen(item) && item.picture === null && !board.asked.has(`${board.data.version}|${item.place}`))
  .map((item) => item.place);

async function paint(place, parts) {
  const Plotly = await loadPlotly();
  const drawn = await Promise.all(parts.map((part) => (part.story ? grown(place, part, Plotly) : image(part, Plotly))));
  place.replaceChildren(...drawn);
  for (const { player, story, step } of drawn) player?.show(story, step);
}

async function image({ data, layout }, Plotly) {
  const name = JSON.stringify([data, layout]);
  if (!images.has(name)) {
    const size = { width: WIDE, height: layout.height ?? HIGH };
    const how = { ...size, format: "png", scale: FINE };
    images.set(name, Plotly.toImage({ data, layout: { ...layout, ...size } }, how));
  }
  return Object.assign(new Image(), { src: await images.get(name), alt: "" });
}

// A growth is played by its own code, which draws all of it: at its step, and for the eye alone.
function grown(place, { story, step }, Plotly) {
  const frame = document.createElement("span");
  const inner = frame.appendChild(document.createElement("div"));
  frame.inert = true;
  inner.className = "lv-growth";
  inner.style.width = `${WIDE}px`;
  inner.style.transform = `scale(${place.clientWidth / WIDE})`;
  return Object.assign(frame, { player: mountPlayer(inner, { loadPlotly: async () => Plotly }), story, step });
}

// ---------------------------------------------------------------- what the reader does

function put(board, item, to) {
  const others = items(board).filter((other) => other !== item);
  const at = Math.max(0, Math.min(others.length, to));
  if (items(board).indexOf(item) === at) return;
  board.moved = board.data.version;
  board.list.insertBefore(item, others[at] ?? null);
  number(board);
  board.said.textContent = item.getAttribute("aria-label");
}

function tellOrder(board, item) {
  const order = items(board).map(({ place }) => place);
  if (order.every((place, i) => place === i)) board.moved = null;
  else board.tell("order", order, item.place);
}

function onKey(board, event) {
  const item = event.target.closest("li");
  if (!item) return;
  const all = items(board), at = all.indexOf(item);
  const to = event.key in NEXT ? at + NEXT[event.key] : { Home: 0, End: all.length - 1 }[event.key];
  if (to !== undefined && event.altKey) {
    put(board, item, to);
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest", inline: "nearest" });
    clearTimeout(board.settles);
    board.settles = setTimeout(() => tellOrder(board, item), SETTLED);
  } else if (to !== undefined) (all[to] ?? item).focus();
  else if (event.key === "Enter" || event.key === " ") board.tell("choose", item.place);
  else if (event.key === "Delete") board.tell("remove", item.place);
  else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) board.tell("undo");
  else return;
  event.preventDefault();
}

function onPress(board, pressed) {
  const item = pressed.target.closest("li");
  const isHeld = pressed.pointerType === "mouse" || pressed.target.closest("i");
  if (!item || pressed.button !== 0) return;
  if (pressed.pointerType === "mouse") pressed.preventDefault(); // no text is selected meanwhile
  item.focus({ preventScroll: true });
  const first = items(board).indexOf(item), watch = new AbortController();
  const onMove = ({ clientX, clientY }) => {
    const isAway = Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY) > AWAY;
    if (!isHeld || !(board.drag ||= isAway && item)) return;
    item.classList.add("lv-dragged");
    put(board, item, nearest(board, clientX, clientY));
  };
  const onEnd = ({ type, key }) => {
    if (type === "keydown" && key !== "Escape") return;
    watch.abort();
    item.classList.remove("lv-dragged");
    const wasDragged = board.drag;
    board.drag = null;
    if (wasDragged && type !== "pointerup") put(board, item, first);
    if (wasDragged) {
      tellOrder(board, item);
      if (!board.moved) take(board, board.late);
    } else if (type === "pointerup") board.tell("choose", item.place);
  };
  const how = { capture: true, signal: watch.signal };
  window.addEventListener("pointermove", onMove, how);
  for (const type of ["pointerup", "pointercancel", "keydown"]) window.addEventListener(type, onEnd, how);
}

function nearest(board, x, y) {
  const far = items(board).map((item) => {
    const { left, right, top, bottom } = item.getBoundingClientRect();
    return Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
  });
  return far.indexOf(Math.min(...far));
}
