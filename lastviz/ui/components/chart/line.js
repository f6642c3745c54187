// Draw a line: pressed, moved and let go of over the plane of the first two axes.

const SHORTEST = 12; // pixels; less was a slip of the hand
const STRAIGHT = 4; // degrees off an axis up to which a line is parallel to it

function toggleLine(host) {
  if (!host.drawable || !host.ready) return;
  if (host.sheet) closeSheet(host);
  else host.drawn = host.drawn.then(() => host.drawable && !host.sheet && openSheet(host));
}

// A sheet over the plane takes what the pointer does, so that it neither zooms nor picks. It comes
// when the figure is drawn: until then its axes have ranges that nobody sees.
function openSheet(host) {
  const { xaxis, yaxis } = plotOf(host);
  const sheet = document.createElementNS(SVG, "svg");
  sheet.classList.add("lv-sheet");
  const box = { left: xaxis._offset, top: yaxis._offset, width: xaxis._length, height: yaxis._length };
  for (const [side, length] of Object.entries(box)) sheet.style[side] = length + "px";
  sheet.append(document.createElementNS(SVG, "line"));
  sheet.addEventListener("pointerdown", (pressed) => follow(host, sheet, pressed));
  host.gd.querySelector(".svg-container").append(sheet);
  host.sheet = sheet;
  sayDrawing(host, true);
}

function closeSheet(host) {
  host.sheet?.remove();
  host.sheet = null;
  sayDrawing(host, false);
}

function sayDrawing(host, yes) {
  const [button, hint] = host.draw.children;
  button.setAttribute("aria-pressed", String(yes));
  button.title = host.words.line;
  button.textContent = `╱ ${host.words.draw}`;
  hint.textContent = yes ? host.words.drag : "";
}

function follow(host, sheet, pressed) {
  if (pressed.button !== 0) return;
  pressed.preventDefault();
  pressed.stopPropagation();
  sheet.setPointerCapture(pressed.pointerId);
  const start = onSheet(sheet, pressed);
  const watch = new AbortController();
  const { signal } = watch;
  sheet.addEventListener("pointermove", (e) => rule(sheet, start, onSheet(sheet, e)), { signal });
  sheet.addEventListener("pointercancel", () => watch.abort(), { signal });
  sheet.addEventListener("pointerup", (released) => {
    watch.abort();
    const end = straightened(start, onSheet(sheet, released));
    if (Math.hypot(end[0] - start[0], end[1] - start[1]) < SHORTEST) return;
    const { xaxis, yaxis } = plotOf(host);
    const [from, to] = [start, end].map(([x, y]) => [xaxis.p2d(x), yaxis.p2d(y)]);
    if (start[0] === end[0]) to[0] = from[0];
    if (start[1] === end[1]) to[1] = from[1];
    closeSheet(host);
    host.trigger("line", { from, to });
  }, { signal });
}

function onSheet(sheet, { clientX, clientY }) {
  const { left, top } = sheet.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

// Where a line would end that is parallel to an axis, if it nearly is.
function straightened([x, y], [toX, toY]) {
  const slope = Math.tan((STRAIGHT * Math.PI) / 180);
  const [across, up] = [Math.abs(toX - x), Math.abs(toY - y)];
  if (up <= slope * across) return [toX, y];
  return across <= slope * up ? [x, toY] : [toX, toY];
}

// The line goes on beyond both places: a split has no end.
function rule(sheet, start, pointer) {
  const end = straightened(start, pointer);
  const [right, down] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(right, down);
  if (length === 0) return;
  const far = (2 * (sheet.clientWidth + sheet.clientHeight)) / length;
  const places = { x1: start[0] - far * right, y1: start[1] - far * down,
    x2: start[0] + far * right, y2: start[1] + far * down };
  for (const [name, value] of Object.entries(places)) sheet.firstChild.setAttribute(name, value);
}
