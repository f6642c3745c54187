// A canvas to paint rows on. Streamlit calls the default export after each run; what is painted goes
// back as one text (lastviz/datasets/painted.py) when the pointer is let go.

const CELLS = 512, PLACE_BITS = 9, BITS = { c: 3, h: 7 };
const MARGIN = { left: 44, right: 10, top: 10, bottom: 34 };
const REACH = 14; // pixels to the row that a drag moves
const MOST_UNDONE = 60;
const STEP = 8; // cells that an arrow key moves the cursor
const TOOLS = ["spray", "point", "line", "move", "rub"];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const boards = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-paint");
  if (!boards.has(root)) boards.set(root, build(root));
  const board = boards.get(root);
  Object.assign(board, { options: data, trigger: setTriggerValue });
  // What comes back is mostly what was told before: the reader may have gone on since.
  const known = board.told.indexOf(data.painting);
  if (known >= 0) board.told.splice(0, known + 1);
  else if (data.painting !== board.given) {
    board.told.length = 0;
    Object.assign(board, { ...read(data.painting), undone: [], redone: [] });
    board.value = Math.min(board.value, data.heights ? 100 : classes(board));
  }
  board.given = data.painting;
  dress(board);
  paint(board);
  return () => { board.watch.disconnect(); cancelAnimationFrame(board.spraying); boards.delete(root); };
}

// ---------------------------------------------------------------- the text of a painting

function read(text) {
  const [left, right, bottom, top, letters] = text.slice(1).split("~");
  const kind = text[0], value = BITS[kind], bits = 2 * PLACE_BITS + value;
  const rows = [];
  const numbers = [...letters].map((letter) => LETTERS.indexOf(letter));
  let number = 0, filled = 0;
  for (const six of numbers) {
    for (let bit = 5; bit >= 0; bit--) {
      number = number * 2 + ((six >> bit) & 1);
      if (++filled === bits) {
        rows.push({ x: Math.floor(number / 2 ** (bits - PLACE_BITS)),
          y: Math.floor(number / 2 ** value) % CELLS, value: number % 2 ** value });
        number = filled = 0;
      }
    }
  }
  return { rows, kind, window: [left, right, bottom, top].map(Number), ends: [left, right, bottom, top] };
}

function written({ rows, kind, ends }) {
  const value = BITS[kind];
  let letters = "", six = 0, filled = 0;
  const put = (number, bits) => {
    for (let bit = bits - 1; bit >= 0; bit--) {
      six = six * 2 + (Math.floor(number / 2 ** bit) & 1);
      if (++filled === 6) { letters += LETTERS[six]; six = filled = 0; }
    }
  };
  for (const row of rows) { put(row.x, PLACE_BITS); put(row.y, PLACE_BITS); put(row.value, value); }
  // As base64 of whole bytes: the last byte is filled with zeros, then the last letter.
  const bits = rows.length * (2 * PLACE_BITS + value);
  put(0, (8 - (bits % 8)) % 8);
  if (filled) put(0, 6 - filled);
  return kind + ends.join("~") + "~" + letters;
}

// ---------------------------------------------------------------- what surrounds the canvas

function build(root) {
  const find = (name) => root.querySelector(".lv-paint-" + name);
  const board = {
    root, canvas: find("canvas"), chips: find("classes"), status: find("status"), height: find("height"),
    tool: "spray", value: 0, radius: 36, rate: 40, rows: [], told: [], given: null, undone: [], redone: [],
    cursor: null, at: null, pressed: null,
  };
  const { canvas } = board;
  canvas.addEventListener("pointerdown", (event) => press(board, event));
  canvas.addEventListener("pointermove", (event) => move(board, event));
  for (const type of ["pointerup", "pointercancel"]) canvas.addEventListener(type, (event) => release(board, event));
  canvas.addEventListener("pointerleave", () => { board.at = null; paint(board); });
  canvas.addEventListener("keydown", (event) => onKey(board, event));
  for (const button of root.querySelectorAll("button[data-tool]"))
    button.onclick = () => choose(board, button.dataset.tool);
  root.querySelector("[data-do=undo]").onclick = () => undo(board);
  root.querySelector("[data-do=redo]").onclick = () => redo(board);
  root.querySelector("[data-do=clear]").onclick = () => change(board, () => { board.rows = []; });
  find("size").oninput = ({ target }) => { board.radius = Number(target.value); paint(board); };
  find("rate").oninput = ({ target }) => { board.rate = Number(target.value); };
  board.height.oninput = ({ target }) => { board.value = Number(target.value); dress(board); };
  board.watch = new ResizeObserver(() => paint(board));
  board.watch.observe(canvas);
  return board;
}

const classes = ({ rows }) => rows.reduce((most, { value }) => Math.max(most, value + 1), 0);

function dress(board) {
  const { root, options, chips, rows } = board;
  const { words, heights } = options;
  for (const button of root.querySelectorAll("button[data-tool]"))
    button.setAttribute("aria-pressed", String(button.dataset.tool === board.tool));
  for (const element of root.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word];
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words[element.dataset.label]);
    element.title = words[element.dataset.label];
  }
  board.canvas.setAttribute("aria-label", words.canvas);
  root.querySelector("[data-do=undo]").disabled = !board.undone.length;
  root.querySelector("[data-do=redo]").disabled = !board.redone.length;
  root.querySelector("[data-do=clear]").disabled = !rows.length;
  board.height.parentElement.hidden = !heights;
  board.height.value = board.value;
  root.querySelector(".lv-paint-told").textContent = heights ? String(board.value) : "";
  chips.hidden = heights;
  if (!heights) {
    const counts = Array(options.most).fill(0);
    for (const { value } of rows) counts[value] += 1;
    const shown = Math.min(options.most, classes(board) + 1);
    chips.replaceChildren(...counts.slice(0, shown).map((n, k) => chip(board, k, n)));
  }
}

function chip(board, k, n) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", onclick: () => { board.value = k; dress(board); paint(board); } });
  button.setAttribute("aria-pressed", String(board.value === k));
  const sign = document.createElement("canvas");
  const scale = devicePixelRatio || 1;
  sign.width = sign.height = 16 * scale;
  const pen = sign.getContext("2d");
  pen.scale(scale, scale);
  mark(pen, board.options, k, 8, 8, 5);
  const count = document.createElement("span");
  count.textContent = n ? String(n) : "+";
  button.append(sign, board.options.words.class.replace("{k}", k), count);
  return button;
}

const say = (board, text) => { board.status.textContent = text; };

function choose(board, tool) {
  board.tool = tool;
  dress(board);
  paint(board);
}

// ---------------------------------------------------------------- drawing

const size = ({ canvas }) => ({ width: canvas.clientWidth, height: canvas.clientHeight });
const inner = (board) => {
  const { width, height } = size(board);
  return { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
};
const toPixels = (board, { x, y }) => {
  const { width, height } = inner(board);
  return [MARGIN.left + (x / (CELLS - 1)) * width, MARGIN.top + (1 - y / (CELLS - 1)) * height];
};
function toCells(board, [left, top]) {
  const { width, height } = inner(board);
  const cell = (share) => Math.max(0, Math.min(CELLS - 1, Math.round(share * (CELLS - 1))));
  return { x: cell((left - MARGIN.left) / width), y: cell(1 - (top - MARGIN.top) / height) };
}

function paint(board) {
  if (board.waits || !board.options) return;
  board.waits = requestAnimationFrame(() => { board.waits = null; draw(board); });
}

function draw(board) {
  const { canvas, rows, options, window: ends } = board;
  const { width, height } = size(board);
  if (!width) return;
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  const { tokens } = options;
  pen.clearRect(0, 0, width, height);
  const room = inner(board);
  pen.fillStyle = tokens.paper;
  pen.fillRect(MARGIN.left, MARGIN.top, room.width, room.height);
  pen.strokeStyle = tokens.grey3;
  pen.lineWidth = 1;
  pen.strokeRect(MARGIN.left + 0.5, MARGIN.top + 0.5, room.width - 1, room.height - 1);
  pen.fillStyle = tokens.grey7;
  pen.font = "13px 'Source Sans', sans-serif";
  for (const [place, text] of ticks(ends[0], ends[1])) {
    const left = MARGIN.left + place * room.width;
    pen.textAlign = "center";
    pen.fillText(text, left, height - 14);
    pen.fillRect(left, MARGIN.top + room.height, 1, 4);
  }
  for (const [place, text] of ticks(ends[2], ends[3])) {
    const top = MARGIN.top + (1 - place) * room.height;
    pen.textAlign = "right";
    pen.fillText(text, MARGIN.left - 7, top + 4);
    pen.fillRect(MARGIN.left - 4, top, 4, 1);
  }
  const radius = rows.length > 1000 ? 3 : rows.length > 300 ? 4 : 5;
  for (const row of rows) mark(pen, options, row.value, ...toPixels(board, row), radius);
  if (!rows.length) {
    pen.textAlign = "center";
    pen.fillStyle = tokens.grey5;
    pen.fillText(options.words.empty, MARGIN.left + room.width / 2, MARGIN.top + room.height / 2);
  }
  brushed(board, pen);
}

function brushed(board, pen) {
  const { tokens } = board.options;
  const at = board.at ?? (document.activeElement === board.canvas && board.cursor && toPixels(board, board.cursor));
  if (!at) return;
  pen.strokeStyle = tokens.accent;
  pen.lineWidth = 2.5;
  pen.setLineDash([6, 4]);
  pen.beginPath();
  pen.arc(at[0], at[1], board.tool === "point" ? 7 : board.radius, 0, 2 * Math.PI);
  pen.stroke();
  pen.setLineDash([]);
}

function ticks(low, high) {
  const rough = (high - low) / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((width) => width >= rough);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++)
    found.push([(i * step - low) / (high - low), String(Number((i * step).toPrecision(8)))]);
  return found;
}

const SHAPES = {
  circle: (r) => [], square: (r) => [[-r, -r], [r, -r], [r, r], [-r, r]],
  diamond: (r) => [[0, -1.3 * r], [1.3 * r, 0], [0, 1.3 * r], [-1.3 * r, 0]],
  "triangle-up": (r) => [[0, -1.2 * r], [1.15 * r, 0.9 * r], [-1.15 * r, 0.9 * r]],
  "triangle-down": (r) => [[0, 1.2 * r], [1.15 * r, -0.9 * r], [-1.15 * r, -0.9 * r]],
  cross: (r) => plus(r, 0), x: (r) => plus(r, Math.PI / 4),
  star: (r) => Array.from({ length: 10 }, (_, i) => {
    const [angle, far] = [(i * Math.PI) / 5 - Math.PI / 2, (i % 2 ? 0.55 : 1.35) * r];
    return [far * Math.cos(angle), far * Math.sin(angle)];
  }),
};
function plus(r, turn) {
  const [a, b] = [1.2 * r, 0.42 * r];
  const corners = [[-b, -a], [b, -a], [b, -b], [a, -b], [a, b], [b, b], [b, a], [-b, a], [-b, b], [-a, b], [-a, -b], [-b, -b]];
  return corners.map(([x, y]) => [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)]);
}

function mark(pen, { hues, symbols, heights, ramp, tokens }, value, left, top, radius) {
  pen.fillStyle = heights ? ramp[Math.round((value / 100) * (ramp.length - 1))] : hues[value];
  pen.strokeStyle = heights ? tokens.grey5 : tokens.paper;
  pen.lineWidth = heights ? 1 : 0.75;
  pen.beginPath();
  const corners = heights ? [] : SHAPES[symbols[value]]?.(radius) ?? [];
  if (!corners.length) pen.arc(left, top, radius, 0, 2 * Math.PI);
  corners.forEach(([x, y], i) => (i ? pen.lineTo(left + x, top + y) : pen.moveTo(left + x, top + y)));
  pen.closePath();
  pen.fill();
  pen.stroke();
}

// ---------------------------------------------------------------- the hand

const placeOf = ({ canvas }, { clientX, clientY }) => {
  const box = canvas.getBoundingClientRect();
  return [clientX - box.left, clientY - box.top];
};
const away = (board, row, [left, top]) => {
  const [x, y] = toPixels(board, row);
  return Math.hypot(x - left, y - top);
};

function press(board, event) {
  if (event.button !== 0 || board.pressed) return;
  event.preventDefault();
  board.canvas.focus({ preventScroll: true });
  board.canvas.setPointerCapture(event.pointerId);
  board.at = placeOf(board, event);
  board.pressed = { id: event.pointerId, before: board.rows.slice(), last: board.at, owed: 1,
    strength: event.pointerType === "pen" && event.pressure ? event.pressure : 1 };
  if (board.tool === "move") grab(board);
  if (board.tool === "point" || board.tool === "line") add(board, toCells(board, board.at));
  if (board.tool === "rub") rub(board);
  if (board.tool === "spray") { board.pressed.time = performance.now(); spray(board); }
  paint(board);
}

function move(board, event) {
  const at = placeOf(board, event);
  const { pressed } = board;
  board.at = at;
  if (pressed && pressed.id === event.pointerId) {
    if (event.pointerType === "pen" && event.pressure) pressed.strength = event.pressure;
    if (board.tool === "rub") rub(board);
    if (board.tool === "line") {
      const spacing = Math.max(6, board.radius / 3);
      for (let far = Math.hypot(at[0] - pressed.last[0], at[1] - pressed.last[1]); far >= spacing; far -= spacing) {
        const share = spacing / far;
        pressed.last = [0, 1].map((i) => pressed.last[i] + share * (at[i] - pressed.last[i]));
        add(board, toCells(board, pressed.last));
      }
    }
    if (board.tool === "move") drag(board, at);
  }
  paint(board);
}

function release(board, event) {
  if (!board.pressed || board.pressed.id !== event.pointerId) return;
  cancelAnimationFrame(board.spraying);
  const { before } = board.pressed;
  board.pressed = null;
  if (event.pointerType === "touch") board.at = null;
  if (event.type === "pointercancel") board.rows = before;
  else settle(board, before);
  paint(board);
}

// As many rows a second as asked for, within the circle, thicker in its middle.
function spray(board) {
  const { pressed } = board;
  if (!pressed) return;
  const now = performance.now();
  pressed.owed += ((now - pressed.time) / 1000) * board.rate * pressed.strength;
  pressed.time = now;
  for (; pressed.owed >= 1; pressed.owed--) {
    const [angle, far] = [2 * Math.PI * Math.random(), board.radius * Math.random() ** 0.7];
    const at = [board.at?.[0] ?? pressed.last[0], board.at?.[1] ?? pressed.last[1]];
    const place = [at[0] + far * Math.cos(angle), at[1] + far * Math.sin(angle)];
    if (isInside(board, place)) add(board, toCells(board, place));
  }
  paint(board);
  board.spraying = requestAnimationFrame(() => spray(board));
}

const isInside = (board, [left, top]) => {
  const { width, height } = inner(board);
  return left >= MARGIN.left && top >= MARGIN.top && left <= MARGIN.left + width && top <= MARGIN.top + height;
};

function add(board, cell) {
  if (board.rows.length >= board.options.rows) return say(board, board.options.words.full);
  board.rows.push({ ...cell, value: board.value });
}

function rub(board) {
  board.rows = board.rows.filter((row) => away(board, row, board.at) > board.radius);
}

// The rows inside the circle or, with none there, the nearest.
function grab(board) {
  const inCircle = board.rows.map((row, i) => [away(board, row, board.at), i]);
  let found = inCircle.filter(([far]) => far <= board.radius);
  if (!found.length) found = inCircle.filter(([far]) => far <= REACH).sort((a, b) => a[0] - b[0]).slice(0, 1);
  board.pressed.held = found.map(([, i]) => [i, toPixels(board, board.rows[i])]);
}

function drag(board, at) {
  const { held, last } = board.pressed;
  for (const [i, [left, top]] of held)
    board.rows[i] = { ...board.rows[i], ...toCells(board, [left + at[0] - last[0], top + at[1] - last[1]]) };
}

// ---------------------------------------------------------------- steps, keys

function settle(board, before) {
  const text = written(board);
  if (text === written({ ...board, rows: before })) return;
  board.undone.push(before);
  board.undone.splice(0, board.undone.length - MOST_UNDONE);
  board.redone = [];
  tell(board, text, before);
}

function tell(board, text, before) {
  board.told.push(text);
  dress(board);
  say(board, board.options.words.count.replace("{n}", board.rows.length));
  board.trigger("painted", { painting: text, before: before.length, tool: board.tool, value: board.value });
}

function change(board, how) {
  const before = board.rows.slice();
  how();
  settle(board, before);
  paint(board);
}

function undo(board) {
  const rows = board.undone.pop();
  if (!rows) return;
  board.redone.push(board.rows);
  board.rows = rows;
  tell(board, written(board), board.redone.at(-1));
  paint(board);
}

function redo(board) {
  const rows = board.redone.pop();
  if (!rows) return;
  board.undone.push(board.rows);
  board.rows = rows;
  tell(board, written(board), board.undone.at(-1));
  paint(board);
}

function onKey(board, event) {
  const { key } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  if (key.toLowerCase() === "z") (event.shiftKey ? redo : undo)(board);
  else if (isCommand || event.altKey) return;
  else if (steps[key]) {
    const cursor = board.cursor ?? { x: CELLS / 2, y: CELLS / 2 };
    const cell = (at, by) => Math.max(0, Math.min(CELLS - 1, at + by * (event.shiftKey ? 1 : STEP)));
    board.cursor = { x: cell(cursor.x, steps[key][0]), y: cell(cursor.y, steps[key][1]) };
    board.at = null;
    say(board, board.options.words.at.replace("{x}", label(board, "x")).replace("{y}", label(board, "y")));
    paint(board);
  } else if ((key === " " || key === "Enter") && board.cursor) change(board, () => add(board, board.cursor));
  else if ((key === "Delete" || key === "Backspace") && board.cursor) {
    board.at = toPixels(board, board.cursor);
    change(board, () => rub(board));
    board.at = null;
  } else if (key === "[" || key === "]") {
    board.radius = Math.max(8, Math.min(120, board.radius * (key === "]" ? 1.25 : 0.8)));
    board.root.querySelector(".lv-paint-size").value = board.radius;
    paint(board);
  } else if (/^[1-8]$/.test(key) && !board.options.heights) {
    board.value = Math.min(Number(key) - 1, classes(board), board.options.most - 1);
    dress(board);
  } else if (TOOLS.some((tool) => tool[0] === key)) choose(board, TOOLS.find((tool) => tool[0] === key));
  else return;
  event.preventDefault();
}

function label(board, axis) {
  const [low, high] = axis === "x" ? board.window.slice(0, 2) : board.window.slice(2);
  return String(Number((low + ((high - low) * board.cursor[axis]) / (CELLS - 1)).toPrecision(4)));
}
