// Tells the visitor's token: 64 random digits in this browser's storage.

const NAME = "lastviz-visitor";

export default function ({ data, setStateValue }) {
  if (!data.asked) return;
  const token = kept() || (data.new && made()) || (data.needed || data.new ? "none" : "");
  if (token) whenQuiet(() => setStateValue("token", token));
}

function kept() {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null; // the browser does not let us
  }
}

function made() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const token = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    localStorage.setItem(NAME, token);
    return token;
  } catch {
    return null;
  }
}
