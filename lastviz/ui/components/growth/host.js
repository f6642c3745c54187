// In the app: Streamlit calls the default export after each run, with the story as bytes.

const shared = (window.lastviz ??= { plotly: null, groups: new Map() });
const players = new WeakMap();
shared.growths ??= new Set(); // those of this page: they go in step

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".lv-growth");
  if (!players.has(root)) {
    const player = mountPlayer(root, { loadPlotly });
    const tools = parentElement.querySelector(".lv-tools");
    players.set(root, { told: 0, heard: 0, player, desk: slideDesk(player, tools) });
  }
  const host = players.get(root);
  slides.watchPrint();
  host.leaveBrush ??= adoptBrush(host.player);
  shared.growths.add(host.player);
  host.player.onStep = (step) => {
    for (const other of shared.growths) if (other !== host.player && other.story) other.follow(step);
  };
  host.player.onStop = (step) => {
    if (step === host.stop || !host.isHeard) return;
    host.stop = step;
    host.told += 1;
    setTriggerValue("step", { step, told: host.told });
  };
  take(host, unzipped(data));
  return () => {
    clearInterval(host.player.timer);
    shared.growths.delete(host.player);
    host.leaveBrush();
    if (host.player.gd?.data) window.Plotly?.purge(host.player.gd);
    players.delete(root);
  };
}

function take(host, text) {
  const end = text.indexOf("\n");
  const { step: given, heard, is_heard: isHeard, words } = JSON.parse(text.slice(0, end));
  const story = text.slice(end + 1);
  const isAnother = story !== host.story;
  // What was sent before it heard of the last stop is old, unless a new session counts anew.
  if (!isAnother && heard < host.told && heard >= host.heard) return;
  const from = host.stop;
  Object.assign(host, { story, heard, isHeard, told: heard, stop: given });
  if (isAnother) {
    host.player.show(JSON.parse(story), given);
    host.desk.adopt(words);
  }
  else if (given !== from) host.player.go(given); // the reader went back in the browser
}
