// Puts other words for Streamlit's own, as they appear: texts of elements, and what is read aloud.
// All sentences pass here, so numbers are bound to their signs of per cent, too.

const SPOKEN = ["aria-label", "title", "placeholder", "alt", "data-placeholder"];
const OWN = "[data-testid], [role=dialog], [data-baseweb], [role=menuitem], a, button, li";
const OURS = ".js-plotly-plot, [data-testid=stMarkdownContainer], .stHtml, .katex, [role=option]";
const SENTENCES = "[data-testid=stMarkdownContainer], .stHtml";
const COUNTED = "pre, code, [data-testid=stProgress]"; // what is copied, and what changes all the time
const FIELD = "[data-testid=stFileUploaderDropzone], [data-testid=stTopNavSection]"; // what is written there is Streamlit's
// The words of its menus are common ones: elsewhere they can be a name of the data.
const MENUS = [
  "[role=dialog] > [slot=title]",
  "[data-testid^=stMainMenu]", "[data-testid=stStatusWidget]", "[data-testid=stConnectionStatus]",
  "[data-testid=stTooltipContent]", "[data-testid=stDataFrameColumnMenu]", ".gdg-search-bar",
  "[data-testid=stDataFrameColumnFormattingMenu]", "[data-testid=stDataFrameStatisticsMenu]",
  ".stDataFrameColumnFormattingMenu", ".stDataFrameStatisticsMenu",
].join();

const BROKEN = "[role=dialog] :has(> a)"; // sentences with a link in them, which are said as one
const LOST = "[data-testid=stConnectionStatus]", SAID = 8000; // milliseconds

let wasLost = false; // the connection, when the page was looked at last
let watch = null; // of the page that is shown; a later drawing has other words

function replaceWords(data) {
  const rulesOf = (words) => Object.entries(words).map(([english, text]) => ruleOf(english, text));
  const everywhere = rulesOf(data.words);
  const rules = { everywhere, menus: [...rulesOf(data.menus), ...everywhere] };
  rules.sentences = everywhere.filter((rule) => rule.isSentence);
  watch?.disconnect();
  const put = (root) => putIn(root, rules);
  watch = new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "characterData") putText(change.target, rules);
      else if (change.type === "attributes") putSpoken(change.target, rules);
      else change.addedNodes.forEach(put);
    }
    sayBack(data.back);
  });
  put(document.body);
  watch.observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: SPOKEN,
  });
  return () => watch?.disconnect();
}

/** Say once that the connection is back: what Streamlit says of a lost one goes without a word. */
function sayBack(text) {
  const isLost = document.querySelector(LOST) !== null;
  if (wasLost && !isLost) {
    const said = Object.assign(document.createElement("p"), { className: "lv-back", role: "alert", textContent: text });
    document.querySelector(".stApp").append(said);
    setTimeout(() => said.remove(), SAID);
  }
  wasLost = isLost;
}

/** Return what finds a text: {n} and {all} stand for numbers, other places for anything. */
function ruleOf(english, text) {
  const pattern = english.split(/\{(\w+)\}/).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
    return `(?<${part}>${["n", "all"].includes(part) ? "[\\d,]+" : ".+"})`;
  });
  return { pattern: new RegExp(`^${pattern.join("")}$`, "s"), text, isSentence: /[.:]$|^No /.test(english) };
}

/** Return what is said instead of a text; itself where none of the rules fits. */
function said(text, rules) {
  const bare = text.trim();
  if (!bare) return text;
  for (const rule of rules) {
    const found = rule.pattern.exec(bare);
    if (!found) continue;
    const other = rule.text.replace(/\{(\w+)\}/g, (_, name) => found.groups[name]);
    return text.replace(bare, () => other);
  }
  return text;
}

/** Return a text in which no line ends between a number and its sign of per cent. */
function bound(text) {
  return text.replace(/(^|\d) (?=%)/g, "$1\u00a0");
}

/** Return the rules for what is written in an element: of our own words and options whole sentences. */
function rulesFor(element, rules) {
  if (element.closest(MENUS)) return rules.menus;
  if (element.closest(OURS) && !element.closest(FIELD)) return rules.sentences;
  return element.closest(OWN) ? rules.everywhere : [];
}

function putIn(root, rules) {
  if (root.nodeType === Node.TEXT_NODE) return putText(root, rules);
  if (root.nodeType !== Node.ELEMENT_NODE) return;
  putSpoken(root, rules);
  root.querySelectorAll(SPOKEN.map((name) => `[${name}]`).join()).forEach((at) => putSpoken(at, rules));
  root.querySelectorAll(BROKEN).forEach((at) => putWhole(at, rules));
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) putText(texts.currentNode, rules);
}

function putText(node, rules) {
  if (!node.parentElement) return;
  let text = said(node.nodeValue, rulesFor(node.parentElement, rules));
  if (node.parentElement.closest(SENTENCES) && !node.parentElement.closest(COUNTED)) text = bound(text);
  if (text !== node.nodeValue) node.nodeValue = text;
}

function putWhole(element, rules) {
  const text = said(element.textContent, rules.sentences);
  if (text === element.textContent) return;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let other = text; texts.nextNode(); other = "") texts.currentNode.nodeValue = other;
}

function putSpoken(element, rules) {
  const here = element.closest(MENUS) ? rules.menus : rules.everywhere;
  for (const name of SPOKEN) {
    const is = element.getAttribute(name);
    const text = is && said(is, here);
    if (text && text !== is) element.setAttribute(name, text);
  }
}
