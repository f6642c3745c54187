// On a stage: how long it has lasted, a blank screen by one key, notes for who speaks by another.

const [BLANK, IDLE] = ["lv-blank", "lv-idle"];
const REST = 2000; // milliseconds until a pointer that rests is not seen
let leave; // takes away what the last call listens with: there is one stage
let shown; // which scene, so that each begins at its top

export default function ({ parentElement, data }) {
  const find = (name) => parentElement.querySelector(`.lv-stage-${name}`);
  const began = performance.now() - 1000 * data.elapsed;
  const timer = find("timer");
  const notes = find("notes");
  timer.title = data.words.timer;
  notes.textContent = data.notes;
  if (!data.notes) notes.hidden = true;

  let idle;
  const rested = () => {
    document.documentElement.classList.remove(IDLE);
    clearTimeout(idle);
    idle = setTimeout(() => document.documentElement.classList.add(IDLE), REST);
  };
  rested();

  if (shown !== data.slide) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  shown = data.slide;

  const tick = () => {
    const seconds = Math.floor((performance.now() - began) / 1000);
    timer.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  tick();
  const clock = setInterval(tick, 1000);

  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    step(event);
    const key = event.key.toLowerCase();
    if (key === "b") document.documentElement.classList.toggle(BLANK);
    if (key === "n" && data.notes) notes.hidden = !notes.hidden;
  };
  leave?.();
  document.addEventListener("keydown", pressed);
  document.addEventListener("pointermove", rested);
  const own = () => {
    clearInterval(clock);
    clearTimeout(idle);
    document.removeEventListener("keydown", pressed);
    document.removeEventListener("pointermove", rested);
  };
  leave = own;
  return () => {
    own();
    document.documentElement.classList.remove(BLANK, IDLE);
  };
}

const STEPS = { ArrowLeft: "ArrowLeft", ArrowRight: "ArrowRight", " ": "ArrowRight" };

// The steps of a growth are gone through from anywhere on the page, not from its player alone.
function step(event) {
  const growth = document.querySelector(".lv-growth");
  if (!growth || growth.contains(event.target) || !(event.key in STEPS)) return;
  if (event.target.matches?.("[role=slider], [role=radio], [role=tab], input, button")) return;
  growth.dispatchEvent(new KeyboardEvent("keydown", { key: STEPS[event.key], cancelable: true }));
  event.preventDefault();
}

function isTyping(place) {
  return place instanceof Element && place.matches("input:not([type=range]), textarea, select, [contenteditable=true]");
}
