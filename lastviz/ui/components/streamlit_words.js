// Puts other words for Streamlit's own, as they appear: texts of elements, and what is read aloud.

const SPOKEN = ["aria-label", "title", "placeholder", "alt", "data-placeholder"];
const OWN = "[data-testid], [data-baseweb], [role=option], [role=menuitem], a, button, li";
const OURS = ".js-plotly-plot, [data-testid=stMarkdownContainer], .stHtml, .katex";
const FIELD = "[data-testid=stFileUploaderDropzone]"; // all that is written there is Streamlit's

let watch = null; // of the page that is shown; a later drawing has other words

export default function ({ data }) {
  const rules = Object.entries(data.words).map(([english, text]) => ruleOf(english, text));
  watch?.disconnect();
  const put = (root) => putIn(root, rules);
  watch = new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "characterData") putText(change.target, rules);
      else if (change.type === "attributes") putSpoken(change.target, rules);
      else change.addedNodes.forEach(put);
    }
  });
  put(document.body);
  watch.observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: SPOKEN,
  });
  return () => watch?.disconnect();
}

function ruleOf(english, text) {
  const [before, after] = english.split(/\{\w+\}/);
  return { english, before, after, text };
}

/** Return what is said instead of a text; itself where none of the rules fits. */
function said(text, rules) {
  const bare = text.trim();
  if (!bare) return text;
  for (const { english, before, after, text: other } of rules) {
    if (bare === english) return text.replace(bare, () => other);
    if (after === undefined || bare.length <= before.length + after.length) continue;
    if (bare.startsWith(before) && bare.endsWith(after)) {
      const inner = bare.slice(before.length, bare.length - after.length);
      return text.replace(bare, () => other.replace(/\{\w+\}/, () => inner));
    }
  }
  return text;
}

function putIn(root, rules) {
  if (root.nodeType === Node.TEXT_NODE) return putText(root, rules);
  if (root.nodeType !== Node.ELEMENT_NODE) return;
  putSpoken(root, rules);
  root.querySelectorAll(SPOKEN.map((name) => `[${name}]`).join()).forEach((at) => putSpoken(at, rules));
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) putText(texts.currentNode, rules);
}

function putText(node, rules) {
  const at = node.parentElement;
  if (!at || (at.closest(OURS) && !at.closest(FIELD)) || !at.closest(OWN)) return;
  const text = said(node.nodeValue, rules);
  if (text !== node.nodeValue) node.nodeValue = text;
}

function putSpoken(element, rules) {
  for (const name of SPOKEN) {
    const is = element.getAttribute(name);
    const text = is && said(is, rules);
    if (text && text !== is) element.setAttribute(name, text);
  }
}
