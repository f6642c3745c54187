// A login leads away and back to the first page: this window remembers which one was asked for.

const NAME = "lastviz-came-for";

export default function ({ data }) {
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
