// What the browser tells by itself goes with the values of all widgets: they must be those of the run
// that has just been drawn, or the one before would seem to be chosen again.
function whenQuiet(go) {
  const quiet = document.querySelector('[data-test-script-state="notRunning"]');
  setTimeout(() => (quiet ? go() : whenQuiet(go)), 60);
}
