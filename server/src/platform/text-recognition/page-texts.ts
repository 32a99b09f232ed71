import Type from 'typebox';
import { keptTextLength, recognitionLimits } from './recognised-document.ts';

/** The texts of the pages as they are stored. */
export const PageTextsSchema = Type.Array(Type.String({ maxLength: keptTextLength }), {
  maxItems: recognitionLimits.pages,
  description: 'The text of each page that was read.',
});
