import { setImmediate } from 'node:timers/promises';
import { sizeOf, type XmlElement } from './xml-element.ts';

export const elementsAtOnce = 1_000;

/** To be awaited after what was made of an element: other requests run after so many, with all that are in them. */
export function yieldBetweenElements(): (element: XmlElement) => Promise<void> {
  let elements = 0;
  return async (element) => {
    elements += sizeOf(element);
    if (elements < elementsAtOnce) return;
    elements = 0;
    await setImmediate();
  };
}
