// A tree that grows by itself, once: a frame a question, all of it drawn from what came with the page.

const PACE = 700; // milliseconds a question stays
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const trees = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-alone");
  if (!trees.has(root)) trees.set(root, begun(root));
  const host = trees.get(root);
  host.open = () => setTriggerValue("open", true);
  take(host, unzipped(data));
  return () => {
    clearInterval(host.timer);
    host.watch.disconnect();
    trees.delete(root);
  };
}

function begun(root) {
  const [button, link] = root.querySelectorAll("button, a");
  const host = { root, button, link, at: -1, timer: null, goToNode() {} };
  host.plane = svgElement("svg", { role: "img" });
  host.svg = svgElement("svg", { role: "img" });
  root.querySelector(".lv-alone-plane").replaceChildren(host.plane);
  root.querySelector(".lv-alone-tree").replaceChildren(host.svg);
  button.addEventListener("click", () => play(host));
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a window of its own
    event.preventDefault();
    host.open();
  });
  host.watch = new ResizeObserver(() => host.story && drawFlow(host, new Set(host.state.alive)));
  host.watch.observe(root);
  return host;
}

// The same tree in other colours or words stays at its question.
function take(host, text) {
  if (host.text === text) return;
  const isFirst = !host.text, end = text.indexOf("\n");
  host.text = text;
  host.link.href = new URL(JSON.parse(text.slice(0, end)).link, document.baseURI);
  host.story = unpackStory(JSON.parse(text.slice(end + 1)));
  build(host);
  if (!isFirst) go(host, host.at);
  else if (calm.matches) go(host, host.story.frames.length - 1);
  else play(host);
}

function build(host) {
  const { root, story, plane, button, link } = host;
  const { words, size: [width, height], view: [x0, x1, y0, y1] } = story;
  root.hidden = false; // now there is something in it
  host.across = (x) => ((x - x0) / (x1 - x0)) * width;
  host.up = (y) => ((y1 - y) / (y1 - y0)) * height;
  root.querySelector(".lv-alone-lead").textContent = words.lead;
  button.replaceChildren(
    svgElement("svg", { viewBox: "0 0 9 10", "aria-hidden": "true" }, [svgElement("path", { d: "M0 0v10l9-5z", fill: "currentColor" })]),
    calm.matches ? words.play : words.again);
  link.textContent = words.open;
  const dots = root.querySelector(".lv-alone-dots");
  dots.setAttribute("aria-label", words.questions);
  dots.replaceChildren(...story.frames.slice(1).map(({ title }, i) => {
    const dot = document.createElement("button");
    Object.assign(dot, { type: "button", title, ariaLabel: title });
    dot.addEventListener("click", () => { stop(host); go(host, i + 1); });
    return dot;
  }));
  plane.setAttribute("viewBox", `0 0 ${width} ${height}`);
  host.ground = svgElement("g", {});
  host.rings = svgElement("path", { fill: "none", stroke: story.colours.ink, "stroke-width": 1.6 });
  const rows = story.colours.hue.map((fill, c) => svgElement("path", {
    d: story.dots.map((dot, i) => (story.labels[i] === c ? mark(host, dot, story.colours.symbol[c], 8) : "")).join(""),
    fill, stroke: story.colours.edge[c], "stroke-width": 0.8,
  }));
  plane.replaceChildren(host.ground, ...rows, host.rings);
}

const mark = (host, [x, y], symbol, size) => symbolPath(symbol, host.across(x), host.up(y), size);

function play(host) {
  clearInterval(host.timer);
  go(host, 0);
  host.timer = setInterval(() => {
    if (host.at + 2 >= host.story.frames.length) stop(host);
    go(host, host.at + 1);
  }, PACE);
}

function stop(host) {
  clearInterval(host.timer);
  host.timer = null;
}

function go(host, at) {
  const { story, root, plane } = host;
  const { events, title, say, wrong } = story.frames[at];
  const known = new Set(at === host.at + 1 && host.state ? host.state.alive : []);
  host.at = at;
  host.state = stateAfter(story, events);
  if (!known.size) host.state.alive.forEach((node) => known.add(node));
  const words = root.querySelector(".lv-alone-say");
  words.ariaLive = host.timer ? "off" : "polite"; // what moves by itself is not read out
  words.innerHTML = `<small></small><p>${say}</p>`;
  words.firstChild.textContent = title;
  root.querySelectorAll(".lv-alone-dots button").forEach((dot, i) => (
    i + 1 === at ? dot.setAttribute("aria-current", "step") : dot.removeAttribute("aria-current")));
  drawGround(host, known);
  host.rings.setAttribute("d", wrong.map((row) => mark(host, story.dots[row], "circle", 17)).join(""));
  const told = `${title}: ${words.lastChild.textContent}`;
  plane.setAttribute("aria-label", `${story.words.plane}. ${told}`);
  host.svg.setAttribute("aria-label", `${story.words.tree}. ${told}`);
  drawFlow(host, known);
  root.dataset.question = at;
}

// What has just been parted stays below its two sides while they come in.
function drawGround(host, known) {
  const { story, state, ground, across, up } = host;
  const { geometry, colours, frames } = story;
  const { node: asked } = frames[host.at];
  const path = (span, style, closed) => svgElement("path", {
    d: pathThrough(new Places().add(geometry, span, closed), across, up), ...style });
  const tint = (node, born) => path(state.area(node), {
    fill: colours.region[state.prediction(node)], class: born ? "lv-alone-born" : "" }, true);
  const parts = asked === null ? [] : [tint(asked, false)];
  for (const node of state.alive) if (state.first[node] < 0) parts.push(tint(node, !known.has(node)));
  for (const node of state.alive) {
    if (state.first[node] < 0) continue;
    parts.push(path(state.line(node), { fill: "none", pathLength: 1, ...(node === asked
      ? { stroke: colours.ink, "stroke-width": 3.5, class: "lv-alone-line" }
      : { stroke: colours.grey3, "stroke-width": 1.75 }) }));
  }
  ground.replaceChildren(...parts);
}

// The flow, and the class beside a leaf.
function drawFlow(host, known) {
  const { story, state, svg } = host;
  const { tree, colours } = story;
  drawTree(host, state, { node: null }, known);
  const scale = (svg.parentElement.clientWidth || tree.width) / tree.width;
  for (const node of state.alive) {
    if (state.first[node] >= 0) continue;
    const bar = barOf(story, state, node, story.places.get(node), (scale * (tree.width - 6)) / tree.width);
    const c = state.prediction(node);
    svg.append(svgElement("path", { d: symbolPath(colours.symbol[c], bar.x + 16, bar.y, 11), fill: colours.hue[c] }));
  }
}
