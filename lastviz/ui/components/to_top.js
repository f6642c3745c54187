// What is shown anew begins at its top: a phone stays where its reader was, below the question.

let shown;

export default function ({ data }) {
  if (shown !== data.what) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
  shown = data.what;
}
