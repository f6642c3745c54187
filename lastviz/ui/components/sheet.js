// On a phone the sidebar is a sheet over the page. Streamlit keeps it open from page to page and from
// one visit to the next: here it is closed where another page is come to, and by Escape. The name of
// that page is brought into sight among the others; in a header without room for it the button of
// what is left over says it.

const SHEET = '[data-testid="stSidebar"][data-collapsed="false"]';
const isPhone = () => matchMedia("(max-width: 640px)").matches;
const closeSheet = () => document.querySelector(`${SHEET} [data-testid="stSidebarCollapseButton"] button`)?.click();

let page;

function followPage(shown) {
  if (page !== shown && isPhone()) {
    closeSheet();
    document.querySelector('[data-testid="stSidebarNavLink"][aria-current="page"]')
      ?.scrollIntoView({ inline: "center", block: "nearest" });
  }
  page = shown;
  const names = document.querySelector('[data-testid="stTopNav"]');
  if (names) places.observe(names, { subtree: true, attributes: true, attributeFilter: ["style", "aria-current"] });
  nameLeftOver();
}

const places = new MutationObserver(nameLeftOver); // Streamlit hides names as it measures them

function nameLeftOver() {
  const more = document.querySelector('[data-testid="stTopNavSection"]');
  const current = document.querySelector('[data-testid="stTopNavLink"][aria-current="page"]');
  if (!more || !current) return;
  const isIn = current.closest(".rc-overflow-item").style.opacity === "0";
  if (isIn) more.dataset.current = current.textContent;
  else delete more.dataset.current;
}

(window.lastviz ??= { plotly: null, groups: new Map() }).sheet ??= document.addEventListener("keydown", (event) => {
  const inMenu = document.querySelector('[data-baseweb="popover"], [role="dialog"]');
  if (event.key === "Escape" && !inMenu && isPhone()) closeSheet();
}) ?? true;
