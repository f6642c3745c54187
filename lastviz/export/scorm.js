// Questions that the page itself judges, and what a learning platform is told (SCORM 1.2).
// Answers are kept by the platform, so that a page opened again goes on where it was.

const BEGAN = Date.now();
const boxes = [...document.querySelectorAll("[data-ask]")].map((box) => ({ box, ask: JSON.parse(box.dataset.ask) }));
const answers = boxes.map(() => null);
const seen_sections = new Set();
const platform = found(window) ?? (window.opener ? found(window.opener) : null);

function found(from) {
  for (let here = from, n = 0; n < 8; here = here.parent, n++) {
    try { if (here.API) return here.API; }
    catch { return null; } // a window of another site
    if (here.parent === here) return null;
  }
  return null;
}

// ---------------------------------------------------------------- what is right

function isRight({ kind, right }, answer) {
  if (kind === "choice" || answer === "none" || !right) return answer === (right ?? "none");
  const [feature, threshold] = answer.split("_").map(Number);
  return feature === right[0] && right[1] <= threshold && threshold < right[2];
}

function take(i, answer) {
  const { box, ask } = boxes[i];
  answers[i] = answer;
  const isGood = isRight(ask, answer);
  box.querySelector("fieldset").disabled = true;
  const status = box.querySelector(".verdict");
  status.innerHTML = ask.reveals[answer] ?? ask.reveals[""];
  status.prepend(Object.assign(document.createElement("b"), { textContent: isGood ? ask.words[0] : ask.words[1] }));
  const section = box.closest("section");
  ready.then(() => section.live && stopAt(section.live, section.live.stops[1]));
}

function listen({ box, ask }, i) {
  const [range, feature] = [box.querySelector("input[type=range]"), box.querySelector("select")];
  const bound = () => {
    const [low, high, step] = ask.ranges[Number(feature?.value ?? 0)];
    Object.assign(range, { min: low, max: high, step });
    range.value = (low + high) / 2;
    say();
  };
  const say = () => { box.querySelector("output").textContent = Number(Number(range.value).toPrecision(4)); };
  if (range) {
    feature?.addEventListener("change", bound);
    range.addEventListener("input", say);
    bound();
  }
  box.addEventListener("click", ({ target }) => {
    const { answer } = target.closest("button")?.dataset ?? {};
    if (answer === undefined || answers[i] !== null) return;
    take(i, answer === "threshold" ? `${feature?.value ?? 0}_${range.value}` : answer);
    report();
  });
}

// ---------------------------------------------------------------- what the platform is told

const set = (name, value) => platform.LMSSetValue(`cmi.${name}`, String(value));
const isOver = () => (boxes.length ? answers.every((answer) => answer !== null) : seen_sections.size === sections.length);

function report() {
  const right = boxes.filter(({ ask }, i) => answers[i] !== null && isRight(ask, answers[i])).length;
  for (const note of isOver() ? document.querySelectorAll("[data-score]") : []) {
    note.textContent = note.dataset.score.replace("{n}", right).replace("{all}", boxes.length);
    note.hidden = false;
  }
  if (!platform) return;
  if (boxes.length) {
    set("core.score.min", 0);
    set("core.score.max", 100);
    set("core.score.raw", Math.round((10000 * right) / boxes.length) / 100);
  }
  set("core.lesson_status", isOver() ? "completed" : "incomplete");
  set("core.lesson_location", at + 1);
  set("suspend_data", JSON.stringify({ answers, seen: [...seen_sections] }));
  platform.LMSCommit("");
}

function leave() {
  if (!platform) return;
  report();
  const seconds = Math.round((Date.now() - BEGAN) / 1000);
  const two = (n) => String(n).padStart(2, "0");
  set("core.session_time", `${String(Math.floor(seconds / 3600)).padStart(4, "0")}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`);
  set("core.exit", isOver() ? "" : "suspend");
  platform.LMSFinish("");
}

function beginLesson() {
  boxes.forEach(listen);
  document.querySelectorAll("[data-alone]").forEach((note) => (note.hidden = Boolean(platform)));
  if (platform) {
    platform.LMSInitialize("");
    let before = {};
    try { before = JSON.parse(platform.LMSGetValue("cmi.suspend_data") || "{}"); }
    catch { /* what is kept there is not of this page */ }
    (before.answers ?? []).forEach((answer, i) => answer !== null && boxes[i] && take(i, answer));
    (before.seen ?? []).forEach((n) => seen_sections.add(n));
    show(Number(platform.LMSGetValue("cmi.core.lesson_location") || 1) - 1, { focus: false });
  }
  new MutationObserver(() => {
    seen_sections.add(at);
    report();
  }).observe(root, { attributes: true, attributeFilter: ["data-shown"] });
  addEventListener("pagehide", leave, { once: true });
}

beginLesson();
