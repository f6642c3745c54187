// A tree that the reader builds. Streamlit calls the default export after each run. What follows from
// rows and tests is drawn here at once; scores and ranks of all cuts of a node come with the node.

const hands = new WeakMap();
const SETTLED = 400; // milliseconds after the last key
const AWAY = 5; // pixels from which a press is a drag
const BAR = 9; // height of a node
const BIN = 62; // room of a leaf's rows
const NARROW = 46; // least width of a leaf: its short text
const CROWDED = 58; // with room for the bars above it
const LEVEL = 46; // least height of a test and its bar

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-hand");
  if (!hands.has(root)) hands.set(root, begin(root));
  const hand = hands.get(root);
  hand.tell = (act, path, more = {}) => {
    if (!["set", "select"].includes(act)) hand.goal = null;
    setTriggerValue("acted", { act, path, ...more, n: ++hand.told });
  };
  const text = unzipped(data);
  if (text === hand.text) return;
  hand.text = text;
  if (!hand.isDragged) take(hand);
}

// Numbers of other trees may come while the hand moves on, or before the script knows of its cut.
const isAhead = (hand, d) => hand.isStepping && d.hand === hand.known && d.at === hand.d.at;

function begin(root) {
  root.innerHTML = `<div class="lvh-say"></div><div class="lvh-chips" role="group"></div>
    <p class="lvh-note" role="status" hidden></p>
    <div class="lvh-work"><div class="lvh-tools"></div><div class="lvh-wide"><svg class="lvh-tree" role="group"></svg></div>
    <div class="lvh-low"><div class="lvh-edit"></div><div class="lvh-plane"></div></div></div>
    <aside class="lvh-panel"></aside><p class="lv-unseen" role="status"></p>`;
  const part = (name) => root.querySelector(`.lvh-${name}`);
  const hand = { root, part, told: 0, past: [], future: [], taken: null, target: null, hint: false };
  root.addEventListener("keydown", (event) => onUndoKey(hand, event));
  let wide = 0;
  new ResizeObserver(() => {
    if (hand.d && Math.abs(root.clientWidth - wide) > 1) draw(hand);
    wide = root.clientWidth;
  }).observe(root);
  return hand;
}

// ---------------------------------------------------------------- what Python says

function take(hand) {
  const d = JSON.parse(hand.text);
  if (isAhead(hand, d)) {
    hand.d.beside = d.beside;
    drawPanel(hand);
    return;
  }
  const about = JSON.stringify([d.columns.map((c) => c.name), d.y.length, d.classes.length]);
  if (about !== hand.about) Object.assign(hand, { about, past: [], future: [], known: d.hand, goal: null });
  if (d.hand !== hand.known && !hand.goal) {
    hand.past.push(hand.known);
    hand.future.length = 0;
  }
  Object.assign(hand, { d, known: d.hand, goal: d.hand === hand.goal ? null : hand.goal, live: false, isStepping: false, note: "", spoken: undefined });
  hand.at = d.nodes.findIndex((node) => node.path === d.at);
  draw(hand);
  if (hand.wants) {
    const wanted = hand.root.querySelector(hand.wants);
    hand.wants = null;
    wanted?.focus({ preventScroll: true });
  }
}

function draw(hand) {
  const focused = hand.root.contains(document.activeElement) && document.activeElement.dataset.focus;
  route(hand);
  hand.part("say").innerHTML = hand.d.say;
  drawChips(hand);
  drawTools(hand);
  drawWork(hand);
  const note = hand.part("note");
  note.textContent = hand.note;
  note.hidden = !hand.note;
  if (focused) hand.root.querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
}

function drawWork(hand) {
  drawTree(hand);
  drawEditor(hand);
  drawPlane(hand);
  drawPanel(hand);
}

// Rows fall through the tree; those of a category that a split has not seen stay at its node.
function route(hand) {
  const { nodes, columns, y, weights, held, classes } = hand.d;
  hand.rows = nodes.map(() => []);
  hand.ends = nodes.map(() => []);
  for (let row = 0; row < y.length; row++) {
    let at = 0;
    for (;;) {
      hand.rows[at].push(row);
      const node = nodes[at];
      const branch = node.children.length ? branchOf(node, columns[node.feature].values[row]) : -1;
      if (branch < 0) break;
      at = node.children[branch];
    }
    hand.ends[at].push(row);
  }
  hand.learnt = hand.rows.map((rows) => rows.filter((row) => !held[row]));
  hand.says = nodes.map((node, k) => {
    if (!hand.live || node.state === "done") return node.says;
    const votes = classes.map(() => 0);
    for (const row of hand.learnt[k]) votes[y[row]] += weights ? weights[row] : 1;
    const most = Math.max(...votes);
    return votes[node.says] === most ? node.says : votes.indexOf(most);
  });
}

const branchOf = (node, value) =>
  value === null ? node.missing : node.threshold === undefined ? node.branch[value] ?? -1 : value <= node.threshold ? 0 : 1;

function countsOf(hand, rows) {
  const counts = hand.d.classes.map(() => 0);
  for (const row of rows) counts[hand.d.y[row]]++;
  return counts;
}

const wrongOf = (hand, k, held = 0) =>
  hand.ends[k].filter((r) => hand.d.held[r] === held && hand.d.y[r] !== hand.says[k]).length;

const leavesOf = (hand) => hand.d.nodes.flatMap((node, k) => (node.children.length ? [] : [k]));

const speak = (hand, text) => (hand.root.querySelector(".lv-unseen").textContent = text);

function refuse(hand, text) {
  hand.note = text;
  draw(hand);
}

// ---------------------------------------------------------------- features

function drawChips(hand) {
  const { columns, words } = hand.d;
  const room = hand.part("chips");
  room.setAttribute("aria-label", words.features);
  room.replaceChildren(...columns.map((column, f) => {
    const kind = column.levels ? said(words.values, { n: column.levels.length }) : words.number;
    const chip = el("button", {
      type: "button", class: hand.taken === f ? "lvh-chip lvh-taken" : "lvh-chip", "data-focus": `chip${f}`,
      "aria-pressed": String(hand.taken === f), "aria-label": `${column.name}, ${kind}`, "aria-description": words.chip,
    }, el("i"), el("span", { html: `<b>${safe(column.name)}</b><small>${kind}</small>` }));
    const size = [72, 30];
    const svg = el("svg", { width: size[0], height: size[1], "aria-hidden": "true" });
    svg.append(...histogram(hand, hand.learnt[hand.at], f, ...size, 14).bars);
    chip.append(svg);
    chip.onpointerdown = (event) => onPressChip(hand, event, f, chip);
    chip.onkeydown = (event) => onChipKey(hand, event, f);
    return chip;
  }));
}

const valued = (hand, f, rows) => rows.filter((row) => hand.d.columns[f].values[row] !== null);

// Bars of a feature's values, stacked by class; `across` is the place of a value.
function histogram(hand, rows, f, width, height, n) {
  const { columns, y, classes } = hand.d;
  const { values, levels } = columns[f];
  let low = Infinity, high = -Infinity;
  for (const row of valued(hand, f, hand.learnt[0])) {
    low = Math.min(low, values[row]);
    high = Math.max(high, values[row]);
  }
  const bins = levels ? levels.length : n;
  const span = high - low || 1;
  const across = (value) => levels ? ((value + 0.5) / bins) * width : ((value - low) / span) * width;
  const counts = Array.from({ length: bins }, () => classes.map(() => 0));
  for (const row of valued(hand, f, rows)) {
    const bin = levels ? values[row] : Math.min(Math.floor(((values[row] - low) / span) * bins), bins - 1);
    counts[bin][y[row]]++;
  }
  const most = Math.max(1, ...counts.map((each) => each.reduce((a, b) => a + b, 0)));
  const bars = counts.flatMap((each, bin) => {
    let top = height;
    return each.flatMap((count, k) => {
      const high = (count / most) * height;
      top -= high;
      return count ? [el("rect", { x: (bin / bins) * width, y: top, width: Math.max(width / bins - 1, 1), height: high, fill: classes[k].hue })] : [];
    });
  });
  return { bars, across, low, high };
}

const chooseTarget = (hand, k) => {
  hand.target = k;
  drawTree(hand);
};

function letGo(hand) {
  hand.taken = hand.target = null;
}

// Only leaves of the reader's can be split: what the algorithm made is removed first.
const targets = (hand) => leavesOf(hand).filter((k) => hand.d.nodes[k].state !== "grown");

function place(hand, f, k) {
  const { columns, nodes, words } = hand.d;
  letGo(hand);
  const rows = valued(hand, f, hand.learnt[k]);
  if (new Set(rows.map((row) => columns[f].values[row])).size < 2) {
    refuse(hand, said(words.same, { name: columns[f].name, n: rows.length }));
    return;
  }
  hand.wants = '[data-focus="threshold"], .lvh-level';
  hand.tell("drop", nodes[k].path, { feature: f });
}

function onChipKey(hand, event, f) {
  const open = targets(hand);
  const isTaken = hand.taken === f;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (isTaken && hand.target !== null) {
      place(hand, f, hand.target);
      return;
    }
    hand.taken = f;
    hand.target = open.includes(hand.at) ? hand.at : open[0] ?? null;
    draw(hand);
    if (hand.target !== null) speak(hand, labelOf(hand, hand.target));
  } else if (isTaken && (event.key === "ArrowLeft" || event.key === "ArrowRight") && open.length) {
    event.preventDefault();
    const step = event.key === "ArrowRight" ? 1 : -1;
    chooseTarget(hand, open[(open.indexOf(hand.target) + step + open.length) % open.length]);
    speak(hand, labelOf(hand, hand.target));
  } else if (event.key === "Escape" && isTaken) {
    letGo(hand);
    draw(hand);
  }
}

function onPressChip(hand, pressed, f, chip) {
  if (pressed.button !== 0) return;
  let ghost = null;
  const under = ({ clientX, clientY }) => {
    const box = hand.part("tree").getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    if (x < 0 || y < 0 || x > box.width || y > box.height) return null;
    return targets(hand).find((k) => Math.abs(hand.geo[k].x - x) <= hand.geo[k].slot / 2) ?? null;
  };
  dragged(hand, pressed, {
    move: (event) => {
      if (!ghost) {
        if (Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < AWAY) return;
        ghost = chip.cloneNode(true);
        ghost.classList.add("lvh-ghost");
        hand.root.append(ghost);
        hand.taken = f;
        drawTree(hand);
      }
      const box = hand.root.getBoundingClientRect();
      ghost.style.left = `${event.clientX - box.left - 60}px`;
      ghost.style.top = `${event.clientY - box.top - 24}px`;
      const to = under(event);
      if (to !== hand.target) chooseTarget(hand, to);
    },
    end: (event) => {
      ghost?.remove();
      const to = ghost && event ? under(event) : null;
      if (to !== null) place(hand, f, to);
      else if (ghost || !event) {
        letGo(hand);
        draw(hand);
      } else { // a tap takes it, the next tap on a leaf drops it
        const again = hand.taken === f;
        letGo(hand);
        hand.taken = again ? null : f;
        draw(hand);
      }
    },
  });
}

// A press that is followed wherever it goes; `end` is handed nothing if it was broken off.
function dragged(hand, pressed, { move, end }) {
  hand.isDragged = true;
  const known = hand.text;
  const watch = new AbortController();
  const how = { capture: true, signal: watch.signal };
  window.addEventListener("pointermove", (event) => {
    event.preventDefault();
    move(event);
  }, { ...how, passive: false });
  for (const type of ["pointerup", "pointercancel"]) {
    window.addEventListener(type, (event) => {
      watch.abort();
      hand.isDragged = false;
      end(type === "pointerup" ? event : null);
      if (hand.text !== known) take(hand);
    }, how);
  }
}

// ---------------------------------------------------------------- tools

function drawTools(hand) {
  const { words } = hand.d;
  const button = (name, label, isOff, act) =>
    el("button", { type: "button", "data-focus": name, disabled: isOff, onclick: act }, label);
  hand.part("tools").replaceChildren(
    button("undo", words.undo, !hand.past.length, () => goBack(hand, hand.past, hand.future)),
    button("redo", words.redo, !hand.future.length, () => goBack(hand, hand.future, hand.past)),
    ...(hand.d.held.some(Boolean) ? [button("new", said(hand.shown ? words.out : words.in, { n: hand.d.held.filter(Boolean).length }), false, () => {
      hand.shown = !hand.shown;
      draw(hand);
    })] : []),
    button("adopt", words.adopt, hand.d.nodes.length < 2, () => hand.tell("adopt", hand.d.at)));
}

function goBack(hand, from, to) {
  if (!from.length) return;
  to.push(hand.goal ?? hand.known); // the last step back may still be on its way
  hand.goal = from.pop();
  hand.tell("set", hand.d.at, { hand: hand.goal });
  drawTools(hand);
}

function onUndoKey(hand, event) {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.type === "number") return;
  event.preventDefault();
  event.stopPropagation();
  const pair = [hand.past, hand.future];
  goBack(hand, ...(event.shiftKey ? pair.reverse() : pair));
}

// ---------------------------------------------------------------- the tree

function labelOf(hand, k) {
  const { nodes, classes, words } = hand.d;
  const node = nodes[k], n = hand.learnt[k].length;
  if (node.children.length) return `${node.test}, ${n}`;
  const wrong = wrongOf(hand, k);
  const share = wrong ? said(words.wrong, { wrong, n }) : said(words.right, { n });
  const kind = { open: words.open, done: words.done }[node.state];
  return [classes[hand.says[k]].name, share, kind].filter(Boolean).join(", ");
}

// Leaves share the width by their rows; an inner node is in the middle of its children.
function measure(hand, width, height) {
  const { nodes } = hand.d;
  const leaves = leavesOf(hand), n = hand.learnt[0].length;
  const least = Math.min(74, Math.max(NARROW, (0.56 * width) / leaves.length));
  const rest = width - least * leaves.length;
  const depth = nodes.map(() => 0);
  const geo = nodes.map(() => ({}));
  nodes.forEach((node, k) => node.children.forEach((child) => (depth[child] = depth[k] + 1)));
  const levels = Math.max(...depth, 1);
  const bottom = height - BIN - 68, top = 26;
  let left = 0;
  const visit = (k) => {
    const { children } = nodes[k];
    const box = geo[k];
    box.wide = Math.max((Math.min(0.44 * width, rest) * hand.learnt[k].length) / n, 2);
    if (!children.length) {
      box.slot = least + (rest * hand.learnt[k].length) / n;
      box.x = left + box.slot / 2;
      box.y = leaves.length === 1 ? bottom / 2 : bottom;
      left += box.slot;
    } else {
      children.forEach(visit);
      box.x = children.reduce((sum, child) => sum + geo[child].x, 0) / children.length;
      box.y = top + (depth[k] / levels) * (bottom - top);
    }
    box.x = Math.min(Math.max(box.x, box.wide / 2), width - box.wide / 2);
  };
  visit(0);
  return geo;
}

function drawTree(hand) {
  const { nodes, classes, words } = hand.d;
  const svg = hand.part("tree");
  const least = CROWDED * leavesOf(hand).length, room = hand.part("wide");
  const levels = Math.max(...nodes.map(({ path }) => path.length));
  Object.assign(svg.style, { minWidth: `${least}px`, minHeight: `${26 + LEVEL * levels + BIN + 68}px` });
  room.style.overflowX = least > room.clientWidth ? "auto" : "visible"; // else edges cut no text
  const width = svg.clientWidth || 600, height = svg.clientHeight || 340;
  const geo = (hand.geo = measure(hand, width, height));
  const below = new Set(), waits = [hand.at];
  while (waits.length) {
    const k = waits.pop();
    below.add(k);
    waits.push(...nodes[k].children);
  }
  const ribbons = el("g"), marks = el("g");
  nodes.forEach((node, k) => {
    const counts = countsOf(hand, hand.learnt[k]), total = hand.learnt[k].length || 1;
    const { x, y, wide } = geo[k];
    const starts = [];
    let left = x - wide / 2;
    const bars = counts.map((count, c) => {
      starts.push(left);
      const w = (wide * count) / total;
      left += w;
      return el("rect", { x: left - w, y, width: w, height: BAR, fill: classes[c].hue });
    });
    const from = [...starts];
    for (const child of node.children) {
      const inside = countsOf(hand, hand.learnt[child]), all = hand.learnt[child].length || 1;
      let to = geo[child].x - geo[child].wide / 2;
      inside.forEach((count, c) => {
        const a = (wide * count) / total, b = (geo[child].wide * count) / all;
        const [y0, y1] = [y + BAR, geo[child].y], middle = (y0 + y1) / 2;
        const d = `M${from[c]},${y0}C${from[c]},${middle} ${to},${middle} ${to},${y1}H${to + b}C${to + b},${middle} ${from[c] + a},${middle} ${from[c] + a},${y0}z`;
        if (count) ribbons.append(el("path", { d, fill: classes[c].hue, opacity: k === hand.at ? 0.5 : 0.26 }));
        from[c] += a;
        to += b;
      });
    }
    marks.append(drawNode(hand, k, bars));
  });
  svg.setAttribute("aria-label", words.tree);
  svg.setAttribute("aria-description", words.keys);
  const focused = svg.contains(document.activeElement) && document.activeElement.dataset.focus;
  svg.replaceChildren(ribbons, marks);
  if (focused) svg.querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
}

function drawNode(hand, k, bars) {
  const { nodes, classes, words } = hand.d;
  const node = nodes[k], { x, y, wide, slot } = hand.geo[k];
  const isLeaf = !node.children.length;
  const group = el("g", {
    class: `lvh-node lvh-${node.state}`, tabindex: 0, role: "button", "aria-label": labelOf(hand, k),
    "aria-pressed": String(k === hand.at), "data-focus": `node${node.path}`, "data-path": node.path,
  });
  group.onclick = () => pick(hand, k);
  group.onkeydown = (event) => onNodeKey(hand, event, k);
  const text = (about, ...inside) => el("text", { x, "text-anchor": "middle", ...about }, ...inside);
  if (isLeaf) {
    const floor = y + BAR + BIN + 8;
    if (hand.taken !== null && node.state !== "grown") {
      const isOver = hand.target === k;
      group.append(el("rect", { class: isOver ? "lvh-target lvh-over" : "lvh-target", x: x - slot / 2 + 2, y: y - 4, width: slot - 4, height: floor - y + 50, rx: 6 }));
    }
    group.append(el("rect", { x: x - slot / 2, y: y - 4, width: slot, height: floor - y + 50, fill: "transparent" }));
    group.append(...bars, ...rowsOf(hand, k, x, floor - 3, slot - 10));
    group.append(el("line", { class: "lvh-floor", x1: x - slot / 2 + 5, x2: x + slot / 2 - 5, y1: floor, y2: floor }));
    const n = hand.learnt[k].length, wrong = wrongOf(hand, k), says = hand.says[k];
    const fits = slot > 84;
    const named = text({ y: floor + 20, class: "lvh-class" }, ...(fits ? [classes[says].name] : []));
    const half = Math.min(classes[says].name.length * 3.75, slot / 2 - 15);
    group.append(el("path", { d: shape(says, fits ? x - half - 10 : x, floor + 15, 5), fill: classes[says].hue }), named);
    const share = wrong ? said(fits ? words.wrong : words.short, { wrong, n }) : said(fits ? words.right : words.short, { wrong, n });
    const late = hand.ends[k].filter((row) => hand.d.held[row]).length;
    const newly = hand.shown ? said(fits ? words.newly : words.short, { wrong: wrongOf(hand, k, 1), n: late }) : share;
    group.append(text({ y: floor + 38 }, newly));
    if (k === hand.at) group.append(el("rect", { class: "lvh-frame", x: x - slot / 2 + 4, y: y - 3, width: Math.max(slot - 8, 12), height: BAR + 6 }));
    return group;
  }
  group.append(el("rect", { x: x - wide / 2 - 8, y: y - 22, width: wide + 16, height: BAR + 28, fill: "transparent" }), ...bars);
  group.append(text({ y: y - 8, class: "lvh-test" }, node.test));
  if (node.children.length === 2) {
    group.append(text({ x: x - wide / 2 - 8, y: y + 22, "text-anchor": "end" }, words.yes), text({ x: x + wide / 2 + 8, y: y + 22, "text-anchor": "start" }, words.no));
  }
  if (k === hand.at) group.append(el("rect", { class: "lvh-frame", x: x - wide / 2 - 4, y: y - 4, width: wide + 8, height: BAR + 8 }));
  return group;
}

// Rows of a leaf, right ones first and wrong ones with a ring; too many for the room are not drawn.
function rowsOf(hand, k, x, floor, width) {
  const { y, held, classes } = hand.d;
  const rows = hand.ends[k].filter((row) => hand.shown || !held[row]);
  rows.sort((a, b) => held[a] - held[b] || (y[a] !== hand.says[k]) - (y[b] !== hand.says[k]) || y[a] - y[b]);
  const isFew = hand.learnt[0].length < 30;
  let r = isFew ? 5.5 : 2.9, wide;
  for (; r > 0.9; r -= 0.3) {
    wide = Math.max(Math.floor(width / (2 * r + 1.6)), 1);
    if (Math.ceil(rows.length / wide) * (2 * r + 1.6) <= BIN) break;
  }
  if (r <= 0.9) return [];
  const step = 2 * r + 1.6, across = Math.min(wide, rows.length);
  const paths = classes.map(() => ""), late = classes.map(() => ""), rings = [];
  rows.forEach((row, i) => {
    const [cx, cy] = [x + ((i % across) - (across - 1) / 2) * step, floor - r - Math.floor(i / across) * step];
    (held[row] ? late : paths)[y[row]] += shape(y[row], cx, cy, held[row] ? r - 0.5 : r);
    if (y[row] !== hand.says[k]) rings.push(shape(0, cx, cy, r + 0.6));
  });
  const drawn = paths.map((d, c) => el("path", { d, fill: classes[c].hue }));
  drawn.push(...late.map((d, c) => el("path", { class: "lvh-late", d, stroke: classes[c].hue })));
  return [...drawn, el("path", { class: "lvh-ring", d: rings.join("") })];
}

function pick(hand, k) {
  const node = hand.d.nodes[k];
  if (hand.taken !== null && targets(hand).includes(k)) place(hand, hand.taken, k);
  else if (k !== hand.at) {
    hand.at = k; // the rest comes with the answer
    hand.tell("select", node.path);
    drawTree(hand);
  }
}

function onNodeKey(hand, event, k) {
  const node = hand.d.nodes[k];
  const isHand = node.state !== "grown" || node.top;
  const acts = {
    Enter: () => pick(hand, k),
    " ": () => pick(hand, k),
    f: () => ["open", "done"].includes(node.state) && finish(hand, k),
    Delete: () => isHand && node.path !== undefined && node.children.length && remove(hand, k),
  };
  const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}

function finish(hand, k) {
  const node = hand.d.nodes[k];
  hand.tell("leaf", node.path, { says: node.state === "done" ? null : node.says });
}

const remove = (hand, k) => hand.tell("leaf", hand.d.nodes[k].path, { says: null });

// ---------------------------------------------------------------- the node that is looked at

function drawEditor(hand) {
  const { nodes, columns, classes, words, cuts } = hand.d;
  const node = nodes[hand.at], room = hand.part("edit");
  const button = (name, label, act) =>
    el("button", { type: "button", "data-focus": name, onclick: act }, label);
  const head = el("div", { class: "lvh-head" });
  const [n, wrong] = [hand.learnt[hand.at].length, wrongOf(hand, hand.at)];
  const go = button("go", words.go, () => hand.tell("go", node.path));
  const focused = room.contains(document.activeElement) && document.activeElement.dataset.focus;
  if (node.state === "grown") {
    head.append(el("b", {}, node.test ?? classes[hand.says[hand.at]].name));
    if (node.top) head.append(button("remove", words.remove, () => remove(hand, hand.at)));
    room.replaceChildren(head, el("p", {}, words.grown));
  } else if (!node.children.length) {
    head.append(el("b", {}, classes[hand.says[hand.at]].name), el("small", {}, said(words.wrong, { wrong, n })));
    const isDone = node.state === "done";
    head.append(button("finish", isDone ? words.reopen : words.finish, () => finish(hand, hand.at)), go);
    const list = el("select", { "data-focus": "class", "aria-label": words.class });
    list.append(...classes.map((each, c) => el("option", { value: c, selected: c === hand.says[hand.at] }, each.name)));
    list.onchange = () => hand.tell("leaf", node.path, { says: Number(list.value) });
    const isPure = countsOf(hand, hand.learnt[hand.at]).filter(Boolean).length < 2;
    const by = el("select", { "data-focus": "by", "aria-label": words.by });
    by.append(...columns.map((column, f) => el("option", { value: f }, column.name)));
    const split = button("split", words.do, () => place(hand, Number(by.value), hand.at));
    const labels = [el("label", {}, `${words.by} `, by), split, el("label", {}, `${words.class} `, list)];
    room.replaceChildren(head, el("div", { class: "lvh-head" }, ...labels), el("p", {}, isPure ? words.pure : words.chip));
  } else {
    const yes = hand.learnt[node.children[0]].length;
    const { name, levels } = columns[node.feature];
    const test = cuts ? el("b", {}, `${name} ≤ `, thresholdField(hand, node)) : el("b", {}, node.test);
    head.append(test, el("small", {}, `${words.yes} ${yes}, ${words.no} ${n - yes}`));
    if (cuts) head.append(button("hint", hand.hint ? words.hide : words.hint, () => {
      hand.hint = !hand.hint;
      drawEditor(hand);
    }));
    const hasOpen = nodes.some((each) => each.state === "open" && each.path.startsWith(node.path));
    if (hasOpen) head.append(go);
    head.append(button("remove", words.remove, () => remove(hand, hand.at)));
    room.replaceChildren(head);
    room.append(levels ? groups(hand, node) : thresholdOf(hand, node, room));
    const gaps = n - valued(hand, node.feature, hand.learnt[hand.at]).length;
    if (gaps) room.append(el("p", {}, said(words.gaps, { n: gaps, name, side: node.missing ? words.no : words.yes })));
  }
  if (focused) room.querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true });
}

// The nearest cut to a typed number is taken, as by the handle.
function thresholdField(hand, node) {
  const { columns, cuts, words } = hand.d;
  const field = el("input", { type: "number", step: "any", "data-focus": "typed", value: Number(cuts[cutAt(hand, node)][0].toPrecision(6)),
    "aria-label": said(words.threshold, { name: columns[node.feature].name }) });
  field.onchange = () => {
    const far = cuts.map(([cut]) => Math.abs(cut - Number(field.value)));
    if (field.value && stepTo(hand, far.indexOf(Math.min(...far)))) tellCut(hand);
  };
  return field;
}

const cutAt = (hand, node) => {
  const far = hand.d.cuts.map(([cut]) => Math.abs(cut - node.threshold));
  return far.indexOf(Math.min(...far));
};

// Step to a cut of the chosen node: all follows at once, the script is told afterwards.
function stepTo(hand, i) {
  const { nodes, cuts, columns, words } = hand.d;
  const node = nodes[hand.at];
  i = Math.max(0, Math.min(cuts.length - 1, i));
  if (cuts[i][0] === node.threshold) return false;
  [node.threshold] = cuts[i];
  if (cuts[i][4] >= 0) node.missing = cuts[i][4];
  node.test = `${columns[node.feature].name} ≤ ${cuts[i][1]}`;
  hand.live = hand.isStepping = true;
  hand.cut = i;
  route(hand);
  drawWork(hand);
  const [yes, no] = node.children.map((child) => hand.learnt[child].length);
  const wrong = leavesOf(hand).reduce((sum, k) => sum + wrongOf(hand, k), 0);
  hand.spoken = said(words.cut, { test: node.test, yes, no, wrong });
  return true;
}

const tellCut = (hand) => {
  const node = hand.d.nodes[hand.at];
  speak(hand, hand.spoken ?? "");
  hand.tell("cut", node.path, { feature: node.feature, threshold: node.threshold });
};

function thresholdOf(hand, node, room) {
  const { cuts, words, columns } = hand.d;
  const width = Math.max(room.clientWidth, 160), height = 128, pad = 10;
  const svg = el("svg", { class: "lvh-cut", width, height: height + 20 });
  const inside = width - 2 * pad, high = hand.hint ? 52 : height - 26;
  const { bars, across, low, high: top } = histogram(hand, hand.learnt[hand.at], node.feature, inside, high, 36);
  const x = pad + across(node.threshold), i = cutAt(hand, node);
  const drawn = el("g", { transform: `translate(${pad},${height - high})` }, ...bars);
  svg.append(drawn, el("rect", { class: "lvh-pale", x, y: height - high, width: Math.max(width - pad - x, 0), height: high }));
  if (hand.hint) {
    const most = Math.max(...cuts.map(([, , score]) => score ?? 0)) || 1;
    const d = cuts.map(([cut, , score], k) => `${k ? "L" : "M"}${pad + across(cut)},${68 - ((score ?? 0) / most) * 44}`).join("");
    svg.append(el("path", { class: "lvh-curve", d }));
  }
  for (const value of [low, top]) {
    svg.append(el("text", { x: value === low ? pad : width - pad, y: height + 16, "text-anchor": value === low ? "start" : "end" }, plain(value)));
  }
  svg.append(el("text", { x: x - 15, y: 16, "text-anchor": "end" }, words.yes), el("text", { x: x + 15, y: 16 }, words.no));
  svg.append(el("line", { class: "lvh-line", x1: x, x2: x, y1: 12, y2: height }));
  const handle = el("circle", {
    class: "lvh-handle", cx: x, cy: 11, r: 9, tabindex: 0, role: "slider", "data-focus": "threshold",
    "aria-label": said(words.threshold, { name: columns[node.feature].name }), "aria-valuemin": 0,
    "aria-valuemax": cuts.length - 1, "aria-valuenow": i, "aria-valuetext": hand.spoken ?? node.test,
  });
  handle.onkeydown = (event) => {
    const step = event.shiftKey ? 10 : 1;
    const to = { ArrowLeft: i - step, ArrowDown: i - step, ArrowRight: i + step, ArrowUp: i + step, Home: 0, End: cuts.length - 1 }[event.key];
    if (event.key === "Enter") hand.root.querySelector('[data-focus="chip0"]').focus();
    if (to === undefined) return;
    event.preventDefault();
    clearTimeout(hand.waits);
    stepTo(hand, to);
    if (hand.live) hand.waits = setTimeout(() => tellCut(hand), SETTLED);
  };
  svg.append(handle);
  svg.onpointerdown = (event) => onPressCut(hand, event, (move) => {
    const box = hand.part("edit").querySelector(".lvh-cut").getBoundingClientRect();
    return low + ((move.clientX - box.left - pad) / inside) * (top - low);
  });
  return svg;
}

function onPressCut(hand, pressed, valueAt) {
  if (pressed.button !== 0) return;
  pressed.preventDefault();
  const node = hand.d.nodes[hand.at], before = cutAt(hand, node);
  const follow = (event) => {
    const value = valueAt(event);
    const far = hand.d.cuts.map(([cut]) => Math.abs(cut - value));
    stepTo(hand, far.indexOf(Math.min(...far)));
  };
  follow(pressed);
  dragged(hand, pressed, {
    move: follow,
    end: (event) => {
      if (!event) stepTo(hand, before);
      else if (cutAt(hand, node) !== before) tellCut(hand);
      hand.root.querySelector('[data-focus="threshold"]')?.focus({ preventScroll: true });
    },
  });
}

function groups(hand, node) {
  const { columns, words, classes } = hand.d;
  const { levels, values } = columns[node.feature];
  const there = [...new Set(valued(hand, node.feature, hand.learnt[hand.at]).map((row) => values[row]))].sort((a, b) => a - b);
  const sides = [0, 1].map((side) => el("div", { "data-side": side }, el("small", {}, side ? words.to_no : words.to_yes)));
  const flip = (value) => {
    const first = there.filter((each) => (node.branch[each] === 0) !== (each === value));
    if (!first.length || first.length === there.length) {
      refuse(hand, words.each);
      return;
    }
    hand.wants = `[data-focus="level${value}"]`;
    hand.tell("group", node.path, { feature: node.feature, first });
  };
  for (const value of there) {
    const counts = countsOf(hand, hand.learnt[hand.at].filter((row) => values[row] === value));
    const shown = counts.map((count, c) => `<span>${classes[c].sign}${count}</span>`).join(" ");
    const level = el("button", { type: "button", class: "lvh-level", "data-focus": `level${value}`, "aria-label": said(words.move, { value: levels[value] }), html: `<b>${safe(levels[value])}</b> ${shown}` });
    level.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      flip(value);
    };
    level.onpointerdown = (pressed) => {
      if (pressed.button !== 0) return;
      let isFar = false;
      dragged(hand, pressed, {
        move: (event) => {
          const [dx, dy] = [event.clientX - pressed.clientX, event.clientY - pressed.clientY];
          isFar ||= Math.hypot(dx, dy) > AWAY;
          if (isFar) level.style.transform = `translate(${dx}px,${dy}px)`;
        },
        end: (event) => {
          level.style.transform = "";
          const box = sides[node.branch[value] ? 0 : 1].getBoundingClientRect();
          const isOver = event && event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
          if (event && (!isFar || isOver)) flip(value);
        },
      });
    };
    sides[node.branch[value] ? 1 : 0].append(level);
  }
  return el("div", { class: "lvh-groups" }, ...sides, el("p", {}, words.group));
}

// ---------------------------------------------------------------- the plane, or the table of few rows

function drawPlane(hand) {
  const { columns, nodes, classes, y, held, words, row: names } = hand.d;
  const room = hand.part("plane"), node = nodes[hand.at];
  const numbers = columns.flatMap((column, f) => (column.levels ? [] : [f]));
  room.replaceChildren();
  if (numbers.length < 2) {
    if (names) room.append(tableOf(hand));
    return;
  }
  const path = nodes.filter((each) => each.feature !== undefined && node.path.startsWith(each.path));
  const used = path.map((each) => each.feature).filter((f) => numbers.includes(f)).reverse();
  const two = [...new Set([...used, ...numbers])].slice(0, 2).sort((a, b) => a - b);
  const width = Math.max(room.clientWidth, 160), height = 190, pad = 8;
  const ends = two.map((f) => {
    const values = valued(hand, f, hand.learnt[0]).map((row) => columns[f].values[row]);
    const [low, high] = [Math.min(...values), Math.max(...values)], more = 0.04 * (high - low || 1);
    return [low - more, high + more];
  });
  const X = (v) => pad + ((v - ends[0][0]) / (ends[0][1] - ends[0][0])) * (width - 2 * pad);
  const Y = (v) => height - pad - ((v - ends[1][0]) / (ends[1][1] - ends[1][0])) * (height - 2 * pad);
  const svg = el("svg", { width, height: height + 18, role: "img", "aria-label": words.plane });
  if (columns.length === 2) drawRegions(hand, svg, two, ends, X, Y);
  const here = new Set(hand.learnt[hand.at]);
  const drawn = two.reduce((rows, f) => valued(hand, f, rows), hand.learnt[0]);
  for (const isIn of [false, true]) {
    classes.forEach((each, c) => {
      const d = drawn.filter((row) => y[row] === c && here.has(row) === isIn)
        .map((row) => shape(c, X(columns[two[0]].values[row]), Y(columns[two[1]].values[row]), 3)).join("");
      svg.append(el("path", { d, fill: each.hue, opacity: isIn ? 1 : 0.25 }));
    });
  }
  const wrong = leavesOf(hand).flatMap((k) => hand.ends[k].filter((row) => !held[row] && y[row] !== hand.says[k] && drawn.includes(row)));
  svg.append(el("path", { class: "lvh-ring", d: wrong.map((row) => shape(0, X(columns[two[0]].values[row]), Y(columns[two[1]].values[row]), 4.4)).join("") }));
  svg.append(el("text", { x: width - pad, y: height + 14, "text-anchor": "end" }, columns[two[0]].name), el("text", { x: pad, y: 14 }, columns[two[1]].name));
  const along = two.indexOf(node.feature);
  if (along >= 0 && node.threshold !== undefined) {
    const at = along ? Y(node.threshold) : X(node.threshold);
    const place = along ? { x1: pad, x2: width - pad, y1: at, y2: at } : { x1: at, x2: at, y1: pad, y2: height - pad };
    svg.append(el("line", { class: "lvh-line", ...place }));
    if (hand.d.cuts) {
      const grip = el("line", { class: along ? "lvh-grip lvh-up" : "lvh-grip", ...place });
      grip.onpointerdown = (event) => onPressCut(hand, event, (move) => {
        const box = room.querySelector("svg").getBoundingClientRect();
        const share = along ? (height - pad - (move.clientY - box.top)) / (height - 2 * pad) : (move.clientX - box.left - pad) / (width - 2 * pad);
        return ends[along][0] + share * (ends[along][1] - ends[along][0]);
      });
      svg.append(grip);
    }
  }
  room.append(svg);
  const hidden = hand.learnt[0].length - drawn.length;
  if (hidden) room.append(el("small", {}, said(words.hidden, { n: hidden })));
}

function drawRegions(hand, svg, two, ends, X, Y) {
  const { nodes, classes } = hand.d;
  const visit = (k, box) => {
    const node = nodes[k];
    if (!node.children.length) {
      const [[x0, x1], [y0, y1]] = box;
      svg.append(el("rect", { class: "lvh-region", x: X(x0), y: Y(y1), width: Math.max(X(x1) - X(x0), 0), height: Math.max(Y(y0) - Y(y1), 0), fill: classes[hand.says[k]].hue }));
      return;
    }
    const along = two.indexOf(node.feature);
    const cut = Math.min(Math.max(node.threshold, box[along][0]), box[along][1]);
    node.children.forEach((child, branch) => {
      const inside = box.map((each) => [...each]);
      inside[along][branch ? 0 : 1] = cut;
      visit(child, inside);
    });
  };
  visit(0, ends);
}

function tableOf(hand) {
  const { columns, classes, y, row: names, held, words } = hand.d;
  const here = new Set(hand.rows[hand.at]);
  const shown = ({ levels, values }, row) => (values[row] === null ? "?" : levels ? levels[values[row]] : plain(values[row]));
  const lines = y.map((k, row) => held[row] ? "" : `<tr class="${here.has(row) ? "" : "lvh-off"}"><td>${names[row]}</td>${columns.map((c) => `<td>${safe(shown(c, row))}</td>`).join("")}<td>${classes[k].sign} ${safe(classes[k].name)}</td></tr>`);
  const head = [words.row, ...columns.map((c) => c.name), ""].map((name) => `<th>${safe(name)}</th>`);
  return el("div", { class: "lvh-table", tabindex: 0, role: "region", "aria-label": words.row, html: `<table><tr>${head.join("")}</tr>${lines.join("")}</table>` });
}

// ---------------------------------------------------------------- numbers

function drawPanel(hand) {
  const { y, held, classes, words, beside, nodes } = hand.d;
  const wrong = [0, 0], confusion = classes.map(() => classes.map(() => 0)), all = [0, 0];
  nodes.forEach((node, k) => {
    for (const row of hand.ends[k]) {
      all[held[row]]++;
      if (!held[row]) confusion[y[row]][hand.says[k]]++;
      if (y[row] !== hand.says[k]) wrong[held[row]]++;
    }
  });
  const big = (value, of, about) => `<div><b>${value}</b> ${of}<small>${about}</small></div>`;
  const of = (n) => said(words.of, { n });
  const new_ = all[1] ? big(wrong[1], of(all[1]), words.held) : `<div><small>${words.none}</small></div>`;
  let html = `<section class="lvh-two">${big(wrong[0], of(all[0]), words.training)}${new_}</section>`;
  if (classes.length <= 8) {
    const head = classes.map((each) => `<th scope="col">${each.sign}</th>`).join("");
    const lines = confusion.map((line, i) => `<tr><th scope="row">${classes[i].sign} ${safe(classes[i].name)}</th>${line.map((n, j) => `<td class="${i === j ? "lvh-right" : ""}">${n}</td>`).join("")}</tr>`);
    html += `<section><table class="lvh-confusion" aria-label="${words.confusion}"><tr><th><small>${words.says}</small></th>${head}</tr>${lines.join("")}</table></section>`;
  }
  html += standingOf(hand);
  if (nodes.length > 1) {
    const most = Math.max(1, wrong[0], ...beside.map((each) => each.training ?? 0));
    const line = (kind, title, training, heldOut, width, note = "") =>
      `<div class="lvh-ref lvh-${kind}" title="${safe(note)}"><span>${safe(title)}</span><i><em style="width:${width}%"></em></i><b>${training}</b><span>${heldOut}</span></div>`;
    html += `<section><h3>${words.errors}</h3><div class="lvh-ref"><span></span><span></span><small>${words.shown_training}</small><small>${all[1] ? words.shown_held : ""}</small></div>`;
    html += line("yours", words.yours, wrong[0], all[1] ? wrong[1] : "", (100 * wrong[0]) / most);
    for (const each of beside) {
      const n = each.training === null ? "–" : each.proved ? each.training : said(words.at_most, { n: each.training });
      html += line(each.training === null ? "none" : each.key, each.title, n, each.held ?? "", (100 * (each.training ?? 0)) / most, each.note);
    }
    html += [...new Set(beside.map((each) => each.note).filter(Boolean))].map((note) => `<small>${safe(note)}</small>`).join(" ") + "</section>";
  }
  hand.part("panel").innerHTML = html;
}

function standingOf(hand) {
  const { standing, words, cuts } = hand.d;
  if (!standing) return "";
  let { score, rank } = standing, tied = standing.tied;
  if (hand.live && cuts) {
    [, , score, rank] = cuts[hand.cut];
    tied = false;
  }
  const [width, height] = [240, 44];
  const x = (place) => standing.n < 2 ? width / 2 : 6 + (place / (standing.n - 1)) * (width - 12);
  const y = (value) => height - 4 - (standing.best > 0 ? Math.max(value / standing.best, 0) : 0) * (height - 12);
  const curve = standing.curve.map(([place, value]) => `L${x(place)},${y(value)}`).join("");
  const dots = score === null ? "" : `<circle class="lvh-mine" cx="${x(rank - 1)}" cy="${y(score)}" r="6"/>`;
  const shares = standing.best > 0 && score !== null ? Math.round((100 * score) / standing.best) : null;
  const about = score === null ? words.not : rank === 1 ? words.top : shares === null ? "" : said(words.best, { best: plain(standing.best), share: shares });
  const shown = score === null ? "–" : plain(score), place = score === null ? "–" : rank;
  return `<section class="lvh-standing"><h3>${words.split}</h3><div class="lvh-two"><div><b class="lvh-score">${shown}</b><small>${words.score}</small></div>
    <div><b class="lvh-rank">${place}</b> ${said(words.of, { n: standing.n })} ${tied ? words.tied : ""}<small>${words.rank}</small></div></div>
    <svg width="${width}" height="${height}" aria-hidden="true"><path class="lvh-crowd" d="M${x(0)},${height}${curve}L${x(standing.n - 1)},${height}z"/><circle class="lvh-top" cx="${x(0)}" cy="${y(standing.best)}" r="5"/>${dots}</svg><small>${about}</small></section>`;
}
