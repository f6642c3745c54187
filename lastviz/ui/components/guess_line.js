// A first cut by hand. Streamlit calls the default export after each run; what the search says comes
// with the answer, and nothing of it before.

const guesses = new WeakMap();
const WIDE = 10; // candidates of a step with Shift
const START = 0.1; // share of the cuts on one side of the line at first: the rest is the reader's

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-guess");
  if (!guesses.has(root)) guesses.set(root, begin(root));
  const guess = guesses.get(root);
  guess.tell = (act, more = {}) => setTriggerValue("acted", { act, ...more, n: ++guess.told });
  const text = unzipped(data);
  if (text === guess.text) return;
  guess.text = text;
  take(guess, JSON.parse(text));
}

function begin(root) {
  root.innerHTML = `<div class="lvq-ask"></div><svg class="lvq-plane" role="group"></svg><div class="lvq-side"></div>`;
  const part = (name) => root.querySelector(`.lvq-${name}`);
  const guess = { root, part, told: 0 };
  part("plane").addEventListener("pointerdown", (event) => onPress(guess, event));
  // A finger on a line that moves up and down moves it; elsewhere it scrolls the page.
  part("plane").addEventListener("touchstart", (event) => {
    if (guess.along && !guess.d.answer && event.target.closest("[role=slider]")) event.preventDefault();
  }, { passive: false });
  new ResizeObserver(() => guess.d && drawPlane(guess)).observe(root);
  window.addEventListener("resize", () => guess.d && root.isConnected && drawPlane(guess));
  return guess;
}

function take(guess, d) {
  const about = JSON.stringify([d.heading, d.names, d.cuts]);
  const isAnswered = Boolean(d.answer), was = guess.d?.answer;
  if (about !== guess.about) {
    guess.about = about;
    guess.along = d.cuts[0].length ? 0 : 1;
    guess.at = d.cuts.map((cuts) => Math.floor(START * cuts.length));
  }
  guess.d = d;
  guess.isFresh = isAnswered && !was;
  guess.root.classList.toggle("lvq-fresh", guess.isFresh);
  draw(guess);
  if (guess.isFresh) guess.part("side").querySelector(".lvq-go").focus({ preventScroll: true });
  else if (!isAnswered && (was || document.activeElement === document.body)) guess.part("plane").querySelector("[role=slider]").focus({ preventScroll: true });
}

const cutOf = (guess) => guess.d.cuts[guess.along][guess.at[guess.along]];

function words(guess) {
  const { d, along } = guess, [, text, n] = cutOf(guess);
  return { test: `${d.names[along]} ≤ ${text}`, rows: said(d.words.rows, { n, m: d.n - n }) };
}

// ---------------------------------------------------------------- what the reader does

function move(guess, to) {
  const cuts = guess.d.cuts[guess.along];
  guess.at[guess.along] = Math.max(0, Math.min(cuts.length - 1, to));
  drawLines(guess);
  drawCut(guess);
}

function turn(guess, along) {
  if (!guess.d.cuts[along].length) return;
  guess.along = along;
  drawLines(guess);
  drawSide(guess);
}

function onPress(guess, event) {
  if (guess.d.answer || event.button) return;
  event.preventDefault();
  const svg = guess.part("plane");
  const follow = (move_) => {
    const box = svg.getBoundingClientRect(), { X, Y } = guess.geo;
    const value = guess.along ? Y.back(move_.clientY - box.top) : X.back(move_.clientX - box.left);
    const cuts = guess.d.cuts[guess.along];
    const near = cuts.reduce((best, cut, i) => (Math.abs(cut[0] - value) < Math.abs(cuts[best][0] - value) ? i : best), 0);
    move(guess, near);
  };
  const before = guess.at[guess.along];
  const end = () => (svg.onpointermove = svg.onpointerup = svg.onpointercancel = null);
  svg.setPointerCapture(event.pointerId);
  svg.onpointermove = follow;
  svg.onpointerup = (up) => { follow(up); end(); };
  svg.onpointercancel = () => { move(guess, before); end(); }; // it scrolls
  if (event.pointerType !== "touch") follow(event); // a finger may be about to scroll
  svg.querySelector("[role=slider]").focus({ preventScroll: true });
}

function onKey(guess, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = (event.shiftKey ? WIDE : 1) * ({ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key] ?? 0);
  if (step) move(guess, guess.at[guess.along] + step);
  else if (event.key === " ") turn(guess, 1 - guess.along);
  else if (event.key === "Enter") answer(guess);
  else return;
  event.preventDefault();
  event.stopPropagation(); // the page's own arrows turn slides
  if (event.key !== "Enter") guess.part("plane").querySelector("[role=slider]").focus({ preventScroll: true });
}

const answer = (guess) => guess.tell("answer", { answer: `${guess.along}_${cutOf(guess)[0]}` });

// ---------------------------------------------------------------- what is drawn

function draw(guess) {
  const { d } = guess;
  guess.part("ask").innerHTML = `<h1>${safe(d.heading)}</h1>${d.answer ? "" : `<p>${safe(d.words.rule)}</p>`}`;
  drawSide(guess);
  drawPlane(guess);
}

function scale(low, high, from, to) {
  const place = (value) => from + ((value - low) / (high - low)) * (to - from);
  place.back = (at) => low + ((at - from) / (to - from)) * (high - low);
  return place;
}

function ticks(low, high) {
  const raw = (high - low) / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= raw);
  const n = Math.floor(high / step) - Math.ceil(low / step) + 1;
  return Array.from({ length: n }, (_, i) => (Math.ceil(low / step) + i) * step);
}

function pathsOf(d, X, Y, r) {
  const paths = d.hues.map(() => "");
  d.classes.forEach((k, i) => (paths[k] += shape(k, X(d.x[i]), Y(d.y[i]), r)));
  return paths.map((path, k) => el("path", { d: path, fill: d.hues[k] }));
}

function drawPlane(guess) {
  const { d } = guess, svg = guess.part("plane"), width = svg.clientWidth;
  if (!width) return;
  const isPhone = window.innerWidth <= 640, foot = document.querySelector(".st-key-stage")?.offsetHeight ?? 0;
  const top = svg.getBoundingClientRect().top + (svg.closest('[data-testid="stMain"]')?.scrollTop ?? 0);
  const height = isPhone ? Math.min(300, width) : Math.max(300, Math.min(window.innerHeight - top - foot - 20, width));
  if (guess.drawn === `${width} ${height} ${guess.text}`) return;
  guess.drawn = `${width} ${height} ${guess.text}`;
  const [x0, x1, y0, y1] = d.view, [left, right, above, below] = [46, 8, 20, 26];
  const X = scale(x0, x1, left, width - right), Y = scale(y0, y1, height - below, above);
  guess.geo = { X, Y, left, right: width - right, top: above, bottom: height - below };
  svg.style.height = `${height}px`;
  svg.setAttribute("aria-label", d.words.plane);
  const box = { x: left, y: above, width: width - right - left, height: height - below - above };
  svg.replaceChildren(el("rect", { class: "lvq-ground", ...box }));
  for (const value of ticks(x0, x1)) svg.append(el("text", { class: "lvq-tick", x: X(value), y: height - 8, "text-anchor": "middle" }, plain(value)));
  for (const value of ticks(y0, y1)) svg.append(el("text", { class: "lvq-tick", x: left - 8, y: Y(value) + 5, "text-anchor": "end" }, plain(value)));
  svg.append(el("text", { x: width - right, y: height - below - 8, "text-anchor": "end" }, d.names[0]), el("text", { x: left, y: 12 }, d.names[1]));
  const r = isPhone || d.n > 600 ? 3.4 : 4.6;
  svg.append(el("g", { class: "lvq-rows" }, ...pathsOf(d, X, Y, r)), el("g", { class: "lvq-lines" }));
  drawLines(guess);
}

function placeOf({ X, Y, left, right, top, bottom }, f, t) {
  return f ? { x1: left, x2: right, y1: Y(t), y2: Y(t) } : { x1: X(t), x2: X(t), y1: top, y2: bottom };
}

function drawLines(guess) {
  const { d, geo, along } = guess, room = guess.part("plane").querySelector(".lvq-lines");
  if (!room) return;
  if (d.answer) {
    const lines = d.answer.cuts.toReversed().flatMap(({ f, t, whose }) => {
      const mine = whose === "yours", title = d.words[whose];
      const place = placeOf(geo, f, t);
      const at = f ? { x: geo.right - 8, y: place.y1 - 8, "text-anchor": "end" } : { x: place.x1 + 9, y: geo.top + (mine ? 20 : 42) };
      const name = el("text", { class: mine ? "lvq-name lvq-mine" : "lvq-name", ...at }, title);
      return mine ? [el("line", { class: "lvq-mine", ...place }), name] : [el("line", { class: "lvq-ink", pathLength: 1, ...place }), name];
    });
    room.replaceChildren(...lines);
    return;
  }
  const [t] = cutOf(guess), place = placeOf(geo, along, t), { test, rows } = words(guess);
  const [x, y] = along ? [geo.right - 26, place.y1] : [place.x1, geo.top + 26];
  const arrows = along ? `M${x - 4},${y - 3}l4,-4l4,4M${x - 4},${y + 3}l4,4l4,-4` : `M${x - 3},${y - 4}l-4,4l4,4M${x + 3},${y - 4}l4,4l-4,4`;
  const about = {
    tabindex: 0, role: "slider", class: along ? "lvq-up" : "", "aria-label": d.words.line, "aria-description": d.words.keys,
    "aria-valuemin": 0, "aria-valuemax": d.cuts[along].length - 1, "aria-valuenow": guess.at[along], "aria-valuetext": `${test}, ${rows}`,
    "aria-orientation": along ? "vertical" : "horizontal",
  };
  // The element stays while it is moved: it has the focus.
  const handle = room.querySelector("[role=slider]") ?? el("g", { onkeydown: (event) => onKey(guess, event) });
  for (const [name, value] of Object.entries(about)) handle.setAttribute(name, value);
  handle.replaceChildren(
    el("line", { class: "lvq-mine", ...place }), el("line", { class: "lvq-grip", ...place }), el("circle", { class: "lvq-grip", cx: x, cy: y, r: 22 }),
    el("circle", { class: "lvq-handle", cx: x, cy: y, r: 13 }), el("path", { class: "lvq-arrows", d: arrows }),
  );
  if (handle.parentNode !== room || room.childNodes.length > 1) room.replaceChildren(handle);
}

function drawCut(guess) {
  const { test, rows } = words(guess);
  guess.part("side").querySelector(".lvq-cut b").textContent = test;
  guess.part("side").querySelector(".lvq-cut span").textContent = rows;
}

function button(label, act, kind = "") {
  return el("button", { type: "button", class: kind, onclick: act }, label);
}

const quiet = (guess) =>
  Object.entries(guess.d.acts).flatMap(([act, label]) => (act === "go" ? [] : button(label, () => guess.tell(act), "lvq-quiet")));

function drawSide(guess) {
  const { d, along } = guess, side = guess.part("side");
  if (d.answer) {
    drawAnswer(guess, side);
    return;
  }
  const ways = [d.words.upright, d.words.level].map((label, k) => {
    const way = button(label, () => turn(guess, k));
    way.setAttribute("aria-pressed", k === along);
    way.disabled = !d.cuts[k].length;
    return way;
  });
  const hadFocus = side.contains(document.activeElement) && [...side.querySelectorAll(".lvq-ways button")].includes(document.activeElement);
  side.replaceChildren(
    el("div", { class: "lvq-ways", role: "group", "aria-label": d.words.direction }, ...ways),
    el("p", { class: "lvq-cut" }, el("b"), el("span")),
    el("div", { class: "lvq-acts" }, button(d.words.answer, () => answer(guess), "lvq-go"), ...quiet(guess)),
    el("p", { class: "lvq-keys" }, d.words.keys), el("p", { class: "lvq-keys lvq-always" }, d.words.unscored), el("div", { html: d.legend }),
  );
  if (hadFocus) ways[along].focus();
  drawCut(guess);
}

function drawAnswer(guess, side) {
  const { d } = guess, { say, cuts, rows } = d.answer;
  const head = cuts.map(({ whose }) => `<th scope="col" class="lvq-${whose}">${safe(d.words[whose])}</th>`).join("");
  const lines = rows.map(([name, ...cells]) => `<tr><th scope="row">${safe(name)}</th>${cells.map((cell) => `<td>${safe(cell)}</td>`).join("")}</tr>`).join("");
  const minis = cuts.map((cut) => {
    const svg = el("svg", { "aria-hidden": "true", viewBox: "0 0 200 150" });
    drawMini(d, cut, svg);
    return el("figure", {}, svg, el("figcaption", { class: `lvq-${cut.whose}` }, d.words[`after_${cut.whose}`]));
  });
  side.replaceChildren(
    el("div", { role: "status", html: say }),
    el("table", { html: `<tr><td></td>${head}</tr>${lines}` }),
    el("div", { class: "lvq-minis" }, ...minis),
    el("div", { class: "lvq-acts" }, button(d.acts.go, () => guess.tell("go"), "lvq-go"), ...quiet(guess)),
  );
}

// What each side says after one more cut of its own.
function drawMini(d, cut, svg) {
  const [x0, x1, y0, y1] = d.view, X = scale(x0, x1, 0, 200), Y = scale(y0, y1, 150, 0);
  const cutIn = (box, f, t, first) => box.map((ends, k) => (k === f ? (first ? [ends[0], Math.min(t, ends[1])] : [Math.max(t, ends[0]), ends[1]]) : ends));
  const fill = ([[a, b], [c, e]], says) => svg.append(el("rect", { class: "lvq-region", x: X(a), y: Y(e), width: X(b) - X(a), height: Y(c) - Y(e), fill: d.hues[says] }));
  cut.sides.forEach((side, k) => {
    const box = cutIn([[x0, x1], [y0, y1]], cut.f, cut.t, !k);
    if (side.f === undefined) fill(box, side.says[0]);
    else side.says.forEach((says, j) => fill(cutIn(box, side.f, side.t, !j), says));
  });
  const place = placeOf({ X, Y, left: 0, right: 200, top: 0, bottom: 150 }, cut.f, cut.t);
  svg.append(...pathsOf(d, X, Y, 1.9), el("line", { class: cut.whose === "yours" ? "lvq-mine" : "lvq-ink", ...place }));
}
