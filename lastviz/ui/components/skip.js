// One key goes to the next picture of a page, with Shift to the one before; round and round.

const PICTURES = ".lv-frame, .lv-growth, .lv-paint-canvas";

(window.lastviz ??= { plotly: null, groups: new Map() }).skips ??= document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "c" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input:not([type=range]), textarea, select, [contenteditable=true]")) return;
  const pictures = [...document.querySelectorAll(PICTURES)].filter((one) => one.checkVisibility());
  if (!pictures.length) return;
  const here = pictures.findIndex((one) => one.contains(document.activeElement));
  const step = event.shiftKey ? -1 : 1;
  const next = here < 0 ? (step > 0 ? 0 : -1) : (here + step) % pictures.length;
  pictures.at(next).focus();
}) ?? true;
