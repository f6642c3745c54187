// A figure by keys: arrows go from one of its places to the next in that direction, aloud; Enter
// picks it as a click would. Its places are its areas or, in turn (key m), its marks.

const SIDEWAYS = 3; // how much farther a place seems that lies aside of the way
const PICKED = 9; // pixels from a mark to the ring around it

// The places that can be seen as the figure stands, in pixels from its upper left corner.
function stopsOf(host) {
  const kinds = [areaPlaces(host), markPlaces(host)].filter((places) => places.length);
  host.kind = Math.min(host.kind ?? 0, kinds.length - 1);
  return { kinds: kinds.length, places: kinds[host.kind] ?? [] };
}

function areaPlaces(host) {
  host.middles ??= host.hits.map((hit) => middleOf(host, hit)); // until it is drawn anew
  return host.hits.flatMap((hit, i) => {
    const plot = Object.values(host.gd._fullLayout._plots).find(({ xaxis }) => xaxis._id === hit.axis);
    const text = host.middles[i] && plot && textOf(host, hit);
    if (!text) return [];
    const [x, y] = host.middles[i];
    return seen(plot, plot.xaxis.c2p(x), plot.yaxis.c2p(y), { hit, x, y, text });
  });
}

function markPlaces(host) {
  return host.gd._fullData.filter(({ visible }) => visible === true).flatMap((trace) => {
    const plot = plotOf(host, trace.xaxis, trace.yaxis);
    return marksOf(host, trace).flatMap(({ i, words }) => {
      const [x, y] = [trace.x[i], trace.y[i]];
      return seen(plot, plot.xaxis.d2p(x), plot.yaxis.d2p(y), { trace, i, x, y, words });
    });
  });
}

function seen({ xaxis, yaxis }, left, top, place) {
  if (left < 0 || left > xaxis._length || top < 0 || top > yaxis._length) return [];
  return [{ ...place, xaxis, yaxis, left: xaxis._offset + left, top: yaxis._offset + top }];
}

// A place of an area that no other area covers, as near to its middle as can be; null if it has none.
function middleOf(host, hit) {
  const [left, right, bottom, top] = hit.box;
  const steps = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.02, 0.98];
  for (const u of steps)
    for (const v of steps) {
      const at = { axis: hit.axis, x: left + u * (right - left), y: bottom + v * (top - bottom) };
      if (hitAt(host, at) === hit) return [at.x, at.y];
    }
  return null;
}

// Go to the next place in a direction; without one, stay. The first key finds where to begin.
function walk(host, right, down) {
  const { places } = stopsOf(host);
  if (!places.length) return false;
  const from = host.place && places.find((place) => isSame(place, host.place));
  if (!from) {
    stand(host, nearest(places, ({ left, top }) => left + top), places);
    return true;
  }
  const next = nearest(places, ({ left, top }) => {
    const [across, along] = [left - from.left, top - from.top];
    const ahead = right * across + down * along;
    return ahead > 0.5 ? ahead + SIDEWAYS * Math.abs(right * along + down * across) : Infinity;
  });
  if (next) stand(host, next, places);
  return true;
}

// Go through all places as one reads: line by line.
function read(host, way) {
  const { places } = stopsOf(host);
  const order = places.toSorted((a, b) => a.top - b.top || a.left - b.left);
  const at = host.place ? order.findIndex((place) => isSame(place, host.place)) : -1;
  const next = order[at < 0 ? 0 : (at + way + order.length) % order.length];
  if (next) stand(host, next, places);
}

function changeKind(host) {
  const { kinds } = stopsOf(host);
  host.kind = (host.kind + 1) % Math.max(1, kinds);
  host.place = null;
  walk(host, 1, 0);
}

const isSame = (a, b) => a.hit === b.hit && a.trace?.index === b.trace?.index && a.i === b.i;

function nearest(places, far) {
  let best = null;
  let least = Infinity;
  for (const place of places) {
    const length = far(place);
    if (length < least) [best, least] = [place, length];
  }
  return best;
}

// Frame the place, show its words beside it and say them.
function stand(host, place, places) {
  host.place = place;
  const { left, top, hit } = place;
  const box = host.gd.getBoundingClientRect();
  const said = hit ? lines(place.text) : place.words;
  showTip(host, hit ?? { text: place.words.join("<br>") }, { clientX: box.left + left, clientY: box.top + top });
  host.ring?.remove();
  host.ring = document.createElementNS(SVG, "svg");
  host.ring.classList.add("lv-walked");
  const path = host.ring.appendChild(document.createElementNS(SVG, "path"));
  path.setAttribute("d", hit ? outlineOf(place) : circlePath(left, top, PICKED));
  host.gd.append(host.ring);
  const where = filled(host.words.place, { n: places.indexOf(place) + 1, all: places.length });
  host.said.textContent = [...said, where].join("; ");
}

// A figure that was drawn anew: stand where one stood, or as near to it as can be.
function standAgain(host) {
  host.middles = null;
  const { place } = host;
  if (!place) return;
  const { places } = stopsOf(host);
  const next = nearest(places, ({ left, top }) => Math.hypot(left - place.left, top - place.top));
  next ? stand(host, next, places) : leavePlaces(host);
}

function outlineOf({ hit, xaxis, yaxis }) {
  const within = (length, at) => Math.min(Math.max(at, 0), length);
  const corners = Array.from(hit.xs, (x, i) => [
    px(xaxis._offset + within(xaxis._length, xaxis.c2p(x))),
    px(yaxis._offset + within(yaxis._length, yaxis.c2p(hit.ys[i]))),
  ].join(" "));
  return `M${corners.join("L")}Z`;
}

function leavePlaces(host) {
  host.ring?.remove();
  if (host.place) showTip(host, null);
  host.ring = host.place = host.middles = null;
  host.said.textContent = "";
}

// As a click there would.
function pickPlace(host) {
  const { place } = host;
  if (!place || !host.clickable) return false;
  const { trace, i, x, y, xaxis, yaxis } = place;
  host.clicked = trace ? { data: trace, customdata: trace.customdata?.[i], x, y } : null;
  tell(host, { axis: xaxis._id, yaxis: yaxis._id, x, y });
  return true;
}
