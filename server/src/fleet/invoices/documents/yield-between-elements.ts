import { documentPace } from './document-pace.ts';
import { sizeOf, type XmlElement } from './xml-element.ts';

export const elementsAtOnce = 200;

/** To be awaited after what was made of an element: other requests run after so many, with all that are in them. */
export function yieldBetweenElements(): (element: XmlElement) => Promise<void> {
  const endSlice = documentPace.begin();
  let elements = 0;
  return async (element) => {
    elements += sizeOf(element);
    if (elements < elementsAtOnce) return;
    elements = 0;
    await endSlice();
  };
}
