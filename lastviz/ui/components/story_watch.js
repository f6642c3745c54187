// The story that this tab shows, in the tab's own storage: a link that is opened here loads the page
// anew, and says no story, or another. What was kept before is told once, as the page arrives.

const NAME = "lastviz-story";
const MET = "data-lv-story-met";

export default function ({ data, setTriggerValue }) {
  const page = document.documentElement;
  const before = page.hasAttribute(MET) ? "" : kept();
  page.setAttribute(MET, "");
  if (before && before !== data.slides) whenQuiet(() => setTriggerValue("before", before));
  else keep(data.slides);
}

function kept() {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return ""; // then the address alone says it
  }
}

function keep(slides) {
  try {
    if (slides) sessionStorage.setItem(NAME, slides);
    else sessionStorage.removeItem(NAME);
  } catch {
    // A browser that keeps nothing goes by the address.
  }
}
