// Separability: a matrix of numbers in greys, and beside each row the bar of its smallest entry.

const CLASS_SHAPES = {
  circle: "M8 2.5a5.5 5.5 0 1 0 .01 0z", square: "M3 3h10v10H3z", diamond: "M8 1.5 14.5 8 8 14.5 1.5 8z",
  cross: "M6 2h4v4h4v4h-4v4H6v-4H2V6h4z", "triangle-up": "M8 2 14.5 13.5h-13z", "triangle-down": "M8 14 1.5 2.5h13z",
  x: "M5 2.2 8 5.2l3-3L13.8 5l-3 3 3 3-2.8 2.8-3-3-3 3L2.2 11l3-3-3-3z",
  star: "m8 1 2 4.9 5.2.3-4 3.3 1.3 5.1L8 11.8l-4.5 2.8 1.3-5.1-4-3.3 5.2-.3z",
};

function classMark({ colours, names }, c, live) {
  const shape = CLASS_SHAPES[colours.symbol[c]] ?? CLASS_SHAPES.circle;
  const fill = live ? colours.hue[c] : colours.grey3;
  const drawing = svgElement("svg", { viewBox: "0 0 16 16", width: 15, height: 15, role: "img" },
    [svgElement("title", {}, [names[c]]), svgElement("path", { d: shape, fill })]);
  return drawing;
}

function drawMatrix(player) {
  const { matrix: box, machine, story } = player;
  if (!machine) return box.replaceChildren();
  const { words } = story;
  const head = element("tr", "", {}, element("td"), ...machine.classes.map((c, j) =>
    element("th", "", { scope: "col" }, classMark(story, c, machine.live[j]))));
  const rows = machine.classes.map((c, i) => matrixRow(story, machine, c, i));
  const table = element("table", machine.isRoomy ? "" : "lvg-small", { "aria-label": words.matrix },
    element("thead", "", {}, head), element("tbody", "", {}, ...rows));
  table.style.setProperty("--classes", machine.classes.length);
  const hidden = machine.hidden ? [element("p", "lvg-tie", {}, words.hidden.replace("{n}", machine.hidden))] : [];
  box.replaceChildren(
    element("h3", "", {}, words.matrix), element("p", "", {}, words.about),
    element("div", "lvg-scroll", {}, table), ...hidden,
    htmlIn(element("div", "lvg-formula"), machine.formula));
}

function matrixRow(story, machine, c, i) {
  const { live, pair, nearest, leaves, sm, bars, shades } = machine;
  const cells = machine.cells[i].map((text, j) => {
    const decides = pair[0] === i && pair[1] === j;
    const masked = !live[i] || !live[j];
    const name = i === j ? "lvg-none" : masked ? "lvg-masked" : decides ? "lvg-decides" : nearest[i] === j ? "lvg-nearest" : "";
    const cell = element("td", name, {}, text);
    cell.style.setProperty("--shade", `${Math.round(12 + 70 * shades[i][j])}%`);
    return cell;
  });
  const leaving = leaves.includes(i);
  const bar = element("i");
  bar.style.setProperty("--share", bars[i].toFixed(3));
  const value = live[i] ? [bar, element("span", "", {}, sm[i])] : [element("span", "lvg-peeled", {}, story.words.peeled)];
  return element("tr", leaving ? "lvg-leaves" : "", { "data-class": c },
    element("th", "", { scope: "row" }, classMark(story, c, live[i])), ...cells,
    element("td", "lvg-bar", {}, ...value));
}
