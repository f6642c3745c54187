// A slider's figures: asked for when the reader reaches for it, shown while it is held.
// Data: a line of JSON, { slider, at, about }, then, once asked for, the frames (gzip, JSON).

const page = (window.lastviz ??= { plotly: null, groups: new Map() });
page.players ??= new Map(); // class of a slider -> what plays its frames
const AGAIN = 5000; // milliseconds after which frames that did not come are asked for again
const TRIES = 4;

export default function ({ data, setTriggerValue }) {
  const at = data.indexOf(10);
  const head = JSON.parse(new TextDecoder().decode(at < 0 ? data : data.subarray(0, at)));
  if (!page.players.has(head.slider)) page.players.set(head.slider, listening());
  const player = page.players.get(head.slider);
  const isNew = player.at !== head.at;
  Object.assign(player, head, { ask: (about) => setTriggerValue("asked", about) });
  if (player.frames?.about !== head.about) player.frames = null;
  if (player.asked !== head.about) player.asked = null;
  if (at >= 0) unpacked(data.subarray(at + 1), head.about, player);
  player.shown = head.at; // what the script has drawn; the reader may be further by now
  // A value that the script changed (back, another link) reaches the slider after its figures.
  if (player.input?.value === head.at) player.isAhead = false;
  // A figure that is the same at both values is not drawn again, so nothing else ends its frame.
  if (isNew && player.frames) setTimeout(() => end(player.frames?.values[head.at]));
  follow(player);
}

async function unpacked(bytes, about, player) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { at, frames } = await new Response(stream).json();
  const values = Object.fromEntries(Object.entries(at).map(([value, i]) => [value, frames[i]]));
  if (player.about !== about) return;
  player.frames = { about, values };
  if (document.activeElement === player.input) start(player);
  follow(player);
}

// Once for a slider of that name: it may be drawn before or after its figures, and anew.
function listening() {
  const player = { slider: "", asked: null, watch: null };
  const near = ({ target, type }) => {
    const box = target.closest?.("[class*=st-key-]");
    if (!player.slider || !box?.classList.contains(player.slider)) return;
    reach(player, box.querySelector("input[type=range]"));
    if (type === "focusin") start(player);
  };
  for (const kind of ["pointerover", "focusin"]) document.addEventListener(kind, near);
  // Back where the script left it, nothing will be drawn anew: Plotly's figure is right again.
  const left = () => player.shown === player.at && player.frames && end(player.frames.values[player.at]);
  for (const kind of ["pointerup", "keyup"]) document.addEventListener(kind, left);
  return player;
}

function reach(player, input) {
  if (!input) return;
  if (!player.frames && player.asked !== player.about) ask(player, TRIES);
  if (player.input === input) return;
  player.watch?.disconnect();
  player.input = input;
  player.isAhead = false;
  player.watch = new MutationObserver(() => {
    player.isAhead = input.value !== player.shown;
    follow(player);
  });
  player.watch.observe(input, { attributes: true, attributeFilter: ["value"] });
}

// Whoever asks during a run that ends early is not heard; frames may also take a while.
function ask(player, tries) {
  const { about } = player;
  player.asked = tries ? about : null; // whoever reaches for the slider later asks anew
  if (player.frames || !tries) return;
  whenQuiet(() => player.about === about && player.ask(about));
  setTimeout(() => player.about === about && ask(player, tries - 1), AGAIN);
}

// The first frame takes longer than others: it shows what is there already, before anything moves.
function start(player) {
  const isThere = player.input?.value === player.shown; // else the reader is further by now
  const frame = isThere && player.frames?.values[player.shown];
  if (frame) player.drawn = show(frame);
}

// At most one frame for each picture of the screen: the newest.
function follow(player) {
  if (player.waits || !player.isAhead || !player.frames) return;
  player.waits = requestAnimationFrame(() => {
    player.waits = null;
    const frame = player.frames?.values[player.input.value];
    if (!frame || player.shown === player.input.value) return;
    player.shown = player.input.value;
    player.drawn = show(frame);
  });
}

const end = (frame) => {
  for (const name of Object.keys(frame?.figures ?? {})) page.hosts?.get(name)?.(null);
};

// Returns when all figures have been drawn.
function show({ figures, texts }) {
  const drawn = Object.entries(figures).map(([name, figure]) => page.hosts?.get(name)?.(figure));
  for (const [where, pieces] of Object.entries(texts)) {
    const places = document.querySelectorAll(`[data-testid="stMain"] ${where}`);
    pieces.forEach((html, i) => places[i] && (places[i].outerHTML = html));
  }
  return Promise.all(drawn);
}
