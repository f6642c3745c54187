// What the pointer reads over a node, from the pieces of lastviz/ui/shared/node_texts.py.

const textOf = (host, { text, node }) => text || (host.texts ? composed(host.texts, node) : "");

// What is said of a node: its class, its rule, its rows, its test. The rule is written along the
// way down from the root: each test narrows a condition of its parent's or adds one.
function composed(texts, node) {
  const { parent, words } = texts;
  const i = texts.node.indexOf(node);
  if (i < 0) return "";
  const way = [];
  for (let k = i; k > 0; k = parent[k]) way.unshift(k); // the root is the first
  const { rule, rows, counts, next } = (texts.tests ? fromTests : fromSteps)(texts, i, way);
  return [
    `<b>${texts.titles[texts.title[i]]}</b>`,
    ...(rule.length ? [rule.join(`<br>${words.and} `)] : []),
    `${rows}: ${counts.map(([k, n]) => `${texts.titles[k]} ${n}`).join(", ")}`,
    ...(next ? [words.next.replace("{test}", () => next)] : []),
  ].join("<br>");
}

function unpackedTexts({ node, parent, title, tests, ...rest }) {
  const columns = { node: decoded(node), parent: decoded(parent), title: decoded(title) };
  if (!tests) return { ...rest, ...columns };
  const flat = decoded(tests.counts);
  const { length } = rest.titles;
  const counts = Array.from(columns.node, (_, i) => Array.from(flat.subarray(i * length, (i + 1) * length)));
  const feature = decoded(tests.feature);
  const left = decoded(tests.threshold).values(); // those of the nodes that have a test
  const threshold = Array.from(feature, (f) => (f < 0 ? 0 : left.next().value));
  return { ...rest, ...columns, tests: { ...tests, counts, threshold, feature, branch: decoded(tests.branch) } };
}

function fromSteps({ steps }, i, way) {
  const rule = [];
  for (const k of way) rule[steps.place[k]] = steps.condition[k];
  return { rule, rows: steps.rows[i], counts: steps.counts[i], next: steps.next[i] };
}

function fromTests({ tests, parent, words, most }, i, way) {
  const ends = new Map(); // feature -> [low, high], in the order of first use
  for (const k of way) {
    const { [parent[k]]: feature } = tests.feature;
    const [low, high] = ends.get(feature) ?? [null, null];
    const { [parent[k]]: threshold } = tests.threshold;
    ends.set(feature, tests.branch[k] ? [threshold, high] : [low, threshold]);
  }
  const interval = (name, low, high) =>
    low === null ? `${name} ≤ ${number(high)}`
      : high === null ? `${name} &gt; ${number(low)}` : `${number(low)} &lt; ${name} ≤ ${number(high)}`;
  const held = tests.counts[i].map((n, k) => [k, n]).filter(([, n]) => n > 0);
  const n = held.reduce((sum, [, count]) => sum + count, 0);
  const feature = tests.feature[i];
  return {
    rule: [...ends].map(([f, [low, high]]) => interval(tests.names[f], low, high)),
    rows: (n === 1 ? words.row : words.rows).replace("{n}", number(n)),
    counts: held.sort((a, b) => b[1] - a[1]).slice(0, most).map(([k, count]) => [k, number(count)]),
    next: feature < 0 ? "" : interval(tests.names[feature], null, tests.threshold[i]),
  };
}

// As `number` of lastviz/plots/visuals/words.py: four significant digits, whole numbers whole.
function number(value) {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size && (size < 1e-4 || size >= 1e9)) {
    const [digits, power] = size.toExponential(3).split("e");
    const raised = Array.from(String(Number(power)), (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
    return `${sign}${Number(digits)}·10${raised.join("")}`;
  }
  const before = size ? Math.floor(Math.log10(size)) + 1 : 1;
  const places = Math.min(Math.max(0, 4 - before), 8);
  const between = Math.floor(size * 10 ** places) + 0.5;
  // Halfway between two numbers Python takes the even one; a half can only be met by a binary part.
  const half = Number.isInteger(size * 2 ** (places + 1)) && size * 10 ** places === between;
  const even = (2 * Math.round((between - 0.5) / 2)) / 10 ** places;
  const [whole, part = ""] = (half ? even : size).toFixed(places).split(".");
  const rest = part.replace(/0+$/, "");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest && "." + rest);
  return text === "0" ? text : sign + text;
}
