// A picture that begins in the upper part of the window ends in it: it has the room that is left. On
// a stage all of a slide fits into the window.

const UPPER = 0.45; // of the window's height
const LOWEST = 0.55; // of its height that a picture keeps: where that is not left, the page scrolls
const BESIDE = 0.65, LESSON = 0.6; // the same below the text of a lesson, which speaks of the picture
const BELOW = 12; // pixels below a picture
const PHONE = 640; // pixels: a window this narrow is scrolled anyway
const SMALLEST = 0.4; // of their size that words beside pictures keep
const DESIGNED = 720; // pixels, the height of a window in which pictures of a stage have their own size
const LEAVABLE = 5; // things that a stage can do without, see stage.css

const ancestor = (place, name) => place.closest(`[data-testid="${name}"]`);
const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isStaged = () => styleOf("--lv-letters") !== "" && innerWidth > PHONE;

function inWindow(place, height) {
  place.own = height;
  const page = ancestor(place, "stMain");
  if (!page || innerWidth <= PHONE) return height;
  if (isStaged()) return Math.floor(height * shareOnStage(ancestor(place, "stMainBlockContainer")));
  const top = place.getBoundingClientRect().top + page.scrollTop;
  const room = Math.floor(innerHeight - top - BELOW);
  const [upper, lowest] = document.querySelector(".st-key-course_strip") ? [BESIDE, LESSON] : [UPPER, LOWEST];
  return top < upper * innerHeight && room > lowest * height ? Math.min(height, room) : height;
}

// The window may change its height, and what stands above a picture: then the page changes its own.
function watchRoom(sizes, place) {
  const page = ancestor(place, "stMainBlockContainer");
  for (const element of [ancestor(place, "stMain"), page, page?.firstElementChild]) if (element) sizes.observe(element);
}

// ---------------------------------------------------------------- on a stage

// How many times their own height all pictures have that fill what words leave. Where that is too
// little, the next of what can be left out goes.
function shareOnStage(page) {
  const frames = [...page.querySelectorAll(".lv-frame, .lvg-frame")].filter(({ own, offsetWidth }) => own && offsetWidth);
  const before = frames.map(({ style }) => style.height);
  const height = (share) => {
    for (const frame of frames) frame.style.height = `${share * frame.own}px`;
    return page.firstElementChild.offsetHeight;
  };
  const { paddingTop } = getComputedStyle(page);
  const room = page.clientHeight - parseFloat(paddingTop) - BELOW; // letters may reach beyond a figure
  let [least, most] = [0, 0];
  for (let left = 0; left <= LEAVABLE && least < (LOWEST * innerHeight) / DESIGNED; left++) {
    document.documentElement.dataset.lvLeft = left;
    height(0);
    shrinkWords(page);
    [least, most] = [0, 4];
    while (most - least > 0.005) {
      const share = (least + most) / 2;
      if (height(share) <= room) least = share;
      else most = share;
    }
  }
  frames.forEach(({ style }, i) => (style.height = before[i]));
  return least;
}

// Words beside pictures that are longer than the window are written in smaller letters.
function shrinkWords(page) {
  const end = page.getBoundingClientRect().bottom;
  for (const words of page.querySelectorAll('[data-testid="stColumn"]:not(:has(.lv-frame, .lvg-frame)), .lvg-rest, .lv-line')) {
    words.style.alignSelf = "start";
    for (let size = 1; size >= SMALLEST; size -= 0.05) {
      words.style.setProperty("--lv-zoom", size); // which no page off the stage knows
      if (words.getBoundingClientRect().bottom <= end) break;
    }
  }
}
