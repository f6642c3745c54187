// The chart host in a notebook: what the reader does goes to Python as a message, and a trait
// brings the next figure. Plotly comes from there, too, once for all widgets of a page.

const FRAME = "{{html}}";
let Plotly; // in this module alone: other outputs of a notebook may bring one of their own

function loadPlotly() {
  page.library ??= Promise.withResolvers();
  return page.library.promise.then((library) => (Plotly = library));
}

async function takeLibrary(packed) {
  const text = unzipped(new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength));
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  await import(address);
  URL.revokeObjectURL(address);
  page.library.resolve(window.Plotly);
}

function isOnDark(place) {
  for (let at = place; at; at = at.parentElement ?? at.getRootNode().host) {
    const paper = getComputedStyle(at).backgroundColor;
    if (paper !== "rgba(0, 0, 0, 0)") return isDark(paper);
  }
  return !isDark(getComputedStyle(place).color); // the window's own paper is not known
}

function render({ model, el: place }) {
  const el = place.appendChild(document.createElement("div"));
  const instead = place.appendChild(document.createElement("style"));
  el.hidden = true; // a notebook without a kernel never brings the library, and keeps its picture
  el.classList.add("lv-notebook");
  el.dataset.lmSuppressShortcuts = "true"; // keys of a figure are not commands of the notebook
  el.innerHTML = FRAME;
  const bar = document.createElement("div");
  bar.className = "lv-bar";
  const said = Object.assign(document.createElement("span"), { role: "status" });
  const [cut, undo] = [["cut", "Prune here"], ["undo", "Undo"]].map(([name, textContent]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent });
    button.addEventListener("click", () => model.send({ [name]: true }));
    return button;
  });
  bar.append(cut, undo, said);
  el.append(bar);
  const say = () => {
    const state = model.get("_bar");
    el.classList.toggle("lv-dark", state.theme === "dark");
    el.classList.toggle("lv-light", state.theme !== "dark");
    [cut.disabled, undo.disabled, said.textContent] = [!state.cut, !state.undo, state.said];
  };
  // A new theme changes the root of the page, or its body.
  let theme;
  const lookAround = () => {
    if (!place.isConnected) return; // notebooks render first
    const seen = isOnDark(place) ? "dark" : "light";
    if (seen !== theme) model.send({ theme: (theme = seen) });
  };
  const watch = new MutationObserver(lookAround);
  for (const each of [document.documentElement, document.body]) watch.observe(each, { attributes: true });
  let leave;
  const show = () => {
    const data = new TextEncoder().encode(model.get("_figure"));
    leave = chart({ parentElement: el, data, setTriggerValue: (name, value) => model.send({ [name]: value }) });
  };
  const take = ({ library }, [packed]) => library && takeLibrary(packed);
  model.on("msg:custom", take);
  model.on("change:_figure", show);
  model.on("change:_bar", say);
  say();
  loadPlotly().then(() => {
    lookAround();
    el.hidden = false;
    instead.textContent = `${model.get("_bar").picture} { display: none !important; }`;
  });
  show();
  setTimeout(() => {
    lookAround();
    model.send({ library: true });
  });
  return () => {
    leave();
    watch.disconnect();
    model.off("msg:custom", take);
    model.off("change:_figure", show);
    model.off("change:_bar", say);
  };
}

export default { render };

