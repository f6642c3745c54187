// Brushed rows in the picture of a growth, as in the figures of the other pages (chart/brush.js), and
// in the tree so far. Only in the app: an exported page has no other picture to light up.

// What chart/brush.js asks of a figure.
function brushable(player) {
  const button = document.createElement("button");
  button.dataset.tool = "brush";
  const tools = document.createElement("div");
  tools.append(button);
  return {
    player, root: player.root, tools, table: { hidden: true }, passing: null, isLater: false, flows: {}, stands: {},
    get gd() { return player.gd; },
    get frame() { return player.frame; },
    get ready() { return player.staged === player.story && Boolean(player.gd?._fullData); },
  };
}

function adoptBrush(player) {
  const host = brushable(player);
  const repaint = () => { paintBrush(host); paintGrowth(player); };
  player.onDrawn = repaint;
  brush.watchers.add(repaint);
  player.root.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".lvg-frame")) beginsLasso(host, event);
  }, true);
  for (const type of ["mousedown", "touchstart"])
    player.root.addEventListener(type, (event) => host.lasso && event.stopPropagation(), true);
  player.root.addEventListener("keydown", (event) => {
    if (event.key === "b" && !event.ctrlKey && !event.metaKey) turnBrush(!brush.isOn);
  });
  return () => brush.watchers.delete(repaint);
}

// The stream of brushed rows through the tree so far. A raised branch takes over rows that grew
// elsewhere: from then on their ways are not told.
function paintGrowth(player) {
  const { story, svg, state } = player;
  player.stream?.remove();
  if (!brush.rows.size || !story?.passing || !state) return;
  const { events } = player.steps[player.at];
  if (story.raised.some(({ event }) => event < events)) return;
  const passing = (story.ways ??= unpackedPassing(story.passing));
  const counts = brushedByNode(passing);
  if (!counts) return;
  const scale = (svg.clientWidth - (story.tree.named ? 84 : 6)) / story.tree.width;
  const bar = (node) => barOf(story, state, node, story.places.get(node), scale);
  const whole = bar(0).total;
  player.stream = svgElement("g", { class: "lv-brushed", "data-rows": counts[0] });
  for (const node of state.alive) {
    if (!counts[node] || !story.places.has(node)) continue;
    const thick = Math.max(1.5, (counts[node] / passing.n) * whole);
    const { x, y } = bar(node);
    if (node > 0) {
      const from = bar(passing.parent[node]);
      const middle = (from.x + x) / 2;
      const d = `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${y} ${x} ${y}`;
      stroked(player.stream, d, thick).setAttribute("class", "lv-stream");
    }
    stroked(player.stream, `M${x} ${y - thick / 2}V${y + thick / 2}`, BAR);
  }
  svg.append(player.stream);
}
