// What components that draw by themselves are made of: elements, words, and marks of classes.

const NS = "http://www.w3.org/2000/svg";

const said = (text, values) => text.replace(/{(\w+)}/g, (all, name) => values[name] ?? all);
const plain = (value) => String(Number(value.toPrecision(3)));
const safe = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function el(name, about = {}, ...inside) {
  const isDrawn = ["svg", "g", "path", "rect", "line", "circle", "text"].includes(name);
  const made = isDrawn ? document.createElementNS(NS, name) : document.createElement(name);
  for (const [key, value] of Object.entries(about)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) made[key] = value;
    else if (key === "html") made.innerHTML = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...inside);
  return made;
}

const shape = (k, x, y, r) => [
  `M${x - r},${y}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0z`,
  `M${x - r},${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  `M${x},${y - 1.3 * r}l${1.3 * r},${1.3 * r}l${-1.3 * r},${1.3 * r}l${-1.3 * r},${-1.3 * r}z`,
  `M${x},${y - 1.2 * r}l${1.2 * r},${2.2 * r}h${-2.4 * r}z`,
][k % 4];
