// The figure as a table.

const MOST_ROWS = 1000; // of a table: more would be slow, and nobody reads them
const READ_LINES = ["curve", "cost"]; // their corners are what was measured
// Marks around what has a row of its own.
const AROUND = ["ring", "halo", "edge", "wrong", "highlighted", "leader", "stem", "selected", "picked", "legend"];

function toggleTable(host) {
  host.table.hidden = !host.table.hidden;
  const button = host.tools.querySelector('[data-tool="table"]');
  button.setAttribute("aria-pressed", String(!host.table.hidden));
  if (host.table.hidden) return;
  if (host.ready) fillTable(host); // else it is filled once the figure is drawn
  host.table.focus();
}

// The words of all areas, then the numbers of all marks, as they are drawn.
function fillTable(host) {
  const { words } = host;
  const texts = host.hits.map((hit) => textOf(host, hit)).filter(Boolean);
  const areas = texts.map((text) => [lines(text).join("; ")]);
  const marks = host.gd._fullData.flatMap((trace) => marksOf(host, trace).map(({ cells }) => cells));
  const parts = [[[words.area], areas], [[words.series, words.across, words.up, words.about], marks]];
  const tables = parts.filter(([, rows]) => rows.length).map(([head, rows]) => tableOf(head, rows, words));
  host.table.replaceChildren(...(tables.length ? tables : [words.nothing]));
}

const wordsOf = (text) => marked(String(text ?? "")).map((node) => node.textContent).join(" ").trim();
const lines = (text) => String(text).split(/<br ?\/?>/).map(wordsOf).filter(Boolean);

// What plots call their own marks is said in the reader's language; names of data stay.
const seriesOf = ({ words }, { name, meta }) => wordsOf(words.marks[`${meta?.role}/${name}`] ?? name);

// The marks of a trace that stand for something: which they are, and what is said of each.
function marksOf(host, trace) {
  const { x, y, z, meta } = trace;
  const isRead = trace.type === "bar" || READ_LINES.includes(meta?.role) || /markers/.test(trace.mode ?? "");
  if (!x?.length || !y?.length || z || !isRead || AROUND.includes(meta?.role)) return [];
  const layout = host.gd._fullLayout;
  const axis = (id) => layout[id.replace(/^([xy])(\d*)$/, "$1axis$2")];
  const [across, up] = [axis(trace.xaxis ?? "x"), axis(trace.yaxis ?? "y")];
  // Of a column as the pointer reads it: with the digits that the hover text asks for.
  const told = (letter, value) => {
    const places = new RegExp(`%\\{${letter}:\\.(\\d+)~f\\}`).exec(trace.hovertemplate ?? "")?.[1];
    return Number(places ? value.toFixed(places) : value.toPrecision(6)).toString();
  };
  const named = (letter, { _input: { title }, visible }, value) => {
    if (visible === false) return ""; // a layout, not a scale
    const name = wordsOf(title?.text ?? title); // Plotly's own would ask for a click
    const text = typeof value === "number" ? told(letter, value) : String(value);
    return name ? `${name} ${text}` : text;
  };
  const about = (i) => lines([trace.text, trace.hovertext].flat().length > 2
    ? (trace.hovertext?.[i] ?? trace.text?.[i] ?? "") : "").join("; ");
  const rows = BRUSHED.includes(meta?.role) && brush.rows.size ? trace.customdata : null;
  const brushed = (i) => (rows && brush.rows.has((rows[i]?.[0] ?? rows[i]) - 1) ? host.words.lit : "");
  return Array.from(x, (_, i) => i)
    .filter((i) => x[i] != null && y[i] != null && !Number.isNaN(x[i]) && !Number.isNaN(y[i]))
    .map((i) => ({
      i,
      cells: [seriesOf(host, trace), named("x", across, x[i]), named("y", up, y[i]), [about(i), brushed(i)].filter(Boolean).join("; ")],
    }))
    .filter(({ cells: [, ...about] }) => about.some(Boolean))
    .map(({ i, cells }) => ({ i, cells, words: cells.filter(Boolean) }));
}

function tableOf(head, rows, words) {
  const table = document.createElement("table");
  const cells = (tag, texts) => {
    const row = document.createElement("tr");
    row.append(...texts.map((text) => Object.assign(document.createElement(tag), { textContent: text })));
    return row;
  };
  table.append(cells("th", head), ...rows.slice(0, MOST_ROWS).map((row) => cells("td", row)));
  const left = rows.length - MOST_ROWS;
  if (left > 0) table.createCaption().textContent = words.more.replace("{n}", left);
  return table;
}
