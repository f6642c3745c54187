// A login leads away and back to the first page: this window remembers which one was asked for.
// Who has logged out in one window is out in all of them: the others load anew.

const NAME = "lastviz-came-for";
const windows = new BroadcastChannel(NAME);

export default function ({ data }) {
  windows.onmessage = data.remember ? null : () => location.reload();
  if (data.remember) windows.postMessage("out");
  try {
    if (data.remember) sessionStorage.setItem(NAME, location.href);
    else go(sessionStorage.getItem(NAME));
  } catch {
    // Where nothing is remembered the first page is as good as any.
  }
}

function go(address) {
  sessionStorage.removeItem(NAME);
  if (address && address !== location.href && new URL(address).origin === location.origin) {
    location.replace(address);
  }
}
