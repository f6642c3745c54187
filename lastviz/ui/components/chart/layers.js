// Figures in motion: while a slider is held, what the figure would be there is drawn over it.
// Plotly draws all of a figure anew, which takes too long; few lines and areas of it move.

const STAYS = "{{roles of rows}}"; // no frame moves them
const MOVES = ["selected node", "outline edited", "hidden"]; // shapes and notes that do move

// Show the traces and shapes of a frame instead of those that Plotly drew.
async function play(host, frame) {
  if (!host.ready) return;
  endTurn(host);
  const { traces, shapes, notes } = await (frame.unfolded ??= unfolded(frame));
  const room = roomFor({ ...host, laidOut: frame });
  const layout = { ...frame.layout, ...room };
  host.frame.style.height = room.height + "px";
  conceal(host, true);
  const layers = (host.layers ??= new Map());
  for (const layer of layers.values()) layer.used = 0;
  const scales = new Map(); // by subplot
  const scaleOf = (plot) => {
    if (!scales.has(plot)) scales.set(plot, scaled(host, plot, layout));
    return scales.get(plot);
  };
  const above = new Set(); // subplots whose rows have been passed: what follows lies above them
  for (const trace of traces) {
    const plot = plotOf(host, trace.xaxis, trace.yaxis);
    if (!plot) continue;
    if (STAYS.includes(trace.meta?.role)) above.add(plot);
    else drawTrace(host, layerOf(host, plot, above.has(plot) || scaleOf(plot).isOwn), scaleOf(plot), trace);
  }
  for (const shape of shapes) {
    const plot = plotOf(host, shape.xref, shape.yref);
    if (plot) drawShape(layerOf(host, plot, true), scaleOf(plot), shape);
  }
  for (const note of notes) {
    const [x, y] = [note.xref, note.yref].map((name) => name.replace(" domain", ""));
    const plot = plotOf(host, x, y); // all of them stand at the lower left
    if (plot) drawText(layerOf(host, plot, true), host, 0, plot.yaxis._length - 4, note.text, note.font);
  }
  for (const layer of layers.values())
    while (layer.g.childNodes.length > layer.used) layer.g.lastChild.remove();
  paintBrush(host);
}

async function unfolded({ data, layout }) {
  const whole = async (trace) =>
    STAYS.includes(trace.meta?.role) ? trace : unrolled(await withRows(trace));
  const traces = await Promise.all(data.map(whole));
  const plain = (values) => (values?.bdata ? decoded(values) : values);
  for (const trace of traces) Object.assign(trace, { x: plain(trace.x), y: plain(trace.y) });
  const moving = (parts = []) => parts.filter(({ name }) => MOVES.includes(name));
  return { traces, shapes: moving(layout.shapes), notes: moving(layout.annotations) };
}

// Let Plotly's own figure be seen again.
function rest(host) {
  if (!host.layers) return;
  for (const { top } of host.layers.values()) top.remove();
  host.frame.style.height = roomFor(host).height + "px";
  host.layers = null;
  conceal(host, false);
  paintBrush(host);
}

// From data to pixels: as Plotly's axes have it, which the reader may have moved; a tree of another
// height has a scale of its own, from the same upper left corner.
function scaled(host, { xaxis, yaxis }, { height, margin, ...layout }) {
  const own = layout[yaxis._name]?.range;
  const isOwn = Boolean(own && layout[yaxis._name].visible === false && !same(own, yaxis.range));
  const length = height - margin.t - margin.b;
  const y = isOwn ? (value) => ((own[1] - value) / (own[1] - own[0])) * length : (value) => yaxis.c2p(value);
  return { x: (value) => xaxis.c2p(value), y, isOwn };
}

const plotOf = (host, x = "x", y = "y") => host.gd._fullLayout._plots[x + y];

function conceal(host, yes) {
  const of = (element) => element.__data__?.[0]?.trace?.meta?.role;
  const display = yes ? "none" : "";
  for (const element of host.gd.querySelectorAll(".scatterlayer > .trace"))
    if (!STAYS.includes(of(element))) element.style.display = display;
  for (const [kind, layer] of [["shapes", ".shapelayer"], ["annotations", ".infolayer"]])
    (host.gd._fullLayout[kind] ?? []).forEach(({ name }, i) => {
      const drawn = MOVES.includes(name) && host.gd.querySelectorAll(`${layer} [data-index="${i}"]`);
      for (const element of drawn || []) element.style.display = display;
    });
}

// Below the rows among Plotly's own elements; above them in a drawing over all of Plotly's.
function layerOf(host, plot, isAbove) {
  const name = plot.id + (isAbove ? " above" : " below");
  const known = host.layers.get(name);
  if (known) return known;
  const g = document.createElementNS(SVG, "g");
  const layer = { g, top: g, used: 0 };
  if (isAbove) {
    layer.top = document.createElementNS(SVG, "svg");
    layer.top.classList.add("lv-above");
    layer.top.append(g);
    host.gd.querySelector(".svg-container").append(layer.top);
  } else {
    g.setAttribute("clip-path", `url(#${plot.clipId})`);
    plot.plot.node().prepend(g);
  }
  host.layers.set(name, layer);
  if (isAbove) {
    const { xaxis, yaxis } = plot;
    const box = { left: xaxis._offset, top: yaxis._offset, width: xaxis._length, height: yaxis._length };
    for (const [side, length] of Object.entries(box)) layer.top.style[side] = length + "px";
    if (yaxis.visible === false) layer.top.style.overflow = "visible"; // a tree may be higher
  }
  return layer;
}

// Elements are kept from frame to frame; only what they show changes.
function drawn(layer, attributes, kind = "path") {
  let element = layer.g.childNodes[layer.used];
  if (element?.tagName !== kind) {
    const other = document.createElementNS(SVG, kind);
    element ? element.replaceWith(other) : layer.g.append(other);
    element = other;
  }
  layer.used += 1;
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  return element;
}

// Text with <b> and <sub>.
function drawText(layer, host, x, y, text, { size, color, shadow }, anchor = "start") {
  const font = { "font-size": size, "font-family": host.gd._fullLayout.font.family, fill: color };
  const element = drawn(layer, { x, y, "text-anchor": anchor, ...font }, "text");
  element.style.textShadow = shadow ?? "";
  const part = (node) => {
    const span = document.createElementNS(SVG, "tspan");
    span.textContent = node.textContent;
    if (node.tagName === "B") span.setAttribute("font-weight", "bold");
    if (node.tagName === "SUB") Object.assign(span.style, { fontSize: "70%", baselineShift: "sub" });
    return span;
  };
  element.replaceChildren(...marked(text).map(part));
}

function drawTrace(host, layer, scale, trace) {
  const { x, y, line, marker, mode = "lines", textfont } = trace;
  if (marker?.opacity === 0) return; // there to be hovered over
  const places = (i) => [px(scale.x(x[i])), px(scale.y(y[i]))];
  if (mode.includes("lines")) {
    let d = "";
    for (let i = 0, goesOn = false; i < x.length; i++) {
      const known = Number.isFinite(x[i]) && Number.isFinite(y[i]);
      if (known) d += (goesOn ? "L" : "M") + places(i).join(" ");
      goesOn = known;
    }
    const stroke = line.width ? line.color : "none";
    const dash = DASHES[line.dash] ?? "none";
    const fill = trace.fill ? trace.fillcolor : "none";
    drawn(layer, { d, fill, stroke, "stroke-width": line.width, "stroke-dasharray": dash });
    return;
  }
  if (mode === "text") {
    const pitch = 1.3 * textfont.size;
    for (let i = 0; i < x.length; i++) {
      const [at, middle] = places(i);
      const [side, way] = valueAt(trace.textposition, i).split(" ");
      const lines = trace.text[i].split("<br>");
      const first = middle + ASIDE[side] * lines.length * pitch - ((lines.length - 1) / 2) * pitch;
      const font = { ...textfont, color: valueAt(textfont.color, i) };
      lines.forEach((text, k) => drawText(layer, host, at, first + k * pitch + textfont.size * 0.3, text, font, ANCHORS[way]));
    }
    return;
  }
  drawMarks(layer, trace, places);
}

const ASIDE = { top: -0.5, middle: 0, bottom: 0.5 }; // of its height, from a text's place to its middle
const ANCHORS = { left: "end", center: "middle", right: "start" };
const DASHES = { dash: "9 9", dot: "3 3", dashdot: "9 3 3 3" };

function drawShape(layer, scale, { xsizemode, xanchor, x0, x1, y0, y1, line }) {
  const at = (x) => px(xsizemode === "pixel" ? scale.x(xanchor) + x : scale.x(x));
  const [top, bottom] = [y1, y0].map((y) => px(scale.y(y)));
  const d = `M${at(x0)} ${top}H${at(x1)}V${bottom}H${at(x0)}Z`;
  drawn(layer, { d, fill: "none", stroke: line.color, "stroke-width": line.width, "stroke-dasharray": line.dash ?? "none" });
}

// ---------------------------------------------------------------- a node, at once when clicked

// Until the script has drawn it: other areas of the plane are paled below the rows, and the boxes of
// the node (its bar in a tree) are framed.
function pointOut(host, node) {
  forget(host);
  const isBelow = descendants(host.texts, node);
  host.pointed = Object.values(host.gd._fullLayout._plots).map((plot) => {
    const g = document.createElementNS(SVG, "g");
    const isTree = plot.yaxis.visible === false;
    for (const hit of host.hits.filter(({ axis }) => axis === plot.xaxis._id)) {
      if (isTree ? hit.node !== node : isBelow(hit.node)) continue;
      const path = g.appendChild(document.createElementNS(SVG, "path"));
      const corners = Array.from(hit.xs, (x, i) => `${px(plot.xaxis.c2p(x))} ${px(plot.yaxis.c2p(hit.ys[i]))}`);
      path.setAttribute("d", `M${corners.join("L")}Z`);
    }
    g.setAttribute("class", isTree ? "lv-framed" : "lv-paled");
    g.setAttribute("clip-path", isTree ? "none" : `url(#${plot.clipId})`);
    const regions = [...plot.plot.node().querySelectorAll(".scatterlayer > .trace")]
      .filter((element) => element.__data__[0].trace.meta?.role === "region");
    isTree || !regions.length ? plot.plot.node().append(g) : regions.at(-1).after(g);
    return g;
  });
}

function forget(host) {
  for (const g of host.pointed ?? []) g.remove();
  host.pointed = null;
}

// Whether a node is another or lies below it; without words of nodes their ways are not known.
function descendants(texts, top) {
  if (!texts) return (node) => node === top;
  const place = new Map(Array.from(texts.node, (node, i) => [node, i]));
  return (node) => {
    for (let i = place.get(node); i !== undefined; i = i ? texts.parent[i] : undefined)
      if (texts.node[i] === top) return true;
    return false;
  };
}
