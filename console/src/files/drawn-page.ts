// Sharp in a dialog; smaller in a list.
const longerSidePixels = 2_000;

/** The scale and the size at which a page is drawn: bounded both ways, whatever its proportions. */
export function drawnPage(page: { width: number; height: number }) {
  const scale = longerSidePixels / Math.max(page.width, page.height);
  const pixels = (length: number) => Math.max(1, Math.floor(length * scale));
  return { scale, width: pixels(page.width), height: pixels(page.height) };
}
