// What leaves a figure by its menu: a slide with its words around it.

// ---------------------------------------------------------------- the menu of what leaves

const menuOf = (host) => host.tools.querySelector(".lv-menu");
const itemsOf = (host) => [...menuOf(host).querySelectorAll("button")];

function toggleMenu(host) {
  if (!menuOf(host).hidden) return closeMenu(host, true);
  menuOf(host).hidden = false;
  host.opener.setAttribute("aria-expanded", "true");
  markBack(host);
  itemsOf(host)[0].focus();
  host.menuWatch = new AbortController();
  const { signal } = host.menuWatch;
  const outside = ({ target }) => host.tools.contains(target) || closeMenu(host);
  for (const type of ["pointerdown", "focusin"]) document.addEventListener(type, outside, { signal });
}

function closeMenu(host, back = false) {
  menuOf(host).hidden = true;
  host.opener.setAttribute("aria-expanded", "false");
  host.menuWatch?.abort();
  if (back) host.opener.focus();
}

function onMenuKey(host, event) {
  const items = itemsOf(host);
  const at = items.indexOf(document.activeElement);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 };
  if (event.key === "Escape") closeMenu(host, true);
  else if (event.key in to) items[to[event.key] % items.length].focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// One background for all figures of the page: the next slide of a talk looks like the last.
function chooseBack(host, button) {
  page.back = button.dataset.back;
  markBack(host);
}

function markBack(host) {
  for (const item of host.tools.querySelectorAll("[data-back]"))
    item.setAttribute("aria-checked", String(item.dataset.back === (page.back ?? "white")));
}

function setUpTools(host, words) {
  host.opener = host.tools.querySelector('[data-tool="menu"]');
  for (const tool of host.tools.querySelectorAll("[data-tool]")) {
    const word = words[tool.dataset.back ?? tool.dataset.tool];
    if (menuOf(host).contains(tool)) tool.textContent = word;
    else tool.title = word, tool.setAttribute("aria-label", word);
  }
  const see = host.tools.querySelector(".lv-see");
  Object.assign(see, { hidden: !words.scene, textContent: words.see, href: `${location.pathname}?${words.scene}` });
  menuOf(host).setAttribute("aria-label", words.menu);
  menuOf(host).querySelector(".lv-menu-title").textContent = words.back;
}

// ---------------------------------------------------------------- what is done with a slide

async function leave(host, tool) {
  const { words } = host;
  tellState(host, "");
  try {
    if (tool === "print") return printSlide(await slide(host, "white"));
    const drawn = slide(host, page.back ?? "white");
    const blob = tool === "png" ? await rastered(await drawn) : new Blob([await drawn], { type: SVG_TYPE });
    saveBlob(blob, fileName(host, tool));
  } catch (error) {
    tellState(host, words.failed);
    console.warn(error);
  }
}

function tellState(host, text) {
  const place = host.tools.querySelector('[role="status"]');
  place.textContent = text;
  if (text) setTimeout(() => place.textContent === text && (place.textContent = ""), 6000);
}

// A page of its own inside this one, which the browser prints: as PDF, too.
function printSlide(text) {
  const frame = document.createElement("iframe");
  frame.style.cssText = "position: fixed; left: -9999px; width: 1280px; height: 720px; border: 0";
  frame.setAttribute("aria-hidden", "true");
  frame.className = "lv-print";
  document.body.append(frame);
  const inside = frame.contentDocument;
  const style = inside.createElement("style");
  style.textContent = `@page { size: 338.7mm 190.5mm; margin: 0 } body { margin: 0 }
    svg { display: block; width: 100vw; height: auto }`;
  inside.head.append(style);
  const drawing = new DOMParser().parseFromString(text, SVG_TYPE).documentElement;
  inside.body.append(inside.adoptNode(drawing));
  inside.title = document.title;
  frame.contentWindow.addEventListener("afterprint", () => setTimeout(() => frame.remove(), 0));
  frame.contentWindow.focus();
  frame.contentWindow.print();
}

const slug = (text) =>
  text.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").toLowerCase().slice(0, 60);

// What it is about comes first: data, model, picture.
function fileName(host, format) {
  const { data, model } = wordsAround(host);
  return [data, model, host.filename].map(slug).filter(Boolean).join("-") + "." + format;
}

function saveBlob(blob, filename) {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: filename }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
