// Tells the visitor's token: 64 random digits in this browser's storage. Takes out of the address
// what is not to stay there. While the server waits for the token the page is marked: until then it
// has stored nothing, and what was handed in would go with this window.

const NAME = "lastviz-visitor";
const LESSONS = "lastviz-lessons"; // as lessons_watch.js calls it
const NONE = "none";
const AWAITED = "data-lv-visitor-awaited";
const IN_WINDOW = new RegExp(`^${NAME}:([0-9a-f]{64})$`);

export default function ({ data, setStateValue }) {
  drop(data.drop);
  if (data.forget) forget();
  const token = data.asked && (kept() || (data.new && made()) || (data.needed || data.new ? NONE : ""));
  document.documentElement.toggleAttribute(AWAITED, Boolean(token) && token !== NONE);
  if (token) whenQuiet(() => setStateValue("token", token));
}

function drop(parts) {
  const address = new URL(location.href);
  const stale = Object.entries(parts).filter(([name, [is]]) => address.searchParams.get(name) === is);
  if (!stale.length) return;
  for (const [name, [, becomes]] of stale) {
    if (becomes) address.searchParams.set(name, becomes);
    else address.searchParams.delete(name);
  }
  history.replaceState(history.state, "", address);
}

function kept() {
  try {
    const token = localStorage.getItem(NAME);
    if (token) return token;
  } catch {
    // The browser does not let us: the window may.
  }
  return IN_WINDOW.exec(window.name)?.[1] ?? null;
}

function forget() {
  if (IN_WINDOW.test(window.name)) window.name = "";
  try {
    localStorage.removeItem(NAME);
    localStorage.removeItem(LESSONS);
  } catch {
    // Then it has kept none either.
  }
}

function made() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    localStorage.setItem(NAME, token);
    return token;
  } catch {
    // A window keeps its name when its page is loaded again; other sites do not get to see it.
    if (window.name) return null;
    window.name = `${NAME}:${token}`;
    return token;
  }
}
