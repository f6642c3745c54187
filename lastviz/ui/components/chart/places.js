// Places in a figure: where a pointer is, whether a place lies in an area, outlines in pixels.

const CLICK_SLIP = 4; // pixels that a hand may move between press and release

const px = (length) => Math.round(length * 100) / 100;
const circlePath = (x, y, r) => `M${px(x + r)} ${y}a${r} ${r} 0 1 0 ${-2 * r} 0a${r} ${r} 0 1 0 ${2 * r} 0Z`;

function inside({ xs, ys, box }, x, y) {
  if (x < box[0] || x > box[1] || y < box[2] || y > box[3]) return false;
  let odd = false;
  for (let i = 0, j = xs.length - 1; i < xs.length; j = i++)
    if (ys[i] > y !== ys[j] > y && x < ((xs[j] - xs[i]) * (y - ys[i])) / (ys[j] - ys[i]) + xs[i])
      odd = !odd;
  return odd;
}

// Where the pointer is, in the units of the axes below it; null outside of all axes.
function place(host, event) {
  const box = host.gd.getBoundingClientRect();
  for (const { xaxis, yaxis } of Object.values(host.gd._fullLayout?._plots ?? {})) {
    const px = event.clientX - box.left - xaxis._offset;
    const py = event.clientY - box.top - yaxis._offset;
    if (px >= 0 && px <= xaxis._length && py >= 0 && py <= yaxis._length)
      return { axis: xaxis._id, yaxis: yaxis._id, x: xaxis.p2d(px), y: yaxis.p2d(py) };
  }
  return null;
}
