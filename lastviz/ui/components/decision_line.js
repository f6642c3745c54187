// A line among rules, to be dragged by mouse, finger or keys from stop to stop. Streamlit calls the
// default export after each run.

const lines = new WeakMap();
const SETTLED = 400; // milliseconds after the last key

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-line-room");
  if (!lines.has(root)) lines.set(root, { root, told: [], text: "" });
  const line = lines.get(root);
  line.tell = setTriggerValue;
  const text = unzipped(data);
  if (text !== line.text) take(line, text);
}

function take(line, text) {
  line.text = text;
  const { html, stops, at, label } = JSON.parse(text);
  // What comes back is mostly what was told before: the reader may have moved on since.
  const known = line.told.indexOf(at);
  if (known >= 0) line.told.splice(0, known + 1);
  else line.told.length = 0;
  const hadFocus = line.root.contains(document.activeElement);
  line.root.innerHTML = html;
  line.stops = stops;
  line.list = line.root.querySelector("ol");
  line.rows = [...line.list.querySelectorAll(".lv-line-row")];
  line.cut = line.list.querySelector(".lv-line-cut");
  line.card = line.root.querySelector(".lv-line-card");
  const about = { role: "slider", tabindex: "0", "aria-orientation": "vertical", "aria-label": label,
    "aria-valuemin": "0", "aria-valuemax": String(stops.length - 1) };
  line.handle = line.cut.querySelector("b");
  for (const [name, value] of Object.entries(about)) line.handle.setAttribute(name, value);
  line.handle.onkeydown = (event) => onKey(line, event);
  line.cut.onpointerdown = (event) => onPress(line, event);
  stand(line, line.told.at(-1) ?? at);
  if (hadFocus) line.handle.focus({ preventScroll: true });
}

// The line goes to a stop: what is above is called the class, and the numbers are those there.
function stand(line, at) {
  line.at = at;
  const { above, words, card } = line.stops[at];
  line.handle.textContent = words;
  line.handle.setAttribute("aria-valuenow", String(at));
  line.handle.setAttribute("aria-valuetext", words);
  line.list.insertBefore(line.cut, line.rows[above] ?? null);
  line.rows.forEach((row, i) => row.classList.toggle("lv-called", i < above));
  line.card.innerHTML = card;
}

function tell(line) {
  if (line.told.at(-1) === line.at) return;
  line.told.push(line.at);
  line.tell("moved", { at: line.at });
}

function onKey(line, event) {
  const last = line.stops.length - 1;
  const to = { ArrowUp: line.at - 1, ArrowLeft: line.at - 1, ArrowDown: line.at + 1,
    ArrowRight: line.at + 1, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const hasMoved = line.at !== Math.max(0, Math.min(last, to));
  stand(line, Math.max(0, Math.min(last, to)));
  line.handle.focus({ preventScroll: true });
  clearTimeout(line.waits);
  if (hasMoved) line.waits = setTimeout(() => tell(line), SETTLED);
}

function onPress(line, pressed) {
  if (pressed.button !== 0) return;
  pressed.preventDefault(); // no text is selected meanwhile
  line.handle.focus({ preventScroll: true });
  const from = line.at;
  const watch = new AbortController();
  const nearest = (y) => {
    const tops = line.rows.map((row) => row.getBoundingClientRect());
    const edge = ({ above }) => above < tops.length ? tops[above].top : tops.at(-1).bottom;
    const far = line.stops.map((stop) => Math.abs(edge(stop) - y));
    return far.indexOf(Math.min(...far));
  };
  const onMove = (event) => {
    const to = nearest(event.clientY);
    if (to !== line.at) stand(line, to);
  };
  const onEnd = ({ type }) => {
    watch.abort();
    if (type === "pointercancel") stand(line, from);
    else if (line.at !== from) tell(line);
  };
  const how = { capture: true, signal: watch.signal };
  window.addEventListener("pointermove", onMove, how);
  for (const type of ["pointerup", "pointercancel"]) window.addEventListener(type, onEnd, how);
}
