// What `packed` (components/served.py) sends: a text as it is, or gzip of it.

const unzipped = async (data) =>
  data[0] === 0x1f && data[1] === 0x8b
    ? new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("gzip"))).text()
    : new TextDecoder().decode(data);
