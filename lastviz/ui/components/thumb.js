// Drawn parts of a slide, for storyboard.js: kept by a name of their content, as long as the page.

export default function ({ data }) {
  const [name, parts] = unzipped(data).split("\n");
  const page = (window.lastviz ??= { plotly: null, groups: new Map() });
  (page.thumbs ??= new Map()).set(name, parts);
  dispatchEvent(new Event("lastviz-thumb"));
}
