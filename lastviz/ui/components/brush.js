// Between the pictures and the script: what is brushed here is told; what the script has (from a
// link, from the keyboard, after other data) is shown.

const told = []; // what was told and has not come back yet
let given = null;

export default function ({ data, setTriggerValue }) {
  brush.tell = (rows) => {
    told.push(rows.join());
    setTriggerValue("rows", { rows });
  };
  let hasAsked = data.reached;
  brush.reach = () => {
    if (!hasAsked) setTriggerValue("reached", true);
    hasAsked = true;
  };
  if (brush.isOn || brush.wanted) brush.reach(); // before we were here, or on another server
  const rows = [...numbers(data.rows)];
  const text = rows.join();
  const isEarly = given === null && !rows.length && brush.rows.size > 0; // before we were here
  const known = told.indexOf(text);
  if (isEarly) brush.tell([...brush.rows].sort((a, b) => a - b));
  else if (known >= 0) told.splice(0, known + 1);
  else if (text !== given) {
    told.length = 0;
    setBrush(rows, false);
  }
  given = text;
}

function numbers({ dtype, bdata }) {
  const types = { f4: Float32Array, i4: Int32Array, i2: Int16Array, i1: Int8Array };
  return new types[dtype](Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0)).buffer);
}

// Shift held over a picture: a lasso will follow.
document.addEventListener("keydown", ({ key }) => {
  if (key === "Shift" && document.querySelector(".lv-frame:hover, .lv-frame:focus")) brush.reach?.();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  if (event.target.closest?.("input, textarea, select, [role=dialog], [role=listbox]")) return;
  if (brush.isOn) turnBrush(false);
  if (brush.rows.size) setBrush([]);
});
