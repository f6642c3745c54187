// The state of a tree after some events of its log. Nodes carry the numbers of the grown tree.

const GROWTH_TYPES = {
  f8: Float64Array, f4: Float32Array, i4: Int32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array,
};

function unpackedArray({ dtype, bdata }) {
  const bytes = Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0));
  return new (GROWTH_TYPES[dtype] ?? GROWTH_TYPES[dtype.slice(-2)])(bytes.buffer);
}

// Turn what was packed into arrays, once.
function unpackStory(story) {
  for (const part of [story.log, story.tree])
    for (const [name, value] of Object.entries(part)) if (value?.bdata) part[name] = unpackedArray(value);
  for (const raised of story.raised) raised.value = unpackedArray(raised.value);
  for (const machine of story.machines ?? []) if (machine) machine.status = unpackedArray(machine.status);
  const { bounds, offset, xy } = story.geometry;
  const [x0, x1, y0, y1] = bounds;
  const steps = unpackedArray(xy);
  const x = new Array(steps.length / 2), y = new Array(steps.length / 2);
  for (let i = 0; i < x.length; i++) {
    x[i] = x0 + (steps[2 * i] * (x1 - x0)) / 65535;
    y[i] = y0 + (steps[2 * i + 1] * (y1 - y0)) / 65535;
  }
  story.geometry = { bounds, offset: unpackedArray(offset), x, y };
  return story;
}

const [SPLIT, LEAF, COLLAPSE, PRUNE, RAISE, REFIT] = [0, 1, 2, 3, 4, 5];

// Play the log up to `events`: children, splits, rows and class of every node that exists.
function stateAfter(story, events) {
  const { log, tree, n_classes: k } = story;
  const n = tree.first.length;
  const state = {
    first: new Int32Array(n).fill(-1), split: new Int32Array(n).fill(-1),
    value: (node) => moved.get(node)?.value ?? tree.value.subarray(node * k, node * k + k),
    prediction: (node) => moved.get(node)?.prediction ?? tree.prediction[node],
    area: (node) => moved.get(node)?.area ?? story.area[node] ?? [0, 0],
    line: (node) => moved.get(node)?.line ?? story.line[state.split[node]] ?? [0, 0],
  };
  const moved = new Map();
  for (let event = 0; event < events; event++) {
    const node = log.node[event], action = log.action[event];
    if (action === SPLIT) {
      state.first[node] = tree.first[node];
      state.split[node] = node;
    } else if (action === REFIT) state.split[node] = n + log.branch[event];
    else {
      const branch = action === RAISE ? log.branch[event] : -1;
      state.first[node] = branch < 0 ? -1 : state.first[branch];
      state.split[node] = branch < 0 ? -1 : state.split[branch];
    }
    if (action === RAISE || action === REFIT) takeOver(story, event, moved);
  }
  state.alive = below(story, state, 0);
  return state;
}

function takeOver(story, event, moved) {
  const found = story.raised.find((r) => r.event === event);
  if (!found) return; // of very many, the last one tells all
  const { position, area, line, value, prediction } = found;
  const k = story.n_classes;
  position.forEach((node, i) => moved.set(node, {
    area: area[node], line: line[node], prediction: prediction[i],
    value: value.subarray(i * k, i * k + k),
  }));
}

function childrenOf(story, state, node) {
  const first = state.first[node];
  if (first < 0) return [];
  return Array.from({ length: story.tree.count[state.split[node]] ?? 2 }, (_, i) => first + i);
}

// A node and all below it, parents first.
function below(story, state, node) {
  const found = [node];
  for (let i = 0; i < found.length; i++) found.push(...childrenOf(story, state, found[i]));
  return found;
}

const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

function countsOf(story, state) {
  const leaves = state.alive.filter((node) => state.first[node] < 0);
  const wrong = leaves.map((leaf) => sumOf(state.value(leaf)) - state.value(leaf)[state.prediction(leaf)]);
  return { leaves: leaves.length, wrong: Math.round(sumOf(wrong)), rows: Math.round(sumOf(state.value(0))) };
}
