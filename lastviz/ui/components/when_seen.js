// A part of the page that nobody has seen yet is a button. It is pressed once its place is in sight and
// the page stands still: who only scrolls past is not waited for.

const AGAIN = 1000; // milliseconds

export default function ({ parentElement }) {
  const place = parentElement.closest("[class*=st-key-unseen_]");
  if (!place) return; // drawn already, while this code was on its way
  let isSeen = false, isWaiting = false;
  const press = () => {
    isWaiting = isSeen && place.isConnected;
    if (!isWaiting) return;
    place.querySelector("button")?.click();
    setTimeout(() => whenQuiet(press), AGAIN); // a click may meet a run, or precede the button
  };
  const sight = new IntersectionObserver(
    ([{ isIntersecting }]) => {
      isSeen = isIntersecting;
      if (isSeen && !isWaiting) whenQuiet(press);
      isWaiting ||= isSeen;
    },
    { root: document.querySelector('[data-testid="stMain"]') },
  );
  sight.observe(place);
  return () => sight.disconnect();
}
