// What is shown anew begins at its top: a phone stays where its reader was, below the question.

let shown;

export default function ({ data }) {
  const before = shown;
  shown = data.what;
  if (before !== undefined && before !== shown) {
    document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  }
}
