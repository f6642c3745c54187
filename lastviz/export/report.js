// Draws all figures of a report.
async function draw() {
  await loadLibrary();
  const pictures = JSON.parse(await unpacked("pictures"));
  for (const [i, { data, layout }] of pictures.entries()) {
    const options = { responsive: true, displaylogo: false, scrollZoom: false };
    await Plotly.newPlot(`picture-${i}`, data, layout, options);
  }
  document.documentElement.dataset.drawn = pictures.length;
}

// On paper a picture is as wide as the page: its layers scale together.
addEventListener("beforeprint", () => {
  for (const picture of document.querySelectorAll(".picture")) {
    const { clientWidth: width, clientHeight: height } = picture;
    picture.style.setProperty("--shape", `${width} / ${height}`);
    for (const layer of picture.querySelectorAll(".main-svg"))
      layer.setAttribute("viewBox", `0 0 ${layer.width.baseVal.value} ${layer.height.baseVal.value}`);
  }
});
addEventListener("afterprint", () => {
  for (const layer of document.querySelectorAll(".main-svg")) layer.removeAttribute("viewBox");
});

draw().catch((error) => console.warn("The pictures cannot be drawn here; their tables stand below.", error));
