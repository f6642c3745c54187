// The rows of the data, by a name of their content: figures that show them wait for them here.

const MOST = 64; // names that are kept besides those that came last; the oldest go first
const page = (window.lastviz ??= { plotly: null, groups: new Map() });
page.rows ??= new Map(); // name -> { places } or { waiting: [who waits for them] }

export default function ({ data }) {
  keep(JSON.parse(unzipped(data)));
}

function keep(all) {
  for (const [name, places] of Object.entries(all)) {
    const found = page.rows.get(name) ?? {};
    page.rows.delete(name); // to stand last
    page.rows.set(name, { places: found.places ?? unpacked(places) });
    for (const go of found.waiting ?? []) go(page.rows.get(name).places);
  }
  const others = [...page.rows].filter(([name, { waiting }]) => !(name in all) && !waiting);
  for (const [name] of others.slice(0, -MOST)) page.rows.delete(name);
}

// Once, so that Plotly sees the same arrays again and leaves them alone.
function unpacked(places) {
  const types = { f8: Float64Array, f4: Float32Array, i4: Int32Array, i2: Int16Array, i1: Int8Array };
  const array = ({ dtype, bdata }) =>
    new types[dtype](Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0)).buffer);
  return Object.fromEntries(
    Object.entries(places).map(([key, value]) => [key, value?.bdata && !value.shape ? array(value) : value])
  );
}
