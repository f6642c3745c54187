// On paper figures are as wide as the page, in the colours of the light theme.
// The component may be mounted many times: one watch for all of them.

function watchPrint() {
  if (page.printing) return;
  page.printing = { undo: [] };
  addEventListener("beforeprint", () => onPaper());
  addEventListener("afterprint", () => offPaper());
}

const changed = (element, name, value) => {
  const before = element.getAttribute(name);
  page.printing.undo.push(() =>
    before === null ? element.removeAttribute(name) : element.setAttribute(name, before));
  element.setAttribute(name, value);
};

function onPaper() {
  offPaper();
  const dark = isDarkPage();
  for (const frame of document.querySelectorAll(".lv-frame, .lvg-frame")) fitPaper(frame);
  if (!dark) return;
  const pictures = document.querySelectorAll(".lv-figure .main-svg, .lv-growth svg");
  for (const picture of pictures) for (const mark of [picture, ...picture.querySelectorAll("[style], [fill], [stroke]")]) lightMark(mark);
  for (const sign of document.querySelectorAll('img.lv-sign[src^="data:image/svg+xml"]'))
    changed(sign, "src", sign.getAttribute("src").replace(/%23([0-9a-f]{6})/gi, (_, hex) =>
      encodeURIComponent(lighter("#" + hex.toUpperCase()))));
}

function offPaper() {
  for (const undo of page.printing.undo.splice(0).reverse()) undo();
}

// Plotly sets sizes in pixels; its layers scale together once each knows its own box.
function fitPaper(frame) {
  const layers = [...frame.querySelectorAll(".main-svg")];
  if (!layers.length) return;
  const size = (layer) => [layer.width.baseVal.value, layer.height.baseVal.value];
  for (const layer of layers) changed(layer, "viewBox", `0 0 ${size(layer).join(" ")}`);
  changed(frame, "style", `${frame.getAttribute("style") ?? ""}; --lv-shape: ${size(layers[0]).join(" / ")}; max-width: ${size(layers[0])[0]}px`);
  changed(frame, "class", `${frame.className} lv-paper`);
}

const asHex = (colour) => {
  const found = /^rgb\((\d+), ?(\d+), ?(\d+)\)$/.exec(colour);
  return found && "#" + found.slice(1).map((value) => (+value).toString(16).padStart(2, "0")).join("").toUpperCase();
};

function lightMark(mark) {
  for (const name of ["fill", "stroke"]) {
    const hex = asHex(mark.style[name]);
    if (hex) changed(mark, "style", `${mark.getAttribute("style")}; ${name}: ${lighter(hex)}`);
    else if (/^#[0-9a-f]{6}$/i.test(mark.getAttribute(name) ?? ""))
      changed(mark, name, lighter(mark.getAttribute(name).toUpperCase()));
  }
}
