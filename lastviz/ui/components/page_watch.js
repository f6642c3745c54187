// What watches over every page, in one element that nobody sees.

export default function (element) {
  followPage(element.data.page);
  followTheme(element);
  const ends = [keepFit(), replaceWords(element.data)];
  return () => ends.forEach((end) => end());
}
