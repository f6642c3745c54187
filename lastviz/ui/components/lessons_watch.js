// The lessons of the course that were gone through in this browser, in its storage.

const NAME = "lastviz-lessons";

export default function ({ data, setStateValue }) {
  const before = kept(), all = [...new Set([...before, ...data.done])].sort();
  if (all.length > before.length) keep(all);
  if (all.length > data.done.length) whenQuiet(() => setStateValue("done", all));
}

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // then the session alone knows
  }
}

function keep(all) {
  try {
    localStorage.setItem(NAME, JSON.stringify(all));
  } catch {
    // A browser that keeps nothing begins the course anew next time.
  }
}
