// The rows that are brushed, for all pictures of the page; counted from zero.

const brush = ((window.lastviz ??= { plotly: null, groups: new Map() }).brush ??= {
  rows: new Set(),
  isOn: false, // whether a drag draws a lasso
  watchers: new Set(), // called whenever anything of this changes
  tell: null, // hands the rows to the script
  reach: null, // asks the script for where rows pass in trees, which it sends to those who brush
});

const brushChanged = () => brush.watchers.forEach((watcher) => watcher());

function setBrush(rows, tell = true) {
  brush.rows = new Set(rows);
  brushChanged();
  if (tell) brush.tell?.([...brush.rows].sort((a, b) => a - b));
}

function turnBrush(isOn) {
  brush.isOn = isOn;
  if (isOn) brush.reach?.();
  brushChanged();
}
