// On a phone the sidebar is a sheet over the page. Streamlit keeps it open from page to page and from
// one visit to the next: here it is closed where another page is come to, and by Escape.

const SHEET = '[data-testid="stSidebar"][data-collapsed="false"]';
const isPhone = () => matchMedia("(max-width: 640px)").matches;
const closeSheet = () => document.querySelector(`${SHEET} [data-testid="stSidebarCollapseButton"] button`)?.click();

let page;

export default function ({ data }) {
  if (page !== data.page && isPhone()) closeSheet();
  page = data.page;
}

(window.lastviz ??= { plotly: null, groups: new Map() }).sheet ??= document.addEventListener("keydown", (event) => {
  const inMenu = document.querySelector('[data-baseweb="popover"], [role="dialog"]');
  if (event.key === "Escape" && !inMenu && isPhone()) closeSheet();
}) ?? true;
