// A cloud that turns into another plane: each row goes straight from where another figure has it, as if
// the map of one plane were changed evenly into that of the other. What parts the rows comes at the end.

const TURN = 1800; // milliseconds

async function turn(host) {
  const peer = page.hosts.get(host.from)?.host;
  await peer?.drawn;
  if (!peer?.ready || !host.gd.querySelector(".lv-dots")) return;
  const before = new Map();
  for (const [plot, rows] of rowsByPlot(peer))
    for (const { row, x, y } of rows) before.set(row, [x / plot.xaxis._length, y / plot.yaxis._length]);
  const turning = (host.turning = {});
  const begun = performance.now();
  conceal(host, true);
  for (let share = 0; share < 1; ) {
    const now = await new Promise(requestAnimationFrame);
    if (host.turning !== turning || !host.gd.isConnected) return;
    share = Math.min(Math.max((now - begun) / TURN, 0), 1);
    paintDots(host, { before, share: share * share * (3 - 2 * share) });
  }
  endTurn(host);
}

function endTurn(host) {
  if (!host.turning) return;
  host.turning = null;
  conceal(host, false);
  paintDots(host);
}
