// What typed_array (lastviz/plots/visuals/encode.py) packs; drawings that are no figure of Plotly.

const SVG = "http://www.w3.org/2000/svg";

function decoded({ dtype, bdata, step }) {
  const types = { f8: Float64Array, f4: Float32Array, i4: Int32Array, i2: Int16Array, i1: Int8Array };
  const bytes = Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0));
  const values = new types[dtype](bytes.buffer);
  return step ? Float32Array.from(values, (value) => value * step) : values;
}
