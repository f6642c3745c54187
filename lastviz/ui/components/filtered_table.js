// A table that is filtered and sorted here. Streamlit calls the default export after each run.

const tables = new WeakMap();

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-filtered");
  if (!tables.has(root)) tables.set(root, { root, told: [], by: null, rising: true });
  const table = tables.get(root);
  table.tell = setTriggerValue;
  take(table, JSON.parse(unzipped(data)));
  return () => tables.delete(root);
}

function take(table, given) {
  Object.assign(table, given);
  // What comes back is mostly what was told before: the reader may have chosen another since.
  const known = table.told.indexOf(table.chosen);
  if (known >= 0) table.told.splice(0, known + 1);
  else table.told.length = 0;
  if (table.told.length) table.chosen = table.told.at(-1);
  if (!table.root.firstChild) build(table);
  fill(table);
}

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

function build(table) {
  table.select = make("select");
  table.caption = make("p", { role: "status" });
  table.grid = make("table", { role: "grid" });
  table.root.append(
    make("label", {}, table.words.class, table.select), table.caption, make("div", {}, table.grid),
  );
  table.select.onchange = () => {
    table.chosen = table.select.value === "" ? null : Number(table.select.value);
    table.told.push(table.chosen);
    show(table);
    table.tell("only", { class: table.chosen });
  };
  table.grid.onclick = ({ target }) => {
    const row = target.closest("tbody tr");
    if (row) pick(table, row);
  };
  table.grid.onkeydown = (event) => move(table, event);
}

function fill(table) {
  const { select, grid, titles, words, columns, ids } = table;
  select.replaceChildren(
    make("option", { value: "", textContent: words.all }),
    ...titles.map((title, k) => make("option", { value: String(k), textContent: title })),
  );
  grid.setAttribute("aria-label", table.label);
  const heads = columns.map((column, j) => head(table, column, j));
  table.rows = ids.map((id, i) => {
    const row = make("tr", {}, ...columns.map((column) => cell(column, column.values[i])));
    row.dataset.id = id;
    row.setAttribute("aria-selected", String(id === table.selected));
    return row;
  });
  table.body = make("tbody");
  grid.replaceChildren(make("thead", {}, make("tr", {}, ...heads)), table.body);
  if (table.by !== null && table.by >= columns.length) table.by = null;
  show(table);
}

function head(table, { title, kind }, j) {
  const button = make("button", {
    type: "button",
    textContent: title,
    title: table.words.sort.replace("{title}", title),
  });
  button.onclick = () => {
    [table.by, table.rising] = table.by === j ? [j, !table.rising] : [j, !isNumber(kind)];
    show(table);
  };
  return make("th", { scope: "col", className: isNumber(kind) ? "lv-number" : "" }, button);
}

const isNumber = (kind) => kind === "number" || kind === "percent";

function cell({ kind }, value) {
  const className = isNumber(kind) ? "lv-number" : kind === "words" ? "lv-words" : "";
  return make("td", { className, textContent: words(kind, value) });
}

function words(kind, value) {
  if (value === null) return "";
  if (kind === "percent") return `${value.toFixed(1)} %`;
  return kind === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value);
}

// The rows of the class, in the order that the reader asked for; else in the script's.
function show(table) {
  const { rows, body, chosen, classes, columns, by, rising, grid } = table;
  table.select.value = chosen === null ? "" : String(chosen);
  table.caption.textContent = table.captions[chosen === null ? 0 : chosen + 1];
  let order = rows.map((_, i) => i).filter((i) => chosen === null || classes[i] === chosen);
  if (by !== null) {
    const { values } = columns[by];
    order = order.sort((i, j) => compared(values[i], values[j], rising));
  }
  body.replaceChildren(...order.map((i) => rows[i]));
  rows.forEach((row) => (row.tabIndex = -1));
  const first = order.find((i) => rows[i].getAttribute("aria-selected") === "true") ?? order[0];
  if (first !== undefined) rows[first].tabIndex = 0;
  for (const [j, th] of [...grid.querySelectorAll("th")].entries()) {
    th.setAttribute("aria-sort", j !== by ? "none" : rising ? "ascending" : "descending");
  }
}

function compared(a, b, rising) {
  if (a === null || b === null) return (a === null) - (b === null);
  const order = typeof a === "number" ? a - b : String(a).localeCompare(String(b));
  return rising ? order : -order;
}

function pick(table, row) {
  for (const other of table.rows) other.setAttribute("aria-selected", String(other === row));
  table.tell("row", { id: Number(row.dataset.id) });
}

function move(table, event) {
  const row = event.target.closest("tbody tr");
  if (!row) return;
  const next = { ArrowDown: row.nextSibling, ArrowUp: row.previousSibling }[event.key];
  if (next) {
    [row.tabIndex, next.tabIndex] = [-1, 0];
    next.focus();
  } else if (event.key === "Enter" || event.key === " ") pick(table, row);
  else return;
  event.preventDefault();
}
