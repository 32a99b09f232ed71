import Type from 'typebox';
import { type RecognisedDocument, recognitionLimits } from './recognised-document.ts';

const maxTextLength = 100_000;

/** Those texts. */
export const PageTextsSchema = Type.Array(Type.String({ maxLength: maxTextLength }), {
  maxItems: recognitionLimits.pages,
  description: 'The text of each page that was read.',
});

/** The texts of the pages as they are stored; what exceeds the bound is cut off. */
export function boundedTexts(document: RecognisedDocument | undefined): string[] {
  let left = maxTextLength;
  return (document?.pages ?? []).map(({ text }) => {
    const bounded = text.slice(0, left).toWellFormed();
    left -= bounded.length;
    return bounded;
  });
}
