// What the browser tells by itself goes with the values of all widgets: they must be those of the run
// that has just been drawn, or the one before would seem to be chosen again. Back and forward ask for
// a run that takes a moment to begin; until then the page looks quiet.
const MOMENT = 1000; // milliseconds
let travelled = -MOMENT;
addEventListener("popstate", () => (travelled = performance.now()));

const isQuiet = () =>
  document.querySelector('[data-test-script-state="notRunning"]') !== null &&
  performance.now() - travelled > MOMENT;

function whenQuiet(go) {
  const before = isQuiet();
  setTimeout(() => (before && isQuiet() ? go() : whenQuiet(go)), 60);
}
