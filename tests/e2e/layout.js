// What is wrong with how a page looks, as sentences: run in the page once it stands still. It knows
// what a picture of the app is made of, and else only what is painted.

() => {
  const faults = new Set();
  const OF_READERS = "[aria-hidden=true], .stTooltipIcon, [data-testid=stElementToolbar]"; // not of these
  const PAGE = "html, body, [data-testid=stMain], [data-testid=stSidebarContent]"; // what scrolls as a whole
  const HAIR = 8, SLIP = 3; // pixels
  const once = (f) => { const known = new Map(); return (e) => (known.has(e) || known.set(e, f(e)), known.get(e)); };
  const style = once((e) => getComputedStyle(e));
  const box = once((e) => e.getBoundingClientRect());
  const short = (text) => text.trim().replace(/\s+/g, " ").slice(0, 60);
  const named = (e) => [...e.classList].find((name) => /^(st-key-|lv|stElement)/.test(name)) ?? e.dataset?.testid ?? e.id;
  const where = (e) => {
    const names = [];
    for (let at = e; at && names.length < 3; at = at.parentElement) if (named(at)) names.unshift(named(at));
    return names.join(" ") || e.tagName;
  };
  const found = (kind, what, ...elements) => faults.add(`${kind}: ${what} [${elements.map(where).join(" | ")}]`);

  const hides = once((e) => {
    if (!e) return false;
    const { position, clipPath } = style(e), { width, height } = box(e);
    // For who listens alone.
    return clipPath === "inset(50%)" || (position === "absolute" && width <= 1 && height <= 1) || hides(e.parentElement);
  });
  const isSeen = once((e) => !e.closest(OF_READERS) && !hides(e)
    && e.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const scrolls = (e, way) => /auto|scroll/.test(style(e)["overflow" + way]);
  // What moves by itself, or lies above the page: things of two layers may meet. So does the page
  // itself once it is scrolled.
  const layer = once((e) => {
    if (!e || e.matches(PAGE)) return e?.scrollTop ? e : null;
    const isApart = /fixed|sticky/.test(style(e).position) || e.matches("[role=dialog], [data-baseweb=popover]")
      || (scrolls(e, "Y") && e.scrollHeight > e.clientHeight + HAIR);
    return isApart ? e : layer(e.parentElement);
  });
  // Where an element can be seen, and whether what is outside can be had by scrolling.
  const window_ = once((e) => {
    if (!e || e.matches(PAGE) || style(e).position === "fixed") return { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, more: false };
    const around = window_(e.parentElement), { overflowX, overflowY, textOverflow, webkitLineClamp } = style(e), own = box(e);
    const [x, y] = [overflowX !== "visible", overflowY !== "visible"];
    const more = textOverflow === "ellipsis" || webkitLineClamp !== "none" || (x && scrolls(e, "X") && e.scrollWidth > e.clientWidth + SLIP)
      || (y && scrolls(e, "Y") && e.scrollHeight > e.clientHeight + SLIP);
    return {
      left: Math.max(around.left, x ? own.left : -Infinity), right: Math.min(around.right, x ? own.right : Infinity),
      top: Math.max(around.top, y ? own.top : -Infinity), bottom: Math.min(around.bottom, y ? own.bottom : Infinity),
      more: around.more || more,
    };
  });

  // -------------------------------------------------------------- texts

  const RAW = /<\/?[a-z]+[^>]*>|&lt;|&amp;[a-z]+;|\{[a-z_]+(:[^}]*)?\}|\bNone\b|\bnan\b|\bundefined\b|\[object /;
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    const e = node.parentElement, words = short(node.nodeValue);
    if (!words || /^(script|style|noscript|title|desc|option)$/i.test(e.tagName) || !isSeen(e)) continue;
    if (RAW.test(node.nodeValue) && !e.closest("code, pre, textarea")) found("raw text", words, e);
    const range = document.createRange(), seen = window_(e), size = parseFloat(style(e).fontSize);
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.width < 2 || line.height < 2) continue;
      const middle = (line.top + line.bottom) / 2, half = 0.36 * Math.min(line.height, size); // of letters, without room above
      const within = ({ left, right, top, bottom }) => ({
        left: Math.max(line.left, left), right: Math.min(line.right, right),
        top: Math.max(middle - half, top), bottom: Math.min(middle + half, bottom),
      });
      const { left, right, top, bottom } = within(seen);
      const isLost = line.width - (right - left) > SLIP || 2 * half - (bottom - top) > SLIP;
      if (isLost && !seen.more) found("cut off", words, e);
      const whole = within(window_(e.parentElement)); // of neighbours that its ellipsis spares, there are too many
      if (right - left > 2 && bottom - top > 2) texts.push({ e, words, ...whole });
    }
  }
  const meet = (a, b, least) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > least
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > least;
  const apart = (a, b) => a !== b && !a.contains(b) && !b.contains(a) && layer(a) === layer(b);
  texts.sort((a, b) => a.top - b.top);
  texts.forEach((a, i) => {
    for (let j = i + 1; j < texts.length && texts[j].top < a.bottom; j++) {
      const b = texts[j];
      const accented = a.e.closest("mover"); // a sign is drawn close to its letter
      if (meet(a, b, 2) && apart(a.e, b.e) && !accented?.contains(b.e)) found("text upon text", `${a.words} | ${b.words}`, a.e, b.e);
    }
  });

  // -------------------------------------------------------------- what is pressed

  const pressed = [...document.querySelectorAll("button, a[href], [role=button]")].filter(isSeen);
  for (const e of pressed)
    for (const text of texts)
      if (meet(text, box(e), SLIP) && apart(e, text.e))
        found("text under a button", `${text.words} | ${short(e.ariaLabel || e.title || e.textContent)}`, text.e, e);
  for (const e of document.querySelectorAll("button, a[href], input, select, [role=button], [role=tab], [role=radio], [role=slider]")) {
    const { left, right, top, bottom, width, height } = box(e), seen = window_(e);
    const [x, y] = [(Math.max(left, seen.left) + Math.min(right, seen.right)) / 2, (Math.max(top, seen.top) + Math.min(bottom, seen.bottom)) / 2];
    const isThere = width > 4 && height > 4 && x > seen.left && x < seen.right && y > seen.top && y < seen.bottom;
    if (!isThere || e.disabled || !isSeen(e)) continue;
    const over = document.elementFromPoint(x, y); // none outside of the window
    if (over && apart(e, over) && !e.closest("label")?.contains(over)) found("covered", short(e.ariaLabel || e.textContent), e, over);
  }

  // -------------------------------------------------------------- boxes

  for (const e of document.querySelectorAll("body *"))
    for (const [way, length] of [["X", "Width"], ["Y", "Height"]]) {
      const [has, needs] = [e["client" + length], e["scroll" + length]];
      if (has > 20 && needs > has && needs <= has + HAIR && scrolls(e, way) && isSeen(e))
        found("scrolls by a hair", `${needs} in ${has} pixels (${way})`, e);
    }
  for (const e of document.querySelectorAll(PAGE))
    if (e.scrollWidth > e.clientWidth && isSeen(e)) found("scrolls sideways", `${e.scrollWidth} in ${e.clientWidth}`, e);

  // -------------------------------------------------------------- pictures

  const MARKS = ".trace path, .trace text, .point, .shapelayer path, .layer-below path, .imagelayer image, image, "
    + ".annotation, .lvg-marks path, .infolayer text.annotation-text";
  for (const e of document.querySelectorAll(".lv-figure")) {
    const isSent = [...e.querySelectorAll(MARKS)].some((mark) => mark.getAttribute("d") !== "M0,0Z");
    if (!isSent) found("empty picture", short(e.textContent), e);
  }
  for (const e of document.querySelectorAll(".lvg-frame, .lv-frame, .lv-paper"))
    if (!e.querySelector("svg, canvas, img")) found("no picture", short(e.textContent), e);
  for (const e of document.querySelectorAll(".lvg-tree svg, .lv-alone svg"))
    if (!e.childElementCount) found("empty picture", "", e);
  for (const e of document.querySelectorAll("img"))
    if (e.complete && !e.naturalWidth) found("broken image", e.src.slice(0, 60), e);
  const SHOWN = ".lv-figure .main-svg, .lv-alone svg, [data-testid=stAlert], [data-testid=stMain] table";
  if (!document.querySelector(SHOWN)) found("nothing", "neither a picture nor a reason why there is none", document.body);
  for (const e of document.querySelectorAll("[data-testid=stException], [data-testid=stAlertContentError], .lv-failed"))
    found("an error", short(e.textContent), e);
  return [...faults];
}
