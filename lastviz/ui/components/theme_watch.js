// The figures come from Python in the colours of the theme: ask for them anew when it changes.

let asked = null; // once for each change, whatever comes back

function followTheme({ parentElement, data, setTriggerValue }) {
  document.documentElement.lang = data.language;
  const paper = getComputedStyle(parentElement).getPropertyValue("--st-background-color");
  const theme = isDark(paper.trim()) ? "dark" : "light";
  if (theme === data.theme) asked = null;
  else if (theme !== asked) setTriggerValue("changed", (asked = theme));
}
