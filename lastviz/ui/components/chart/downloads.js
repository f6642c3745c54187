// The figure as a file.

function onTool(host, tool) {
  if (tool === "table") toggleTable(host);
  else if (!host.ready || !tool) return;
  else if (tool === "brush") turnBrush(!brush.isOn);
  else if (tool === "reset") show(host, {});
  else if (tool === "html") saveHtml(host);
  else saveImage(host, tool);
}

const LEGEND = 36; // pixels above a picture that leaves the page, and with it the page's legend

function exported(host) {
  const paper = getComputedStyle(host.root).getPropertyValue("--st-background-color").trim();
  const { meta, ...rest } = host.gd.layout;
  const named = new Set();
  const data = host.gd.data.map((trace) => {
    const { role, class: index } = trace.meta ?? {};
    const first = ["training", "held_out"].includes(role) && !named.has(index);
    if (first) named.add(index);
    return { ...trace, showlegend: first };
  });
  const layout = { ...rest, paper_bgcolor: paper || "white" };
  if (!named.size) return { data, layout, height: host.frame.clientHeight };
  const height = host.frame.clientHeight + LEGEND;
  const margin = { ...layout.margin, t: (layout.margin?.t ?? 0) + LEGEND };
  const place = { orientation: "h", x: 0, xanchor: "left", y: 1, yref: "container", yanchor: "top" };
  return { data, layout: { ...layout, height, margin, showlegend: true, legend: place }, height };
}

async function saveImage(host, format) {
  const { data, layout, height } = exported(host);
  const size = { width: host.frame.clientWidth, height };
  const url = await Plotly.toImage({ data, layout }, { format, ...size, scale: 2 });
  save(url, `${host.filename}.${format}`);
}

async function saveHtml(host) {
  const library = await (await fetch(new URL(SOURCE, document.baseURI))).text();
  const { height, ...parts } = exported(host);
  const figure = JSON.stringify(parts).replaceAll("<", "\\u003c");
  const text = `<!doctype html><meta charset="utf-8"><title>${host.filename}</title>
<script>${library.replaceAll("</script", "<\\/script")}</script><div id="figure" style="height: ${height}px"></div>
<script>const f = ${figure}; Plotly.newPlot("figure", f.data, f.layout, {responsive: true})</script>`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  save(url, `${host.filename}.html`);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function save(url, filename) {
  const anchor = Object.assign(document.createElement("a"), { href: url, download: filename });
  anchor.click();
}
