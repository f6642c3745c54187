// What moves and is typed on a page without a server: stops of a slider, a row through the tree.
// A stop is what makes the section as it was sent another one, worked out where the page was made.

function enliven(section, { label, at, stops, tree }, words) {
  const flow = section.querySelector(".flow");
  const live = { section, stops, tree, flow, drawn: section.drawn, html: new Map(), cut: new Set(stops[at]?.cut) };
  live.first = flow.innerHTML; // before anything is drawn
  for (const piece of section.querySelectorAll("[data-piece]")) live.html.set(piece.dataset.piece, piece.innerHTML);
  section.live = live;
  if (label && stops.length > 1) section.querySelector(".move").append(slider(live, label, at));
  if (tree) section.querySelector(".rows").append(rowForm(live, words));
}

// ---------------------------------------------------------------- a slider and its stops

function slider(live, text, at) {
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "range", min: 0, max: live.stops.length - 1, step: 1 });
  const shown = document.createElement("output");
  const name = Object.assign(document.createElement("span"), { textContent: text });
  const say = () => {
    shown.textContent = live.stops[input.value].word;
    input.setAttribute("aria-valuetext", shown.textContent);
  };
  input.value = at;
  input.addEventListener("input", () => { say(); stopAt(live, live.stops[input.value]); });
  say();
  label.append(name, input, shown);
  return label;
}

function stopAt(live, { drawn, html, cut, flow }) {
  if (live.other || flow) live.flow.innerHTML = flow ?? live.first;
  live.other = Boolean(flow); // what is there is not what the section has
  const parts = changed(live.drawn, drawn);
  live.section.drawn = parts.map((part, i) => ({ ...part, player: live.section.drawn[i]?.player }));
  for (const [piece, text] of flow ? [] : live.html) {
    const place = live.section.querySelector(`[data-piece="${piece}"]`);
    const wanted = html[piece] ?? text;
    if (place.innerHTML !== wanted) place.innerHTML = wanted;
  }
  live.cut = new Set(cut);
  live.again?.();
  ready.then(() => draw(live.section));
}

// ---------------------------------------------------------------- a row through the tree

// Returns the ends of a row, [node, weight], and the way to the first of them; or what is lacking.
function followed(tree, row, cut) {
  const [ends, path, waiting] = [[], [], [[0, 1]]];
  let parted = false;
  while (waiting.length) {
    const [node, weight] = waiting.pop();
    const branch = tree.children[node] && !cut.has(node) ? branchAt(tree, node, row) : -1;
    if (branch?.lacks !== undefined) {
      if (tree.missing === "refuse") return branch;
      if (tree.missing === "fractions") {
        parted = true;
        for (let k = tree.children[node] - 1; k >= 0; k--) {
          const child = tree.first[node] + k;
          if (tree.part[child] > 0) waiting.push([child, weight * tree.part[child]]);
        }
        continue;
      }
    }
    const taken = branch?.lacks === undefined ? branch : tree.lacking[node];
    if (taken < 0) ends.push([node, weight]);
    else {
      const child = tree.first[node] + taken;
      if (!parted) path.push(child);
      waiting.push([child, weight]);
    }
  }
  return { ends, path };
}

// Returns the branch that a row takes at a node, -1 where it stops, { lacks: feature } without a value.
function branchAt(tree, node, row) {
  const plane = tree.planes[node];
  if (plane) {
    const lacks = plane.findIndex((weight, f) => f < row.length && weight !== 0 && Number.isNaN(row[f]));
    if (lacks >= 0) return { lacks };
    const sum = row.reduce((total, value, f) => (plane[f] ? total + plane[f] * value : total), 0);
    return sum <= plane.at(-1) ? 0 : 1;
  }
  const feature = tree.feature[node];
  const value = row[feature];
  if (tree.groups[node]) {
    if (value === "") return { lacks: feature };
    const known = Object.hasOwn(tree.groups[node], value);
    return known ? tree.groups[node][value] : tree.missing === "fractions" ? { lacks: feature } : -1;
  }
  if (Number.isNaN(value)) return { lacks: feature };
  return value <= Number(tree.threshold[node].replace("inf", "Infinity")) ? 0 : 1;
}

function outcomeOf(tree, ends) {
  if (ends.length === 1) return tree.outcomes[ends[0][0]];
  if (tree.mean.length) return String(ends.reduce((sum, [node, weight]) => sum + weight * tree.mean[node], 0));
  const votes = tree.votes[0].map((_, k) => ends.reduce((sum, [node, weight]) => sum + weight * tree.votes[node][k], 0));
  const most = Math.max(...votes);
  return tree.labels[votes.findIndex((vote) => vote >= most - 1e-12)];
}

function rowForm(live, words) {
  const { tree } = live;
  const box = document.createElement("details");
  const form = document.createElement("form");
  const answer = Object.assign(document.createElement("p"), { className: "answer" });
  const steps = document.createElement("ol");
  answer.setAttribute("role", "status");
  const fields = tree.features.map((name, f) => (tree.asked.includes(f) ? field(tree, f, name, form) : null));
  const read = () => fields.map((input, f) => {
    const text = input ? input.value.trim().replace("\u2212", "-") : tree.usual[f];
    if (tree.categories[f]) return text;
    return text === "" || text === "nan" ? NaN : Number(text);
  });
  live.again = () => {
    const row = read();
    const wrong = fields.findIndex((input, f) => input && !tree.categories[f] && input.value.trim() && !Number.isFinite(row[f]));
    const found = wrong < 0 && followed(tree, row, live.cut);
    if (wrong >= 0) answer.textContent = words.wrong.replace("{name}", tree.features[wrong]);
    else if (found.lacks !== undefined) answer.textContent = words.lacks.replace("{name}", tree.features[found.lacks]);
    else {
      const n = found.ends.length === 1 ? tree.rows[found.ends[0][0]] : null;
      answer.textContent = words.predicted.replace("{outcome}", () => outcomeOf(tree, found.ends));
      if (n !== null) answer.textContent += " " + words.rows.replace("{n}", n);
      else answer.textContent += " " + words.parts.replace("{n}", found.ends.length);
    }
    steps.replaceChildren(...(found.path ?? []).map((node) =>
      Object.assign(document.createElement("li"), { textContent: tree.conditions[node] })));
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", live.again);
  box.append(Object.assign(document.createElement("summary"), { textContent: words.row.replace("{model}", () => tree.model) }), form, answer, steps);
  box.addEventListener("toggle", () => ready.then(() => draw(live.section)));
  live.again();
  return box;
}

function field(tree, feature, name, form) {
  const label = Object.assign(document.createElement("label"), { textContent: name + " " });
  const known = tree.categories[feature];
  const input = document.createElement(known ? "select" : "input");
  if (known) input.append(...["", ...known].map((value) => new Option(value, value)));
  else input.inputMode = "decimal", input.size = 9;
  input.name = name;
  input.value = tree.usual[feature] === "nan" ? "" : tree.usual[feature];
  label.append(input);
  form.append(label);
  return input;
}
