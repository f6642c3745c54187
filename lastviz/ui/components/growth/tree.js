// The tree so far as a flow: width is rows, colour is class, growing from left to right.

const BAR = 9.5;

function svgElement(name, attributes, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// `known` holds the nodes that were there a moment ago: all others come in softly.
function drawTree(player, state, { node: current }, known) {
  const { story, svg } = player;
  const { tree, n_classes: k } = story;
  const room = tree.named ? 84 : 6;
  const width = svg.parentElement.clientWidth || tree.width;
  const scale = (width - room) / tree.width;
  svg.setAttribute("viewBox", `0 0 ${width} ${tree.height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", tree.height);
  story.places ??= new Map(tree.node.map((node, i) => [node, i]));
  const at = (node) => story.places.get(node);
  const drawn = state.alive.filter((node) => at(node) !== undefined);
  const bars = new Map(drawn.map((node) => [node, barOf(story, state, node, at(node), scale)]));
  const parts = [];
  for (const node of drawn) {
    const taken = new Float64Array(k); // rows of each class that went to earlier children
    for (const child of childrenOf(story, state, node)) {
      const rows = state.value(child);
      if (bars.has(child))
        parts.push(...ribbon(story, bars.get(node), bars.get(child), taken, rows, !known.has(child)));
      rows.forEach((count, c) => (taken[c] += count));
    }
  }
  for (const node of drawn) parts.push(barGroup(player, state, node, bars.get(node)));
  const { ink, accent } = story.colours;
  for (const node of tree.edited)
    if (bars.has(node)) parts.push(frameAround(bars.get(node), 2.5, accent, "6 4"));
  if (bars.has(current) && !player.isWhole) parts.push(frameAround(bars.get(current), 5.5, ink));
  svg.replaceChildren(...parts);
  if (state.alive.length < 2 * MOST_LEAVES) tellTests(player, state, bars, current);
}

// Tests of a small tree above their bars or below, where neither a bar nor another test is in the way.
const MOST_LEAVES = 10, LETTER = 7, LINE = 16, CLEAR = 7; // pixels, those of a letter roughly
function tellTests({ story, svg }, state, bars, current) {
  const width = svg.viewBox.baseVal.width, { height } = story.tree;
  const taken = [...bars.values()].map((bar) => boxOf(bar.x - BAR, bar.y - bar.height / 2, 2 * BAR, bar.height));
  const splits = [...bars.keys()].filter((node) => state.first[node] >= 0);
  splits.sort((a, b) => (b === current) - (a === current) || bars.get(b).total - bars.get(a).total);
  for (const node of splits) {
    const bar = bars.get(node), text = plainText(lowered(bar.text)), long = LETTER * text.length;
    const x = Math.max(Math.min(bar.x - BAR / 2, width - long), 0);
    const places = [bar.y - bar.height / 2 - LINE - CLEAR, bar.y + bar.height / 2 + CLEAR];
    const box = places.map((y) => boxOf(x, y, long, LINE))
      .find((one) => one.top >= 0 && one.bottom <= height && !taken.some((other) => isUpon(one, other)));
    if (!box) continue;
    taken.push(box);
    svg.append(svgElement("text", { x, y: box.bottom - 4, class: node === current ? "lvg-asked" : "" }, [text]));
  }
}

const boxOf = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height });
const isUpon = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function barOf(story, state, node, i, scale) {
  const { tree } = story;
  const rows = state.value(node);
  const total = sumOf(rows) * tree.scale;
  const height = Math.max(total, Math.min(tree.bar[i], 2.4));
  const split = state.split[node], place = story.places.get(split) ?? i;
  const text = story.tests[split - tree.first.length] ?? tree.text[place];
  return { x: tree.x[i] * scale, y: tree.height - tree.y[i], total, height, rows, text };
}

// A strip per class from the parent's bar to the child's, in class order on both sides.
function ribbon(story, from, to, taken, rows, born) {
  const { colours, tree } = story;
  const strips = [];
  let above = 0, start = 0;
  rows.forEach((count, c) => {
    const height = count * tree.scale;
    const y0 = from.y - from.total / 2 + start + taken[c] * tree.scale;
    const y1 = to.y - to.total / 2 + above;
    start += from.rows[c] * tree.scale;
    above += height;
    if (height <= 0) return;
    const [x0, x1] = [from.x, to.x], middle = (x0 + x1) / 2;
    const curve = (a, b, from, to) => `C${middle} ${a} ${middle} ${b} ${to} ${b}`;
    const d = `M${x0} ${y0}${curve(y0, y1, x0, x1)}V${y1 + height}${curve(y1 + height, y0 + height, x1, x0)}Z`;
    strips.push(svgElement("path", { d, fill: colours.ribbon[c], class: born ? "lv-born" : "" }));
  });
  return strips;
}

function barGroup(player, state, node, bar) {
  const { story } = player;
  const { colours, names, tree, words } = story;
  const leaf = state.first[node] < 0;
  const whole = sumOf(bar.rows) || 1;
  let top = bar.y - bar.height / 2;
  const parts = [];
  bar.rows.forEach((count, c) => {
    const height = (count / whole) * bar.height;
    if (height > 0)
      parts.push(svgElement("rect", { x: bar.x - BAR / 2, y: top, width: BAR, height, fill: colours.hue[c] }));
    top += height;
  });
  const name = names[state.prediction(node)];
  const test = leaf ? `${words.leaf}: ${name}` : plainText(bar.text);
  const title = svgElement("title", {}, [`${node}: ${test}; ${Math.round(sumOf(bar.rows))} ${words.rows}`]);
  if (leaf && tree.named) {
    const label = tree.first[node] >= 0 ? words.later : shortName(name);
    parts.push(svgElement("text", { x: bar.x + 13, y: bar.y + 5 }, [label]));
  }
  const hit = svgElement("rect", {
    x: bar.x - 9, y: bar.y - Math.max(bar.height / 2, 8), width: 18, height: Math.max(bar.height, 16), fill: "transparent",
  });
  const group = svgElement("g", { "data-node": node, class: "lv-node" }, [title, ...parts, hit]);
  group.addEventListener("click", () => player.goToNode(node));
  return group;
}

function frameAround(bar, gap, stroke, dashes = "none") {
  return svgElement("rect", {
    x: bar.x - BAR / 2 - gap, y: bar.y - bar.height / 2 - gap, width: BAR + 2 * gap,
    height: bar.height + 2 * gap, fill: "none", stroke, "stroke-width": 2.25,
    "stroke-dasharray": dashes,
  });
}

const shortName = (name) => (name.length > 10 ? name.slice(0, 9) + "…" : name);

function plainText(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content.textContent;
}

// A drawing has no <sub>; the digits of names have letters of their own.
const lowered = (html) =>
  html.replace(/<sub>(\d+)<\/sub>/g, (_, digits) => [...digits].map((d) => String.fromCharCode(0x2080 + Number(d))).join(""));

// The training errors of all steps as a line of stairs, and where the player stands.
const CURVE = 76, EDGE = 18;
function drawCurve({ story: { colours, words }, errors, curve, at, gd }) {
  if (!errors) return;
  const width = gd.clientWidth || 400, most = Math.max(...errors, 1);
  const x = (i) => EDGE + ((width - 4 * EDGE) * i) / Math.max(errors.length - 1, 1);
  const y = (wrong) => CURVE - 8 - ((CURVE - 30) * wrong) / most;
  const d = errors.map((wrong, i) => (i ? `H${x(i)}V${y(wrong)}` : `M${x(0)} ${y(wrong)}`)).join("");
  for (const [key, value] of [["viewBox", `0 0 ${width} ${CURVE}`], ["width", width], ["height", CURVE],
    ["aria-label", `${words.curve}: ${errors.join(", ")}`]]) curve.setAttribute(key, value);
  const [here, up] = [x(at), y(errors[at])];
  curve.replaceChildren(
    svgElement("path", { d: `M${EDGE} ${y(0)}H${width - EDGE}`, stroke: colours.grey2, fill: "none" }),
    svgElement("path", { d, stroke: colours.grey5, "stroke-width": 2, fill: "none" }),
    svgElement("circle", { cx: here, cy: up, r: 5, fill: colours.ink }),
    svgElement("text", { x: here + 6, y: up - 7 }, [errors[at].toLocaleString("en")]));
}
