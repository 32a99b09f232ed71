import { expect, test } from 'vitest';
import { recognitionLimits } from '../../../platform/text-recognition/recognised-document.ts';
import { suggest } from './suggest.ts';
import { suggestionsOf } from './suggestions.ts';

const context = { licensePlate: 'B-AB 123', timeZone: 'Europe/Berlin', now: new Date() };
const { wordsOfPage } = recognitionLimits;

/** A page of as many words as are read, each of which begins a line. */
function largePage() {
  const words = Array.from({ length: wordsOfPage }, (_, index) => ({
    text: index === 0 ? 'Unfallort:' : `versicherung${index}`,
    confidence: 1,
    box: { x: 10, y: index * 10, width: 50, height: 8 },
  }));
  const page = { width: 600, height: wordsOfPage * 10, words, tickBoxes: [], text: '' };
  const pages = [page];
  return { pages, pageCount: pages.length, source: 'text-layer' as const };
}

test('other work is done while suggestions are made, and they are the same', async () => {
  const document = largePage();
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const json = new TextEncoder().encode(JSON.stringify(document));
  const suggestions = await suggest({ json }, context);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(0);
  expect(suggestions).toMatchObject([{ field: 'location', page: 1 }]);
  expect(suggestions).toEqual(suggestionsOf(document, context));
});
