// A part of the page that nobody has seen yet is a button. It is pressed once its place is in sight and
// the page stands still: who only scrolls past is not waited for. It looks itself, as Chromium's
// IntersectionObserver may miss that a part has moved into sight.

const LOOK = 100, AGAIN = 1000; // milliseconds

export default function ({ parentElement }) {
  const place = parentElement.closest("[class*=st-key-unseen_]");
  if (!place) return; // drawn already, while this code was on its way
  let isLooking = true;
  const look = () => {
    if (!isLooking || !place.isConnected) return;
    const { top, bottom } = place.getBoundingClientRect();
    const isSeen = bottom > 0 && top < innerHeight;
    if (isSeen) place.querySelector("button")?.click();
    // A click may meet a run, or precede the button.
    setTimeout(() => whenQuiet(look), isSeen ? AGAIN : LOOK);
  };
  whenQuiet(look);
  return () => (isLooking = false);
}
