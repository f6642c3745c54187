// plotly.js, fetched once for all figures of a page. Where the server is away it is asked for again
// for a while; then the figure says so, and the next one asks anew.

const SOURCE = "{{source}}"; // plotly.min.js, seen from the page

function loadPlotly() {
  const shared = (window.lastviz ??= { plotly: null, groups: new Map() });
  return (shared.plotly ??= fetchPlotly().catch((fault) => {
    shared.plotly = null;
    throw fault;
  }));
}

async function fetchPlotly(pause = 250) {
  try {
    return await new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(SOURCE, document.baseURI);
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => reject(new Error("plotly.min.js cannot be loaded"));
      document.head.append(script);
    });
  } catch (fault) {
    if (pause > 8000) throw fault;
    await new Promise((resolve) => setTimeout(resolve, pause));
    return fetchPlotly(2 * pause);
  }
}
