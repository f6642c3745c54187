// What the pointer reads over a node, from the pieces of lastviz/ui/shared/node_card.py.

const textOf = (host, { text, node }) => text || (host.texts ? composed(host.texts, node) : "");

// What is said of a node: its class, its rule, its rows, its test. The rule is written along the
// way down from the root: each test narrows a condition of its parent's or adds one.
function composed(texts, node) {
  const { parent, words } = texts;
  const i = texts.node.indexOf(node);
  if (i < 0) return "";
  const way = [];
  for (let k = i; k > 0; k = parent[k]) way.unshift(k); // the root is the first
  const { rule, lines, next } = (texts.tests ? fromTests : fromSteps)(texts, i, way);
  const name = texts.titles[texts.title[i]];
  const n = texts.number?.[i];
  return [
    `<b>${n ? filled(words.number, { n: number(n), name }) : name}</b>`,
    ...(rule.length ? [rule.join(`<br>${words.and} `)] : []),
    ...lines,
    ...(next ? [filled(words.next, { test: next })] : []),
  ].join("<br>");
}

const filled = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function unpackedTexts({ node, parent, title, number, tests, supports, ...rest }) {
  const all = (columns) => Object.fromEntries(Object.entries(columns).map(([k, v]) => [k, v && decoded(v)]));
  const texts = { ...rest, ...all({ node, parent, title, number }), supports: supports && all(supports) };
  if (!tests) return texts;
  const flat = decoded(tests.counts);
  const { length } = rest.titles;
  const counts = Array.from(texts.node, (_, i) => Array.from(flat.subarray(i * length, (i + 1) * length)));
  const feature = decoded(tests.feature);
  const left = tests.threshold.values(); // those of the nodes that have a test
  const threshold = Array.from(feature, (f) => (f < 0 ? 0 : left.next().value));
  return { ...texts, tests: { ...tests, counts, threshold, feature, branch: decoded(tests.branch) } };
}

function fromSteps(texts, i, way) {
  const { steps } = texts;
  const rule = [];
  for (const k of way) rule[steps.place[k]] = steps.condition[k];
  return { rule, lines: steps.lines?.[i] ?? [held(steps.rows[i], steps.counts[i], texts)], next: steps.next[i] };
}

const held = (rows, counts, { titles, words }) =>
  `${rows}: ${counts.map(([k, n]) => `${titles[k] ?? words.others} ${n}`).join(", ")}`;

function fromTests(texts, i, way) {
  const { tests, parent } = texts;
  const ends = new Map(); // feature -> [low, high], in the order of first use
  for (const k of way) {
    const { [parent[k]]: feature } = tests.feature;
    const [low, high] = ends.get(feature) ?? [null, null];
    const { [parent[k]]: threshold } = tests.threshold;
    ends.set(feature, tests.branch[k] ? [threshold, high] : [low, threshold]);
  }
  const interval = (name, low, high) =>
    low === null ? `${name} ≤ ${high}`
      : high === null ? `${name} &gt; ${low}` : `${low} &lt; ${name} ≤ ${high}`;
  const feature = tests.feature[i];
  return {
    rule: [...ends].map(([f, [low, high]]) => interval(tests.names[f], low, high)),
    lines: (texts.supports ? supportLines : rowLines)(texts, i),
    next: feature < 0 ? "" : interval(tests.names[feature], null, tests.threshold[i]),
  };
}

// The rows of a node, all of them and those of the classes it has most of; -1 are the others.
function rowsOfNode({ tests, words, most }, i) {
  const some = tests.counts[i].map((n, k) => [k, n]).filter(([, n]) => n > 0);
  const n = some.reduce((sum, [, count]) => sum + count, 0);
  const rows = filled(n === 1 ? words.row : words.rows, { n: number(n) });
  const top = some.sort((a, b) => b[1] - a[1]).slice(0, most);
  const others = top.reduce((left, [, count]) => left - count, n);
  return { n, rows, top: others ? [...top, [-1, others]] : top };
}

function rowLines(texts, i) {
  const { rows, top } = rowsOfNode(texts, i);
  return [held(rows, top.map(([k, count]) => [k, number(count)]), texts)];
}

function supportLines(texts, i) {
  const { words, supports, titles } = texts;
  const { n, rows, top } = rowsOfNode(texts, i);
  const percent = (share) => (100 * (1 + 1e-12) * share).toFixed(1); // as HUNDRED of lastviz/_sentences.py
  const lines = [
    filled(words.share, { rows, share: percent(n / rowsOfNode(texts, 0).n) }),
    top.map(([k, count]) => `${titles[k] ?? words.others} ${percent(count / n)} %`).join(", "),
  ];
  if (!supports.held_out) return lines;
  const [kept, right] = [supports.held_out[i], supports.right[i]].map(number);
  return [...lines, supports.held_out[i] ? filled(words.right, { right, rows: kept }) : words.nobody];
}

// As `number` of lastviz/plots/visuals/words.py writes counts.
const number = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
